// The obsidian server, bundled from catalog/servers/obsidian by `bun run catalog`.
import { exit, stdin, stdout } from "node:process";

var NEWLINE = 10;

class LineReader {
  #limit;
  #onLine;
  #onOversize;
  #parts = [];
  #bytes = 0;
  constructor(limit, onLine, onOversize) {
    this.#limit = limit;
    this.#onLine = onLine;
    this.#onOversize = onOversize;
  }
  push(chunk) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE);end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.end();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }
  end() {
    const line = this.#bytes > this.#limit ? undefined : Buffer.concat(this.#parts).toString("utf8").trim();
    this.#parts = [];
    this.#bytes = 0;
    if (line === undefined)
      this.#onOversize();
    else if (line !== "")
      this.#onLine(line);
  }
  #keep(part) {
    this.#bytes += part.length;
    if (this.#bytes > this.#limit)
      this.#parts = [];
    else if (part.length > 0)
      this.#parts.push(part);
  }
}

class ToolFailure extends Error {
}
function isErrno(error, ...names) {
  return error instanceof Error && "code" in error && names.includes(String(error.code));
}
function shown(text) {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}

import { constants as constants2 } from "node:fs";
import { readdir as readdir2, stat as stat2 } from "node:fs/promises";
import { join as join2 } from "node:path";

var MAX_PATH_BYTES = 1024;
var MAX_NAME_BYTES = 255;
function isNote(name) {
  return /[^/]\.md$/i.test(name);
}
function isHidden(name) {
  return name.startsWith(".");
}
function folderSegments(path) {
  return path === "" || path === "." ? [] : segmentsOf(path.replace(/(?<=[^/])\/$/, ""));
}
function noteSegments(path) {
  const segments = segmentsOf(path);
  const name = segments.at(-1) ?? "";
  if (!isNote(name))
    throw new ToolFailure(`${shown(path)} is not a note: its path must end in .md.`);
  return { folders: segments.slice(0, -1), name };
}
function segmentsOf(path) {
  const fault = faultOf(path);
  if (fault === undefined)
    return path.split("/");
  throw new ToolFailure(`The path ${shown(path)} ${fault}. Give a path in the vault, such as "Folder/Note.md".`);
}
function faultOf(path) {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    return `has more than ${MAX_PATH_BYTES} bytes`;
  if (/[\0-\x1f\x7f]/.test(path))
    return "has a control character";
  if (!path.isWellFormed())
    return "is not valid Unicode";
  if (path.includes("\\"))
    return 'has a backslash (folders are separated by "/")';
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path))
    return "is absolute";
  const segments = path.split("/");
  if (segments.includes("..") || segments.includes("."))
    return 'has a "." or ".." part';
  if (segments.includes(""))
    return "has an empty part";
  if (segments.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) {
    return `has a part with more than ${MAX_NAME_BYTES} bytes`;
  }
  return segments.some(isHidden) ? "names a hidden file or folder" : undefined;
}

