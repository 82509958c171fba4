/** Tests of auth/oauth-client.ts: which client config.toml and the keychain make, and which secret is none. */
import { describe, expect, test } from "bun:test";
import { readClient } from "../../src/auth/oauth-client.ts";
import { configOf, secretsLab } from "./secrets-lab.ts";

const ITEM = "X_OAUTH_CLIENT_SECRET";
const client = async (secret: string) =>
  await configOf("[fermix_core.oauth.x]", 'client_id = " the-id "', `client_secret = ${JSON.stringify(secret)}`);

describe("the client", () => {
  test("has its secret as it was stored, spaces and all, but for one line end", async () => {
    for (const [stored, secret] of [
      [" 'quoted' \n", " 'quoted' "],
      ["two\nlines\r\n", "two\nlines"],
      ["\u{1f511}", "\u{1f511}"],
      ["0012345678", "0012345678"],
    ] as const) {
      const { deps, keychain } = secretsLab();
      keychain.item("fermix", ITEM, stored);
      expect(await readClient(deps, await client("@keyring"), "x")).toEqual({ id: "the-id", secret });
      expect(await readClient(deps, await client(stored), "x")).toEqual({ id: "the-id", secret });
    }
  });

  test("CASE-13: is none while its secret is blank, missing, a placeholder or the sentinel itself", async () => {
    for (const stored of [undefined, " \n", "@keyring", ["$", "{SECRET}"].join("")]) {
      const { deps, keychain } = secretsLab();
      keychain.item("fermix", ITEM, stored);
      expect(await readClient(deps, await client("@keyring"), "x")).toBeUndefined();
    }
    const { deps } = secretsLab();
    expect(await readClient(deps, await client(["$", "{SECRET}"].join("")), "x")).toBeUndefined();
    expect(await readClient(deps, await configOf('[fermix_core.oauth.x]\nclient_secret = "s"'), "x")).toBeUndefined();
  });
});
