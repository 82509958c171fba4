/** One sign-in as a person lives it: `fermix` opens a real browser, which signs in at a real OAuth server and comes back. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { signInOnDisk } from "../lab/auth-file.ts";
import { ROOT } from "../lab/binary.ts";
import { openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { chromiumMissing, startGoogleSignIn, startSignIn } from "../lab/sign-in-lab.ts";
import { LAB_CLIENT } from "../lab/token-book.ts";
import { until } from "../lab/until.ts";

const missing = labMissing() ?? chromiumMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** A browser starts slowly on a busy machine. */
const PATIENT_MS = 120_000;

describe.if(missing === undefined)("a real browser", () => {
  test(
    "AUTH-2/browser is opened with the page, signs in, and shows that Fermix is connected",
    async () => {
      using lab = await openHttpLab(["github"]);
      using _google = await startGoogleSignIn(lab.network);
      using home = await lab.home({ plugins: [], clients: { google: LAB_CLIENT } });
      const [bin, out] = [join(home.folder, "bin"), join(home.folder, "page.json")];
      mkdirSync(bin);
      const browse = join(ROOT, "test/lab/browse.mjs");
      // As a desktop's own opener does, it lets the browser go on by itself.
      const opener = `#!/bin/sh\nnode '${browse}' "$1" '${out}' >'${out}.log' 2>&1 &\n`;
      writeFileSync(join(bin, "xdg-open"), opener, { mode: 0o755 });
      const path = [bin, home.env()["PATH"]].join(delimiter);
      const waiting = startSignIn(lab, home, "plugins auth login gmail", { PATH: path, DISPLAY: ":7" });
      const { code, stdout, stderr } = await waiting.answer;
      expect([code, stdout]).toEqual([0, "connected gmail\n"]);
      expect(stderr).toContain("The sign-in page was opened in the browser.");
      await until("the browser showed its last page and is gone", () => existsSync(out));
      const shown = JSON.parse(readFileSync(out, "utf8"));
      expect(shown).toEqual({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1455\/auth\/callback\?/),
        title: "Fermix: Connected",
        heading: "Connected",
        paragraphs: ["Fermix is signed in with Google.", "You can close this page."],
        width: expect.any(Number),
        cookies: [],
        refused: [],
      });
      // The style applies: the page's own policy lets it.
      expect(shown.width).toBeLessThan(700);
      expect(signInOnDisk(home.root, "gmail:primary")).toMatchObject({
        status: "ready",
        account: { email: "ada@example.org" },
      });
    },
    PATIENT_MS,
  );
});
