/** Secrets on the compiled binary beside plugins' keys: those in clear that move, OAuth clients, and keychains that fail. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { BINARY, FlowHome } from "../lab/binary.ts";
import { Keyring, keyringMissing, PASSWORD, SilentBus } from "../lab/keyring.ts";
import { keyringUserMissing } from "../lab/keyring-user.ts";
import { Pane, paneMissing } from "../lab/pane.ts";

const missing = keyringMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);
const PATIENT_MS = 120_000;

const IN_CLEAR = `# mine
[fermix_core.providers.openai] # chat
api_key = "sk-canary-of-openai" # the team's
model = 'm'

[fermix_channels]
telegram.bot_token = '123456:canary-of-telegram'

[fermix_core.oauth.x]
client_id = "an id"
client_secret = "canary-of-x"

[fermix_core.plugin_secrets]
slack = "xoxb-canary-of-slack"
`;
const ITEMS = {
  OPENAI_API_KEY: "sk-canary-of-openai",
  TELEGRAM_BOT_TOKEN: "123456:canary-of-telegram",
  X_OAUTH_CLIENT_SECRET: "canary-of-x",
  PLUGIN_SLACK_SLACK_BOT_TOKEN: "xoxb-canary-of-slack",
};

describe.if(missing === undefined)("secrets", () => {
  let home: FlowHome;
  let keyring: Keyring;

  beforeEach(async () => {
    keyring = await Keyring.open();
    home = new FlowHome();
    mkdirSync(home.root, { mode: 0o700 });
  }, PATIENT_MS);
  afterEach(() => {
    home?.[Symbol.dispose]();
    keyring?.[Symbol.dispose]();
  });

  const run = async (words: string | readonly string[], input?: string, env = keyring.env) =>
    await home.fermix(words, { env, ...(input === undefined ? {} : { input }) });
  const config = () => readFileSync(join(home.root, "config.toml"), "utf8");
  const write = (text: string) => writeFileSync(join(home.root, "config.toml"), text, { mode: 0o600 });
  /** All but the log, which every command writes to. */
  const disk = () => Object.entries(snapshotTree(home.root)).filter(([path]) => !path.startsWith("logs/"));

  test(
    "KCH-3/binary setup --migrate-secrets moves them into a real keychain, and the file says the rest as before",
    async () => {
      write(IN_CLEAR);
      const { code, stdout, stderr } = await run("setup --migrate-secrets");
      expect({ code, lines: stdout.trimEnd().split("\n").length }).toEqual({ code: 0, lines: 4 });
      for (const [name, value] of Object.entries(ITEMS)) expect(keyring.seenByOthers("fermix", name)).toBe(value);
      expect(config()).toBe(
        Object.values(ITEMS).reduce(
          (text, value) => text.replace(new RegExp(`["']${value}["']`), '"@keyring"'),
          IN_CLEAR,
        ),
      );
      expect(`${stdout}${stderr}`).not.toContain("canary");
      expect(filesWith("canary", [home.folder, keyring.folder])).toEqual([]);
      const before = disk();
      expect((await run("setup --migrate-secrets")).stdout).toBe("no secret is in clear in config.toml\n");
      expect(disk()).toEqual(before);
    },
    PATIENT_MS,
  );

  test(
    "AUTH-11/binary KCH-7/binary an OAuth client is stored whole, whatever signs its secret holds",
    async () => {
      for (const secret of [`it's "quoted" \\ $HOME`, "two\nlines", `\u{1f511}${"k".repeat(4096)}`]) {
        const words = ["auth", "client", "github", "--id", "Iv1.abc", "--stdin"];
        const { code, stdout } = await run(words, `${secret}\n`);
        expect(code).toBe(0);
        expect(stdout).toContain("http://127.0.0.1:1457/auth/callback");
        expect(keyring.seenByOthers("fermix", "GITHUB_OAUTH_CLIENT_SECRET")).toBe(secret);
      }
      expect(config()).toBe('[fermix_core.oauth.github]\nclient_id = "Iv1.abc"\nclient_secret = "@keyring"\n');
      const refused = await run(["auth", "client", "github", "--id", "i", "the-client-secret"]);
      expect(refused.code).toBe(2);
      expect(`${refused.stdout}${refused.stderr}`).not.toContain("the-client-secret");
    },
    PATIENT_MS,
  );

  test(
    "KCH-5/set-named CASE-59: a locked and a silent keychain each end a set with a named failure and nothing changed",
    async () => {
      using bus = new SilentBus();
      keyring.lock();
      const before = disk();
      for (const [env, code] of [
        [keyring.env, "keychain_locked"],
        [bus.env, "keychain_timed_out"],
      ] as const) {
        const set = await run("plugins auth set slack --stdin --json", "xoxb-canary-of-slack", env);
        expect(set.code).toBe(1);
        expect(JSON.parse(set.stdout).error.code).toBe(code);
      }
      expect(disk()).toEqual(before);
    },
    PATIENT_MS,
  );

  test(
    "KCH-2/migrate-binary without a keychain nothing moves and the file stays",
    async () => {
      write(IN_CLEAR);
      const { code, stderr } = await run("setup --migrate-secrets", undefined, {});
      expect(code).toBe(1);
      expect(stderr).toContain("could not be stored in the OS keyring: no supported OS secret helper is available");
      expect(config()).toBe(IN_CLEAR);
    },
    PATIENT_MS,
  );
});