import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, realpath, stat, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { env, platform } from "node:process";
var SAFE_FLAGS = constants.O_NOFOLLOW | constants.O_NONBLOCK;
async function vaultRoot() {
  const set = (env["OBSIDIAN_VAULT_PATH"] ?? "").trim();
  const fix = "Set it with: fermix plugins config set obsidian OBSIDIAN_VAULT_PATH /full/path/of/the/vault";
  if (set === "")
    throw new ToolFailure(`No vault is set. ${fix}`);
  const path = set === "~" || set.startsWith("~/") ? join(homedir(), set.slice(1)) : set;
  if (!isAbsolute(path))
    throw new ToolFailure(`The vault path ${shown(set)} is not a full path. ${fix}`);
  const root = await orUndefined(realpath(path), "ENOENT", "ENOTDIR", "EACCES");
  if (root !== undefined && (await stat(root)).isDirectory())
    return root;
  throw new ToolFailure(`There is no vault folder at ${shown(set)}. ${fix}`);
}
async function realInside(root, path) {
  const real = await realpath(path);
  const inside = real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  if (inside && !relative(root, real).split(sep).some(isHidden))
    return real;
  throw new ToolFailure("That path leads through a link to a place outside the vault, which is not allowed.");
}
async function nameOnDisk(folder, name) {
  if (await orUndefined(lstat(join(folder, name)), "ENOENT", "ENOTDIR", "ENAMETOOLONG") !== undefined)
    return name;
  const wanted = name.normalize("NFC");
  const entries = await orUndefined(readdir(folder), "ENOENT", "ENOTDIR");
  return entries?.find((entry) => entry.normalize("NFC") === wanted);
}
async function inFolder(root, folder, use) {
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | SAFE_FLAGS);
  try {
    if (platform !== "linux")
      return await use(await realInside(root, folder));
    const prefix = `/proc/self/fd/${handle.fd}`;
    await realInside(root, prefix);
    return await use(prefix);
  } finally {
    await handle.close();
  }
}
async function folderAt(root, segments, { create }) {
  let folder = root;
  for (const segment of segments) {
    let name = await nameOnDisk(folder, segment);
    if (name === undefined) {
      if (!create)
        return;
      name = segment;
      await orUndefined(inFolder(root, folder, (prefix) => mkdir(join(prefix, segment))), "EEXIST");
    }
    const real = await orUndefined(realInside(root, join(folder, name)), "ENOENT");
    if (real === undefined && !create)
      return;
    if (real === undefined)
      throw new ToolFailure(`${shown(segment)} is a link that leads nowhere.`);
    if (!(await stat(real)).isDirectory())
      throw new ToolFailure(`${shown(segments.join("/"))} is not a folder.`);
    folder = real;
  }
  return folder;
}
async function withNote(root, path, flags, use) {
  const real = await noteAt(root, path);
  return inFolder(root, dirname(real), (prefix) => withNoteIn(prefix, basename(real), flags, use));
}
async function withNoteIn(prefix, name, flags, use) {
  const special = `${shown(name)} is not a note but a folder or special file.`;
  const handle = await orUndefined(open(join(prefix, name), flags | SAFE_FLAGS), "ENXIO");
  if (handle === undefined)
    throw new ToolFailure(special);
  try {
    const info = await handle.stat();
    if (!info.isFile())
      throw new ToolFailure(special);
    return await use(handle, info.size);
  } finally {
    await handle.close();
  }
}
async function noteAt(root, path) {
  const { folders, name } = noteSegments(path);
  const folder = await folderAt(root, folders, { create: false });
  const found = folder === undefined ? undefined : await nameOnDisk(folder, name);
  const real = await orUndefined(realInside(root, join(folder ?? root, found ?? name)), "ENOENT", "ENAMETOOLONG");
  if (found !== undefined && real !== undefined)
    return real;
  throw new ToolFailure(`There is no note at ${shown(path)}. Search for it, or list its folder.`);
}
async function makeNote(root, path, fill) {
  const { folders, name } = noteSegments(path);
  const taken = `${shown(path)} exists already. Append to it, or choose another name.`;
  const folder = await folderAt(root, folders, { create: true }) ?? root;
  if (await nameOnDisk(folder, name) !== undefined)
    throw new ToolFailure(taken);
  await inFolder(root, folder, async (prefix) => {
    const file = join(prefix, name);
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | SAFE_FLAGS;
    const handle = await orUndefined(open(file, flags, 420), "EEXIST");
    if (handle === undefined)
      throw new ToolFailure(taken);
    try {
      await fill(handle);
    } catch (error) {
      await unlink(file);
      throw error;
    } finally {
      await handle.close();
    }
  });
}
async function orUndefined(work, ...names) {
  try {
    return await work;
  } catch (error) {
    if (isErrno(error, ...names))
      return;
    throw error;
  }
}

