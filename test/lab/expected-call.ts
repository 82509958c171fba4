/** Writes down requests that a flow expects: the literals of the test, and what every request of the rail carries. */
import { type Call, TRANSPORT_HEADERS } from "./stand-in.ts";

export interface ExpectedCalls {
  /** A request without a body; the query as it is sent. */
  get(path: string, query?: string): Call;
  /** A request with this JSON text. */
  post(path: string, body: string): Call;
}

/** Requests to one host with these headers: the credential, and what the plugin's templates add. */
export function expectedCalls(host: string, headers: Readonly<Record<string, string>>): ExpectedCalls {
  return {
    get: (path, query = "") => ({
      method: "GET",
      host,
      path,
      query,
      headers: { ...TRANSPORT_HEADERS, ...headers },
      body: "",
    }),
    post: (path, body) => ({
      method: "POST",
      host,
      path,
      query: "",
      headers: {
        ...TRANSPORT_HEADERS,
        ...headers,
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
      },
      body,
    }),
  };
}
