/** Downloads: the bytes on disk are the catalog's, or nothing is on disk. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Artifact } from "../../src/catalog/catalog.ts";
import { DIRECT } from "../../src/egress/network-policy.ts";
import { DOWNLOAD_IDLE_MS, downloadArtifact, MAX_ARTIFACT_BYTES } from "../../src/trust/download.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeHttp, reply, stalledAfter } from "../fakes/http.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { artifactOf, noNetwork, offer, offlinePorts, PLUGIN, sha256Of, VERSION, withFolder } from "./stages.ts";

/** Each case starts cosign or writes much; on a busy machine that takes a while. */
setDefaultTimeout(60_000);

const WEB = "https://files.example.com/notes/notes-1.0.0.tar.gz?token=secret";
const BYTES = Buffer.from("the package ".repeat(1000));

function onTheWeb(bytes: Uint8Array = BYTES): Artifact {
  return artifactOf(bytes, { kind: "key", keyId: "0".repeat(32) }, { url: WEB });
}

function web() {
  const dns = new FakeDns().answer("files.example.com", ["93.184.216.34"]);
  return { ...offlinePorts({}), dns, http: new FakeHttp(), clock: new ManualClock() };
}

const request = (artifact: Artifact, into: string) => ({
  plugin: PLUGIN,
  version: VERSION,
  artifact,
  network: DIRECT,
  into,
});

describe("an artifact comes to disk whole", () => {
  test("from the binary, without a lookup or a connection (INS-1/streams-and-hashes, CASE-4)", () =>
    withFolder(async (into) => {
      const { artifact, files, bytes } = offer();
      const seen: (readonly [number, number | undefined])[] = [];
      const downloaded = await downloadArtifact(
        { ...offlinePorts(files), ...noNetwork() },
        { ...request(artifact, into), onProgress: (done, total) => seen.push([done, total]) },
      );
      expect(downloaded).toMatchObject({ plugin: PLUGIN, version: VERSION, bytes: bytes.byteLength });
      expect(downloaded.path).toBe(join(into, "artifact.tgz"));
      expect(readFileSync(downloaded.path)).toEqual(Buffer.from(bytes));
      expect(statSync(downloaded.path).mode & 0o777).toBe(0o600);
      expect(seen.at(-1)).toEqual([bytes.byteLength, bytes.byteLength]);
    }));

  test("from the web in many chunks, with progress towards the declared length (INS-1/streams-and-hashes)", () =>
    withFolder(async (into) => {
      const ports = web();
      const chunks = [BYTES.subarray(0, 10), BYTES.subarray(10, 5000), BYTES.subarray(5000)];
      ports.http.on(WEB, () => reply(200, chunks, { "content-length": String(BYTES.length) }));
      const seen: (readonly [number, number | undefined])[] = [];
      const onProgress = (done: number, total?: number): number => seen.push([done, total]);
      const downloaded = await downloadArtifact(ports, { ...request(onTheWeb(), into), onProgress });
      // CASE-3: the digest is that of the bytes as they are read back from disk.
      expect(sha256Of(readFileSync(downloaded.path))).toBe(downloaded.sha256);
      expect(seen).toEqual([
        [10, BYTES.length],
        [5000, BYTES.length],
        [BYTES.length, BYTES.length],
      ]);
    }));

  test("from a file mirror, by the name its URL ends in, and the network is not asked", () =>
    withFolder(async (folder) => {
      const mirror = join(folder, "mirror");
      const into = join(folder, "into");
      mkdirSync(mirror);
      mkdirSync(into);
      writeFileSync(join(mirror, "notes-1.0.0.tar.gz"), BYTES);
      for (const artifact of [onTheWeb(), { ...onTheWeb(), url: "embedded:artifacts/notes-1.0.0.tar.gz" }]) {
        const ports = { ...offlinePorts({}), ...noNetwork() };
        const downloaded = await downloadArtifact(ports, {
          ...request(artifact, into),
          mirror: `${pathToFileURL(mirror).href}/`,
        });
        expect(downloaded.bytes).toBe(BYTES.length);
        await Bun.file(downloaded.path).delete();
      }
    }));

  test("from an https mirror, in place of the binary", () =>
    withFolder(async (into) => {
      const ports = web();
      ports.http.on("https://files.example.com/m/notes-1.0.0.tar.gz", () => reply(200, BYTES));
      const artifact = { ...onTheWeb(), url: "embedded:artifacts/notes-1.0.0.tar.gz" };
      await downloadArtifact(ports, { ...request(artifact, into), mirror: "https://files.example.com/m" });
      expect(ports.http.sent).toHaveLength(1);
    }));

  test("through the operator's proxy, without a lookup", () =>
    withFolder(async (into) => {
      const { artifact, files, bytes } = offer();
      const dns = new FakeDns();
      const http = new FakeHttp().on("https://files.example.com/m/notes-1.0.0.tar.gz", () => reply(200, bytes));
      const network = { ...DIRECT, proxy: "http://proxy.example.net:3128" };
      const asked = { ...request(artifact, into), network, mirror: "https://files.example.com/m" };
      await downloadArtifact({ ...offlinePorts(files), dns, http, clock: new ManualClock() }, asked);
      expect(dns.asked).toEqual([]);
      expect(http.sent.map(({ proxy }) => proxy)).toEqual([network.proxy]);
    }));

  test("over redirects of a release host, each judged like the first", () =>
    withFolder(async (into) => {
      const ports = web();
      ports.dns.answer("storage.example.net", ["1.1.1.1"]);
      ports.http.on(WEB, () => reply(302, null, { location: "https://storage.example.net/blob" }));
      ports.http.on("https://storage.example.net/blob", () => reply(200, BYTES));
      await downloadArtifact(ports, request(onTheWeb(), into));
      expect(ports.http.sent.map(({ address }) => address)).toEqual(["93.184.216.34", "1.1.1.1"]);
    }));
});

