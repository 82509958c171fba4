/** Tests of `fermix auth logout`: what it did, what it did not do, and who still has to learn of it. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { logout } from "../../../src/cli/auth/logout.ts";
import { placeSignIn, signInOnDisk } from "../../lab/auth-file.ts";
import { PluginLab } from "../../plugins/lab.ts";
import { answers } from "../plugins/answers.ts";

test("COD-3/logout-provider, COD-4/logout: the one that is named, with the restart, and nothing about revoking it", async () => {
  using lab = new PluginLab();
  lab.config("[fermix_core.providers.xai]", 'auth_mode = "oauth"');
  for (const profile of ["xai_oauth", "openai_codex"]) placeSignIn(lab.home.root, profile);
  expect(await answers(logout, lab.app, { provider: "xai" })).toMatchObject({
    piped: "logged out of xAI",
    json: { provider: "xai", logged_out: true, changed: true, revoked: false, restart_needed: true },
    notices: [
      "this removed the sign-in from this machine and revoked nothing: take the access back at xAI",
      'config.toml has auth_mode = "api_key" for xai; restart the daemon for it to take effect',
    ],
  });
  expect(readFileSync(lab.home.configFile, "utf8")).toContain('auth_mode = "api_key"');
  expect(signInOnDisk(lab.home.root, "xai_oauth")).toBeUndefined();
  expect(signInOnDisk(lab.home.root, "openai_codex")).toBeDefined();
});

test("without a name it is Codex, which has no auth_mode; a second time nothing is left to do", async () => {
  using lab = new PluginLab();
  placeSignIn(lab.home.root, "openai_codex");
  expect(await answers(logout, lab.app, { provider: undefined })).toMatchObject({
    piped: "logged out of OpenAI Codex",
    json: { provider: "openai_codex", changed: true, restart_needed: false },
    notices: ["this removed the sign-in from this machine and revoked nothing: take the access back at OpenAI Codex"],
  });
  expect(await answers(logout, lab.app, { provider: undefined })).toMatchObject({
    piped: "already logged out of OpenAI Codex",
    json: { logged_out: true, changed: false },
    notices: [],
    exit: "ok",
  });
});