var MAX_WRITE_BYTES = 5 * 1024 * 1024;
var MAX_READ_BYTES = 1024 * 1024;
var MAX_LISTED = 1000;
async function readNote(path) {
  return withNote(await vaultRoot(), path, constants2.O_RDONLY, async (note, size) => {
    const text = await readStart(note, size, MAX_READ_BYTES);
    if (size <= MAX_READ_BYTES)
      return text;
    return `${text}

[cut: the note has ${size} bytes, the first ${MAX_READ_BYTES} are shown]`;
  });
}
function decodeStart(bytes) {
  return new TextDecoder().decode(bytes, { stream: true });
}
async function readStart(note, size, limit) {
  const buffer = Buffer.alloc(Math.min(size, limit));
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await note.read(buffer, filled, buffer.length - filled, filled);
    if (bytesRead === 0)
      break;
    filled += bytesRead;
  }
  return decodeStart(buffer.subarray(0, filled));
}
async function createNote(path, content) {
  assertWritable(content);
  await makeNote(await vaultRoot(), path, (note) => note.writeFile(content));
  return `Created ${path}`;
}
async function appendNote(path, content) {
  assertWritable(content);
  const flags = constants2.O_RDWR | constants2.O_APPEND;
  return withNote(await vaultRoot(), path, flags, async (note, size) => {
    const last = Buffer.alloc(1);
    if (size > 0)
      await note.read(last, 0, 1, size - 1);
    const startsLine = size === 0 || last.toString("latin1") === `
`;
    try {
      await note.writeFile(startsLine ? content : `
${content}`);
    } catch (error) {
      await note.truncate(size);
      throw error;
    }
    return `Appended to ${path}`;
  });
}
function assertWritable(content) {
  const bytes = Buffer.byteLength(content);
  if (bytes <= MAX_WRITE_BYTES)
    return;
  throw new ToolFailure(`The content has ${bytes} bytes; ${MAX_WRITE_BYTES} is the most. Write it in parts.`);
}
async function listFolder(path) {
  const root = await vaultRoot();
  const folder = await folderAt(root, folderSegments(path), { create: false });
  if (folder === undefined) {
    throw new ToolFailure(`There is no folder ${shown(path)} in the vault. List the folder above it.`);
  }
  const entries = (await readdir2(folder)).filter((name) => !isHidden(name)).sort();
  const listing = { folders: [], notes: [], other_files: [] };
  for (const name of entries.slice(0, MAX_LISTED)) {
    const kind = await kindOf(root, join2(folder, name), name);
    if (kind !== undefined)
      listing[kind].push(name.normalize("NFC"));
  }
  const cut = entries.length > MAX_LISTED ? { cut: `${entries.length} entries; the first ${MAX_LISTED} are shown` } : {};
  return JSON.stringify({ ...listing, ...cut }, null, 1);
}
async function kindOf(root, path, name) {
  try {
    const info = await orUndefined(stat2(await realInside(root, path)), "ENOENT", "EACCES");
    if (info?.isDirectory())
      return "folders";
    if (info?.isFile())
      return isNote(name) ? "notes" : "other_files";
    return;
  } catch {
    return;
  }
}

