/** Reads `skills`: the documents a plugin brings for the agent (spec 1.10). */

import type { JsonValue } from "../kernel/json.ts";
import type { Skill } from "./manifest.ts";
import { jsonList, jsonObject, matching, staysInside, textThat } from "./parts.ts";
import { below, ROOT } from "./place.ts";
import type { Reading } from "./reading.ts";

const fields = {
  name: matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "invalid_skill_name"),
  path: textThat(staysInside, "skill_escapes_plugin_dir"),
};
const KEYS: ReadonlySet<string> = new Set(Object.keys(fields));

/** The sound entries; a name may repeat neither another skill's nor the plugin's own (across plugins: `cross-checks.ts`). */
export function readSkills(reading: Reading, raw: JsonValue | undefined): readonly Skill[] {
  const { problems } = reading;
  const list = raw === undefined ? [] : (problems.value(raw, below(ROOT, "skills"), jsonList) ?? []);
  const seen = new Set<string>();
  const skills: Skill[] = [];
  for (const [index, item] of list.entries()) {
    const at = below(below(ROOT, "skills"), index);
    const object = problems.value(item, at, jsonObject);
    if (object === undefined) continue;
    problems.closed(object, at, KEYS, "warn");
    const { name, path } = problems.fields(object, at, fields);
    if (name !== undefined) {
      if (name === reading.plugin) problems.add(below(at, "name"), "plugin_skill_name_collision");
      if (seen.has(name)) problems.add(below(at, "name"), "duplicate_skill_name");
      seen.add(name);
    }
    if (name !== undefined && path !== undefined) skills.push({ name, path });
  }
  return skills;
}
