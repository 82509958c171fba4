/** What the stand-in of Discord knows: two servers, their channels, messages and members, shaped as the documentation's objects. */

const guild = (id: string, name: string) => ({
  id,
  name,
  icon: "8342729096ea3675442027381ff50dfe",
  banner: null,
  owner: false,
  permissions: "36953089",
  features: ["COMMUNITY", "NEWS"],
  approximate_member_count: 3268,
  approximate_presence_count: 784,
});

export const GUILDS = [guild("80351110224678912", "1337 Krew"), guild("197038439483310086", "Fermix Testers")];

/** GET /guilds/{guild.id}: the guild object with many fields an agent does not need. */
export const GUILD = {
  id: "197038439483310086",
  name: "Fermix Testers",
  icon: null,
  description: "People who test.",
  splash: null,
  owner_id: "114941315417899012",
  preferred_locale: "en-US",
  verification_level: 3,
  nsfw_level: 0,
  afk_channel_id: null,
  afk_timeout: 300,
  emojis: [],
  roles: [],
  features: ["ANIMATED_ICON"],
  premium_tier: 3,
  approximate_member_count: 3268,
  approximate_presence_count: 784,
  system_channel_id: null,
  mfa_level: 1,
};

const channel = (id: string, type: number, name: string, more: object = {}) => ({
  id,
  type,
  name,
  guild_id: GUILD.id,
  position: 0,
  permission_overwrites: [],
  parent_id: null,
  nsfw: false,
  ...more,
});

export const CHANNELS = [
  channel("41771983423143930", 4, "Text"),
  channel("41771983423143937", 0, "general", {
    topic: "24/7 chat about how to gank Mike #2",
    parent_id: "41771983423143930",
    position: 1,
    rate_limit_per_user: 2,
    last_message_id: "334385199974967049",
  }),
  channel("155101607195836416", 2, "ROCKET CHEESE", { bitrate: 64000, user_limit: 0, position: 5 }),
];

const AUTHOR = {
  id: "53908099506183680",
  username: "mason",
  discriminator: "9999",
  avatar: "a_bab14f271d565501444b2ca3be944b25",
};

export interface Message {
  readonly id: string;
}

const message = (id: string, content: string, more: object = {}) => ({
  id,
  type: 0,
  content,
  channel_id: "41771983423143937",
  author: AUTHOR,
  tts: false,
  pinned: false,
  mentions: [],
  mention_roles: [],
  mention_everyone: false,
  attachments: [],
  embeds: [],
  components: [],
  flags: 0,
  timestamp: "2017-07-11T17:27:07.299000+00:00",
  edited_timestamp: null,
  ...more,
});

/** Newest first; ids are above 2^53. */
export const MESSAGES = [
  message("334385199974967049", "five"),
  message("334385199974967048", "four", {
    type: 19,
    message_reference: { type: 0, channel_id: "41771983423143937", message_id: "334385199974967046" },
  }),
  message("334385199974967047", "three", { edited_timestamp: "2017-07-11T17:30:00.000000+00:00" }),
  message("334385199974967046", "Supa Hot", {
    attachments: [{ id: "1", filename: "fire.png", size: 1024, url: "https://cdn.discordapp.com/fire.png" }],
  }),
  message("334385199974967045", "one"),
];

const member = (id: string, username: string, nick: string | null) => ({
  user: { id, username, discriminator: "0", global_name: null, avatar: null },
  nick,
  avatar: null,
  roles: ["41771983423143936"],
  joined_at: "2015-04-26T06:26:56.936000+00:00",
  deaf: false,
  mute: false,
  flags: 0,
});

/** In the order of their ids. */
export const MEMBERS = [
  member("53908099506183680", "mason", "NOT API SUPPORT"),
  member("80351110224678912", "nelly", null),
  member("114941315417899012", "owner", "the owner"),
];
