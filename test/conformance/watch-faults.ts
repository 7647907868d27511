/**
 * Faults of the network and of the server between the watch cache and an API server, on real
 * sockets. After each of them the cache has to be what a fresh list says, has called nothing
 * deleted that was not, and has not asked in a storm.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RealHttpClient } from "../../src/app/ports/real-http-client.ts";
import type { ApiServer } from "../support/api-servers/api-server.ts";
import { FaultFront } from "../support/faults/fault-front.ts";
import { FaultReader, type ReaderOptions } from "../support/faults/fault-reader.ts";
import { Truth } from "../support/faults/truth.ts";
import { eventually } from "../support/ports/eventually.ts";

const PATIENCE_MS = 60_000;
const LIST = /GET .*dnsentries\?(?!.*watch=true)/;
const WATCH = /GET .*dnsentries\?.*watch=true/;
const ANY = /GET .*dnsentries/;
/** A list by pages; the first one is streamed where the server can. */
const PAGED = /GET .*dnsentries\?limit=/;

const statusBody = (code: number, reason: string, message = "as the test wants it"): string =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code, reason, message });
const event = (type: string, object: unknown): string => `${JSON.stringify({ type, object })}\n`;
const reset = (front: FaultFront): void => {
  for (const watch of front.watches) watch.reset();
};
const send = (front: FaultFront, line: string): void => {
  for (const watch of front.watches) watch.send(line);
};
/** The server refuses `times` requests after the watch broke off. */
const refusing =
  (match: RegExp, status: number, reason: string, times = 2, headers = {}) =>
  (front: FaultFront): void => {
    front.answer(match, { instead: { status, body: statusBody(status, reason) }, times, headers });
    reset(front);
  };

type Fault = (front: FaultFront) => void;
/** What breaks, and the reason that the metrics must give; null = nothing is to be noticed. */
interface Case {
  readonly name: string;
  readonly reason: string | null;
  readonly fault: Fault;
  readonly reader: ReaderOptions;
}
const when = (
  name: string,
  reason: string | null,
  fault: Fault,
  reader: ReaderOptions = {},
): Case => ({ name, reason, fault, reader });

const FAULTS: readonly Case[] = [
  when("a reset", "ConnectionLost", (front) => reset(front)),
  when("a reset in the middle of a line", "ConnectionLost", (front) =>
    front.watches[0]?.cutAt((_byte, at) => at === 40),
  ),
  when("a reset in the middle of a character", "ConnectionLost", (front) =>
    front.watches[0]?.cutAt((byte) => byte >= 0xc0),
  ),
  when("bytes one at a time", null, (front) => front.watches[0]?.trickle()),
  when("a garbage line", "GarbageInWatch", (front) => send(front, "<html>502</html>\n")),
  when("bytes that are no UTF-8", "GarbageInWatch", (front) =>
    front.watches[0]?.send(Uint8Array.of(0xff, 0xfe, 10)),
  ),
  when("half an object", "GarbageInWatch", (front) =>
    send(front, '{"type":"ADDED","object":{"a\n'),
  ),
  when("an object without metadata", "Unavailable", (front) => send(front, event("ADDED", {}))),
  when("an object of another kind", "Unavailable", (front) =>
    send(front, event("ADDED", { kind: "Pod", metadata: { name: "x" } })),
  ),
  when("an ERROR event", "Unavailable", (front) =>
    send(front, event("ERROR", JSON.parse(statusBody(500, "InternalError")))),
  ),
  when("410 as an ERROR event", "Expired", (front) =>
    send(front, event("ERROR", JSON.parse(statusBody(410, "Expired")))),
  ),
  when("410 in place of a watch", "Expired", refusing(WATCH, 410, "Expired")),
  when("events twice", null, (front) => front.watches[0]?.repeat(false)),
  when("500", "Unavailable", refusing(ANY, 500, "InternalError", 4)),
  when(
    "503 with Retry-After",
    "Unavailable",
    refusing(ANY, 503, "ServiceUnavailable", 1, { "retry-after": "1" }),
  ),
  when(
    "429 with Retry-After",
    "TooManyRequests",
    refusing(ANY, 429, "TooManyRequests", 1, { "retry-after": "1" }),
  ),
  when("a page of a proxy with status 200", "GarbageInWatch", (front) => {
    front.answer(WATCH, { instead: { status: 200, body: "<html>\n" }, times: 2 });
    reset(front);
  }),
  when("401 for a while", "Unauthorized", refusing(ANY, 401, "Unauthorized", 2)),
  when("silence without an end", "WatchStalled", (front) => front.watches[0]?.freeze(), {
    inactivityMs: 1_500,
  }),
  when(
    "a server that takes requests and does not answer",
    "Unavailable",
    (front) => {
      front.answer(ANY, { instead: "hang", times: 2 });
      reset(front);
    },
    { requestTimeoutMs: 800 },
  ),
];

