/** A child that puts one version into the store of a home: `activate-child.ts ROOT VERSION CONTENT evidence|plain`. */
import { StoreLab, versionOf } from "../store/store-lab.ts";

const [root, version, content, evidence] = process.argv.slice(2);
if (root === undefined || version === undefined || content === undefined) throw new Error("arguments are missing");
await new StoreLab(root).put(versionOf(version), content, { evidence: evidence === "evidence" });
