/** The compatibility window: plugin_api 2 to 3, and a core that is new enough (spec 2.9). */
import { describe, expect, test } from "bun:test";
import { asVersion, type Version } from "../../src/kernel/names.ts";
import { judgeCompat } from "../../src/manifest/compat.ts";

function version(text: string): Version {
  const parsed = asVersion(text);
  if (parsed === undefined) throw new Error(`no version: ${text}`);
  return parsed;
}

const core = version("0.9.0");
const kindOf = (pluginApi: number | null | undefined, minCoreVersion?: string | null): string => {
  const verdict = judgeCompat({ pluginApi, minCoreVersion }, core);
  return verdict.ok ? "ok" : verdict.kind;
};

describe("CAT-6/plugin-api", () => {
  test("2 and 3 fit, one past either end does not", () => {
    expect([1, 2, 3, 4].map((api) => kindOf(api))).toEqual(["plugin_too_old", "ok", "ok", "needs_newer_core"]);
  });

  test("a plugin that does not say is refused", () => {
    const kinds = new Set([undefined, null, 2.5, Number.NaN].map((api) => kindOf(api)));
    expect([...kinds]).toEqual(["missing_plugin_api"]);
  });
});

describe("CAT-6/min-core-version", () => {
  test("this version and older ones fit, the next patch does not", () => {
    const wanted = ["0.7.2", "0.8.99", "0.9.0", "0.9.1", "0.10.0", "1.0.0"];
    const expected = ["ok", "ok", "ok", "needs_newer_core", "needs_newer_core", "needs_newer_core"];
    expect(wanted.map((min) => kindOf(2, min))).toEqual(expected);
  });

  test("none is fine, one that is no version is refused", () => {
    expect([undefined, null, "0.9", "v0.9.0", ""].map((min) => kindOf(3, min))).toEqual([
      "ok",
      "ok",
      "invalid_version",
      "invalid_version",
      "invalid_version",
    ]);
  });
});

test("the reason names the facts, and untrusted text is quoted", () => {
  expect(judgeCompat({ pluginApi: 4, minCoreVersion: undefined }, core)).toEqual({
    ok: false,
    kind: "needs_newer_core",
    reason: "it needs a newer Fermix: plugin_api 4, and this one speaks up to 3",
  });
  expect(judgeCompat({ pluginApi: 3, minCoreVersion: "1.2.3" }, core)).toMatchObject({
    reason: "it needs Fermix 1.2.3 or newer, and this is 0.9.0",
  });
  expect(judgeCompat({ pluginApi: 3, minCoreVersion: "\u001b[31m" }, core)).toMatchObject({
    reason: 'its min_core_version "\\u001b[31m" is no version',
  });
});
