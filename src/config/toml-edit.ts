/** Changes one key of a TOML text and leaves every other byte alone. Pure: text in, text out. */
import { type Entry, type Item, type Section, type Span, type TomlTree, treeOf } from "./toml-tree.ts";

export type TomlValue = string | boolean | readonly string[];
type Path = readonly string[];

/** The text with the key at `path` (all parts but the last name tables) set to the value. No byte order mark. */
export function setKey(text: string, path: Path, value: TomlValue): string {
  const tree = treeOf(text);
  const present = tree.entries.find((entry) => samePath(entry.path, path));
  if (present !== undefined) return splice(text, present.value, literal(value));
  return addKey(text, tree, path, literal(value));
}

/** The text without the key at `path`; a comment behind it stays, on a line of its own. */
export function removeKey(text: string, path: Path): string {
  const tree = treeOf(text);
  const entry = tree.entries.find((there) => samePath(there.path, path));
  if (entry === undefined) return text;
  if (!entry.inline) return removeLine(text, entry.span);
  const table = tree.entries.find((there) => there.value.kind === "table" && isPairOf(there.value, entry.span));
  const at = table?.value.items.findIndex(({ start }) => start === entry.span.start) ?? -1;
  return table === undefined ? text : removeItem(text, table.value, at);
}

function isPairOf({ items }: Entry["value"], { start }: Span): boolean {
  return items.some((item) => item.start === start);
}

