/** Tests of `fermix auth status`: the ecosystem's lines, data for programs, and what to do about what is wrong. */
import { describe, expect, test } from "bun:test";
import { status } from "../../../src/cli/auth/status.ts";
import { expectRefusal } from "../../expect.ts";
import { placeSignIn } from "../../lab/auth-file.ts";
import { PluginLab } from "../../plugins/lab.ts";
import { answers } from "../plugins/answers.ts";

const all = { provider: undefined };

/** The lab's app, and its clock's time. */
function home() {
  const lab = new PluginLab();
  return { lab, now: lab.app.ports.clock.now(), root: lab.home.root };
}

describe("auth status", () => {
  test("nobody is signed in: a line each, and exit 0", async () => {
    const { lab } = home();
    using _ = lab;
    expect(await answers(status, lab.app, all)).toMatchObject({
      piped: "not logged in (codex)\n\nnot logged in (anthropic)\n\nnot logged in (xai)",
      notices: [],
      exit: "ok",
    });
  });

  test("COD-3/status-provider: the one that is named, with its lines and without its tokens", async () => {
    const { lab, now, root } = home();
    using _ = lab;
    placeSignIn(
      root,
      "anthropic_oauth",
      { endsInSeconds: null, more: { auth_mode: "setup_token" }, status: "ready" },
      now,
    );
    placeSignIn(root, "xai_oauth", {}, now);
    const shown = await answers(status, lab.app, { provider: "anthropic" });
    const at = new Date(now).toISOString();
    expect(shown.piped).toBe(
      `provider: anthropic\nauth_mode: setup_token\nexpires_at: n/a\nlast_refresh: ${at}\nstatus: ready`,
    );
    expect(shown.json).toEqual({
      providers: [
        {
          provider: "anthropic",
          auth_profile: "anthropic_oauth",
          logged_in: true,
          auth_mode: "setup_token",
          expires_at: null,
          last_refresh: at,
          status: "ready",
          account: null,
          reconnect_needed: false,
          fix: null,
        },
      ],
    });
    expect(JSON.stringify(shown)).not.toContain("test-access-token");
    await expectRefusal(() => status.run(lab.app, { provider: "openai" }), "model_provider_unknown");
  });

  test("STA-1/auth-status: one that is stale, or that the provider ended, names the command that connects it anew", async () => {
    const { lab, now, root } = home();
    using _ = lab;
    placeSignIn(root, "openai_codex", { endsInSeconds: -3601, more: { last_refresh: null } }, now);
    placeSignIn(root, "xai_oauth", { status: "reauthorization_required", account: { email: "a@example.com" } }, now);
    const { piped, notices, json } = await answers(status, lab.app, all);
    expect(notices).toEqual([
      "Reconnect needed: OpenAI Codex. Fix: `fermix auth login --provider codex`",
      "Reconnect needed: xAI. Fix: `fermix auth login --provider xai`",
    ]);
    expect(piped).toContain("last_refresh: n/a");
    expect(piped).toContain("status: reauthorization_required\naccount: a@example.com");
    expect(json).toMatchObject({
      providers: [{ reconnect_needed: true }, { logged_in: false }, { reconnect_needed: true }],
    });
  });

  test("an entry that cannot be used tells why", async () => {
    const { lab, now, root } = home();
    using _ = lab;
    placeSignIn(root, "xai_oauth", { more: { tokens: {} } }, now);
    const { piped, notices, json } = await answers(status, lab.app, { provider: "xai" });
    expect(piped).toBe("provider: xai\nstatus: unusable");
    expect(notices).toEqual([
      "xAI: its entry in auth.json has no access token. Fix: `fermix auth login --provider xai`",
    ]);
    expect(json).toMatchObject({
      providers: [{ logged_in: false, error: "its entry in auth.json has no access token" }],
    });
  });
});
