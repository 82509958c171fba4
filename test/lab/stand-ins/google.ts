/** Google's Gmail, Calendar and Drive APIs and its token endpoint, each from its own reference documentation. */
import { json, type StandIn } from "../stand-in.ts";
import { answerStrictly, type Refusals } from "../strict-api.ts";
import { bearerOf, LAB_CLIENT, TokenBook } from "../token-book.ts";
import { calendarOperations } from "./google-calendar.ts";
import { driveOperations, uploadAsJson } from "./google-drive.ts";
import { invalid, lengthRequired, noSuchPage, scopeInsufficient, unauthenticated } from "./google-errors.ts";
import { gmailOperations } from "./google-gmail.ts";

const AUTH = "https://www.googleapis.com/auth/";
const ALL = [
  ...["gmail.readonly", "gmail.send", "gmail.compose", "gmail.modify"].map((scope) => AUTH + scope),
  ...["calendar.readonly", "calendar.events"].map((scope) => AUTH + scope),
  ...["drive.metadata.readonly", "drive"].map((scope) => AUTH + scope),
];
const READ_ONLY = ["gmail.readonly", "calendar.readonly", "drive.metadata.readonly"].map((scope) => AUTH + scope);

const tokens = new TokenBook("lab-google", ALL, { "lab-google-read-only": READ_ONLY });

const UPLOAD_PATH = "/upload/drive/v3/files";

const refusals: Refusals = {
  unknownRoute: (request) => noSuchPage(new URL(request.url).pathname),
  admit(request, scopes) {
    const { method, headers, url } = request;
    if (method !== "GET" && method !== "DELETE" && headers.get("content-length") === null) return lengthRequired();
    const granted = tokens.scopesOf(bearerOf(request) ?? "");
    if (granted === undefined) return unauthenticated();
    // Any one of the scopes that a method's page lists is enough.
    return scopes.some((scope) => granted.includes(scope)) ? undefined : scopeInsufficient(new URL(url).hostname);
  },
  notJson: () => invalid("Invalid JSON payload received."),
  unknownField: (where, name) =>
    invalid(
      `Invalid JSON payload received. Unknown name "${name}": Cannot ${where === "query" ? "bind query parameter" : "find field"}.`,
    ),
  missingField: (_where, name) => invalid(`Required parameter: ${name}`, name),
  wrongField: (_where, name, value, reason) =>
    invalid(`Invalid value for ${name}: ${JSON.stringify(value)} ${reason}`, name),
};

/** A repeated `metadataHeaders` is what the reference asks for; one parameter with commas is easier to judge. */
function joined(request: Request): Request {
  const url = new URL(request.url);
  const names = url.searchParams.getAll("metadataHeaders");
  if (names.length === 0) return request;
  url.searchParams.set("metadataHeaders", names.join(","));
  return new Request(url.href, { method: request.method, headers: request.headers });
}

async function api(request: Request): Promise<Response> {
  const { hostname, pathname } = new URL(request.url);
  if (hostname === "gmail.googleapis.com") return await answerStrictly(gmailOperations, refusals, joined(request));
  if (pathname !== UPLOAD_PATH) {
    return await answerStrictly([...calendarOperations, ...driveOperations], refusals, request);
  }
  const upload = await uploadAsJson(request);
  return upload === undefined
    ? invalid("Malformed multipart body.")
    : await answerStrictly(driveOperations, refusals, upload);
}

/** developers.google.com/identity/protocols/oauth2/native-app, "Refreshing an access token". */
async function tokenEndpoint(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (request.method !== "POST" || pathname !== "/token") return noSuchPage(pathname);
  const form = new URLSearchParams(await request.text());
  const refuse = (error: string, description: string, status = 400): Response =>
    json({ error, error_description: description }, status);
  if (form.get("client_id") !== LAB_CLIENT.id || form.get("client_secret") !== LAB_CLIENT.secret) {
    return refuse("invalid_client", "The OAuth client was not found.", 401);
  }
  if (form.get("grant_type") !== "refresh_token") return refuse("unsupported_grant_type", "Invalid grant_type");
  const session = tokens.redeem(form.get("refresh_token") ?? "");
  if (session === undefined) return refuse("invalid_grant", "Token has been expired or revoked.");
  // Google keeps the refresh token as it is, so the answer holds none.
  return json({ access_token: session.access, expires_in: 3599, scope: ALL.join(" "), token_type: "Bearer" });
}

export const standIn: StandIn = {
  hosts: ["gmail.googleapis.com", "www.googleapis.com", "oauth2.googleapis.com"],
  handle: (request) =>
    new URL(request.url).hostname === "oauth2.googleapis.com" ? tokenEndpoint(request) : api(request),
};
