/** Reads how long a provider asks to wait, from Retry-After or from the headers that some use in its place. */

/** The provider controls the value; nobody waits longer than a monthly quota lasts. */
const MAX_WAIT_SECONDS = 31 * 86_400;
/** Above it a reset is a moment in Unix time; below it, a number of seconds. */
const FIRST_EPOCH_SECOND = 1_000_000_000;

const SECONDS = /^\d{1,15}(?:\.\d{1,9})?$/;
/** The three forms of RFC 9110 5.6.7; `Date.parse` alone would take almost anything. */
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*\d\d:\d\d:\d\d/;

/** Headers that say when a used-up budget is renewed, each with the one that says what is left of it. */
const RESETS: readonly (readonly [reset: string, remaining: string])[] = [
  ["x-ratelimit-reset-after", "x-ratelimit-remaining"],
  ["x-rate-limit-reset", "x-rate-limit-remaining"],
  ["x-ratelimit-reset", "x-ratelimit-remaining"],
  ["ratelimit-reset", "ratelimit-remaining"],
];

/**
 * Whole seconds from `now` (Unix milliseconds), rounded up, between 0 and 31 days; undefined when the provider says
 * nothing that can be read. Retry-After comes first, as seconds or as a date (RFC 9110 10.2.3); a reset header counts
 * only when its budget is used up (the rule of GitHub's and X's documentation).
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const stated = headers.get("retry-after")?.trim();
  if (stated !== undefined) {
    const wait = SECONDS.test(stated) ? Number(stated) : secondsUntilDate(stated, now);
    if (wait !== undefined) return bounded(wait);
  }
  for (const [reset, remaining] of RESETS) {
    const value = headers.get(reset)?.trim();
    if (value === undefined || !SECONDS.test(value) || !isUsedUp(headers.get(remaining))) continue;
    const seconds = Number(value);
    return bounded(seconds < FIRST_EPOCH_SECOND ? seconds : seconds - now / 1000);
  }
  return undefined;
}

/** Whether a header says that the budget it counts is used up; silence does not speak against it. */
export function isUsedUp(remaining: string | null): boolean {
  return remaining === null || Number(remaining) === 0;
}

function secondsUntilDate(text: string, now: number): number | undefined {
  if (!HTTP_DATE.test(text)) return undefined;
  const moment = Date.parse(/(?:GMT|UTC|[+-]\d{4})$/.test(text) ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : (moment - now) / 1000;
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 0), MAX_WAIT_SECONDS);
}
