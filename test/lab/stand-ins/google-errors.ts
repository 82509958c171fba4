/** How Google's APIs word a refusal: `error` with a code, a message, reasons, and on the newer APIs a status and details. */
import { json } from "../stand-in.ts";

const STATUS: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
};

export interface Fault {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly domain?: string;
  readonly location?: string;
  readonly locationType?: "parameter" | "header";
  readonly details?: readonly object[];
}

/** One refusal (developers.google.com/workspace/{gmail,calendar,drive}/api/guides/{handle-errors,errors}). */
export function fault({ status, message, details, ...of }: Fault): Response {
  const { domain = "global", reason, location, locationType } = of;
  const where = location === undefined ? {} : { locationType: locationType ?? "parameter", location };
  return json(
    {
      error: {
        code: status,
        message,
        errors: [{ message, domain, reason, ...where }],
        ...(details === undefined ? {} : { status: STATUS[status], details }),
      },
    },
    status,
  );
}

export const invalid = (message: string, location?: string): Response =>
  fault({ status: 400, reason: "invalid", message, ...(location === undefined ? {} : { location }) });

export const notFound = (what = "Not Found"): Response => fault({ status: 404, reason: "notFound", message: what });

/** Google's front end, for an address that belongs to no API: a page, not JSON. */
export const noSuchPage = (path: string): Response =>
  new Response(
    `<!DOCTYPE html><html lang=en><title>Error 404 (Not Found)!!1</title><p>The requested URL <code>${encodeURI(path)}</code> was not found on this server.`,
    { status: 404, headers: { "content-type": "text/html; charset=UTF-8" } },
  );

/** A body must say how long it is, also when it is empty. */
export const lengthRequired = (): Response =>
  new Response("<!DOCTYPE html><html lang=en><title>Error 411 (Length Required)!!1</title>", {
    status: 411,
    headers: { "content-type": "text/html; charset=UTF-8" },
  });

export const unauthenticated = (): Response =>
  fault({
    status: 401,
    reason: "authError",
    message: "Invalid Credentials",
    location: "Authorization",
    locationType: "header",
  });

/** developers.google.com/identity/protocols/oauth2: the token is good, but not for this. */
export const scopeInsufficient = (service: string): Response =>
  fault({
    status: 403,
    reason: "insufficientPermissions",
    message: "Request had insufficient authentication scopes.",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        domain: "googleapis.com",
        metadata: { service },
      },
    ],
  });
