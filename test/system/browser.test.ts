/** Tests of system/browser.ts: real openers, written for the test, and what each of them is given. */
import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemBrowser } from "../../src/system/browser.ts";
import { until } from "../lab/until.ts";

const URL_GIVEN = "https://accounts.example/auth?a=1&b=$(touch%20x);'\"";

/** A folder with an xdg-open that runs these lines of shell. */
async function opening(lines: string, more: Record<string, string | undefined> = {}, patienceMs = 20_000) {
  const folder = mkdtempSync(join(tmpdir(), "fermix-browser-"));
  try {
    writeFileSync(
      join(folder, "xdg-open"),
      `#!/bin/sh\nprintf '%s\\n' "$@" >"${folder}/words"\nenv >"${folder}/env"\n${lines}\n`,
      { mode: 0o755 },
    );
    const browser = systemBrowser(
      { PATH: `relative:${folder}:/usr/bin:/bin`, DISPLAY: ":7", ...more },
      "linux",
      patienceMs,
    );
    const opened = await browser.open(URL_GIVEN);
    if (opened) await until("the opener ran", () => read(folder, "words").endsWith("\n"));
    return { opened, words: read(folder, "words"), env: read(folder, "env").split("\n") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch {
    return "";
  }
}

describe("the opener", () => {
  test("is given the address as one word, and of the environment only what a browser needs", async () => {
    const given = await opening("exit 0", {
      SLACK_BOT_TOKEN: "xoxb-secret",
      FERMIX_HOME: "/h",
      BUN_OPTIONS: "--x",
      HOME: "/home/ada",
    });
    expect(given.opened).toBe(true);
    expect(given.words).toBe(`${URL_GIVEN}\n`);
    const names = given.env
      .map((line) => line.split("=")[0])
      .filter((name) => !["", "PWD", "_", "SHLVL", "OLDPWD"].includes(name ?? ""));
    expect(names.sort()).toEqual(["DISPLAY", "HOME", "PATH"]);
  });

  test("that fails opened nothing; one that stays until the browser ends is not waited for", async () => {
    expect((await opening("exit 3")).opened).toBe(false);
    expect((await opening("sleep 3", {}, 300)).opened).toBe(true);
  });

  test("is not asked on a machine without a screen, and may be missing", async () => {
    expect(await opening("exit 0", { DISPLAY: undefined })).toEqual({ opened: false, words: "", env: [""] });
    expect((await opening("exit 0", { DISPLAY: undefined, WAYLAND_DISPLAY: "wayland-0" })).opened).toBe(true);
    expect((await opening("exit 0", { PATH: "" })).opened).toBe(false);
    expect((await opening("exit 0", { PATH: undefined })).opened).toBe(false);
  });
});
