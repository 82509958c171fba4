/** Whether the catalog inside this binary is the one its publisher signed (CAT-2). */
import { openCatalog } from "../../catalog/open.ts";
import { isFermixError } from "../../kernel/error.ts";
import type { App } from "../app.ts";
import { attempt, type Check, failure, ok } from "./check.ts";

/** Judged in this process, without cosign (DECISIONS 6). */
export async function checkCatalog({ ports }: App): Promise<Check> {
  const catalog = await attempt(() => openCatalog(ports.embedded));
  if (isFermixError(catalog)) return failure("catalog", catalog);
  return ok("catalog", `signed, of ${catalog.generatedAt}, ${catalog.entries.length} entries`);
}
