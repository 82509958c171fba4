/** Makes random config files in the many ways a person may write the same tables, for property tests. */
import fc from "fast-check";

export interface ForgedConfig {
  readonly text: string;
  /** Pieces that no edit of the plugin tables may touch, in their order. */
  readonly kept: readonly string[];
}

const comment = fc
  .string({ unit: fc.constantFrom(..."abc é😀'\"[]{}=,#\\"), maxLength: 12 })
  .map((text) => `# ${text}`);

/** Blocks about other things: they stand between ours and must come through byte for byte. */
const foreign = fc.constantFrom(
  "[mcp.servers.files]\ncommand = 'npx' # run\nargs = [\n  '-y', # yes\n  \"x\",\n]",
  "[[channels]]\nid = 12345678901234567890\nrate = 1.50\n\n[[channels]]\nid = 0xFF",
  '[other."a.b"]\nwhen = 1979-05-27T07:32:00Z\ntext = """\n[fermix_core.plugins]\nenabled = ["no"]\n"""',
  '[fermix_core.providers.openai]\napi_key = "@keyring"   # never in clear',
  "[fermix_core.tools.tool_search]\nenabled = true",
  "[z]",
);

const names = fc.uniqueArray(fc.constantFrom("notes", "slack", "obsidian", "x_y"), { maxLength: 4 });

const list = fc
  .tuple(names, fc.constantFrom("plain", "comma", "lines", "lines_comma", "tight"), comment)
  .map(([items, style, note]) => {
    const quoted = items.map((item, at) => (at % 2 === 0 ? `"${item}"` : `'${item}'`));
    if (style === "plain" || items.length === 0) return `[${quoted.join(", ")}]`;
    if (style === "comma") return `[ ${quoted.join(", ")}, ]`;
    if (style === "tight") return `[${quoted.join(" ,")}]`;
    return `[\n${quoted.map((item, at) => `  ${item}${at < quoted.length - 1 || style === "lines_comma" ? "," : ""} ${note}`).join("\n")}\n]`;
  });

const oneLine = names.map((items) => `[${items.map((item) => `'${item}'`).join(", ")}]`);

/** The plugin tables, spelled in one of many ways; root ways must come before any header. */
const ours = fc.oneof(
  fc.constant({ root: "", sections: [] as string[] }),
  fc.tuple(list, comment).map(([enabled, note]) => ({
    root: "",
    sections: [`[fermix_core.plugins] ${note}\nenabled = ${enabled} ${note}\n${note}`],
  })),
  fc.tuple(list, comment).map(([enabled, note]) => ({
    root: "",
    sections: [
      `[ fermix_core . "plugins" ]\n'enabled' = ${enabled}`,
      `[fermix_core.plugins.notes]\n${note}\n\tKEY = 'a' ${note}\n\tenabled = false`,
    ],
  })),
  fc.tuple(oneLine, comment).map(([enabled, note]) => ({
    root: `fermix_core = { plugins = { enabled = ${enabled}, notes = { KEY = "a" } }, profile = "p" } ${note}`,
    sections: [],
  })),
  fc.tuple(list, comment).map(([enabled, note]) => ({
    root: `fermix_core.plugins.enabled = ${enabled} ${note}\nfermix_core.plugins.notes.KEY = "a" ${note}`,
    sections: [],
  })),
  fc.tuple(list, comment).map(([enabled, note]) => ({
    root: "",
    sections: [`[fermix_core]\nprofile = "p" ${note}\nplugins.enabled = ${enabled}\nplugins.notes.enabled = true`],
  })),
  fc.tuple(oneLine, comment).map(([enabled, note]) => ({
    root: "",
    sections: [`[fermix_core]\nplugins = {enabled = ${enabled}} ${note}`, `${note}\n[fermix_corex]`],
  })),
  fc.tuple(comment).map(([note]) => ({
    root: "",
    sections: [`[fermix_core.plugins.slack]\nA = 1`, `[fermix_core]\n${note}\nprofile = "p"`],
  })),
);

const CORE_HEADER = /^\[\s*fermix_core/m;

/** A whole file: comments, foreign blocks and ours, shuffled, with LF or CRLF, with or without a final newline and mark. */
export const forgedConfig: fc.Arbitrary<ForgedConfig> = fc
  .record({
    ours,
    foreign: fc.uniqueArray(foreign, { maxLength: 4 }),
    notes: fc.array(comment, { minLength: 2, maxLength: 2 }),
    shuffle: fc.integer({ min: 0, max: 3 }),
    crlf: fc.boolean(),
    final: fc.boolean(),
    mark: fc.boolean(),
  })
  .map(({ ours: { root, sections }, foreign: blocks, notes, shuffle, crlf, final, mark }) => {
    // An inline or dotted fermix_core at the root leaves no room for a header below it.
    const closed = root !== "" || sections.some((section) => section.includes("plugins = {"));
    const others = closed ? blocks.filter((block) => !CORE_HEADER.test(block)) : blocks;
    const cut = Math.min(shuffle, others.length);
    const pieces = [notes[0] ?? "", root, ...others.slice(0, cut), ...sections, ...others.slice(cut), notes[1] ?? ""];
    const lines = (text: string): string => (crlf ? text.replaceAll("\n", "\r\n") : text);
    const text = pieces.filter((piece) => piece !== "").join("\n\n");
    return {
      text: `${mark ? "\ufeff" : ""}${lines(text)}${final ? lines("\n") : ""}`,
      kept: [notes[0] ?? "", ...others, notes[1] ?? ""].map(lines),
    };
  });

/** Every comment of a forged file, in order; strings of forged files hold no `#`. */
export function commentsOf(text: string): readonly string[] {
  return text.match(/#[^\r\n]*/g) ?? [];
}
