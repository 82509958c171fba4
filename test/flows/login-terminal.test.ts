/** Signing in on a real terminal, with the browser on another machine: the address is pasted, and Ctrl-C stops it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { signInOnDisk } from "../lab/auth-file.ts";
import { BINARY } from "../lab/binary.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { Pane, paneMissing } from "../lab/pane.ts";
import { walk } from "../lab/sign-in-lab.ts";
import { LAB_CLIENT } from "../lab/token-book.ts";
import { until } from "../lab/until.ts";

setDefaultTimeout(60_000);

const missing = labMissing() ?? paneMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const ASKED = "Address of the last page";
let panes = 0;

describe.if(missing === undefined)("on a terminal", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["github"]);
    home = await lab.home({ plugins: [], clients: { github: LAB_CLIENT } });
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  function open(words: string): Pane {
    panes += 1;
    const folder = join(home.folder, `pane${panes}`);
    mkdirSync(folder);
    const command = [...lab.network.inside, BINARY, ...words.split(" ")];
    const env = home.env({ NODE_EXTRA_CA_CERTS: lab.network.caFile });
    return new Pane(command, { folder, env, cwd: home.folder, columns: 200 });
  }

  async function addressOn(pane: Pane): Promise<string> {
    await pane.shows(ASKED);
    return (await pane.wrote(/https:\/\/github\.com\/\S+\s/)).trimEnd();
  }

  test("the address where a browser on another machine ended is pasted, and signs in", async () => {
    using pane = open("plugins auth login github --no-browser");
    const address = await addressOn(pane);
    expect(pane.screen).toContain("copy the address of that page and paste it here");
    pane.type("not an address", "Enter");
    await pane.shows("It is the whole address, with state= and code= in it.");
    // Nothing is to be taken back: each answer is a line of its own. A shell would show what comes behind Ctrl-Z.
    pane.type("C-z");
    const { url } = await walk(lab, address, true);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:1457\/auth\/callback\?code=/);
    pane.paste(`'${url}'\n`);
    pane.type("Enter");
    expect(await pane.ended()).toEqual({ code: 0, sane: true });
    expect(pane.raw).not.toContain(new URL(url).searchParams.get("code") ?? "");
    expect(pane.screen).toContain("connected github");
    expect(signInOnDisk(home.root, "github:primary")).toMatchObject({ status: "ready" });
  });

  test("the question goes away when a browser here answers after all", async () => {
    using pane = open("plugins auth reauthorize github --no-browser");
    expect((await walk(lab, await addressOn(pane))).status).toBe(200);
    expect(await pane.ended()).toEqual({ code: 0, sane: true });
    expect(pane.screen).toContain("connected github");
  });

  test.each(["C-c", "C-d"])(
    "%s at the question stops it, and leaves the terminal as it was and the home without a trace",
    async (key) => {
      const before = signInOnDisk(home.root, "github:primary");
      using pane = open("plugins auth login github --no-browser");
      await addressOn(pane);
      expect(existsSync(home.root)).toBe(true);
      pane.type(key);
      expect(await pane.ended()).toEqual({ code: 1, sane: true });
      expect(pane.screen).toContain("The sign-in was stopped; nothing was stored.");
      expect(readdirSync(home.root).filter((name) => /claim|lock|tmp/.test(name))).toEqual([]);
      expect(signInOnDisk(home.root, "github:primary")).toEqual(before ?? {});
      await until("nobody listens any more", () => {
        const { stdout } = Bun.spawnSync([...lab.network.inside, "cat", "/proc/net/tcp"]);
        // Port 1457, listening; what was closed just now stays in the table for a while.
        return !/:05B1 \S+ 0A /.test(stdout.toString());
      });
    },
  );
});
