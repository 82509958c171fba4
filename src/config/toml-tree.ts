/** Where each key of a TOML document stands in its text, so that an edit can touch that place and nothing else. */
import { parseDocument } from "@decimalturn/toml-patch";

/** A half-open range of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Entry {
  /** The whole path from the root, whatever mix of header, dotted key and inline table spells it. */
  readonly path: readonly string[];
  /** How many leading parts of `path` come from the enclosing header or inline table; the rest is the key as written. */
  readonly base: number;
  readonly inline: boolean;
  readonly span: Span;
  readonly value: Value;
}

interface Value extends Span {
  readonly kind: "text" | "list" | "table" | "other";
  /** The items of a list, or the key-value pairs of an inline table. */
  readonly items: readonly Item[];
}

export interface Item extends Span {
  /** The value when it is text. */
  readonly text: string | undefined;
}

export interface Section {
  readonly path: readonly string[];
  /** The `[header]`. */
  readonly header: Span;
  /** Its own lines, in order. */
  readonly entries: readonly Entry[];
  readonly repeated: boolean;
}

export interface TomlTree {
  /** Key-value lines before the first header. */
  readonly root: readonly Entry[];
  readonly sections: readonly Section[];
  /** Every entry, those of inline tables included, in the order of the text. */
  readonly entries: readonly Entry[];
}

type Nodes = ReturnType<typeof parseDocument>["cst"];
type Node = Nodes[number];
type KeyValue = Extract<Node, { equals: number }>;

/** The document is TOML to one of our two readers and not to the other, so its places are not known. */
export class UnmappedToml extends Error {}

function documentOf(text: string): Nodes {
  try {
    return parseDocument(text).cst;
  } catch (cause) {
    throw new UnmappedToml("no places for this document", { cause });
  }
}

/** Reads the places out of a document that is valid TOML and has no byte order mark. Throws UnmappedToml. */
export function treeOf(text: string): TomlTree {
  const spanOf = spansIn(text);
  const entries: Entry[] = [];
  const read = (node: KeyValue, base: readonly string[], inline: boolean): Entry => {
    const path = [...base, ...node.key.value];
    const entry: Entry = { path, base: base.length, inline, span: spanOf(node), value: readValue(node.value, spanOf) };
    entries.push(entry);
    if (isInlineTable(node.value)) for (const { item } of node.value.items) read(item, path, true);
    return entry;
  };
  const root: Entry[] = [];
  const sections: Section[] = [];
  for (const node of documentOf(text)) {
    if (isKeyValue(node)) root.push(read(node, [], false));
    if (!("items" in node)) continue;
    const path = node.key.item.value;
    sections.push({
      path,
      header: spanOf(node.key),
      entries: node.items.filter(isKeyValue).map((item) => read(item, path, false)),
      repeated: String(node.type) === "TableArray",
    });
  }
  return { root, sections, entries };
}

type Located = { readonly loc: Node["loc"] };
type InlineTable = Extract<KeyValue["value"], { items: readonly { item: KeyValue }[] }>;

const isKeyValue = (node: { type: unknown }): node is KeyValue => String(node.type) === "KeyValue";
const isInlineTable = (node: { type: unknown }): node is InlineTable => String(node.type) === "InlineTable";

function readValue(node: KeyValue["value"], spanOf: (node: Located) => Span): Value {
  const span = spanOf(node);
  if (!("items" in node)) return { ...span, kind: String(node.type) === "String" ? "text" : "other", items: [] };
  const items = node.items.map(({ item }) => ({
    ...spanOf(item),
    text: "value" in item && typeof item.value === "string" ? item.value : undefined,
  }));
  return { ...span, kind: isInlineTable(node) ? "table" : "list", items };
}

/** The library counts lines from 1 and columns from 0, in UTF-16 units. */
function spansIn(text: string): (node: Located) => Span {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = ({ line, column }: { line: number; column: number }) => (starts[line - 1] ?? text.length) + column;
  return ({ loc }) => ({ start: offset(loc.start), end: offset(loc.end) });
}
