/** A browser without a screen: `walk.ts URL [stop]` signs in where it is asked to, and says where it came out. */
import type { Walked } from "./sign-in-lab.ts";

/** No sign-in has more pages. */
const MOST_PAGES = 30;
const [address = "", stop] = process.argv.slice(2);
/** By host, then by name. */
const jar = new Map<string, Map<string, string>>();

async function visit(url: URL, body?: URLSearchParams): Promise<Response> {
  const cookies = jar.get(url.host) ?? new Map<string, string>();
  jar.set(url.host, cookies);
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    redirect: "manual",
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
    ...(body === undefined ? {} : { body }),
  });
  for (const cookie of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    cookies.set(name, value);
  }
  return response;
}

/** Fills the form of a page in as a person called ada would. */
function filled(html: string): { readonly action: string; readonly body: URLSearchParams } | undefined {
  const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1];
  if (action === undefined) return undefined;
  const body = new URLSearchParams();
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const name = / name="([^"]+)"/.exec(input)?.[1];
    const given = / type="hidden"/.test(input) ? / value="([^"]*)"/.exec(input)?.[1] : "ada";
    if (name !== undefined) body.set(name, given ?? "");
  }
  return { action, body };
}

async function walk(): Promise<Walked> {
  let url = new URL(address);
  let body: URLSearchParams | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    if (stop !== undefined && url.protocol === "http:") return { url: url.href, status: 0, page: "" };
    const response = await visit(url, body);
    const next = response.headers.get("location");
    const page = await response.text();
    const form = next === null ? filled(page) : undefined;
    if (next === null && form === undefined) return { url: url.href, status: response.status, page };
    url = new URL(next ?? form?.action ?? "", url);
    body = form?.body;
  }
  throw new Error(`too many pages, the last at ${url.href}`);
}

process.stdout.write(JSON.stringify(await walk()));
