/** What the stand-in of GitHub holds, in the shapes of its REST reference: one account, two repositories, issues and pull requests. */
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";

const API = "https://api.github.com";
const WEB = "https://github.com";

/** An id that a double cannot hold; GitHub documents ids as 64-bit integers. */
export const LARGE_ID = parseKeepingDigits("9007199254740993");

const user = (login: string, id: number) => ({
  login,
  id,
  node_id: `U_${login}`,
  avatar_url: `${WEB}/images/error/${login}_happy.gif`,
  url: `${API}/users/${login}`,
  html_url: `${WEB}/${login}`,
  type: "User",
  user_view_type: "public",
  site_admin: false,
});

const OCTOCAT = user("octocat", 1);

/** In the order in which they signed up. */
export const PEOPLE = [
  OCTOCAT,
  ...["ada", "grace", "linus", "margaret", "ken", "barbara"].map((name, at) => user(name, at + 2)),
];

export const ME = {
  ...OCTOCAT,
  name: "Mona Octocat",
  company: null,
  blog: `${WEB}/blog`,
  location: "San Francisco",
  email: "octocat@example.com",
  hireable: false,
  bio: "There once was…",
  public_repos: 2,
  followers: 20,
  following: 0,
  created_at: "2008-01-14T04:33:35Z",
  updated_at: "2026-11-01T04:33:35Z",
  two_factor_authentication: true,
  plan: { name: "pro", space: 400, private_repos: 20, collaborators: 0 },
};

const repository = (name: string, isPrivate: boolean, description: string | null, updated: string) => ({
  id: 1_296_269,
  node_id: `R_${name}`,
  name,
  full_name: `octocat/${name}`,
  owner: OCTOCAT,
  private: isPrivate,
  html_url: `${WEB}/octocat/${name}`,
  description,
  fork: false,
  url: `${API}/repos/octocat/${name}`,
  language: null,
  forks_count: 9,
  stargazers_count: 80,
  default_branch: "main",
  open_issues_count: 2,
  topics: ["octocat", "api"],
  visibility: isPrivate ? "private" : "public",
  pushed_at: updated,
  created_at: "2011-01-26T19:01:12Z",
  updated_at: updated,
  permissions: { admin: false, push: false, pull: true },
});

export const REPOSITORIES = [
  repository("Hello-World", false, "This your first repo!", "2026-11-20T10:00:00Z"),
  repository("secret-plans", true, null, "2026-11-19T10:00:00Z"),
];

const BUG = {
  id: LARGE_ID,
  node_id: "MDU6TGFiZWwyMDgwNDU5NDY=",
  url: `${API}/repos/octocat/Hello-World/labels/bug`,
  name: "bug",
  description: "Something isn't working",
  color: "f29513",
  default: true,
};

const item = (kind: "issues" | "pull", number: number, title: string, state: string, labels: readonly unknown[]) => ({
  id: number,
  node_id: `${kind}_${number}`,
  url: `${API}/repos/octocat/Hello-World/${kind === "pull" ? "pulls" : kind}/${number}`,
  html_url: `${WEB}/octocat/Hello-World/${kind}/${number}`,
  number,
  state,
  title,
  body: number === 1347 ? "I'm having a problem with this. 🐙" : null,
  user: OCTOCAT,
  labels,
  assignee: null,
  assignees: [],
  milestone: null,
  locked: false,
  comments: 0,
  closed_at: state === "closed" ? "2011-04-30T10:00:00Z" : null,
  created_at: "2011-04-22T13:33:48Z",
  updated_at: "2011-04-23T13:33:48Z",
  author_association: "COLLABORATOR",
});

const PULL = {
  ...item("pull", 1349, "Amazing new feature", "open", []),
  draft: false,
  merge_commit_sha: "e5bd3914e2e596debea16f433f57875b5b90bcd6",
  head: { label: "octocat:new-topic", ref: "new-topic", sha: "6dcb09b5b57875f334f61aebed695e2e4193db5e" },
  base: { label: "octocat:main", ref: "main", sha: "6dcb09b5b57875f334f61aebed695e2e4193db5e" },
};

export const PULLS = [PULL];

/** Pull requests are among the issues, as the reference says. */
export const ISSUES = [
  item("issues", 1347, "Found a bug", "open", [BUG]),
  item("issues", 1348, "Fixed long ago", "closed", []),
  {
    ...item("pull", 1349, "Amazing new feature", "open", []),
    pull_request: { url: PULL.url, html_url: PULL.html_url, merged_at: null },
  },
];

export const createdIssue = (title: string, body: unknown, labels: readonly unknown[]) => ({
  ...item("issues", 1350, title, "open", labels),
  body,
});

export const createdComment = (number: string, body: unknown) => ({
  id: LARGE_ID,
  node_id: "MDEyOklzc3VlQ29tbWVudDE=",
  url: `${API}/repos/octocat/Hello-World/issues/comments/9007199254740993`,
  html_url: `${WEB}/octocat/Hello-World/issues/${number}#issuecomment-9007199254740993`,
  body,
  user: OCTOCAT,
  created_at: "2026-11-30T20:09:31Z",
  updated_at: "2026-11-30T20:09:31Z",
  issue_url: `${API}/repos/octocat/Hello-World/issues/${number}`,
  author_association: "COLLABORATOR",
});
