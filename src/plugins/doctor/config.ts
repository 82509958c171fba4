/** Whether config.toml can be read, and what it says about the network and about secrets in clear. */
import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { plainSecrets } from "../../config/plain-secrets.ts";
import { configKey } from "../../config/secret-places.ts";
import type { Home } from "../../files/home.ts";
import { type FermixError, isFermixError } from "../../kernel/error.ts";
import { type Check, failure, ok, warn } from "./check.ts";

/** The file itself. */
export function checkConfig(home: Home, config: Config | FermixError): Check {
  if (isFermixError(config)) return failure("config", config);
  return ok("config", `${home.configFile}${existsSync(home.configFile) ? "" : ", not written yet"}`);
}

/** Told because a proxy changes what Fermix proves: it chooses the address, so the floor judges names alone. */
export function checkNetworkPolicy({ network: { proxy, totalMs } }: Config): Check {
  const patience = totalMs === undefined ? "" : `; a request may take ${totalMs / 1000} s`;
  const way =
    proxy === undefined
      ? "direct; every address is judged before it is dialled"
      : `every request goes through ${proxy}, which resolves the names; addresses are not judged here`;
  return ok("network policy", `${way}${patience}`);
}

/** Secrets that stay in config.toml until somebody moves them (KCH-2): anybody who may read the file has them. */
export function checkPlaintextSecrets(config: Config): Check {
  const keys = plainSecrets(config).map(({ path }) => configKey(path));
  if (keys.length === 0) return ok("plaintext secrets", "no secret is in clear in config.toml");
  return warn(
    "plaintext secrets",
    `in clear in config.toml: ${keys.join(", ")}`,
    "`fermix setup --migrate-secrets` moves them into the keychain",
  );
}