/** Runs a download that must fail with nothing left of it. */
async function refused(work: (into: string) => Promise<unknown>): Promise<unknown> {
  return withFolder(async (into) => {
    writeFileSync(join(into, "was here before"), "and stays");
    const before = snapshotTree(into);
    const outcome = await work(into);
    expect(snapshotTree(into)).toEqual(before);
    return outcome;
  });
}

describe("a download that fails leaves nothing behind (INS-1/nothing-left)", () => {
  test("other bytes than the catalog lists (INS-1/mismatch-refused)", () =>
    refused(async (into) => {
      const { artifact } = offer();
      const swapped = Buffer.from("something else");
      const ports = offlinePorts({ "artifacts/notes-1.0.0.tar.gz": swapped });
      await expectRefusal(downloadArtifact(ports, request(artifact, into)), "artifact_digest_mismatch", {
        plugin: PLUGIN,
        expected: artifact.sha256,
        actual: sha256Of(swapped),
      });
    }));

  test("one flipped bit (INS-1/mismatch-refused)", () =>
    refused(async (into) => {
      const { artifact, bytes } = offer();
      const flipped = Buffer.from(bytes);
      flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20);
      const ports = offlinePorts({ "artifacts/notes-1.0.0.tar.gz": flipped });
      await expectRefusal(downloadArtifact(ports, request(artifact, into)), "artifact_digest_mismatch");
    }));

  test("a connection that breaks off early", () =>
    refused(async (into) => {
      const ports = web();
      ports.http.on(WEB, () => reply(200, BYTES.subarray(0, 100), { "content-length": String(BYTES.length) }));
      await expectRefusal(downloadArtifact(ports, request(onTheWeb(), into)), "artifact_incomplete", {
        plugin: PLUGIN,
        received: 100,
        expected: BYTES.length,
      });
    }));

  test("a transfer that stands still for 30 s, and not a moment earlier", () =>
    refused(async (into) => {
      const ports = web();
      ports.http.on(WEB, () => ({ status: 200, headers: new Headers(), body: stalledAfter(["some"]) }));
      const started = Promise.withResolvers<void>();
      let ended = false;
      const work = downloadArtifact(ports, { ...request(onTheWeb(), into), onProgress: () => started.resolve() });
      work
        .catch(() => undefined)
        .finally(() => {
          ended = true;
        });
      await started.promise;
      await ports.clock.advance(DOWNLOAD_IDLE_MS - 1);
      expect(ended).toBe(false);
      await ports.clock.advance(1);
      await expectRefusal(work, "download_stalled", { plugin: PLUGIN, afterMs: DOWNLOAD_IDLE_MS });
      expect(ports.clock.sleeping).toBe(0);
    }));

  test("a caller that gives up", () =>
    refused(async (into) => {
      const ports = web();
      ports.http.on(WEB, () => ({ status: 200, headers: new Headers(), body: stalledAfter(["some"]) }));
      const stop = new AbortController();
      const onProgress = (): void => stop.abort(new Error("enough"));
      const work = downloadArtifact(ports, { ...request(onTheWeb(), into), onProgress, signal: stop.signal });
      await expect(work).rejects.toThrow("enough");
    }));

  for (const [status, absent] of [
    [404, true],
    [410, true],
    [403, false],
    [500, false],
    [206, false],
  ] as const) {
    test(`the server answers ${status}; a secret query is not shown`, () =>
      refused(async (into) => {
        const ports = web();
        ports.http.on(WEB, () => reply(status, "no"));
        await expectRefusal(downloadArtifact(ports, request(onTheWeb(), into)), "artifact_unavailable", {
          plugin: PLUGIN,
          version: VERSION,
          source: "https://files.example.com/notes/notes-1.0.0.tar.gz",
          absent,
          reason: `the server answered ${status}`,
        });
      }));
  }

  test("a body in an encoding that was not asked for", () =>
    refused(async (into) => {
      const ports = web();
      ports.http.on(WEB, () => reply(200, BYTES, { "content-encoding": "gzip" }));
      await expectRefusal(downloadArtifact(ports, request(onTheWeb(), into)), "artifact_unavailable");
    }));

  for (const location of ["https://127.0.0.1/blob", "http://files.example.com/blob", "file:///etc/passwd"]) {
    test(`a redirect to ${location}`, () =>
      refused(async (into) => {
        const ports = web();
        ports.http.on(WEB, () => reply(302, null, { location }));
        await expectRefusal(downloadArtifact(ports, request(onTheWeb(), into)), "blocked_url");
      }));
  }

  test("redirects in a circle", () =>
    refused(async (into) => {
      const ports = web();
      ports.http.on(WEB, () => reply(302, null, { location: WEB }));
      await expectRefusal(downloadArtifact(ports, request(onTheWeb(), into)), "artifact_unavailable");
      expect(ports.http.sent).toHaveLength(6);
    }));

  test("a mirror without the file, and a mirror that is no folder", () =>
    refused(async (into) => {
      for (const mirror of ["file:///nonexistent", "file://host/share"]) {
        const work = downloadArtifact(web(), { ...request(onTheWeb(), into), mirror });
        expect((await expectRefusal(work, "artifact_unavailable")).absent).toBe(mirror === "file:///nonexistent");
      }
    }));

  test("an artifact that this binary does not hold", () =>
    refused(async (into) => {
      const work = downloadArtifact(offlinePorts({}), request(offer().artifact, into));
      expect((await expectRefusal(work, "artifact_unavailable")).absent).toBe(true);
    }));

  test("a file that is there already is not overwritten", () =>
    withFolder(async (into) => {
      const { artifact, files } = offer();
      writeFileSync(join(into, "artifact.tgz"), "someone else's");
      await expectRefusal(downloadArtifact(offlinePorts(files), request(artifact, into)), "home_unusable", {
        path: join(into, "artifact.tgz"),
        reason: "something else is in its place",
      });
      expect(readFileSync(join(into, "artifact.tgz"), "utf8")).toBe("someone else's");
    }));
});

