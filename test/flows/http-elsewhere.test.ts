/** A plugin that was never in our catalog, dropped under dev_local as its author published it, calls its API unmodified. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

/** Each call is a process of its own, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const API = "https://api.github.com";
const HEADERS = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
  authorization: "Bearer lab-github-token",
};

/** Written in the style of a plugin of this ecosystem that was never in our catalog. */
const STARS = {
  schema_version: 2,
  name: "stars",
  display_name: "Stars",
  description: "Star repositories on GitHub.",
  category: "development",
  version: "0.3.1",
  min_core_version: "0.7.2",
  plugin_api: 2,
  default_enabled: false,
  interface: {},
  auth: {
    type: "oauth2",
    provider: "github",
    profile_key: "github",
    account_mode: "single",
    scopes: ["read:user", "repo"],
  },
  health_check: { url: `${API}/user`, method: "GET", success: [200] },
  tools: [
    {
      name: "stars_add",
      description: "Star a repository.",
      policy_class: "external_api",
      read_only: false,
      rail: "http",
      requires_scopes: ["repo"],
      parameters: {
        type: "object",
        properties: { owner: { type: "string" }, repo: { type: "string" } },
        required: ["owner", "repo"],
      },
      request: {
        method: "PUT",
        url: `${API}/user/starred/{owner}/{repo}`,
        headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" },
        success: [204],
      },
    },
    {
      name: "stars_people",
      description: "List accounts in the order in which they signed up.",
      policy_class: "external_api",
      read_only: true,
      requires_scopes: ["read:user"],
      parameters: { type: "object", properties: { per_page: { type: "integer", default: 2 } } },
      request: {
        url: `${API}/users`,
        query: { per_page: "{per_page}" },
        headers: { Accept: "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28" },
        paginate: { mode: "id_window", cursor_param: "since", max_pages: 3, fields: ["login"] },
      },
    },
  ],
};

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fermix-elsewhere-"));
    lab = await openHttpLab(["github"]);
    mkdirSync(join(folder, "stars"));
    writeFileSync(join(folder, "stars/plugin.json"), JSON.stringify(STARS));
    home = await lab.home({
      plugins: ["stars"],
      devLocal: folder,
      signIns: { "github:primary": { provider: "github", accessToken: "lab-github-token", endsInSeconds: null } },
    });
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  // docs.github.com/en/rest/activity/starring#star-a-repository-for-the-authenticated-user
  test("HTTP-8/empty-204 its write is sent as GitHub documents it, and the empty 204 is {}", async () => {
    expect(await home.call("stars_add", { owner: "octocat", repo: "Hello-World" })).toEqual({ code: 0, value: {} });
    expect(await lab.calls()).toEqual([sent(`PUT ${API}/user/starred/octocat/Hello-World`, HEADERS)]);
  });

  // docs.github.com/en/rest/users/users#list-users
  test("HTTP-6/id-window its listing goes on from the last id, stops at its own cap, and can be continued", async () => {
    const people = (...logins: string[]) => logins.map((login) => ({ login }));
    expect(await home.call("stars_people")).toEqual({
      code: 0,
      value: {
        items: people("octocat", "ada", "grace", "linus", "margaret", "ken"),
        truncated: true,
        next_cursor: "6",
      },
    });
    expect(await lab.calls()).toEqual(
      ["", "&since=2", "&since=4"].map((since) => sent(`GET ${API}/users?per_page=2${since}`, HEADERS)),
    );
    expect(await home.call("stars_people", { page_cursor: "6" })).toEqual({
      code: 0,
      value: { items: people("barbara"), truncated: false },
    });
    expect(await lab.calls()).toEqual(
      ["&since=6", "&since=7"].map((since) => sent(`GET ${API}/users?per_page=2${since}`, HEADERS)),
    );
  });
});
