/** Discord's API, version 10, from docs.discord.com/developers (reference, resources, topics): reading as a bot. */
import { json, type StandIn } from "../stand-in.ts";
import { type Admitted, answerStrictly, type Check, like, type Operation, whole } from "../strict-api.ts";
import { CHANNELS, GUILD, GUILDS, MEMBERS, MESSAGES } from "./discord-data.ts";

const TOKEN = "lab-discord-token";
/** The bot is not in this server; this channel is hidden from it. */
const FOREIGN_GUILD = "613425648685547541";
const HIDDEN_CHANNEL = "41771983423143999";

/** An error with its code of developers/topics/opcodes-and-status-codes. */
const fail = (status: number, code: number, message: string): Response => json({ message, code }, status);
const missingAccess = (): Response => fail(403, 50001, "Missing Access");

const invalidForm = (name: string, code: string, message: string): Response =>
  json({ message: "Invalid Form Body", code: 50035, errors: { [name]: { _errors: [{ code, message }] } } }, 400);

const refusals = {
  unknownRoute: () => fail(404, 0, "404: Not Found"),
  admit,
  notJson: () => fail(400, 50109, "The request body contains invalid JSON."),
  unknownField: (_where: unknown, name: string) => invalidForm(name, "UNKNOWN_FIELD", "Unknown field."),
  missingField: (_where: unknown, name: string) => invalidForm(name, "BASE_TYPE_REQUIRED", "This field is required"),
  wrongField: (_where: unknown, name: string, value: unknown, reason: string) =>
    invalidForm(name, "BASE_TYPE_BAD_VALUE", `Value ${JSON.stringify(value)} ${reason}.`),
};

function admit({ headers }: Request): Response | undefined {
  // "Client requests that do not have a valid User Agent specified may be blocked and return a Cloudflare error."
  if (!/^DiscordBot \(https?:\/\/[^ ,]+, [^ )]+\)/.test(headers.get("user-agent") ?? "")) {
    const page =
      "<!DOCTYPE html><title>Access denied | discord.com used Cloudflare to restrict access</title>error 1010";
    return new Response(page, { status: 403, headers: { "content-type": "text/html; charset=UTF-8" } });
  }
  return headers.get("authorization") === `Bot ${TOKEN}` ? undefined : fail(401, 0, "401: Unauthorized");
}

const SNOWFLAKE: Check = like(/^\d{1,20}$/);
const TRUE_OR_FALSE: Check = like(/^(?:True|true|1|False|false|0)$/);

/** Snowflakes are numbers above 2^53, ordered by time. */
const isBefore = (id: string, other: string): boolean => BigInt(id) < BigInt(other);

function unknownGuild({ path }: Admitted): Response | undefined {
  if (path["guild"] === GUILD.id) return undefined;
  return path["guild"] === FOREIGN_GUILD ? missingAccess() : fail(404, 10004, "Unknown Guild");
}

const OPERATIONS: readonly Operation[] = [
  {
    route: "GET /api/v10/users/@me",
    query: {},
    answer: () => json({ id: "80351110224678912", username: "Nelly", discriminator: "1337", bot: true }),
  },
  {
    route: "GET /api/v10/users/@me/guilds",
    query: { limit: whole(1, 200), before: SNOWFLAKE, after: SNOWFLAKE, with_counts: TRUE_OR_FALSE },
    answer: ({ query }) => json(GUILDS.slice(0, Number(query["limit"] ?? 200))),
  },
  {
    route: "GET /api/v10/guilds/{guild}",
    path: { guild: SNOWFLAKE },
    query: { with_counts: TRUE_OR_FALSE },
    answer: (admitted) => unknownGuild(admitted) ?? json(GUILD),
  },
  {
    route: "GET /api/v10/guilds/{guild}/channels",
    path: { guild: SNOWFLAKE },
    query: {},
    answer: (admitted) => unknownGuild(admitted) ?? json(CHANNELS),
  },
  {
    route: "GET /api/v10/channels/{channel}/messages",
    path: { channel: SNOWFLAKE },
    query: { limit: whole(1, 100), before: SNOWFLAKE, after: SNOWFLAKE, around: SNOWFLAKE },
    answer: messages,
  },
  {
    route: "GET /api/v10/guilds/{guild}/members",
    path: { guild: SNOWFLAKE },
    query: { limit: whole(1, 1000), after: SNOWFLAKE },
    answer(admitted) {
      const { limit = "1", after = "0" } = admitted.query;
      const later = MEMBERS.filter(({ user }) => isBefore(after, user.id));
      return unknownGuild(admitted) ?? json(later.slice(0, Number(limit)));
    },
  },
];

/**
 * Newest first, the default 50. `before`, `after` and `around` exclude each other; given both, the real API is known to
 * heed `after` and to ignore `before` (github.com/qeled/discordie/issues/85), so that it answers the same page again.
 */
function messages({ path, query }: Admitted): Response {
  if (path["channel"] === HIDDEN_CHANNEL) return missingAccess();
  if (!CHANNELS.some(({ id }) => id === path["channel"])) return fail(404, 10003, "Unknown Channel");
  const { before, after, limit = "50" } = query;
  if (after !== undefined) {
    const later = MESSAGES.filter(({ id }) => isBefore(after, id));
    return json(later.slice(-Number(limit)));
  }
  const earlier = MESSAGES.filter(({ id }) => before === undefined || isBefore(id, before));
  return json(earlier.slice(0, Number(limit)));
}

export const standIn: StandIn = {
  hosts: ["discord.com"],
  handle: (request) => answerStrictly(OPERATIONS, refusals, request),
};
