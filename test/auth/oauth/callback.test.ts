/** Tests of auth/oauth/callback.ts: the redirect URI by provider, config.toml and --port (DECISIONS 29). */
import { describe, expect, test } from "bun:test";
import { callbackOf, redirectUri } from "../../../src/auth/oauth/callback.ts";
import { expectRefusal } from "../../expect.ts";
import { loginProvider } from "./login-lab.ts";

const uri = (id: string, settings = {}, port?: number): string => {
  const callback = callbackOf(loginProvider(id), settings, port);
  return callback.ports.map((each) => redirectUri(callback, each)).join(" ");
};

describe("the redirect URI", () => {
  test("is the provider's own", () => {
    const of = (port: number) => `http://127.0.0.1:${port}/auth/callback`;
    expect(uri("google")).toBe([1455, 1470, 1471, 1472, 1473, 1474].map(of).join(" "));
    expect(uri("github")).toBe([1457, 1460, 1461, 1462].map(of).join(" "));
    expect(uri("notion")).toBe("http://localhost:1458/auth/callback");
    expect(uri("x")).toBe(of(1459));
    expect(uri("openai_codex")).toBe("http://localhost:1455/auth/callback");
  });

  test("AUTH-9/own-port no port that a provider may fall back to is another one's", () => {
    const own = ["google", "github", "notion", "x", "xai_oauth"].flatMap((id) => loginProvider(id).ports);
    expect(new Set(own).size).toBe(own.length);
  });

  test("follows config.toml, at which a choice of ports ends", () => {
    expect(uri("google", { redirectPort: 9000 })).toBe("http://127.0.0.1:9000/auth/callback");
    expect(uri("notion", { redirectHost: "127.0.0.1", redirectPort: 9000 })).toBe(
      "http://127.0.0.1:9000/auth/callback",
    );
  });

  test("follows --port where the provider leaves the choice, or config.toml says the same", async () => {
    expect(uri("google", {}, 9000)).toBe("http://127.0.0.1:9000/auth/callback");
    expect(uri("google", { redirectPort: 9001 }, 9000)).toBe("http://127.0.0.1:9000/auth/callback");
    expect(uri("x", {}, 1459)).toBe("http://127.0.0.1:1459/auth/callback");
    expect(uri("x", { redirectPort: 9000 }, 9000)).toBe("http://127.0.0.1:9000/auth/callback");
    const x = { provider: "X", id: "x" };
    await expectRefusal(() => uri("x", {}, 9000), "login_port_fixed", { ...x, port: 9000, fixed: 1459 });
    await expectRefusal(() => uri("x", { redirectPort: 9000 }, 1459), "login_port_fixed", {
      ...x,
      port: 1459,
      fixed: 9000,
    });
  });

  test("never leads to another machine, nor to other names of this one", async () => {
    for (const host of ["fermix.example", "0.0.0.0", "[::1]", "LOCALHOST", "127.0.0.2", ""]) {
      const details = { provider: "X", id: "x", host };
      await expectRefusal(() => uri("x", { redirectHost: host }), "login_host_unusable", details);
    }
  });
});
