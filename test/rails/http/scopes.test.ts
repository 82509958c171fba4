/** Calls whose scope was certainly not granted are refused before any request; all doubt is the provider's to settle. */
import { describe, expect, test } from "bun:test";
import { Credential } from "../../../src/auth/credential.ts";
import type { PluginAuth } from "../../../src/manifest/manifest.ts";
import { assertGranted } from "../../../src/rails/http/scopes.ts";
import { failure, HttpRailLab, json, OAUTH, plugin, read, ScriptedSource, tool } from "./laboratory.ts";

const GMAIL = "https://www.googleapis.com/auth/gmail";
const DRIVE = "https://www.googleapis.com/auth/drive";

/** The scopes that are missing, or undefined when the call may go on. */
function missing(
  asks: readonly string[],
  requires: readonly string[],
  granted: readonly string[] | undefined,
): readonly string[] | undefined {
  const { manifest } = plugin([tool("look", { requires_scopes: [...requires] })], { ...OAUTH, scopes: [...asks] });
  const [look] = manifest.tools;
  if (look === undefined || manifest.rail !== "http" || look.rail !== "http") throw new Error("no tool");
  try {
    assertGranted(manifest, look, { credential: new Credential("s"), grantedScopes: granted, region: undefined });
    return undefined;
  } catch (error) {
    return (error as { details: { scopes: readonly string[] } }).details.scopes;
  }
}

describe("BUN-3/preflight the recorded scopes", () => {
  test("a scope that was granted by its own name passes, one that was not is named", () => {
    expect(missing(["a", "b"], ["a"], ["a"])).toBeUndefined();
    expect(missing(["a", "b"], ["b"], ["a"])).toEqual(["b"]);
    expect(missing(["a", "b", "c"], ["b", "c"], ["a"])).toEqual(["b", "c"]);
  });

  test("nothing recorded goes to the provider", () => {
    expect(missing(["a", "b"], ["b"], undefined)).toBeUndefined();
    expect(missing(["a", "b"], ["b"], [])).toBeUndefined();
  });

  test("a scope that this plugin never asks for may cover anything, so the provider judges", () => {
    expect(missing(["a", "b"], ["b"], ["a", "everything"])).toBeUndefined();
  });

  test("a broader scope includes the narrower ones that its provider documents", () => {
    expect(missing(["read:user", "repo"], ["read:user"], ["user"])).toBeUndefined();
    expect(missing(["read:user", "repo"], ["repo"], ["user"])).toEqual(["repo"]);
    expect(missing([`${GMAIL}.readonly`, `${GMAIL}.send`], [`${GMAIL}.send`], [`${GMAIL}.modify`])).toBeUndefined();
    expect(missing([`${GMAIL}.readonly`, `${GMAIL}.send`], [`${GMAIL}.readonly`], [`${GMAIL}.send`])).toEqual([
      `${GMAIL}.readonly`,
    ]);
    expect(missing([`${DRIVE}.metadata.readonly`, DRIVE], [`${DRIVE}.metadata.readonly`], [DRIVE])).toBeUndefined();
    expect(missing([`${DRIVE}.metadata.readonly`, DRIVE], [DRIVE], [`${DRIVE}.metadata.readonly`])).toEqual([DRIVE]);
  });

  test("what Google records for email and profile opens nothing else", () => {
    const identity = ["openid", "https://www.googleapis.com/auth/userinfo.email"];
    expect(missing(["openid", "email", `${GMAIL}.send`], [`${GMAIL}.send`], identity)).toEqual([`${GMAIL}.send`]);
  });

  test("a plugin without OAuth has no recorded scopes to be held to", () => {
    const auth = { type: "api_key", header: "authorization", scheme: "Bearer" } as PluginAuth;
    const { manifest } = plugin([tool("look", { requires_scopes: ["x"] })], {
      type: "api_key",
      key_name: "K",
      header: "Authorization",
      prompt: "Key",
    });
    const [look] = manifest.tools;
    if (look === undefined || manifest.rail !== "http" || look.rail !== "http") throw new Error("no tool");
    const grant = { credential: new Credential("s"), grantedScopes: ["y"], region: undefined };
    expect(manifest.auth.type).toBe(auth.type);
    expect(() => assertGranted(manifest, look, grant)).not.toThrow();
  });
});

test("BUN-3/preflight a call without its scope makes no request, and the tool stays visible", async () => {
  const tools = [
    tool("look", { requires_scopes: ["read:things"] }),
    tool("write", { read_only: false, requires_scopes: ["write:things"] }),
  ];
  const source = new ScriptedSource(["token-of-the-test"], { grantedScopes: ["read:things"] });
  const lab = new HttpRailLab(plugin(tools, OAUTH), source).answers("/look", json({ seen: true }));
  expect(read(await lab.call("look"))).toEqual({ seen: true });
  const refused = failure(await lab.call("write"));
  expect(refused.view()).toMatchObject({
    code: "missing_scope",
    details: { plugin: "web", tool: "web_write", scopes: ["write:things"] },
  });
  expect(lab.sent()).toEqual(["GET /look"]);
  expect(lab.session.tools().map(({ upstreamName }) => upstreamName)).toEqual(["look", "write"]);
});
