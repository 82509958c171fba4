/** What stands between a package and the store when cosign is missing or lies, the mirror lies, or the binary was changed. */
import { describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { newPublisher } from "../forge/sign.ts";
import { BINARY, FlowHome, ROOT } from "../lab/binary.ts";
import { BARE_PATH, pathWith, REAL_COSIGN, withoutCosign } from "../lab/cosign.ts";
import { refused } from "../lab/refusal.ts";

const SLACK = "slack-1.0.2.tar.gz";
const OBSIDIAN = "obsidian-1.0.0.tar.gz";
const shipped = (name: string): string => join(ROOT, "catalog/artifacts", name);

/** A home that fetches from a folder in which Slack is as released, and Obsidian's signature is a stranger's. */
function homeWithMirror(): { home: FlowHome; mirror: string } {
  const home = new FlowHome();
  const mirror = join(home.folder, "mirror");
  mkdirSync(mirror);
  mkdirSync(home.root);
  for (const name of [SLACK, `${SLACK}.sig`, OBSIDIAN]) copyFileSync(shipped(name), join(mirror, name));
  writeFileSync(join(mirror, `${OBSIDIAN}.sig`), newPublisher().sign(readFileSync(shipped(OBSIDIAN))));
  const url = pathToFileURL(mirror).href;
  writeFileSync(join(home.root, "config.toml"), `[fermix_core.plugins]\nartifact_mirror = ${JSON.stringify(url)}\n`);
  return { home, mirror };
}

describe("a program named cosign that is not one", () => {
  const programs: readonly (readonly [what: string, script: string, code: string])[] = [
    ["INS-12/yes-sayer-refused CASE-1 says yes to everything", "exit 0", "cosign_untrusted"],
    ["INS-12/yes-sayer-refused says yes in the words of the real one", "echo 'Verified OK' >&2", "cosign_untrusted"],
    ["INS-12/disagreement-refused says no to everything", "exit 1", "cosign_untrusted"],
    ["dies", "kill -9 $$", "cosign_failed"],
    ["ends with a status of its own", "exit 3", "cosign_failed"],
  ];
  for (const [what, script, code] of programs) {
    test(`${what}: ${code}`, async () => {
      const { home } = homeWithMirror();
      using _ = home;
      const bin = join(home.folder, "bin");
      const env = { PATH: pathWith(bin, script) };
      // What a stranger signed must not get in by it; what the publisher signed waits for a cosign that can be believed.
      for (const name of script === "exit 1" ? ["slack"] : ["slack", "obsidian"]) {
        const { exit, ...error } = await refused(home, `plugins install ${name}`, { env });
        const { path } = error.details;
        expect({ name, exit, code: error.code, path }).toEqual({ name, exit: 5, code, path: join(bin, "cosign") });
      }
    }, 30_000);
  }

  test("INS-12/yes-sayer-refused one that turns into a yes-sayer after it passed is asked again", async () => {
    const { home } = homeWithMirror();
    using _ = home;
    const bin = join(home.folder, "bin");
    const honest = { PATH: pathWith(bin, `exec ${REAL_COSIGN} "$@"`) };
    expect(await home.fermix("plugins install slack", { env: honest })).toMatchObject({ code: 0 });
    const turned = { PATH: pathWith(bin, "exit 0") };
    expect(await refused(home, "plugins install obsidian", { env: turned })).toMatchObject({
      code: "cosign_untrusted",
    });
  }, 30_000);

  test("INS-12/disagreement-refused one that passes the self-test and then accepts everything is caught", async () => {
    const { home } = homeWithMirror();
    using _ = home;
    const script = 'for last; do :; done; case "$last" in *other-bytes) exit 1;; esac; exit 0';
    const env = { PATH: pathWith(join(home.folder, "bin"), script) };
    const { exit, code, details } = await refused(home, "plugins install obsidian", { env });
    expect({ exit, code }).toEqual({ exit: 5, code: "cosign_untrusted" });
    expect(details["reason"]).toBe("it accepts a signature that Fermix's own check refuses");
  }, 30_000);

  test("cosign gets an environment built from nothing", async () => {
    using home = new FlowHome();
    const seen = join(home.folder, "seen");
    const path = pathWith(join(home.folder, "bin"), `env >> ${seen}; exec ${REAL_COSIGN} "$@"`);
    const env = { PATH: path, COSIGN_EXPERIMENTAL: "1", SIGSTORE_ROOT_FILE: "/x", AWS_SECRET_ACCESS_KEY: "canary" };
    expect(await home.fermix("plugins install slack", { env })).toMatchObject({ code: 0 });
    const lines = readFileSync(seen, "utf8").split("\n");
    const names = new Set(lines.map((line) => line.split("=", 1)[0] ?? ""));
    for (const own of ["PWD", "_", "SHLVL", "OLDPWD", ""]) names.delete(own);
    expect([...names].sort()).toEqual(["HOME", "TUF_ROOT", "XDG_CACHE_HOME"]);
  }, 30_000);
});

describe("no cosign on PATH", () => {
  test("INS-3/found-outside-path one below the user's home is found; what cannot run is passed over", async () => {
    using home = new FlowHome();
    const bin = join(home.folder, "user/.local/bin");
    mkdirSync(bin, { recursive: true });
    symlinkSync(REAL_COSIGN, join(bin, "cosign"));
    const decoy = join(home.folder, "decoy");
    mkdirSync(join(decoy, "folder/cosign"), { recursive: true });
    writeFileSync(join(decoy, "cosign"), "not a program");
    const env = { PATH: `${decoy}:${join(decoy, "folder")}:${BARE_PATH}` };
    const answer = await home.fermix("plugins install slack", { env, through: withoutCosign() });
    expect(answer).toMatchObject({ code: 0, stdout: "installed slack\n" });
  }, 30_000);

  test("INS-13/works-without everything but install, upgrade and hosted proof works", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install slack")).toMatchObject({ code: 0 });
    const options = { env: { PATH: BARE_PATH }, through: withoutCosign() };
    const verbs = [
      ...["list", "catalog", "installed", "info slack", "info obsidian", "enable slack", "disable slack"],
      ...["pin slack@1.0.2", "upgrade slack", "pin --remove slack", "upgrade slack", "install slack", "verify", "gc"],
      ...["config slack", "uninstall slack"],
    ];
    for (const verb of verbs) {
      const { code, stdout } = await home.fermix(`plugins ${verb} --json`, options);
      expect({ verb, code, error: JSON.parse(stdout).error }).toEqual({ verb, code: 0, error: undefined });
    }
  }, 60_000);

  test("INS-13/hint-for-system verify says what it could not look at; doctor names cosign and how to get it", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install slack")).toMatchObject({ code: 0 });
    const options = { env: { PATH: BARE_PATH }, through: withoutCosign() };
    const verified = JSON.parse((await home.fermix("plugins verify --json", options)).stdout);
    expect(verified.plugins).toMatchObject([{ name: "slack", ok: true, signature: "not_checked" }]);
    const install = await refused(home, "plugins install obsidian", options);
    expect(install).toMatchObject({ exit: 5, code: "cosign_missing" });
    expect((await home.fermix("plugins doctor", options)).stdout).toContain(install.fix);
  }, 60_000);
});

