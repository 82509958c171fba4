/** A config.toml, an environment and a keychain for tests that look for secrets; the keychain refuses what was not put there. */

import type { SecretDeps } from "../../src/auth/resolve-secret.ts";
import { parseConfig } from "../../src/config/read.ts";
import { FakeKeychain } from "../fakes/keychain.ts";

export interface SecretsLab {
  readonly deps: SecretDeps;
  readonly keychain: FakeKeychain;
}

export function secretsLab(variables: Readonly<Record<string, string>> = {}): SecretsLab {
  const keychain = new FakeKeychain();
  return { keychain, deps: { keychain, env: { get: (name) => variables[name] } } };
}

export async function configOf(...lines: readonly string[]) {
  return await parseConfig(`${lines.join("\n")}\n`, "config.toml");
}
