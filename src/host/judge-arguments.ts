/** Judges a call's arguments by the tool's own input schema, as far as that is safe; the server stays the last judge. */
import type { Ajv, Options, ValidateFunction } from "ajv";
import { withPlainNumbers } from "../kernel/exact-json.ts";
import type { JsonObject } from "../kernel/json.ts";
import { isWorthJudging, MAX_SCHEMA_NODES, schemaNodes } from "./schema-bounds.ts";

/** The first thing that does not fit: a JSON pointer into the arguments and what is wrong there. */
interface Misfit {
  readonly path: string;
  readonly reason: string;
}

/** undefined when the arguments fit, or when this schema cannot be judged by. */
export type Judge = (args: JsonObject) => Misfit | undefined;

const judges = new WeakMap<JsonObject, Judge>();

const UNJUDGED: Judge = () => undefined;

/** The judge of this schema when it was compiled before: the path every call but a tool's first takes. */
export function knownJudge(schema: JsonObject): Judge | undefined {
  return judges.get(schema);
}

/**
 * Compiles the schema once, as draft-07 or 2020-12 by its `$schema` (2020-12 when it names none, MCP 2025-11-25).
 * A schema that cannot be compiled never costs a tool: its calls pass unjudged (AGT-12, DECISIONS 17).
 */
export async function prepareJudge(schema: JsonObject): Promise<Judge> {
  const nodes = schemaNodes(schema);
  const judge = nodes <= MAX_SCHEMA_NODES ? await compile(schema, nodes) : UNJUDGED;
  judges.set(schema, judge);
  return judge;
}

const OPTIONS: Options = {
  strict: false,
  // A malformed schema fails to compile or judges nothing; compiling the dialect's own schema first would cost the
  // first call of every process more than all its tools' schemas together.
  validateSchema: false,
  meta: false,
  // Formats, patterns and uniqueness are left to the server: a stranger's pattern over a model's 5 MiB string, or a
  // pairwise comparison of its items, could stop every other plugin of this process.
  validateFormats: false,
  inlineRefs: false,
  addUsedSchema: false,
  logger: false,
};
const LEFT_TO_THE_SERVER = ["pattern", "uniqueItems"] as const;

async function compile(schema: JsonObject, nodes: number): Promise<Judge> {
  const ajv = await validatorFor(schema["$schema"]);
  if (ajv === undefined) return UNJUDGED;
  for (const keyword of LEFT_TO_THE_SERVER) ajv.removeKeyword(keyword);
  const { $schema: _dialect, $id: _id, ...body } = schema;
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(body);
  } catch {
    // Whatever ajv says here (a remote reference is never fetched, a keyword is malformed) is about the schema alone.
    return UNJUDGED;
  }
  return (args) => {
    if (!isWorthJudging(args, nodes) || validate(withPlainNumbers(args))) return undefined;
    return describe(validate);
  };
}

/** A validator of this dialect; undefined for one that ajv does not know. */
async function validatorFor(dialect: unknown): Promise<Ajv | undefined> {
  const name = dialect === undefined ? "2020-12" : String(dialect).replace(/^https?:\/\/json-schema\.org\//, "");
  if (name.startsWith("2020-12") || name.startsWith("draft/2020-12")) {
    return new (await import("ajv/dist/2020.js")).Ajv2020(OPTIONS);
  }
  if (/^draft-0[67]\//.test(name)) return new (await import("ajv")).Ajv(OPTIONS);
  return undefined;
}

function describe({ errors }: ValidateFunction): Misfit {
  const first = errors?.[0];
  if (first === undefined) return { path: "", reason: "does not fit" };
  const extra = first.params["additionalProperty"];
  const allowed = first.params["allowedValues"];
  const detail = Array.isArray(allowed)
    ? `: ${allowed.map((value) => JSON.stringify(value)).join(", ")}`
    : typeof extra === "string"
      ? `: ${JSON.stringify(extra)}`
      : "";
  return { path: first.instancePath, reason: `${first.message ?? "does not fit"}${detail}` };
}