function removeLine(text: string, { start, end }: Span): string {
  const comment = /^[ \t]*(?=#)/.exec(text.slice(end, endOfLine(text, end)))?.[0];
  if (comment !== undefined) return splice(text, { start, end: end + comment.length }, "");
  const from = start - (indentBefore(text, start)?.length ?? 0);
  const next = text.indexOf("\n", end);
  return splice(text, { start: from, end: next === -1 ? text.length : next + 1 }, "");
}

/** The text with `item` in the list at `path`, which is made when absent. */
export function addToList(text: string, path: Path, item: string): string {
  const list = listAt(text, path);
  if (list === undefined) return setKey(text, path, [item]);
  if (list.items.some((there) => there.text === item)) return text;
  const last = list.items.at(-1);
  if (last === undefined) return insert(text, list.start + 1, literal(item));
  const rest = text.slice(last.end, list.end - 1);
  const comma = /^[ \t]*,/.exec(rest)?.[0];
  // A line of its own when the others have one: behind the last item's comment, not between the two.
  const line = /^[ \t]*,?[ \t]*(#[^\n]*?)?(?=\r?\n)/.exec(rest)?.[0];
  const indent = indentBefore(text, last.start);
  const isLineEach = line !== undefined && indent !== undefined;
  if (comma === undefined) {
    if (!isLineEach || commaAfter(text, last.end, list.end) !== undefined) {
      return insert(text, last.end, `, ${literal(item)}`);
    }
    return insert(insert(text, last.end + line.length, `${newlineOf(text)}${indent}${literal(item)}`), last.end, ",");
  }
  if (!isLineEach) return insert(text, last.end + comma.length, ` ${literal(item)},`);
  return insert(text, last.end + line.length, `${newlineOf(text)}${indent}${literal(item)},`);
}

/** The text without `item` in the list at `path`; a comment beside it stays. */
export function removeFromList(text: string, path: Path, item: string): string {
  for (let rest = text; ; ) {
    const list = listAt(rest, path);
    const at = list?.items.findIndex((there) => there.text === item) ?? -1;
    if (list === undefined || at === -1) return rest;
    rest = removeItem(rest, list, at);
  }
}

function listAt(text: string, path: Path) {
  const value = treeOf(text).entries.find((entry) => samePath(entry.path, path))?.value;
  return value?.kind === "list" ? value : undefined;
}

function removeItem(text: string, list: Span & { items: readonly Item[] }, at: number): string {
  const item = list.items[at];
  if (item === undefined) return text;
  const before = list.items[at - 1];
  const after = commaAfter(text, item.end, list.end);
  let rest = text;
  let { start, end } = item;
  if (after !== undefined) {
    // With its comma; when a comment stands between the two, the comma alone goes first.
    if (/^[ \t]*$/.test(text.slice(item.end, after))) end = after + 1;
    else rest = splice(text, { start: after, end: after + 1 }, "");
    if (before !== undefined || list.items.length > 1) end += spacesAt(rest, end);
  } else if (before !== undefined) {
    const comma = commaAfter(text, before.end, list.end) ?? before.end;
    if (/^[ \t]*$/.test(text.slice(comma + 1, item.start))) start = comma;
    else {
      rest = splice(text, { start: comma, end: comma + 1 }, "");
      start -= 1;
      end -= 1;
    }
  }
  return dropBlankLine(splice(rest, { start, end }, ""), start);
}

/** Where the comma behind `from` is, comments skipped; undefined when there is none before the end of the list. */
function commaAfter(text: string, from: number, end: number): number | undefined {
  const skipped = /^(?:[ \t\r\n]|#[^\n]*)*/.exec(text.slice(from, end))?.[0].length ?? 0;
  return text[from + skipped] === "," ? from + skipped : undefined;
}

/** Removes the line around `at` when an edit left nothing but spaces on it. */
function dropBlankLine(text: string, at: number): string {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const newline = text.indexOf("\n", at);
  if (newline === -1 || start === 0 || text.slice(start, newline).trim() !== "") return text;
  return splice(text, { start, end: newline + 1 }, "");
}

function addKey(text: string, tree: TomlTree, path: Path, value: string): string {
  const parent = path.slice(0, -1);
  const inline = deepest(tree.entries.filter(({ path: p, value: v }) => v.kind === "table" && isUnder(parent, p)));
  if (inline !== undefined) return addInline(text, inline, path, value);
  const section = tree.sections.find((there) => !there.repeated && samePath(there.path, parent));
  if (section !== undefined) return addLine(text, section, path, value);
  const dotted = lastDotted(tree, parent);
  if (dotted !== undefined) return addBehind(text, dotted, path.slice(dotted.base), value);
  return addSection(text, parent, path, value);
}

function addInline(text: string, table: Entry, path: Path, value: string): string {
  const pair = `${keyText(path.slice(table.path.length))} = ${value}`;
  const last = table.value.items.at(-1);
  if (last !== undefined) return insert(text, last.end, `, ${pair}`);
  return splice(text, table.value, `{ ${pair} }`);
}

function addLine(text: string, section: Section, path: Path, value: string): string {
  const last = section.entries.at(-1);
  if (last !== undefined) return addBehind(text, last, path.slice(section.path.length), value);
  const pair = `${keyText(path.slice(section.path.length))} = ${value}`;
  return insert(text, endOfLine(text, section.header.end), `${newlineOf(text)}${pair}`);
}

/** A line after the one where this entry ends, indented alike. */
function addBehind(text: string, entry: Entry, key: Path, value: string): string {
  const indent = indentBefore(text, entry.span.start) ?? "";
  return insert(text, endOfLine(text, entry.span.end), `${newlineOf(text)}${indent}${keyText(key)} = ${value}`);
}

/**
 * The last line whose dotted key makes a table on the way to `parent`: TOML forbids a header for such a table, so the
 * new key is spelled like its neighbours. The longest way wins.
 */
function lastDotted(tree: TomlTree, parent: Path): Entry | undefined {
  const lines = [...tree.root, ...tree.sections.filter(({ repeated }) => !repeated).flatMap(({ entries }) => entries)];
  let best: { entry: Entry; depth: number } | undefined;
  for (const entry of lines) {
    let depth = 0;
    while (depth < parent.length && depth < entry.path.length - 1 && entry.path[depth] === parent[depth]) depth += 1;
    if (depth > entry.base && depth >= (best?.depth ?? 0)) best = { entry, depth };
  }
  return best?.entry;
}

function addSection(text: string, parent: Path, path: Path, value: string): string {
  const newline = newlineOf(text);
  const lines = `[${keyText(parent)}]${newline}${keyText(path.slice(parent.length))} = ${value}${newline}`;
  if (text.trim() === "") return `${text}${lines}`;
  const gap = text.endsWith("\n") ? newline : `${newline}${newline}`;
  return `${text}${gap}${lines}`;
}

function literal(value: TomlValue): string {
  if (typeof value === "boolean") return String(value);
  // JSON's escapes are a part of TOML's; only DEL must be escaped too.
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007F");
  return `[${value.map(literal).join(", ")}]`;
}

function keyText(path: Path): string {
  return path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : literal(part))).join(".");
}

function samePath(a: Path, b: Path): boolean {
  return a.length === b.length && a.every((part, at) => part === b[at]);
}

/** Whether `path` is `above` or lies below it. */
function isUnder(path: Path, above: Path): boolean {
  return above.length <= path.length && above.every((part, at) => part === path[at]);
}

function deepest(entries: readonly Entry[]): Entry | undefined {
  return entries.reduce<Entry | undefined>(
    (best, entry) => (entry.path.length > (best?.path.length ?? -1) ? entry : best),
    undefined,
  );
}

function splice(text: string, { start, end }: Span, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function insert(text: string, at: number, added: string): string {
  return splice(text, { start: at, end: at }, added);
}

function newlineOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** The end of the line, before its line break. */
function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  if (newline === -1) return text.length;
  return text[newline - 1] === "\r" ? newline - 1 : newline;
}

/** The spaces at the start of the line when nothing else is before `at`; undefined otherwise. */
function indentBefore(text: string, at: number): string | undefined {
  const before = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*$/.test(before) ? before : undefined;
}

function spacesAt(text: string, at: number): number {
  return /^[ \t]*/.exec(text.slice(at))?.[0].length ?? 0;
}
