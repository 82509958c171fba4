/** Google Drive's tools: their requests as developers.google.com/workspace/drive documents them. */
import { sent } from "../../lab/sent.ts";
import type { Call } from "../../lab/stand-in.ts";
import { bare, type Flow, HEADERS, read, wrote } from "./flow.ts";

const FILES = "https://www.googleapis.com/drive/v3/files";
const FILES_PAGE = "drive/api/reference/rest/v3/files";
const FIELDS = "fields=files(id,name,mimeType,webViewLink,modifiedTime)";
const found = (id: string, name: string, mimeType: string): object => ({
  id,
  name,
  mimeType,
  webViewLink: `https://drive.google.com/file/d/${id}/view`,
  modifiedTime: "2026-11-30T08:00:00.000Z",
});
const PLAN = found("1Plan", "Bo's plan", "application/vnd.google-apps.document");

/** The boundary is the hash of what it separates, so it can be compared like everything else. */
function uploaded(metadata: string, type: string, content: string): Call {
  const boundary = new Bun.CryptoHasher("sha256").update(metadata + content).digest("hex");
  const body = [
    `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${metadata}\r\n`,
    `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${content}\r\n--${boundary}--\r\n`,
  ].join("");
  const headers = {
    ...HEADERS,
    "content-type": `multipart/related; boundary=${boundary}`,
    "content-length": `${Buffer.byteLength(body)}`,
  };
  return { ...sent("POST https://www.googleapis.com/upload/drive/v3/files?uploadType=multipart", headers), body };
}

export const DRIVE_FLOWS: readonly Flow[] = [
  {
    tool: "google_drive_search_files",
    page: "drive/api/guides/ref-search-terms",
    args: { query: "Bo's" },
    calls: [
      read(`GET ${FILES}?q=trashed%20%3D%20false%20and%20name%20contains%20%27Bo%5C%27s%27&pageSize=10&${FIELDS}`),
    ],
    value: { files: [PLAN] },
  },
  {
    tool: "google_drive_search_files",
    page: "drive/api/guides/ref-search-terms",
    args: { query: "Bo's", include_trashed: true, max_results: 5 },
    calls: [read(`GET ${FILES}?q=name%20contains%20%27Bo%5C%27s%27&pageSize=5&${FIELDS}`)],
    value: { files: [PLAN, found("1Old", "Bo's old plan", "text/plain")] },
  },
  {
    tool: "google_drive_search_files",
    page: "drive/api/guides/ref-search-terms",
    args: { query: "C:\\temp" },
    calls: [
      read(`GET ${FILES}?q=trashed%20%3D%20false%20and%20name%20contains%20%27C%3A%5C%5Ctemp%27&pageSize=10&${FIELDS}`),
    ],
    value: { files: [found("1Path", "C:\\temp notes", "text/plain")] },
  },
  {
    tool: "google_drive_create_folder",
    page: "drive/api/guides/folder",
    args: { name: "Trips", parent_id: "0Inbox" },
    calls: [
      wrote(`POST ${FILES}`, '{"name":"Trips","mimeType":"application/vnd.google-apps.folder","parents":["0Inbox"]}'),
    ],
    value: { kind: "drive#file", id: "1Made", name: "Trips", mimeType: "application/vnd.google-apps.folder" },
  },
  {
    tool: "google_drive_create_folder",
    page: "drive/api/guides/folder",
    args: { name: "Trips" },
    calls: [wrote(`POST ${FILES}`, '{"name":"Trips","mimeType":"application/vnd.google-apps.folder"}')],
    value: { kind: "drive#file", id: "1Made", name: "Trips", mimeType: "application/vnd.google-apps.folder" },
  },
  {
    tool: "google_drive_upload_file",
    page: "drive/api/guides/manage-uploads",
    args: { name: "Grüße.md", content: "# Hällo\r\n--x\n", mime_type: "text/markdown", parent_id: "0Inbox" },
    calls: [
      uploaded(
        '{"name":"Grüße.md","mimeType":"text/markdown","parents":["0Inbox"]}',
        "text/markdown; charset=UTF-8",
        "# Hällo\r\n--x\n",
      ),
    ],
    value: { kind: "drive#file", id: "1Upload", name: "Grüße.md", mimeType: "text/markdown" },
  },
  {
    tool: "google_drive_update_file",
    page: `${FILES_PAGE}/update`,
    args: { file_id: "1Plan", name: "The plan" },
    calls: [wrote(`PATCH ${FILES}/1Plan`, '{"name":"The plan"}')],
    value: { kind: "drive#file", id: "1Plan", name: "The plan", mimeType: "application/vnd.google-apps.document" },
  },
  {
    tool: "google_drive_move_file",
    page: `${FILES_PAGE}/update`,
    args: { file_id: "1Plan", add_parent_id: "0Archive", remove_parent_id: "0Inbox" },
    calls: [bare(`PATCH ${FILES}/1Plan?addParents=0Archive&removeParents=0Inbox`)],
    value: { kind: "drive#file", id: "1Plan", name: "Bo's plan", mimeType: "application/vnd.google-apps.document" },
  },
  {
    tool: "google_drive_copy_file",
    page: `${FILES_PAGE}/copy`,
    args: { file_id: "1Path", name: "Notes" },
    calls: [wrote(`POST ${FILES}/1Path/copy`, '{"name":"Notes"}')],
    value: { kind: "drive#file", id: "1Copy", name: "Notes", mimeType: "text/plain" },
  },
];