import { closeSync, constants as constants3, fstatSync, openSync, readSync } from "node:fs";
import { readdir as readdir3, realpath as realpath2 } from "node:fs/promises";
import { join as join3, relative as relative2, sep as sep2 } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
var MAX_NOTES_WALKED = 1e5;
var MAX_SEARCHED_BYTES = 4 * 1024 * 1024;
var UNINTERRUPTED_MS = 20;
var SNIPPET_BEFORE = 60;
var SNIPPET_CHARS = 240;
async function searchNotes(query, limit, signal) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0)
    throw new ToolFailure("The query is empty. Give one or more words to look for.");
  const root = await vaultRoot();
  const folders = [];
  let walked = 0;
  for await (const folder of foldersBelow(root, root, signal)) {
    folders.push(folder);
    walked += folder.names.length;
    if (walked > MAX_NOTES_WALKED)
      break;
  }
  const named = (path) => hasAll(path, words);
  const hits = [];
  for (const pass of [named, (path) => !named(path)]) {
    for (const folder of folders) {
      const names = folder.names.filter((name) => pass(folder.path + name));
      if (names.length === 0 || hits.length > limit)
        continue;
      await searchFolder(root, { ...folder, names }, words, limit + 1, hits, signal);
    }
  }
  const cut = walked > MAX_NOTES_WALKED ? { cut: `only the first ${walked} notes were searched` } : {};
  return JSON.stringify({ notes: hits.slice(0, limit), more: hits.length > limit, ...cut }, null, 1);
}
function fold(text) {
  return text.normalize("NFC").toLowerCase();
}
function hasAll(text, words) {
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}
async function* foldersBelow(root, real, signal) {
  signal.throwIfAborted();
  if (await orUndefined(realpath2(real), "ENOENT", "EACCES") !== real)
    return;
  const entries = await orUndefined(readdir3(real, { withFileTypes: true }), "ENOENT", "EACCES", "ENOTDIR") ?? [];
  const visible = entries.filter(({ name }) => !isHidden(name)).sort((a, b) => a.name < b.name ? -1 : 1);
  const inside = relative2(root, real).split(sep2).join("/");
  const names = visible.filter((entry) => entry.isFile() && isNote(entry.name)).map(({ name }) => name);
  yield { real, path: inside === "" ? "" : `${inside}/`, names };
  for (const entry of visible)
    if (entry.isDirectory())
      yield* foldersBelow(root, join3(real, entry.name), signal);
}
async function searchFolder(root, { real, path, names }, words, enough, hits, signal) {
  const search = inFolder(root, real, async (prefix) => {
    let rested = Date.now();
    for (const name of names) {
      if (hits.length === enough)
        return;
      if (Date.now() - rested > UNINTERRUPTED_MS) {
        await nextTurn();
        rested = Date.now();
      }
      signal.throwIfAborted();
      const text = startOf(prefix, name);
      if (!hasAll(`${path}${name}
${text}`, words))
        continue;
      hits.push({ path: (path + name).normalize("NFC"), ...snippetOf(text, words) });
    }
  });
  await orUndefined(search, "ENOENT", "ENOTDIR", "ELOOP", "EACCES");
}
function startOf(prefix, name) {
  let file;
  try {
    file = openSync(join3(prefix, name), constants3.O_RDONLY | SAFE_FLAGS);
    const info = fstatSync(file);
    return info.isFile() ? decodeStart(readUpTo(file, Math.min(info.size, MAX_SEARCHED_BYTES))) : "";
  } catch (error) {
    if (isErrno(error, "ENOENT", "ELOOP", "EACCES", "EPERM", "EIO", "ENXIO"))
      return "";
    throw error;
  } finally {
    if (file !== undefined)
      closeSync(file);
  }
}
function readUpTo(file, length) {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const bytes = readSync(file, buffer, filled, length - filled, filled);
    if (bytes === 0)
      break;
    filled += bytes;
  }
  return buffer.subarray(0, filled);
}
function snippetOf(original, words) {
  const folded = fold(original);
  const composed = original.normalize("NFC");
  const text = composed.length === folded.length ? composed : folded;
  const hits = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const at = hits.length === 0 ? 0 : Math.min(...hits);
  const from = Math.max(0, at - SNIPPET_BEFORE);
  const snippet = text.slice(from, from + SNIPPET_CHARS).toWellFormed().replace(/\s+/g, " ").trim();
  return hits.length === 0 ? { snippet } : { line: text.slice(0, at).split(`
`).length, snippet };
}

var MAX_RESULTS = 50;
var DEFAULT_RESULTS = 10;

