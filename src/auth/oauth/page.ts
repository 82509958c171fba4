/** The pages that a browser shows when it comes back from a provider: plain, without scripts, and of no use to anybody else. */
import { isFermixError } from "../../kernel/error.ts";
import type { LoopbackReply } from "../../kernel/ports.ts";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  // Nothing is loaded, framed or sent on, and the code in the address goes to nobody.
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
} as const;

const STYLE =
  "body{font:1.1rem/1.5 system-ui,sans-serif;margin:15vh auto;max-width:34rem;padding:0 1.5rem;color:#1d2125;background:#fff}" +
  "h1{font-size:1.6rem}code{overflow-wrap:anywhere}" +
  "@media(prefers-color-scheme:dark){body{color:#e6e8ea;background:#16191c}}";

/** The sign-in is done and kept. */
export function successPage(provider: string): LoopbackReply {
  return page(200, "Connected", [`Fermix is signed in with ${provider}.`, "You can close this page."]);
}

/** The sign-in failed; the reason is the one that the terminal shows, with its fix. */
export function failurePage(error: unknown): LoopbackReply {
  const words = isFermixError(error)
    ? [error.message, `What helps: ${error.fix}.`]
    : ["Something went wrong in Fermix; the terminal says what."];
  return page(400, "Not connected", words);
}

/** A second answer while the first one counts. */
export function latePage(): LoopbackReply {
  return page(409, "Already answered", ["This sign-in has had its answer; the terminal says what came of it."]);
}

/** Whatever else a browser or a program asks for. */
export function otherPage(status: 400 | 404 | 405): LoopbackReply {
  return page(status, "Nothing here", ["Fermix waits here for the answer to a sign-in, and this is none."]);
}

function page(status: number, title: string, paragraphs: readonly string[]): LoopbackReply {
  const text = paragraphs.map((words) => `<p>${html(words)}</p>`).join("");
  const body =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Fermix: ${html(title)}</title>` +
    `<style>${STYLE}</style><h1>${html(title)}</h1>${text}</html>\n`;
  return { status, headers: HEADERS, body };
}

/** Text in HTML, with what stands in backquotes as code. */
function html(text: string): string {
  const safe = text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
  return safe.replace(/`([^`]+)`/g, "<code>$1</code>");
}
