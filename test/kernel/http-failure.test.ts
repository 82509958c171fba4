/** What broke an exchange is said in words, without the URL and the advice of the engine's own message. */
import { expect, test } from "bun:test";
import { reasonOf } from "../../src/kernel/http-failure.ts";

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

test("a known code has words of its own", () => {
  const reset = "ECONNRESET: The socket connection was closed unexpectedly. For more information, pass `verbose: true`";
  expect(reasonOf(failure(reset, "ECONNRESET"))).toBe(
    "the server closed the connection before its answer was complete",
  );
  const url = 'InvalidHTTPResponse fetching "https://93.184.216.34/?key=secret". For more information, pass it';
  for (const code of ["InvalidHTTPResponse", undefined]) {
    expect(reasonOf(failure(url, code))).toBe("the answer breaks the rules of HTTP");
  }
});

test("a socket that cannot be opened is said without the engine's guess", () => {
  const opened = "FailedToOpenSocket: Was there a typo in the url or port?";
  expect(reasonOf(failure(opened, "FailedToOpenSocket"))).toBe("no connection could be opened");
});

test("a handshake and an upgrade that went wrong are said as such", () => {
  expect(reasonOf(failure("EPROTO: The TLS handshake failed", "EPROTO"))).toStartWith("no TLS connection came about:");
  expect(reasonOf(failure("UnrequestedUpgrade fetching", "UnrequestedUpgrade"))).toBe(
    "the server switched to another protocol, which nobody had asked for",
  );
});

test("any other message is cut to its first sentence and never shows the URL", () => {
  expect(reasonOf(failure("certificate has expired", "CERT_HAS_EXPIRED"))).toBe("certificate has expired");
  expect(reasonOf(failure('Odd_Thing fetching "https://93.184.216.34/?key=secret".', "Odd_Thing"))).toBe("Odd_Thing");
  expect(reasonOf(failure("One thing. Another thing."))).toBe("One thing");
  expect(reasonOf("text")).toBe("text");
});