const lonely = keyringMissing() ?? keyringUserMissing() ?? paneMissing();
if (lonely !== undefined) console.warn(`not run: ${lonely} is missing`);

describe.if(lonely === undefined)("a locked keychain whose user is there", () => {
  const KEY = "xoxb-canary-of-slack";
  const ITEM = "PLUGIN_SLACK_SLACK_BOT_TOKEN";

  /** Runs the words in a terminal, in which whoever is asked for a secret types the key. */
  async function atTerminal(home: FlowHome, keyring: Keyring, words: readonly string[]) {
    const folder = join(home.folder, `pane-${words.join("-")}`);
    mkdirSync(folder);
    using pane = new Pane([BINARY, ...words], { folder, env: home.env(keyring.env), cwd: home.folder });
    if (words.includes("set")) {
      await pane.shows("not shown");
      pane.type(KEY, "Enter");
    }
    const ended = await pane.ended();
    expect(`${pane.raw}${pane.screen}`).not.toContain("canary");
    return { ...ended, screen: pane.screen };
  }

  test(
    "KCH-5/unlocked asks them to unlock it, again after a slip, and a set and a clear go through",
    async () => {
      using home = new FlowHome();
      home.plant(KEY);
      using keyring = await Keyring.open(["a slip", PASSWORD, PASSWORD]);
      keyring.lock();
      const set = await atTerminal(home, keyring, ["plugins", "auth", "set", "slack"]);
      expect(set).toMatchObject({ code: 0, sane: true });
      expect(set.screen).toContain("stored api key for slack");
      expect(keyring.seenByOthers("fermix", ITEM)).toBe(KEY);
      keyring.lock();
      const cleared = await atTerminal(home, keyring, ["plugins", "auth", "clear", "slack"]);
      expect(cleared).toMatchObject({ code: 0, sane: true });
      expect(cleared.screen).toContain("cleared api key for slack");
      expect(await keyring.user.hasAnswersLeft()).toBe(false);
      expect(keyring.seenByOthers("fermix", ITEM)).toBe("");
    },
    PATIENT_MS,
  );

  test(
    "KCH-5/dismissed one who waves the prompt away is told that it is locked, and nothing is changed",
    async () => {
      using home = new FlowHome();
      mkdirSync(home.root, { mode: 0o700 });
      home.plant(KEY);
      using keyring = await Keyring.open([""]);
      keyring.lock();
      const { code, screen } = await atTerminal(home, keyring, ["plugins", "auth", "set", "slack"]);
      expect({ code, left: await keyring.user.hasAnswersLeft() }).toEqual({ code: 1, left: false });
      expect(screen).toContain(`The keychain is locked, so ${ITEM} could not be stored`);
      expect(readdirSync(home.root).filter((name) => name !== "logs")).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    "what runs unattended, and what only reads, asks them nothing",
    async () => {
      using home = new FlowHome();
      using keyring = await Keyring.open([PASSWORD]);
      const set = async () =>
        (await home.fermix("plugins auth set slack --stdin", { env: keyring.env, input: KEY })).code;
      expect(await set()).toBe(0);
      keyring.lock();
      expect(await set()).toBe(1);
      const status = await atTerminal(home, keyring, ["plugins", "auth", "status", "slack"]);
      expect(status.screen).toContain("The keychain is locked");
      expect((await atTerminal(home, keyring, ["doctor"])).screen).toContain("it is locked");
      expect(await keyring.user.hasAnswersLeft()).toBe(true);
    },
    PATIENT_MS,
  );
});

/** Every file below these folders that holds the text. */
function filesWith(text: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(text)),
  );
}
