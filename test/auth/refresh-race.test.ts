/** Real processes on one auth.json: they refresh a single-use token together, sign out meanwhile, and are killed. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { placeSignIn } from "../lab/auth-file.ts";
import { GRANTED, SignInLab } from "./sign-in-lab.ts";
import { TokenServer } from "./token-server.ts";

const GMAIL = "gmail:primary";

/** A home whose sign-in has ended, by the real clock. */
function expired(profiles: readonly string[] = [GMAIL]): SignInLab {
  const lab = new SignInLab();
  for (const profile of profiles) {
    placeSignIn(lab.root, profile, { accessToken: "access-1", refreshToken: "refresh-1", endsInSeconds: -60 });
  }
  return lab;
}

interface Racer {
  /** What it does, and for which profiles. */
  readonly what: "token" | "sign-out" | "die-after" | "die-before-storing";
  readonly profiles?: readonly string[];
}

/** Starts all, lets them go at once, and gives what each said; undefined for one that was killed. */
async function race(lab: SignInLab, server: TokenServer, racers: readonly Racer[]) {
  const children = racers.map(({ what, profiles = [GMAIL] }) =>
    Bun.spawn(
      [process.execPath, join(import.meta.dir, "refresh-child.ts"), lab.root, String(server.port), what, ...profiles],
      { stdin: "pipe", stdout: "pipe", stderr: "pipe", env: { PATH: process.env["PATH"] } },
    ),
  );
  const readers = children.map(({ stdout }) => stdout.pipeThrough(new TextDecoderStream()).getReader());
  for (const reader of readers) expect((await reader.read()).value).toBe("ready\n");
  for (const { stdin } of children) {
    stdin.write("go\n");
    stdin.end();
  }
  return await Promise.all(
    children.map(async (child, at) => {
      let text = "";
      for (;;) {
        const chunk = await readers[at]?.read();
        if (chunk === undefined || chunk.done) break;
        text += chunk.value;
      }
      const stderr = await child.stderr.text();
      await child.exited;
      if (child.signalCode === "SIGKILL") return undefined;
      expect(stderr).toBe("");
      return JSON.parse(text) as string[];
    }),
  );
}

const six = <Value>(value: Value): Value[] => Array.from({ length: 6 }, () => value);

describe("CASE-38", () => {
  test("TOK-1/private TOK-4/single-flight six processes with four calls each and one ended token: one request, and every call has the new token", async () => {
    using lab = expired();
    using server = new TokenServer();
    const profiles = [GMAIL, GMAIL, GMAIL, GMAIL];
    const said = await race(lab, server, six({ what: "token", profiles }));
    expect(said).toEqual(six(profiles.map(() => "Bearer access-2")));
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.body).toBe(
      "refresh_token=refresh-1&grant_type=refresh_token&client_id=the-client&client_secret=the-client-secret",
    );
    expect(lab.entry).toMatchObject({
      tokens: { access_token: "access-2", refresh_token: "refresh-2" },
      status: "ready",
    });
    expect(lab.debris).toEqual([]);
    expect(statSync(lab.home.authFile).mode & 0o7777).toBe(0o600);
  }, 30_000);

  test("a grant that has ended is asked for once by six processes, and all say the same", async () => {
    using lab = expired();
    using server = new TokenServer();
    server.revoked = true;
    const said = await race(lab, server, six({ what: "token" }));
    expect(said).toEqual(six(["reauthorization_required"]));
    expect(server.requests).toHaveLength(1);
    expect(lab.entry).toMatchObject({ status: "reauthorization_required" });
  }, 30_000);

  test("eight sign-ins in each of four processes: one request for each, and no process loses another's entry", async () => {
    const sets = Array.from({ length: 4 }, (_, set) => Array.from({ length: 8 }, (__, at) => `p${set}-${at}:primary`));
    using lab = expired(sets.flat());
    using server = new TokenServer({ before: () => Response.json(GRANTED) });
    const said = await race(
      lab,
      server,
      sets.map((profiles) => ({ what: "token", profiles })),
    );
    expect(said).toEqual(sets.map((profiles) => profiles.map(() => "Bearer access-2")));
    expect(server.requests).toHaveLength(32);
    const { providers } = JSON.parse(readFileSync(lab.home.authFile, "utf8"));
    const kept = sets.flat().map((profile) => providers[profile]?.tokens);
    expect(kept).toEqual(sets.flat().map(() => ({ access_token: "access-2", refresh_token: "refresh-2" })));
    expect(lab.debris).toEqual([]);
  }, 60_000);
});

test("TOK-4/logged-out a sign-out while three processes refresh never comes back", async () => {
  for (let round = 0; round < 3; round += 1) {
    using lab = expired();
    using server = new TokenServer();
    const said = await race(lab, server, [
      { what: "token" },
      { what: "sign-out" },
      { what: "token" },
      { what: "token" },
    ]);
    const [first, signedOut, ...others] = said;
    expect(signedOut).toEqual(["signed out"]);
    for (const answer of [first, ...others]) expect(["Bearer access-2", "not_connected"]).toContain(answer?.[0] ?? "");
    expect(lab.entry).toBeUndefined();
    expect(lab.debris).toEqual([]);
    expect(server.requests.length).toBeLessThanOrEqual(1);
  }
}, 60_000);

describe("a kill", () => {
  test("TOK-4/stored-first CASE-39: right after the refresh finds the new refresh token on the disk", async () => {
    using lab = expired();
    using server = new TokenServer();
    expect(await race(lab, server, [{ what: "die-after" }])).toEqual([undefined]);
    expect(lab.entry).toMatchObject({ tokens: { access_token: "access-2", refresh_token: "refresh-2" } });
    expect(await race(lab, server, [{ what: "token" }])).toEqual([["Bearer access-2"]]);
    expect(server.requests).toHaveLength(1);
  }, 30_000);

  test("between receiving and storing loses that refresh and nothing else", async () => {
    using lab = expired();
    using server = new TokenServer({ before: () => Response.json(GRANTED) });
    const before = readFileSync(lab.home.authFile, "utf8");
    expect(await race(lab, server, [{ what: "die-before-storing" }])).toEqual([undefined]);
    expect(readFileSync(lab.home.authFile, "utf8")).toBe(before);
    // The lock it leaves has a dead owner, so nobody waits for it.
    expect(readdirSync(lab.root).some((name) => name.endsWith(".lock"))).toBe(true);
    expect(await race(lab, server, [{ what: "token" }])).toEqual([["Bearer access-2"]]);
    expect(server.requests).toHaveLength(2);
    expect(lab.debris).toEqual([]);
  }, 30_000);

  test("there, with a provider that ends a grant at the second use, asks for a new sign-in", async () => {
    using lab = expired();
    using server = new TokenServer();
    expect(await race(lab, server, [{ what: "die-before-storing" }])).toEqual([undefined]);
    expect(await race(lab, server, six({ what: "token" }))).toEqual(six(["reauthorization_required"]));
    expect(server.requests).toHaveLength(2);
  }, 30_000);

  test("left a half-written file: it is gone after the next change, with the tokens in it", async () => {
    using lab = expired();
    using server = new TokenServer();
    for (const name of ["auth.json.4194305-1.tmp", "auth.json.tmp.7"]) writeFileSync(join(lab.root, name), "{");
    expect(await race(lab, server, [{ what: "token" }])).toEqual([["Bearer access-2"]]);
    expect(lab.debris).toEqual([]);
  }, 30_000);
});