describe("a mirror decides where bytes come from and nothing else", () => {
  const lies: readonly (readonly [what: string, code: string, exit: number, lie: (mirror: string) => void])[] = [
    [
      "INS-1/mismatch-refused another package",
      "artifact_digest_mismatch",
      5,
      (mirror) => copyFileSync(shipped(OBSIDIAN), join(mirror, SLACK)),
    ],
    [
      "INS-1/mismatch-refused a package cut short",
      "artifact_digest_mismatch",
      5,
      (mirror) => truncateSync(join(mirror, SLACK), 100),
    ],
    [
      "INS-1/mismatch-refused an empty file",
      "artifact_digest_mismatch",
      5,
      (mirror) => truncateSync(join(mirror, SLACK), 0),
    ],
    [
      "INS-6/oversize a package of 100 MiB and a byte",
      "artifact_too_large",
      5,
      (mirror) => truncateSync(join(mirror, SLACK), 104_857_601),
    ],
    [
      "INS-2/signature-required another package's signature",
      "signature_invalid",
      5,
      (mirror) => copyFileSync(shipped(`${OBSIDIAN}.sig`), join(mirror, `${SLACK}.sig`)),
    ],
    [
      "INS-2/signature-required an empty signature",
      "signature_missing",
      5,
      (mirror) => truncateSync(join(mirror, `${SLACK}.sig`), 0),
    ],
  ];
  for (const [what, code, exit, lie] of lies) {
    test(`${what}: ${code}`, async () => {
      const { home, mirror } = homeWithMirror();
      using _ = home;
      lie(mirror);
      const error = await refused(home, "plugins install slack");
      expect({ exit: error.exit, code: error.code }).toEqual({ exit, code });
    }, 30_000);
  }
});

describe("a binary that was changed", () => {
  /** A copy of the shipped binary with a text of an embedded file replaced by one of the same length. */
  function changed(folder: string, find: string, replace: string): string {
    const bytes = readFileSync(BINARY);
    const at = bytes.indexOf(find);
    if (at === -1 || bytes.indexOf(find, at + 1) !== -1) throw new Error(`${find} is not in the binary exactly once`);
    bytes.write(replace, at, "latin1");
    const path = join(folder, "changed");
    writeFileSync(path, bytes, { mode: 0o755 });
    return path;
  }

  test("CAT-2/tampered-refuses-install one digest of the index differs: nothing can be installed, and it says why", async () => {
    using home = new FlowHome();
    expect(await home.fermix("plugins install slack")).toMatchObject({ code: 0 });
    const digest = /"sha256": "[0-9a-f]{64}"/.exec(readFileSync(join(ROOT, "catalog/index.json"), "utf8"))?.[0] ?? "";
    const binary = changed(home.folder, digest, `"sha256": "${"0".repeat(64)}"`);
    const verbs = [
      "install obsidian",
      "install obsidian --dry-run",
      "enable obsidian",
      "info obsidian",
      "upgrade slack",
    ];
    for (const verb of verbs) {
      const { exit, code, message } = await refused(home, `plugins ${verb}`, { binary });
      expect({ verb, exit, code }).toEqual({ verb, exit: 5, code: "catalog_untrusted" });
      expect(message).toContain("Nothing will be installed from it");
    }
    for (const verb of ["list", "installed", "info slack", "enable slack", "disable slack", "gc", "uninstall slack"]) {
      const { code } = await home.fermix(`plugins ${verb}`, { binary });
      expect({ verb, code }).toEqual({ verb, code: 0 });
    }
  }, 60_000);
});
