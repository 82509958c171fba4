/** What one flow of the Google trio is: a call, the requests it must make, and what the agent reads. */
import { sent } from "../../lab/sent.ts";
import type { Call } from "../../lab/stand-in.ts";

export const HEADERS = { accept: "application/json", authorization: "Bearer lab-google-token" };

/** A write without a body still says how long it is: Google refuses one that does not. */
export const bare = (line: string): Call => sent(line, { ...HEADERS, "content-length": "0" });
export const read = (line: string): Call => sent(line, HEADERS);
export const wrote = (line: string, body: string): Call => sent(line, HEADERS, body);

export interface Flow {
  readonly tool: string;
  /** The page below https://developers.google.com/workspace that documents the request. */
  readonly page: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly calls: readonly Call[];
  readonly value: unknown;
}
