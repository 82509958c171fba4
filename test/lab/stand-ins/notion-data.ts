/** What the stand-in of Notion holds, in the shapes of its reference for version 2026-03-11: pages, blocks and one data source. */

export const PAGE_ID = "59833787-2cf9-4fdf-8782-e53db20768a5";
export const DATA_SOURCE_ID = "c174b72c-d782-432f-8dc0-b647e1c96df6";
const DATABASE_ID = "842a0286-cef0-46a8-abba-eac4c8ca644e";
const USER = { object: "user", id: "01da9b00-e400-4959-91ce-af55307647e5" };
const TIMES = { created_time: "2026-11-01T12:03:00.000Z", last_edited_time: "2026-11-20T09:26:00.000Z" };

export const richText = (content: string) => [
  {
    type: "text",
    text: { content, link: null },
    annotations: {
      bold: false,
      italic: false,
      strikethrough: false,
      underline: false,
      code: false,
      color: "default",
    },
    plain_text: content,
    href: null,
  },
];

export const page = (id: string, title: string, parent: object, properties: object = {}) => ({
  object: "page",
  id,
  ...TIMES,
  created_by: USER,
  last_edited_by: USER,
  cover: null,
  icon: null,
  parent,
  in_trash: false,
  is_locked: false,
  properties: { Name: { id: "title", type: "title", title: richText(title) }, ...properties },
  url: `https://www.notion.so/${id.replaceAll("-", "")}`,
  public_url: null,
});

const IN_SOURCE = { type: "data_source_id", data_source_id: DATA_SOURCE_ID, database_id: DATABASE_ID };

/** Three tasks; the first is `PAGE_ID`. */
export const TASKS = ["Write", "Read", "Publish"].map((title, at) =>
  page(at === 0 ? PAGE_ID : `0000000${at}-2cf9-4fdf-8782-e53db20768a5`, title, IN_SOURCE, {
    Done: { id: "Z%5C", type: "checkbox", checkbox: at === 1 },
  }),
);

export const DATA_SOURCE = {
  object: "data_source",
  id: DATA_SOURCE_ID,
  ...TIMES,
  created_by: USER,
  last_edited_by: USER,
  properties: {
    Name: { id: "title", name: "Name", type: "title", title: {} },
    Done: { id: "Z%5C", name: "Done", type: "checkbox", checkbox: {} },
  },
  parent: { type: "database_id", database_id: DATABASE_ID },
  database_parent: { type: "workspace", workspace: true },
  in_trash: false,
  title: richText("Tasks"),
  description: [],
  icon: null,
  url: `https://www.notion.so/${DATABASE_ID.replaceAll("-", "")}`,
  public_url: null,
};

export const block = (at: number, content: string) => ({
  object: "block",
  id: `${String(at).padStart(8, "0")}-5d25-4b5c-a2ce-63a4a3a4a1c9`,
  parent: { type: "page_id", page_id: PAGE_ID },
  ...TIMES,
  created_by: USER,
  last_edited_by: USER,
  has_children: false,
  in_trash: false,
  type: "paragraph",
  paragraph: { rich_text: richText(content), color: "default" },
});

/** More than five pages of two, so that a listing has to stop and be continued. */
export const BLOCKS = Array.from({ length: 13 }, (_, at) => block(at + 1, `Paragraph ${at + 1}`));

export const BOT = {
  object: "user",
  id: "9188c6a5-7381-452f-b3dc-d4865aa89bdf",
  name: "Fermix",
  avatar_url: null,
  type: "bot",
  bot: {
    owner: { type: "user", user: USER },
    workspace_id: "8e1a1a2b-8a6e-4b44-8a3e-3f6f0a0a3c11",
    workspace_name: "Ada's Notion",
    workspace_limits: { max_file_upload_size_in_bytes: 5_242_880 },
  },
};