/** Declares the suite. `start` is called once; it starts a server with an empty store. */
export function watchFaults(title: string, start: () => Promise<ApiServer>): void {
  describe(`the watch cache behind a bad network to ${title}`, () => {
    let server: ApiServer;
    let front: FaultFront;
    let truth: Truth;
    let http: RealHttpClient;
    const readers: FaultReader[] = [];
    beforeAll(async () => {
      server = await start();
      front = await FaultFront.open(server);
      truth = new Truth(server);
      http = clientOf(server, front);
    });
    afterAll(async () => {
      await Promise.all(readers.map((reader) => reader.cache.stop()));
      http?.close();
      await front?.close();
      truth?.close();
      await server?.close();
    });

    const read = async (options: ReaderOptions = {}): Promise<FaultReader> => {
      await Promise.all(readers.splice(0).map((reader) => reader.cache.stop()));
      front.heal();
      const reader = new FaultReader(http, options);
      readers.push(reader);
      await eventually(
        "live",
        async () => reader.state,
        (state) => state === "live",
        PATIENCE_MS,
      );
      return reader;
    };
    /** Live again and what a fresh list says. */
    const agrees = async (reader: FaultReader): Promise<void> => {
      const poll = async () => ({
        state: reader.state,
        cached: reader.content(),
        listed: await truth.content(),
        trouble: reader.trouble,
      });
      await eventually(
        "live, and equal to a fresh list",
        poll,
        ({ state, cached, listed }) =>
          state === "live" && JSON.stringify(cached) === JSON.stringify(listed),
        PATIENCE_MS,
      );
      expect(reader.untruths(truth.removed)).toEqual([]);
    };
    /** An object comes, one changes, one goes. */
    const change = async (): Promise<void> => {
      await truth.put("new");
      await truth.put("kept");
      await truth.remove("old");
    };

    test.each(FAULTS)("$name", async ({ reason, fault, reader: options }) => {
      for (const name of ["old", "kept"]) await truth.put(name);
      await truth.remove("new");
      const reader = await read(options);
      const askedBefore = front.asked.length;
      fault(front);
      await change();
      await agrees(reader);
      if (reason === null) expect(reader.restarts()).toEqual([]);
      else expect(reader.restarts()).toContain(reason);
      expect(front.asked.length - askedBefore).toBeLessThan(20);
    });

    // A server sends a bookmark a minute, so this one sends none in time.
    test("a quiet kind without bookmarks is asked about, and neither stale nor listed anew", async () => {
      await truth.put("kept");
      const reader = await read({ inactivityMs: 500 });
      const [asked, lines] = [front.countOf(PAGED), reader.diary.length];
      await eventually(
        "it was asked about three times",
        async () => front.countOf(PAGED) - asked,
        (times) => times >= 3,
      );
      expect(reader.state).toBe("live");
      expect(reader.diary.slice(lines)).toEqual([]);
      expect(reader.restarts()).toEqual([]);
      await change();
      await agrees(reader);
    });

    test("events in the wrong order are answered by a list", async () => {
      const reader = await read();
      front.watches[0]?.repeat(true);
      await change();
      await agrees(reader);
    });

    test("the server is away for a while: stale, asked with growing pauses, then all of it", async () => {
      const reader = await read();
      await front.down();
      await change();
      await eventually(
        "stale",
        async () => reader.state,
        (state) => state === "stale",
      );
      expect(reader.lookup("new-never-seen")).toBe("unknown");
      await front.up();
      await agrees(reader);
    });

    test("pages: one cut off, one expired, one refused are never a list", async () => {
      for (let i = 0; i < 510; i++) await truth.put(`page-${i}`);
      const streamed = /sendInitialEvents/;
      const invalid = { status: 422, body: statusBody(422, "Invalid") };
      await read();
      front.answer(streamed, { instead: invalid, times: 1_000 });
      front.answer(/continue=/, { instead: "cut", times: 1 });
      const expired = { status: 410, body: statusBody(410, "Expired") };
      front.answer(/continue=/, { instead: expired, times: 1 });
      const failed = { status: 500, body: statusBody(500, "InternalError") };
      front.answer(/continue=/, { instead: failed, times: 1 });
      const later = new FaultReader(http, {});
      readers.push(later);
      await agrees(later);
      expect(later.diary.slice(0, 510).every((line) => line.startsWith("added"))).toBe(true);
      expect(later.restarts()).toEqual(expect.arrayContaining(["Expired", "Unavailable"]));
      for (let i = 0; i < 510; i++) await truth.remove(`page-${i}`);
      await agrees(later);
    });

    test("rights that go and come back: forbidden is not empty", async () => {
      await truth.put("kept");
      const reader = await read();
      refusing(ANY, 403, "Forbidden", 3)(front);
      await eventually(
        "forbidden",
        async () => reader.diary,
        (d) => d.includes("forbidden"),
      );
      await change();
      await agrees(reader);
      expect(reader.restarts()).toContain("Forbidden");
    });

    test("404 of a server that still serves the kind is not absence", async () => {
      const reader = await read();
      refusing(ANY, 404, "NotFound", 3)(front);
      await change();
      await agrees(reader);
      expect(reader.diary).not.toContain("absent");
    });

    test("a slow consumer gets everything in the end", async () => {
      await truth.put("busy");
      const reader = await read({ listenerMs: 5 });
      for (let i = 0; i < 200; i++) await truth.put(`busy-${i % 20}`);
      await agrees(reader);
      expect(reader.restarts()).toEqual([]);
      for (let i = 0; i < 20; i++) await truth.remove(`busy-${i}`);
    });

    test("never two lists of the kind at a time", () => {
      expect(front.countOf(LIST)).toBeGreaterThan(0);
      expect(front.listsAtOnceMax).toBe(1);
    });
  });
}

function clientOf(server: ApiServer, front: FaultFront): RealHttpClient {
  return new RealHttpClient({
    origin: front.url,
    tls: { ca: readFileSync(front.caFile, "utf8") },
    authorization: async () => `Bearer ${server.tokenOf("admin")}`,
  });
}