describe("the ceiling of 100 MiB counts bytes as they are written", () => {
  const CHUNK = new Uint8Array(1_048_576);
  const wholeChunks = MAX_ARTIFACT_BYTES / CHUNK.byteLength;

  test("at the limit it passes", () =>
    withFolder(async (into) => {
      const ports = web();
      const hash = new Bun.CryptoHasher("sha256");
      for (let at = 0; at < wholeChunks; at += 1) hash.update(CHUNK);
      const artifact = { ...onTheWeb(), sha256: hash.digest("hex") as Artifact["sha256"] };
      ports.http.on(WEB, () =>
        reply(
          200,
          Array.from({ length: wholeChunks }, () => CHUNK),
        ),
      );
      expect((await downloadArtifact(ports, request(artifact, into))).bytes).toBe(104_857_600);
    }));

  test("one byte more is refused", () =>
    refused(async (into) => {
      const ports = web();
      const chunks = [...Array.from({ length: wholeChunks }, () => CHUNK), new Uint8Array(1)];
      ports.http.on(WEB, () => reply(200, chunks));
      await expectRefusal(downloadArtifact(ports, request(onTheWeb(), into)), "artifact_too_large", {
        plugin: PLUGIN,
        limit: MAX_ARTIFACT_BYTES,
      });
    }));

  test("a larger declared length is refused before anything is written", () =>
    refused(async (into) => {
      const ports = web();
      ports.http.on(WEB, () => reply(200, BYTES, { "content-length": String(MAX_ARTIFACT_BYTES + 1) }));
      const seen: number[] = [];
      const onProgress = (done: number): number => seen.push(done);
      await expectRefusal(downloadArtifact(ports, { ...request(onTheWeb(), into), onProgress }), "artifact_too_large");
      expect([seen, readdirSync(into)]).toEqual([[], ["was here before"]]);
    }));
});
