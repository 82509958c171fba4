/** Makes real keyless Sigstore bundles, offline: a certificate authority, a certificate log and a transparency log of the test's own. */
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { bundleToJSON } from "@sigstore/bundle";
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from "@sigstore/mock";
import { FulcioSigner, MessageSignatureBundleBuilder, RekorWitness } from "@sigstore/sign";

/** Who signs: what the certificate will say. */
interface Signer {
  readonly identity: string;
  readonly issuer: string;
}

export interface KeylessWorld {
  /** trusted_root.json of this world. */
  readonly trustedRoot: string;
  /** A Sigstore bundle (JSON) over the bytes. */
  sign(bytes: Uint8Array, signer: Signer): Promise<string>;
  stop(): Promise<void>;
}

/** Certificates of the mock authority are valid around now; the roots from long before it. */
const VALID_FROM = "2020-01-01T00:00:00.000Z";

/** A world with fresh keys; the servers listen on loopback until `stop`. */
export async function keylessWorld(): Promise<KeylessWorld> {
  const [caKeys, ctKeys, logKeys] = [newKeys(), newKeys(), newKeys()];
  const ctLog = await initializeCTLog(ctKeys);
  const ca = await initializeCA(caKeys, ctLog);
  let base = "";
  const handlers = [fulcioHandler(ca, { strict: true })];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const handler = handlers.find(({ path }) => path === new URL(request.url).pathname);
      if (handler === undefined) return new Response("unknown route", { status: 404 });
      const { statusCode, response, contentType } = await handler.fn(await request.text());
      const body = typeof response === "string" ? response : new Uint8Array(response.buffer);
      return new Response(body, { status: statusCode, headers: { "content-type": contentType ?? "text/plain" } });
    },
  });
  base = `http://127.0.0.1:${server.port}`;
  const log = await initializeTLog(base, logKeys);
  handlers.push(rekorHandler(log, { strict: true }));
  return {
    trustedRoot: trustedRoot(base, Buffer.from(bytesOf(ca.rootCertificate)), ctLog.publicKey, log.publicKey),
    sign: (bytes, signer) => sign(base, bytes, signer),
    stop: () => server.stop(true),
  };
}

async function sign(base: string, bytes: Uint8Array, { identity, issuer }: Signer): Promise<string> {
  const token = ["none", { sub: identity, iss: issuer, aud: "sigstore" }].map((part) =>
    Buffer.from(JSON.stringify(typeof part === "string" ? { alg: part } : part)).toString("base64url"),
  );
  const builder = new MessageSignatureBundleBuilder({
    signer: new FulcioSigner({
      fulcioBaseURL: base,
      identityProvider: { getToken: async () => `${token.join(".")}.` },
    }),
    witnesses: [new RekorWitness({ rekorBaseURL: base })],
  });
  return JSON.stringify(bundleToJSON(await builder.create({ data: Buffer.from(bytes) })));
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function trustedRoot(base: string, authority: Buffer, ctKey: Buffer, logKey: Buffer): string {
  const log = (key: Buffer): object => ({
    baseUrl: base,
    hashAlgorithm: "SHA2_256",
    publicKey: {
      rawBytes: key.toString("base64"),
      keyDetails: "PKIX_ECDSA_P256_SHA_256",
      validFor: { start: VALID_FROM },
    },
    logId: { keyId: createHash("sha256").update(key).digest("base64") },
  });
  return JSON.stringify({
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: [log(logKey)],
    certificateAuthorities: [
      {
        subject: { organization: "test", commonName: "test" },
        uri: base,
        certChain: { certificates: [{ rawBytes: authority.toString("base64") }] },
        validFor: { start: VALID_FROM },
      },
    ],
    ctlogs: [log(ctKey)],
  });
}
