/** What the stand-in of Slack knows: one workspace, its channels, messages and members, shaped as the documentation's examples. */

function channel(
  id: string,
  name: string,
  more: { is_private?: boolean; is_archived?: boolean; is_member?: boolean } = {},
) {
  return {
    id,
    name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    created: 1449252889,
    creator: "U012A3CDE",
    is_archived: false,
    is_general: id === "C012AB3CD",
    name_normalized: name,
    is_shared: false,
    is_ext_shared: false,
    is_org_shared: false,
    is_member: true,
    is_private: false,
    topic: { value: `About ${name}`, creator: "U012A3CDE", last_set: 0 },
    previous_names: [],
    num_members: 4,
    purpose: { value: `For ${name}`, creator: "", last_set: 0 },
    updated: 1678229664302,
    ...more,
  };
}

export const CHANNELS = [
  channel("C012AB3CD", "general"),
  channel("C061EG9T2", "random"),
  channel("C0ARCHIVE1", "old-plans", { is_archived: true }),
  channel("G0AKFJBEU", "secrets", { is_private: true }),
  channel("C07NOTAMEM", "elsewhere", { is_member: false }),
  channel("C08LAST000", "last"),
];

export interface Message {
  readonly ts: string;
}

const said = (user: string, text: string, ts: string, more: object = {}) => ({
  type: "message",
  user,
  text,
  ts,
  team: "T12345",
  client_msg_id: "9b1b3a2f-0000-4000-8000-000000000000",
  ...more,
});

const DEPLOYED = {
  type: "message",
  subtype: "bot_message",
  bot_id: "B0DEPLOYER",
  text: "Deployed <https://example.com|1.2>",
  ts: "1512085950.218404",
  username: "deployer",
};

/** Newest first, as conversations.history gives them. */
export const HISTORY: readonly Message[] = [
  said("U222BBB222", "What, you want to smell my shoes better?", "1512104434.000490"),
  DEPLOYED,
  said("U123ABC456", "I find you punny and would like to smell your nose letter", "1512085950.000216", {
    reactions: [{ name: "smile", users: ["U222BBB222"], count: 1 }],
  }),
  said("U061F7AUR", "island", "1482960137.003543", {
    thread_ts: "1482960137.003543",
    reply_count: 3,
    subscribed: true,
  }),
];

const reply = (text: string, ts: string) =>
  said("U061F7AUR", text, ts, { thread_ts: "1482960137.003543", parent_user_id: "U061F7AUR" });

/** The thread's first message, then its replies, oldest first. */
export const THREAD: readonly Message[] = [
  ...HISTORY.slice(3),
  reply("one island", "1483037603.017503"),
  reply("two island", "1483051909.018632"),
  reply("three for the land", "1483125339.020269"),
];

const member = (id: string, name: string, real: string, more: object = {}) => ({
  id,
  team_id: "T12345",
  name,
  deleted: false,
  color: "9f69e7",
  real_name: real,
  tz: "America/Los_Angeles",
  tz_label: "Pacific Daylight Time",
  tz_offset: -25200,
  is_admin: false,
  is_owner: false,
  is_bot: false,
  profile: { real_name: real, display_name: name, email: `${name}@example.com`, team: "T12345" },
  updated: 1502138686,
  has_2fa: false,
  ...more,
});

export const MEMBERS = [
  member("W012A3CDE", "spengler", "Egon Spengler"),
  member("W07QCRPA4", "glinda", "Glinda Southgood"),
  member("U0DEPLOYER", "deployer", "deployer", { is_bot: true, tz: null }),
];

export const TEAM = {
  id: "T12345",
  name: "My Team",
  domain: "example",
  email_domain: "example.com",
  url: "https://example.slack.com/",
  icon: { image_34: "https://a.slack-edge.com/34.png", image_default: true },
};
