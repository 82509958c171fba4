/** Two releases of Fermix whose catalogs belong to the tests, and what each of them offers. */
import { once, sharedFolder } from "./shared-folder.ts";
import { fermixOffering, packageOf, type Release } from "./test-catalog.ts";

/** Eight plugins that have nothing to do with each other. */
export const EIGHT = Array.from({ length: 8 }, (_, at) => `plugin_${at}`);

function release(name: string, version = "1.0.0", text = "1"): Release {
  return { name, version, archive: packageOf(name, { version }, { a: text, b: "two", "deep/c": "three" }) };
}

/** notes in three versions, the eight, and what the next release changes: pages, fixed, swap, gone and half. */
export const olderFermix = once(async () => {
  return await fermixOffering(sharedFolder(), [
    ...EIGHT.map((name) => release(name)),
    ...["1.0.0", "1.1.0", "1.2.0"].map((version) => release("notes", version, version)),
    release("pages", "1.0.0", "first"),
    release("pages", "1.1.0", "second"),
    ...["fixed", "swap", "gone", "half"].map((name) => release(name)),
  ]);
});

/** pages 2.0.0 is new, its 1.0.0 and swap were published again, gone is withdrawn, half 1.1.0 is there but withdrawn. */
export const newerFermix = once(async () => {
  return await fermixOffering(sharedFolder(), [
    release("pages", "1.0.0", "republished"),
    release("pages", "2.0.0", "third"),
    release("fixed"),
    release("swap", "1.0.0", "other bytes"),
    { ...release("gone"), yanked: true },
    release("half"),
    { ...release("half", "1.1.0"), yanked: true },
  ]);
});
