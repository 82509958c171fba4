/** Google Drive's part of the stand-in for Google: developers.google.com/workspace/drive/api/reference/rest/v3. */
import { isJsonObject, type JsonObject } from "../../../src/kernel/json.ts";
import { json } from "../stand-in.ts";
import { type Admitted, type Checks, like, listOf, type Operation, oneOf, text, whole } from "../strict-api.ts";
import { FILES, FOLDERS, type StoredFile } from "./google-data.ts";
import { fault, invalid, notFound } from "./google-errors.ts";

const SCOPE = "https://www.googleapis.com/auth/drive";
const READ = [`${SCOPE}.metadata.readonly`, SCOPE];
const WRITE = [SCOPE];

const FILES_PATH = "/drive/v3/files";
const MEDIA_TYPE = like(/^[a-z]+\/[\w.+-]+$/i);
const METADATA: Checks = { name: text, mimeType: MEDIA_TYPE, description: text, parents: listOf(text, 1) };

/** guides/ref-search-terms: a quote or backslash inside a value is escaped by a backslash. */
const QUERY = /^(trashed = (?:true|false) and )?name contains '((?:[^'\\]|\\['\\])*)'$/;
const FIELDS = /^files\(([A-Za-z]+(?:,[A-Za-z]+)*)\)$/;

const fileNotFound = (id: string | undefined): Response => notFound(`File not found: ${id}.`);

const MESSAGES = {
  insufficientFilePermissions: (id: string) => `The user does not have sufficient permissions for file ${id}.`,
  appNotAuthorizedToFile: (id: string) => `The user has not granted the app 'lab' write access to the file ${id}.`,
} as const;

/** A file that may be written to, or the refusal. */
function writable({ path }: Pick<Admitted, "path">): StoredFile | Response {
  const file = FILES.find(({ id }) => id === path["fileId"]);
  if (file === undefined) return fileNotFound(path["fileId"]);
  if (file.refused === undefined) return file;
  return fault({ status: 403, reason: file.refused, message: MESSAGES[file.refused](file.id) });
}

/** The four fields that Drive answers with when no others are asked for. */
function made(metadata: JsonObject, id: string): Response {
  const { name = "Untitled", mimeType = "application/octet-stream", parents } = metadata;
  const parent = Array.isArray(parents) ? String(parents[0]) : undefined;
  if (parent !== undefined && !FOLDERS.includes(parent)) return fileNotFound(parent);
  return json({ kind: "drive#file", id, name, mimeType });
}

function listed({ query }: Admitted): Response {
  const found = QUERY.exec(query["q"] ?? "");
  if (found === null) return invalid("Invalid Value", "q");
  const fields = FIELDS.exec(query["fields"] ?? "")?.[1]?.split(",");
  if (fields === undefined) return invalid("Invalid field selection", "fields");
  const words = (found[2] ?? "").replace(/\\(['\\])/g, "$1").toLowerCase();
  const files = FILES.filter(
    ({ name, trashed }) => name.toLowerCase().includes(words) && !(trashed && found[1] === "trashed = false and "),
  );
  const whole = ({ id, name, mimeType }: StoredFile): JsonObject => ({
    id,
    name,
    mimeType,
    webViewLink: `https://drive.google.com/file/d/${id}/view`,
    modifiedTime: "2026-11-30T08:00:00.000Z",
  });
  const picked = files
    .slice(0, Number(query["pageSize"] ?? 100))
    .map((file) => Object.fromEntries(fields.map((field) => [field, whole(file)[field]])));
  return json({ files: picked });
}

/** Each with the parameters of its page in the reference. */
export const driveOperations: readonly Operation[] = [
  // files/list
  {
    route: `GET ${FILES_PATH}`,
    scopes: READ,
    query: {
      q: text,
      pageSize: whole(1, 1000),
      fields: text,
      orderBy: text,
      pageToken: text,
      spaces: text,
      corpora: text,
    },
    answer: listed,
  },
  // files/create, metadata only
  { route: `POST ${FILES_PATH}`, scopes: WRITE, body: METADATA, answer: ({ body }) => made(body, "1Made") },
  // files/update, metadata only
  {
    route: `PATCH ${FILES_PATH}/{fileId}`,
    path: { fileId: text },
    scopes: WRITE,
    query: { addParents: text, removeParents: text },
    body: { name: text, mimeType: MEDIA_TYPE, description: text },
    answer: (admitted) => {
      const file = writable(admitted);
      if (file instanceof Response) return file;
      const { addParents = "0Inbox", removeParents = "0Inbox" } = admitted.query;
      const unknown = [addParents, removeParents].find((folder) => !FOLDERS.includes(folder));
      if (unknown !== undefined) return fileNotFound(unknown);
      return json({
        kind: "drive#file",
        id: file.id,
        name: admitted.body["name"] ?? file.name,
        mimeType: file.mimeType,
      });
    },
  },
  // files/copy
  {
    route: `POST ${FILES_PATH}/{fileId}/copy`,
    path: { fileId: text },
    scopes: WRITE,
    body: METADATA,
    answer: ({ path, body }) => {
      const file = FILES.find(({ id }) => id === path["fileId"]);
      if (file === undefined) return fileNotFound(path["fileId"]);
      return made({ name: `Copy of ${file.name}`, mimeType: file.mimeType, ...body }, "1Copy");
    },
  },
  // guides/manage-uploads, "Perform a multipart upload"; the two parts arrive here as one JSON body
  {
    route: `POST /upload${FILES_PATH}`,
    scopes: WRITE,
    query: { uploadType: oneOf("multipart") },
    body: {
      metadata: (value) => (isJsonObject(value) ? undefined : "is not an object"),
      type: text,
      content: () => undefined,
    },
    required: ["uploadType", "metadata", "type"],
    answer: ({ body }) => made(isJsonObject(body["metadata"]) ? body["metadata"] : {}, "1Upload"),
  },
];

/** `multipart/related` with exactly a JSON part and a content part, as one JSON object; undefined when it is not that. */
export async function uploadAsJson(request: Request): Promise<Request | undefined> {
  const boundary = /^multipart\/related; boundary=([\w'()+,./:=?-]{1,70})$/.exec(
    request.headers.get("content-type") ?? "",
  )?.[1];
  const parts = boundary === undefined ? [] : (await request.text()).split(`--${boundary}`);
  const [preamble, first = "", second = "", closing] = parts;
  const [metadata, content] = [partOf(first), partOf(second)];
  if (parts.length !== 4 || preamble !== "" || closing !== "--\r\n" || metadata === undefined || content === undefined)
    return undefined;
  if (metadata.type !== "application/json; charset=UTF-8") return undefined;
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/json");
  const body = JSON.stringify({ metadata: JSON.parse(metadata.text), type: content.type, content: content.text });
  return new Request(request.url, { method: request.method, headers, body });
}

function partOf(text: string): { type: string; text: string } | undefined {
  const found = /^\r\nContent-Type: ([^\r\n]+)\r\n\r\n([\s\S]*)\r\n$/.exec(text);
  return found === null ? undefined : { type: found[1] ?? "", text: found[2] ?? "" };
}
