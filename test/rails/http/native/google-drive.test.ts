/** `google-drive.ts`: no text leaves its place in a search query or in a multipart upload. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ApiRequest } from "../../../../src/rails/http/api.ts";
import { searchFiles, uploadFile } from "../../../../src/rails/http/native/google-drive.ts";
import { expectRefusal } from "../../../expect.ts";

type Given = Readonly<Record<string, string | number | boolean>>;

/** The one request that a tool makes of these arguments. */
async function requestOf(tool: typeof searchFiles, given: Given): Promise<ApiRequest> {
  const asked: ApiRequest[] = [];
  await tool(new Map(Object.entries(given)), async (request) => {
    asked.push(request);
    return { status: 200, body: { files: [] }, bytes: 2 };
  });
  expect(asked.length).toBe(1);
  return asked[0] as ApiRequest;
}

const search = (given: Given) => requestOf(searchFiles, { max_results: 10, include_trashed: false, ...given });
const upload = (given: Given) => requestOf(uploadFile, { mime_type: "text/plain", ...given });

const queryOf = ({ url }: ApiRequest): string | null => new URL(url).searchParams.get("q");

describe("google_drive_search_files", () => {
  test("asks for files by name, outside the trash", async () => {
    expect(await search({ query: "plan" })).toEqual({
      method: "GET",
      url: "https://www.googleapis.com/drive/v3/files?q=trashed%20%3D%20false%20and%20name%20contains%20%27plan%27&pageSize=10&fields=files(id,name,mimeType,webViewLink,modifiedTime)",
      headers: {},
      success: [200],
    });
  });

  test("looks into the trash when it is asked to", async () => {
    expect(queryOf(await search({ query: "plan", include_trashed: true }))).toBe("name contains 'plan'");
  });

  test("a quote or a backslash ends nothing", async () => {
    expect(queryOf(await search({ query: "' or trashed = true or name contains '" }))).toBe(
      "trashed = false and name contains '\\' or trashed = true or name contains \\''",
    );
    expect(queryOf(await search({ query: "C:\\temp\\" }))).toBe("trashed = false and name contains 'C:\\\\temp\\\\'");
  });

  test("what Drive unescapes is what was given, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (query) => {
        const found = /^trashed = false and name contains '((?:[^'\\]|\\['\\])*)'$/s.exec(
          queryOf(await search({ query })) ?? "",
        );
        expect(found?.[1]?.replace(/\\(['\\])/g, "$1")).toBe(query);
      }),
    );
  });
});

/** The parts of a multipart body, read as RFC 2046 has it. */
function partsOf({ headers, body }: ApiRequest): string[] {
  const boundary = /^multipart\/related; boundary=([0-9a-f]{64})$/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  const text = new TextDecoder().decode(body as Uint8Array);
  const [before, ...parts] = text.split(new RegExp(`(?:^|\r\n)--${boundary}`));
  expect(before).toBe("");
  expect(parts.pop()).toBe("--\r\n");
  return parts;
}

describe("google_drive_upload_file", () => {
  test("sends the metadata and then the text", async () => {
    const request = await upload({
      name: "Grüße.md",
      content: "# Hällo\n",
      mime_type: "text/markdown",
      parent_id: "0Inbox",
    });
    expect({ ...request, headers: {}, body: "" }).toEqual({
      method: "POST",
      url: "https://www.googleapis.com/upload/drive/v3/files?uploadType=multipart",
      headers: {},
      body: "",
      success: [200, 201, 204],
    });
    expect(partsOf(request)).toEqual([
      '\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n{"name":"Grüße.md","mimeType":"text/markdown","parents":["0Inbox"]}',
      "\r\nContent-Type: text/markdown; charset=UTF-8\r\n\r\n# Hällo\n",
    ]);
  });

  test("a file without a folder names none; a type of its own charset keeps it; other types get none", async () => {
    const [metadata, content] = partsOf(await upload({ name: "a", content: "", mime_type: "text/csv; charset=utf-8" }));
    expect(metadata).toEndWith('\r\n\r\n{"name":"a","mimeType":"text/csv"}');
    expect(content).toBe("\r\nContent-Type: text/csv; charset=utf-8\r\n\r\n");
    const [, json] = partsOf(await upload({ name: "a", content: "{}", mime_type: "application/json" }));
    expect(json).toBe("\r\nContent-Type: application/json\r\n\r\n{}");
  });

  test("a text that is to become a Google document is sent as text", async () => {
    const [metadata, content] = partsOf(
      await upload({ name: "a", content: "x", mime_type: "application/vnd.google-apps.document" }),
    );
    expect(metadata).toEndWith('{"name":"a","mimeType":"application/vnd.google-apps.document"}');
    expect(content).toBe("\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\nx");
  });

  test("a media type with a line break, or that is none, is refused by name", async () => {
    for (const mime_type of [
      "text/plain\r\nx-evil: 1",
      "text/plain\nx",
      "text/plain\u0000",
      "plain",
      "text/",
      "a b/c",
      "text/plain; x",
      "téxt/plain",
    ]) {
      const { tool, argument } = await expectRefusal(
        upload({ name: "a", content: "x", mime_type }),
        "argument_invalid",
      );
      expect([tool, argument]).toEqual(["google_drive_upload_file", "mime_type"]);
    }
  });

  test("the boundary is in no content, not even in one that holds the boundary of another", async () => {
    const first = await upload({ name: "a", content: "x" });
    const boundary = first.headers["content-type"]?.split("=")[1] ?? "";
    const content = `\r\n--${boundary}--\r\n`;
    const [, second] = partsOf(await upload({ name: "a", content }));
    expect(second).toBe(`\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n${content}`);
  });

  test("any text arrives as it was given", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), async (content, name) => {
        const [metadata = "", text = ""] = partsOf(await upload({ name, content }));
        expect(JSON.parse(metadata.slice(metadata.indexOf("{")))).toEqual({ name, mimeType: "text/plain" });
        expect(text.slice("\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\n".length)).toBe(content.toWellFormed());
      }),
    );
  });
});
