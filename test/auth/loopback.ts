/** Ports of a process whose token endpoint is a server on loopback: everything else is as in the binary. */
import { HttpFailure } from "../../src/kernel/http-failure.ts";
import type { Http, HttpReply } from "../../src/kernel/ports.ts";
import { systemClock } from "../../src/system/clock.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeKeychain } from "../fakes/keychain.ts";
import { FakeLog } from "../fakes/log.ts";

/** Sends every request to the port; `onReceived` runs once an answer is here whole and before anybody sees it. */
export function loopbackPorts(port: number, onReceived: () => void = () => {}) {
  const http: Http = {
    async send({ method, headers, body }): Promise<HttpReply> {
      try {
        const reply = await fetch(`http://127.0.0.1:${port}/token`, {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
        });
        const text = await reply.text();
        onReceived();
        return { status: reply.status, headers: reply.headers, body: new Blob([text]).stream() };
      } catch (cause) {
        throw new HttpFailure("connect", "no connection", { cause });
      }
    },
  };
  const dns = new FakeDns().answer("oauth2.googleapis.com", ["93.184.216.34"]);
  return { clock: systemClock(), dns, http, keychain: new FakeKeychain(), log: new FakeLog() };
}