class Arguments {
  #given;
  constructor(given) {
    this.#given = given;
  }
  text(key) {
    return String(this.#given.get(key) ?? "");
  }
  number(key, otherwise) {
    return Number(this.#given.get(key) ?? otherwise);
  }
}
var notePath = { type: "string", description: 'Path in the vault, such as "Projects/Plan.md".' };
var TOOLS = new Map([
  [
    "search_notes",
    {
      title: "Search notes",
      description: "Find notes whose path or text contains every word of the query; snippets show where.",
      readOnly: true,
      properties: {
        query: { type: "string", description: "Words to look for; case does not matter." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_RESULTS,
          default: DEFAULT_RESULTS,
          description: "Most notes to return."
        }
      },
      required: ["query"],
      run: (args, signal) => searchNotes(args.text("query"), args.number("limit", DEFAULT_RESULTS), signal)
    }
  ],
  [
    "read_note",
    {
      title: "Read a note",
      description: "Read one note by its path in the vault.",
      readOnly: true,
      properties: { path: notePath },
      required: ["path"],
      run: (args) => readNote(args.text("path"))
    }
  ],
  [
    "create_note",
    {
      title: "Create a note",
      description: "Create a note at a path that is still free; folders are made as needed.",
      readOnly: false,
      properties: { path: notePath, content: { type: "string", description: "The whole note, as Markdown." } },
      required: ["path", "content"],
      run: (args) => createNote(args.text("path"), args.text("content"))
    }
  ],
  [
    "append_note",
    {
      title: "Append to a note",
      description: "Add text to the end of a note that exists.",
      readOnly: false,
      properties: {
        path: notePath,
        content: { type: "string", description: "Text to add, as Markdown; it starts on a new line." }
      },
      required: ["path", "content"],
      run: (args) => appendNote(args.text("path"), args.text("content"))
    }
  ],
  [
    "list_folder",
    {
      title: "List a folder",
      description: "List the notes and folders in a folder of the vault.",
      readOnly: true,
      properties: { path: { type: "string", description: "Folder in the vault; the vault itself when absent." } },
      required: [],
      run: (args) => listFolder(args.text("path"))
    }
  ]
]);
function listedTools() {
  return [...TOOLS].map(([name, { title, description, readOnly, properties, required }]) => ({
    name,
    title,
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly,
      openWorldHint: false
    }
  }));
}
var writes = Promise.resolve();
async function callTool(name, given, signal) {
  const tool = TOOLS.get(name);
  if (tool === undefined)
    return;
  const run = () => outcomeOf(async () => tool.run(checked(tool, given), signal));
  if (tool.readOnly)
    return run();
  const turn = writes.then(run);
  writes = turn;
  return turn;
}
async function outcomeOf(work) {
  try {
    return { content: [{ type: "text", text: await work() }] };
  } catch (error) {
    return { content: [{ type: "text", text: wordsFor(error) }], isError: true };
  }
}
function wordsFor(error) {
  if (error instanceof ToolFailure)
    return error.message;
  if (isErrno(error, "EACCES", "EPERM", "EROFS"))
    return "The vault does not allow that (no permission for this file or folder).";
  if (isErrno(error, "ENOSPC", "EDQUOT"))
    return "The disk of the vault is full. Nothing was written.";
  if (isErrno(error, "ENAMETOOLONG"))
    return "A part of that path is too long for the disk. Choose a shorter name.";
  if (isErrno(error, "ELOOP"))
    return "That path is a link that changed while it was opened, or leads in a circle.";
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return `The vault could not be used${code}. Try again, or read the note in Obsidian.`;
}
function checked(tool, given) {
  if (given !== undefined && (typeof given !== "object" || given === null || Array.isArray(given))) {
    throw new ToolFailure("The arguments must be an object.");
  }
  const args = new Map(Object.entries(given ?? {}));
  for (const [key, value] of args) {
    const fault = faultOf2(Object.hasOwn(tool.properties, key) ? tool.properties[key] : undefined, value);
    if (fault !== undefined)
      throw new ToolFailure(`The argument ${shown(key)} ${fault}.`);
  }
  const missing = tool.required.find((key) => !args.has(key));
  if (missing !== undefined)
    throw new ToolFailure(`The argument "${missing}" is missing.`);
  return new Arguments(args);
}
function faultOf2(schema, value) {
  if (schema === undefined)
    return "is not one of this tool";
  if (schema.type === "string")
    return typeof value === "string" ? undefined : "must be text";
  const { minimum = 0, maximum = 0 } = schema;
  if (typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum)
    return;
  return `must be a whole number from ${minimum} to ${maximum}`;
}

var SERVER = { name: "obsidian", title: "Obsidian vault", version: "1.0.0" };
var REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
var PARSE_ERROR = -32700;
var INVALID_REQUEST = -32600;
var METHOD_NOT_FOUND = -32601;
var INVALID_PARAMS = -32602;

class Session {
  #send;
  #running = new Map;
  constructor(send) {
    this.#send = send;
  }
  async receive(line) {
    const message = parsed(line);
    if (message === undefined)
      return this.#answer(null, refusal(PARSE_ERROR, "the message is not JSON"));
    if (Array.isArray(message))
      return this.#answer(null, refusal(INVALID_REQUEST, "batches are not taken"));
    if (!isFields(message) || message["jsonrpc"] !== "2.0") {
      return this.#answer(null, refusal(INVALID_REQUEST, "the message is not JSON-RPC 2.0"));
    }
    const { id, method } = message;
    if (typeof method !== "string") {
      if ("result" in message || "error" in message)
        return;
      return this.#answer(isId(id) ? id : null, refusal(INVALID_REQUEST, "the request has no method"));
    }
    if (!("id" in message))
      return this.#notice(method, message["params"]);
    if (!isId(id))
      return this.#answer(null, refusal(INVALID_REQUEST, "the id is neither text nor a whole number"));
    if (this.#running.has(id))
      return this.#answer(id, refusal(INVALID_REQUEST, "a request with this id is running"));
    await this.#request(id, method, message["params"]);
  }
  refuseOversize(limit) {
    this.#answer(null, refusal(INVALID_REQUEST, `the message has more than ${limit} bytes`));
  }
  close() {
    for (const running of this.#running.values())
      running.abort();
  }
  async#request(id, method, params) {
    const running = new AbortController;
    this.#running.set(id, running);
    const answer = await answerTo(method, params, running.signal);
    this.#running.delete(id);
    if (!running.signal.aborted)
      this.#answer(id, answer);
  }
  #notice(method, params) {
    if (method !== "notifications/cancelled" || !isFields(params))
      return;
    const { requestId } = params;
    if (isId(requestId))
      this.#running.get(requestId)?.abort();
  }
  #answer(id, answer) {
    this.#send({ jsonrpc: "2.0", id, ...answer });
  }
}
async function answerTo(method, params, signal) {
  if (params !== undefined && params !== null && !isFields(params)) {
    return refusal(INVALID_PARAMS, "params must be an object");
  }
  const fields = params ?? {};
  switch (method) {
    case "initialize":
      return initialized(fields);
    case "ping":
      return { result: {} };
    case "tools/list":
      return fields["cursor"] === undefined || fields["cursor"] === null ? { result: { tools: listedTools() } } : refusal(INVALID_PARAMS, "the list has one page and no cursor");
    case "tools/call":
      return called(fields, signal);
    default:
      return refusal(METHOD_NOT_FOUND, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
  }
}
function initialized({ protocolVersion }) {
  if (typeof protocolVersion !== "string")
    return refusal(INVALID_PARAMS, "protocolVersion is missing");
  return {
    result: {
      protocolVersion: REVISIONS.includes(protocolVersion) ? protocolVersion : REVISIONS[0],
      capabilities: { tools: {} },
      serverInfo: SERVER
    }
  };
}
async function called({ name, arguments: given }, signal) {
  if (typeof name !== "string")
    return refusal(INVALID_PARAMS, "the name of a tool is missing");
  const result = await callTool(name, given ?? undefined, signal);
  return result === undefined ? refusal(INVALID_PARAMS, `there is no tool ${JSON.stringify(name.slice(0, 100))}`) : { result };
}
function refusal(code, message) {
  return { error: { code, message } };
}
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return;
  }
}
function isFields(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
function isId(value) {
  return typeof value === "string" || typeof value === "number" && Number.isInteger(value);
}

var MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
var LAST_ANSWERS_MS = 1000;
var session = new Session((message) => stdout.write(`${JSON.stringify(message)}
`));
var lines = new LineReader(MAX_MESSAGE_BYTES, (line) => void session.receive(line), () => session.refuseOversize(MAX_MESSAGE_BYTES));
stdout.on("error", () => exit(0));
stdin.on("data", (chunk) => lines.push(chunk));
stdin.on("error", () => session.close());
stdin.on("end", () => {
  lines.end();
  setTimeout(() => session.close(), LAST_ANSWERS_MS).unref();
});
