/** An `Ask` that answers from a list and keeps what it was asked; a request that nothing answers fails the test. */
import type { JsonValue } from "../../src/kernel/json.ts";
import type { ApiRequest, Ask } from "../../src/rails/http/api.ts";

export interface ScriptedAsk {
  readonly ask: Ask;
  /** The requests, in the order in which they came. */
  readonly asked: ApiRequest[];
}

/** Answers by method and address, such as `GET https://...`; a function is called for what it throws or gives. */
export function scriptedAsk(answers: Readonly<Record<string, JsonValue | (() => Promise<JsonValue>)>>): ScriptedAsk {
  const asked: ApiRequest[] = [];
  return {
    asked,
    ask: async (request) => {
      asked.push(request);
      const answer = answers[`${request.method} ${request.url}`];
      if (answer === undefined) throw new Error(`unexpected request ${request.method} ${request.url}`);
      const body = typeof answer === "function" ? await answer() : answer;
      return { status: 200, body, bytes: JSON.stringify(body).length };
    },
  };
}
