import type { TcpStream } from "@zonekeeper/base/ports/net";
import { describe, expect, test } from "vitest";
import { QUIET_LOG } from "../../../../../test/support/name-server/quiet-log.ts";
import { fixtureOf } from "../../../../../test/support/name-server/server-fixture.ts";
import { nameOf } from "../../../../../test/support/name-server/zone-text.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { frameMessage } from "../../wire/framing/tcp-frames.ts";
import { queryMessage } from "../../wire/message/compose.ts";
import { encodeMessage } from "../../wire/message/encode-message.ts";
import { TcpSession, type TcpSessionOptions } from "./tcp-session.ts";

const LIMITS = { idleMs: 1000, messageMs: 2500, writeMs: 500, requestsMax: 3 };

/** A connection whose client has sent these chunks and then waits. */
class ScriptedStream implements TcpStream {
  readonly remote = { host: "192.0.2.1", port: 5353 };
  readonly written: Uint8Array[] = [];
  closed = false;
  onWrite: () => Promise<void> = async () => {};
  readonly #chunks: Uint8Array[];
  #end: (() => void) | null = null;

  constructor(chunks: readonly Uint8Array[]) {
    this.#chunks = [...chunks];
  }

  read(_timeoutMs?: number): Promise<Uint8Array | null> {
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) return Promise.resolve(chunk);
    if (this.closed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#end = () => resolve(null);
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.onWrite();
    this.written.push(bytes);
  }

  close(): void {
    this.closed = true;
    this.#end?.();
  }
}

const question = (id: number) =>
  frameMessage(encodeMessage(queryMessage(id, { name: nameOf("www"), type: "A" })));
const turn = () => new Promise((resolve) => setImmediate(resolve));

function session(
  stream: TcpStream,
  responder: TcpSessionOptions["responder"],
  clock = new VirtualClock(),
): Promise<void> {
  return new TcpSession(stream, { responder, clock, log: QUIET_LOG, limits: LIMITS }).run();
}

describe("a client that", () => {
  test("closes after its question still gets the answer", async () => {
    const { responder } = await fixtureOf("www A 192.0.2.1");
    const stream = new ScriptedStream([question(1)]);
    const ended = session(stream, responder);
    stream.close();
    await ended;
    expect(stream.written).toHaveLength(1);
  });

  test.each([0, 1, 11])(
    "sends a message of %i bytes is cut off, after the answers it is owed",
    async (length) => {
      const { responder } = await fixtureOf("www A 192.0.2.1");
      const short = Uint8Array.from([0, length, ...new Array<number>(length).fill(0)]);
      const stream = new ScriptedStream([question(1), short, question(2)]);
      await session(stream, responder);
      expect(stream.closed).toBe(true);
      expect(stream.written).toHaveLength(1);
    },
  );

  test("does not read is cut off after the time for writing", async () => {
    const { responder } = await fixtureOf("www A 192.0.2.1");
    const stream = new ScriptedStream([question(1)]);
    const close = stream.close.bind(stream);
    stream.onWrite = () =>
      new Promise((_, reject) => {
        stream.close = () => {
          close();
          reject(new Error("closed"));
        };
      });
    const clock = new VirtualClock();
    const ended = session(stream, responder, clock);
    await turn();
    await clock.advance(LIMITS.writeMs - 1);
    expect(stream.closed).toBe(false);
    await clock.advance(1);
    await ended;
    expect(stream.closed).toBe(true);
  });

  test("drips one byte after the other is cut off, however lively it is", async () => {
    const { responder } = await fixtureOf("www A 192.0.2.1");
    const clock = new VirtualClock();
    const whole = [...question(1), ...question(2)].map((byte) => new Uint8Array([byte]));
    const stream = new ScriptedStream(whole);
    const read = stream.read.bind(stream);
    const patience: (number | undefined)[] = [];
    let took = 0;
    stream.read = async (timeoutMs?: number) => {
      patience.push(timeoutMs);
      // The first question comes fast, the second a byte every half second.
      if (took >= question(1).length) await clock.advance(500);
      took += 1;
      return read();
    };
    await session(stream, responder, clock);
    expect(stream.closed).toBe(true);
    expect(stream.written).toHaveLength(1);
    expect(took - question(1).length).toBe(6);
    expect(patience.slice(-5)).toEqual([1000, 1000, 1000, 1000, 500]);
  });

  test("is gone when the answer comes ends the session, without an error", async () => {
    const { responder } = await fixtureOf("www A 192.0.2.1");
    const stream = new ScriptedStream([question(1), question(2)]);
    stream.onWrite = () => Promise.reject(new Error("reset"));
    await session(stream, responder);
    expect(stream.closed).toBe(true);
  });

  test("sends many requests has only so many under way", async () => {
    const { responder } = await fixtureOf("www A 192.0.2.1");
    const gates: (() => void)[] = [];
    let most = 0;
    let underWay = 0;
    const slow = {
      respond: async (bytes: Uint8Array) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise<void>((resolve) => gates.push(resolve));
        underWay -= 1;
        return responder.respond(bytes, "tcp");
      },
    };
    const stream = new ScriptedStream(Array.from({ length: 10 }, (_, id) => question(id)));
    const ended = session(stream, slow);
    for (let answered = 0; answered < 10; answered++) {
      await turn();
      expect(gates.length - answered).toBe(Math.min(LIMITS.requestsMax, 10 - answered));
      gates[answered]?.();
    }
    await turn();
    stream.close();
    await ended;
    expect(stream.written).toHaveLength(10);
    expect(most).toBe(LIMITS.requestsMax);
  });
});
