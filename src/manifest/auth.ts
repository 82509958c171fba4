/** Reads `auth`: how a plugin's credential is obtained and in which header it travels (spec 1.2). */

import * as v from "valibot";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import type { KeyValidation, PluginAuth } from "./manifest.ts";
import { flag, isVisibleAscii, jsonObject, matching, nonBlank, oneOf, textThat, wholeNumber } from "./parts.ts";
import { below, ROOT } from "./place.ts";
import { type Reading, refuseBeforeApi3, wantForPublishing } from "./reading.ts";

const AT = below(ROOT, "auth");
const KEYS: ReadonlySet<string> = new Set([
  "type",
  "provider",
  "profile_key",
  "account_mode",
  "scopes",
  "key_name",
  "header",
  "scheme",
  "prompt",
  "help_url",
  "validation",
]);

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Headers that frame or route a request; a credential in one of them would break it or go to another host. */
const FRAMING_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "te",
  "trailer",
  "upgrade",
  "accept-encoding",
]);
/** RFC 6749 scope-token: visible ASCII without `"` and `\`. */
const SCOPE = /^[\u0021\u0023-\u005b\u005d-\u007e]+$/;

const type = oneOf(["none", "oauth2", "api_key"], "invalid_auth_type");
const common = {
  type,
  header: v.optional(
    textThat((name) => HEADER_NAME.test(name) && !FRAMING_HEADERS.has(name.toLowerCase()), "invalid_auth_header"),
    "authorization",
  ),
  scheme: v.optional(oneOf(["Bearer", "Bot"], "invalid_auth_scheme"), "Bearer"),
  profile_key: v.optional(matching(/^[A-Za-z0-9_.-]{1,64}$/, "invalid_profile_key")),
  account_mode: v.optional(nonBlank),
};
const oauth2 = {
  provider: matching(/^[a-z][a-z0-9_-]{0,63}$/, "invalid_provider"),
  scopes: v.array(v.pipe(v.string("invalid_scopes"), v.regex(SCOPE, "invalid_scopes")), "invalid_scopes"),
};
const apiKey = {
  key_name: v.optional(matching(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, "invalid_key_name")),
  prompt: v.optional(nonBlank),
  help_url: v.optional(textThat(isWebAddress, "invalid_help_url")),
};
const validation = {
  prefix: textThat((prefix) => prefix !== "", "invalid_auth_validation"),
  min_bytes: wholeNumber(1, Number.MAX_SAFE_INTEGER, "invalid_auth_validation"),
  max_bytes: wholeNumber(1, Number.MAX_SAFE_INTEGER, "invalid_auth_validation"),
  charset: v.literal("visible_ascii", "invalid_auth_validation"),
  forbid_whitespace: flag,
};
const VALIDATION_KEYS: ReadonlySet<string> = new Set(Object.keys(validation));
const REGEX_CHARACTERS = /[\^$*+?()[\]{}|\\]/;

/** The plugin's auth; absent means none. Undefined when a rule was broken, so that nothing is judged against it. */
export function readAuth(reading: Reading, raw: JsonValue | undefined): PluginAuth | undefined {
  const { problems } = reading;
  if (raw === undefined) {
    wantForPublishing(reading, false, AT, "say `auth` even when it is none");
    return { type: "none" };
  }
  if (!isJsonObject(raw)) {
    problems.add(AT, "invalid_auth");
    return undefined;
  }
  problems.closed(raw, AT, KEYS);
  refuseBeforeApi3(reading, raw, AT, ["validation"]);
  const fields = problems.fields(raw, AT, common);
  const keyValidation = readValidation(reading, raw["validation"]);
  if (fields.type === undefined || fields.header === undefined || fields.scheme === undefined) return undefined;
  const { header, scheme } = fields;
  switch (fields.type) {
    case "none":
      return { type: "none" };
    case "oauth2": {
      const { provider, scopes } = problems.fields(raw, AT, oauth2);
      if (provider === undefined || scopes === undefined) return undefined;
      return { type: "oauth2", provider, scopes, profileKey: fields.profile_key, header, scheme };
    }
    case "api_key":
      return { type: "api_key", ...readApiKey(reading, raw), header, scheme, validation: keyValidation };
  }
}

function readApiKey(reading: Reading, raw: JsonObject) {
  for (const key of ["key_name", "header", "prompt"]) {
    wantForPublishing(
      reading,
      Object.hasOwn(raw, key),
      below(AT, key),
      "an api_key plugin says key_name, header and prompt",
    );
  }
  const { key_name, prompt, help_url } = reading.problems.fields(raw, AT, apiKey);
  return { keyName: key_name, prompt, helpUrl: help_url };
}

function readValidation(reading: Reading, raw: JsonValue | undefined): KeyValidation | undefined {
  if (raw === undefined) return undefined;
  const { problems } = reading;
  const path = below(AT, "validation");
  const object = problems.value(raw, path, jsonObject);
  if (object === undefined) return undefined;
  problems.closed(object, path, VALIDATION_KEYS);
  const { prefix, min_bytes, max_bytes, charset, forbid_whitespace } = problems.fields(object, path, validation);
  if (prefix !== undefined) {
    const plain = isVisibleAscii(prefix) && !REGEX_CHARACTERS.test(prefix);
    wantForPublishing(reading, plain, below(path, "prefix"), "the prefix is plain visible ASCII, no pattern");
  }
  if (min_bytes !== undefined && max_bytes !== undefined && min_bytes > max_bytes) {
    problems.add(below(path, "max_bytes"), "invalid_auth_validation", "it is smaller than min_bytes");
    return undefined;
  }
  if (prefix === undefined || min_bytes === undefined || max_bytes === undefined) return undefined;
  if (charset === undefined || forbid_whitespace === undefined) return undefined;
  return { prefix, minBytes: min_bytes, maxBytes: max_bytes, forbidWhitespace: forbid_whitespace };
}

/** The address is shown as a link, so nothing but the web's own schemes may be in it. */
function isWebAddress(address: string): boolean {
  const parsed = URL.parse(address);
  return parsed !== null && (parsed.protocol === "https:" || parsed.protocol === "http:");
}
