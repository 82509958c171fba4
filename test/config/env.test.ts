/** What Fermix takes from its environment, and what it throws out of it. */
import { describe, expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { dropUnsafeVariables, readEnvironment } from "../../src/config/env.ts";
import { expectRefusal } from "../expect.ts";

const homeless = (): string => {
  throw new Error("no such user");
};

describe("the environment", () => {
  test("the home is ~/.fermix, or FERMIX_HOME made absolute", () => {
    const home = (variables: Record<string, string>) => readEnvironment(variables, () => "/passwd").fermixHome;
    expect(home({ HOME: "/h" })).toBe("/h/.fermix");
    expect(home({ HOME: "/h", FERMIX_HOME: "" })).toBe("/h/.fermix");
    expect(home({ HOME: "/h", FERMIX_HOME: "/with space/é" })).toBe("/with space/é");
    expect(home({ HOME: "/h", FERMIX_HOME: "here" })).toBe(resolve("here"));
    expect(home({ HOME: "/h", FERMIX_HOME: "~/f" })).toBe("/h/f");
    expect(home({ HOME: "relative" })).toBe("/passwd/.fermix");
    expect(home({})).toBe("/passwd/.fermix");
  });

  test("without any home only FERMIX_HOME will do", async () => {
    expect(readEnvironment({ FERMIX_HOME: "/f" }, homeless)).toMatchObject({ fermixHome: "/f", userHome: "" });
    const details = { path: "~/.fermix", reason: "neither HOME nor FERMIX_HOME is set" };
    await expectRefusal(() => readEnvironment({}, homeless), "home_unusable", details);
    await expectRefusal(() => readEnvironment({ FERMIX_HOME: "~/f" }, homeless), "home_unusable", details);
  });

  test("PATH keeps absolute folders, in order", () => {
    expect(readEnvironment({ HOME: "/h", PATH: "/a::bin:.:/b c:~/x" }).path).toEqual(["/a", "/b c"]);
    expect(readEnvironment({ HOME: "/h" }).path).toEqual([]);
  });

  test("NO_COLOR with any value, or a dumb terminal", () => {
    const noColor = (variables: Record<string, string>) => readEnvironment({ HOME: "/h", ...variables }).noColor;
    expect([noColor({ NO_COLOR: "0" }), noColor({ TERM: "dumb" })]).toEqual([true, true]);
    expect([noColor({ NO_COLOR: "" }), noColor({ TERM: "xterm" })]).toEqual([false, false]);
  });

  test("a variable by name, and nothing that every object has", () => {
    const { get } = readEnvironment({ HOME: "/h", TOKEN: "t" });
    expect([get("TOKEN"), get("OTHER"), get("toString")]).toEqual(["t", undefined, undefined]);
  });

  test("EGR-1/same-with-all-set: what could weaken TLS, add a proxy or print requests is dropped, the rest stays", () => {
    const kept = { NODE_EXTRA_CA_CERTS: "/ca.pem", SSL_CERT_FILE: "/c", PATH: "/bin", MY_PROXY: "m", NOT_BUN_X: "n" };
    const variables: Record<string, string | undefined> = {
      ...kept,
      HTTP_PROXY: "p",
      https_proxy: "p",
      All_Proxy: "p",
      FTP_PROXY: "p",
      no_proxy: "p",
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      NODE_USE_ENV_PROXY: "1",
      BUN_CONFIG_VERBOSE_FETCH: "curl",
      BUN_OPTIONS: "--preload=x",
      BUN_BE_BUN: "1",
    };
    dropUnsafeVariables(variables);
    expect(variables).toEqual(kept);
  });

  test("EGR-1/same-with-all-set: once main has run they are gone from the process", () => {
    const main = join(import.meta.dirname, "../../src/main.ts");
    const script = `process.argv = ["bun", "fermix", "--version"]; await import(${JSON.stringify(main)});
      console.log(JSON.stringify(Object.keys(process.env).filter((name) => /proxy|^BUN_|REJECT/i.test(name))))`;
    const run = Bun.spawnSync({
      cmd: [process.execPath, "-e", script],
      env: {
        PATH: process.env["PATH"],
        HOME: process.env["HOME"],
        https_proxy: "http://127.0.0.1:1",
        NODE_TLS_REJECT_UNAUTHORIZED: "0",
        BUN_CONFIG_X: "1",
      },
    });
    expect(run.stdout.toString().split("\n")[1]).toBe("[]");
    expect(run.exitCode).toBe(0);
  });
});
