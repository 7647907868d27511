import type { TcpStream } from "@zonekeeper/base/ports/net";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { afterEach, describe, expect, test } from "vitest";
import { RealClock } from "../../../../src/app/ports/real-clock.ts";
import { RealCrypto } from "../../../../src/app/ports/real-crypto.ts";
import { RealNet } from "../../../../src/app/ports/real-net.ts";
import { QUIET_LOG } from "../../../../test/support/name-server/quiet-log.ts";
import { FULL_KEY, KEYS } from "../../../../test/support/name-server/server-fixture.ts";
import { updateFromText } from "../../../../test/support/name-server/update-text.ts";
import {
  APEX,
  APEX_TEXT,
  nameOf,
  setsFrom,
  textOf,
} from "../../../../test/support/name-server/zone-text.ts";
import { trustedDnsName } from "../names/dns-name.ts";
import { frameMessage, TcpFrames } from "../wire/framing/tcp-frames.ts";
import { queryMessage } from "../wire/message/compose.ts";
import { decodeMessage } from "../wire/message/decode-message.ts";
import { encodeMessage } from "../wire/message/encode-message.ts";
import type { Message } from "../wire/message/message.ts";
import { TsigClient } from "../wire/tsig/tsig-client.ts";
import { DEFAULT_LIMITS, NameServer, type NameServerLimits } from "./name-server.ts";

const net = new RealNet();
const clock = new RealClock();
const crypto = new RealCrypto();
const WAIT_MS = 5000;
const running: NameServer[] = [];
const answered: string[] = [];

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
  answered.length = 0;
});

function make(store = new MemoryStore(), limits: Partial<NameServerLimits> = {}): NameServer {
  const all = { ...DEFAULT_LIMITS, ...limits };
  const server = new NameServer({
    net,
    clock,
    crypto,
    store,
    log: QUIET_LOG,
    keys: KEYS,
    limits: all,
    onAnswer: (kind, rcode) => answered.push(`${kind} ${rcode}`),
  });
  running.push(server);
  return server;
}

async function serve(text: string, limits: Partial<NameServerLimits> = {}): Promise<number> {
  const server = make(new MemoryStore(), limits);
  await server.addZone(APEX, setsFrom(APEX_TEXT + text));
  return (await server.start()).port;
}

const query = (id: number, name: string, type = "A") =>
  queryMessage(id, { name: nameOf(name), type });
const connect = (port: number) =>
  net.connectTcp({ host: "127.0.0.1", port }, { timeoutMs: WAIT_MS });

function decode(bytes: Uint8Array): Message {
  const decoded = decodeMessage(bytes);
  if (!decoded.ok) throw new Error(decoded.error);
  return decoded.value;
}

/** Reads so many messages; fewer when the connection ends. */
async function read(stream: TcpStream, count: number): Promise<readonly Message[]> {
  const frames = new TcpFrames();
  const messages: Message[] = [];
  while (messages.length < count) {
    const chunk = await stream.read(WAIT_MS);
    if (chunk === null) break;
    frames.push(chunk);
    for (let bytes = frames.take(); bytes !== null; bytes = frames.take())
      messages.push(decode(bytes));
  }
  return messages;
}

async function askUdp(port: number, message: Message): Promise<Message> {
  let answered: (bytes: Uint8Array) => void = () => {};
  const answer = new Promise<Uint8Array>((resolve) => {
    answered = resolve;
  });
  const socket = await net.bindUdp({ host: "127.0.0.1", port: 0 }, (datagram) =>
    answered(datagram.bytes),
  );
  await socket.send({ host: "127.0.0.1", port }, encodeMessage(message));
  const bytes = await answer;
  await socket.close();
  return decode(bytes);
}

describe("sockets", () => {
  test("UDP and TCP answer on one port", async () => {
    const port = await serve("www A 192.0.2.1");
    const udp = await askUdp(port, query(1, "www"));
    const stream = await connect(port);
    await stream.write(frameMessage(encodeMessage(query(2, "www"))));
    const [tcp] = await read(stream, 1);
    stream.close();
    for (const [message, id] of [
      [udp, 1],
      [tcp, 2],
    ] as const) {
      expect(message?.id).toBe(id);
      expect(textOf(message?.answer ?? [])).toEqual(["www 300 A 192.0.2.1"]);
    }
  });

  test("requests are pipelined, however the bytes are cut", async () => {
    const port = await serve("www A 192.0.2.1");
    const requests = Array.from({ length: 200 }, (_, id) =>
      frameMessage(encodeMessage(query(id, "www"))),
    );
    const bytes = new Uint8Array(requests.flatMap((request) => [...request]));
    const stream = await connect(port);
    for (let at = 0; at < bytes.length; at += 777) await stream.write(bytes.subarray(at, at + 777));
    const messages = await read(stream, 200);
    stream.close();
    expect(messages.map(({ id }) => id).sort((a, b) => a - b)).toEqual(requests.map((_, id) => id));
    expect(messages.every(({ answer }) => answer.length === 1)).toBe(true);
  });

  test("pipelined updates are all carried out", async () => {
    const port = await serve("");
    const stream = await connect(port);
    const seconds = Math.floor(clock.nowMs() / 1000);
    for (let id = 1; id <= 100; id++) {
      const update = { ...updateFromText(`add n${id} A 192.0.2.${id}`), id };
      const signed = new TsigClient(FULL_KEY, crypto).sign(encodeMessage(update), seconds);
      await stream.write(frameMessage(signed));
    }
    const messages = await read(stream, 100);
    stream.close();
    expect(new Set(messages.map(({ rcode }) => rcode))).toEqual(new Set(["NOERROR"]));
    expect(running[0]?.serial(APEX)).toBe(107);
    expect((await askUdp(port, query(1, "n100"))).answer).toHaveLength(1);
    expect(answered).toEqual([...Array(100).fill("update NOERROR"), "query NOERROR"]);
  });

  test("a silent connection is closed", async () => {
    const port = await serve("", { tcp: { ...DEFAULT_LIMITS.tcp, idleMs: 50 } });
    const stream = await connect(port);
    expect(await stream.read(WAIT_MS)).toBeNull();
    stream.close();
  });

  test("one connection too many is closed, the others stay", async () => {
    const port = await serve("www A 192.0.2.1", { connectionsMax: 2 });
    const streams = [await connect(port), await connect(port)];
    for (const stream of streams) {
      await stream.write(frameMessage(encodeMessage(query(1, "www"))));
      expect(await read(stream, 1)).toHaveLength(1);
    }
    const extra = await connect(port);
    expect(await extra.read(WAIT_MS)).toBeNull();
    await streams[0]?.write(frameMessage(encodeMessage(query(2, "www"))));
    expect(await read(streams[0] as TcpStream, 1)).toHaveLength(1);
    for (const stream of [...streams, extra]) stream.close();
  });

  test("one address has a part of the connections; a closed one makes room", async () => {
    const port = await serve("www A 192.0.2.1", { connectionsPerClientMax: 1 });
    const ask = async (stream: TcpStream): Promise<number> => {
      await stream.write(frameMessage(encodeMessage(query(1, "www"))));
      return (await read(stream, 1)).length;
    };
    const first = await connect(port);
    expect(await ask(first)).toBe(1);
    const extra = await connect(port);
    expect(await extra.read(WAIT_MS)).toBeNull();
    const local = { host: "127.0.0.1", port };
    first.close();
    const again = async (): Promise<number> =>
      ask(await net.connectTcp(local, { timeoutMs: WAIT_MS })).catch(() => 0);
    await expect.poll(again, { timeout: WAIT_MS }).toBe(1);
    extra.close();
  });

  test.each([0, 1])(
    "silent connections with %i bytes give way, the oldest first",
    async (bytes) => {
      const limits = { connectionsMax: 4, connectionsPerClientMax: 3 };
      const port = await serve("www A 192.0.2.1", limits);
      const ask = async (stream: TcpStream): Promise<number> => {
        await stream.write(frameMessage(encodeMessage(query(1, "www"))));
        return (await read(stream, 1)).length;
      };
      const known = await connect(port);
      expect(await ask(known)).toBe(1);
      const silent = [await connect(port), await connect(port)];
      for (const stream of silent) await stream.write(new Uint8Array(bytes));
      const late = await connect(port);
      expect(await ask(late)).toBe(1);
      expect(await silent[0]?.read(WAIT_MS), "the oldest").toBeNull();
      await expect(silent[1]?.read(100), "the other stays").rejects.toThrow();
      expect(await ask(known), "who has asked stays").toBe(1);
      for (const stream of [known, ...silent, late]) stream.close();
    },
  );

  test("a connection inside the process is outside of the bounds, and ends with the server", async () => {
    const server = make(new MemoryStore(), { connectionsMax: 1, connectionsPerClientMax: 1 });
    await server.addZone(APEX, setsFrom(`${APEX_TEXT}www A 192.0.2.1`));
    const { port } = await server.start();
    const other = await connect(port);
    await other.write(frameMessage(encodeMessage(query(1, "www"))));
    expect(await read(other, 1)).toHaveLength(1);
    const at = { host: "127.0.0.1", port };
    const own = server.connect(at);
    await own.write(frameMessage(encodeMessage(query(2, "www"))));
    expect(await read(own, 1)).toHaveLength(1);
    await server.stop();
    expect(await own.read(WAIT_MS)).toBeNull();
    expect(await server.connect(at).read(WAIT_MS), "nor is one taken after that").toBeNull();
    other.close();
  });

  test("a port that is taken for UDP alone: an error that names it, and TCP is free again", async () => {
    let isFree = false;
    // A connection that somebody else on this machine opens may have the same port for TCP: not
    // each time.
    for (let turn = 0; turn < 5 && !isFree; turn++) {
      const other = await net.bindUdp({ host: "127.0.0.1", port: 0 }, () => {});
      const address = other.local;
      await expect(make().start({ address })).rejects.toMatchObject({
        name: "OperationError",
        message: expect.stringContaining(String(address.port)),
      });
      const listener = await net.listenTcp(address, () => {}).catch(() => null);
      isFree = listener !== null;
      await listener?.close();
      await other.close();
    }
    expect(isFree).toBe(true);
  });

  test("after stop nobody listens", async () => {
    const port = await serve("");
    const open = await connect(port);
    await running[0]?.stop();
    expect(await open.read(WAIT_MS)).toBeNull();
    open.close();
    await expect(connect(port)).rejects.toMatchObject({ name: "OperationError" });
  });
});

describe("zones", () => {
  test("a zone of the store is served again, as it was last", async () => {
    const store = new MemoryStore();
    const first = make(store);
    expect(await first.addZone(APEX, setsFrom(`${APEX_TEXT} www A 192.0.2.1`))).toBe(true);
    const second = make(new MemoryStore({ entries: store.contents() }));
    expect(second.zoneNames()).toEqual([APEX]);
    expect(second.serial(APEX)).toBe(7);
    const { port } = await second.start();
    expect(textOf((await askUdp(port, query(1, "www"))).answer)).toEqual(["www 300 A 192.0.2.1"]);
  });

  test("a zone that the store has is never made anew", async () => {
    const server = make();
    await server.addZone(APEX, setsFrom(`${APEX_TEXT} www A 192.0.2.1`));
    expect(await server.addZone(APEX, setsFrom(APEX_TEXT))).toBe(false);
    const { port } = await server.start();
    expect((await askUdp(port, query(1, "www"))).answer).toHaveLength(1);
  });

  test("values are made canonical", async () => {
    const server = make();
    await server.addZone(APEX, [
      ...setsFrom(APEX_TEXT),
      { name: nameOf("www"), type: "AAAA", ttlSeconds: 60, values: ["2001:DB8:0::1"] },
    ]);
    const { port } = await server.start();
    const { answer } = await askUdp(port, query(1, "www", "AAAA"));
    expect(answer[0]?.data).toBe("2001:db8::1");
  });

  const soa = "@ SOA ns1.example.org hostmaster.example.org 7 3600 600 86400 60";
  test.each([
    ["no SOA", "@ NS ns1", "exactly one SOA"],
    ["no NS", soa, "NS at its apex"],
    ["an SOA elsewhere", `a ${soa.slice(2)}\n @ NS ns1`, "exactly one SOA"],
    [
      "a name outside",
      `${soa}\n @ NS ns1\n a.example.net. A 192.0.2.1`,
      "does not lie in the zone",
    ],
    ["a bad value", `${soa}\n @ NS ns1\n a A 192.0.2.256`, "192.0.2.256"],
  ])("%s is refused with the reason", async (_title, text, reason) => {
    const server = make();
    await expect(server.addZone(APEX, setsFrom(text))).rejects.toMatchObject({
      code: "InvalidZone",
      message: expect.stringContaining(reason),
    });
    expect(server.zoneNames()).toEqual([]);
    expect(server.serial(trustedDnsName("example.org"))).toBeNull();
  });

  test.each([
    ["a CNAME beside other data", "a CNAME ns1\n a A 192.0.2.1", "a CNAME beside other records"],
    ["two DNAMEs", "a DNAME b\n a DNAME c", "leave one"],
  ])("%s is no zone (RFC 2181 §10.1, RFC 6672 §2.4)", async (_title, text, reason) => {
    const adding = make().addZone(APEX, setsFrom(`${APEX_TEXT}${text}`));
    await expect(adding).rejects.toMatchObject({ code: "InvalidZone" });
    await expect(adding).rejects.toThrow(reason);
  });

  test("the nearest zone answers; DS of a child zone is the parent's", async () => {
    const server = make();
    const child = nameOf("sub");
    await server.addZone(APEX, setsFrom(`${APEX_TEXT} sub NS ns1.sub\n sub DS 1 8 9 00`));
    await server.addZone(child, [
      {
        name: child,
        type: "SOA",
        ttlSeconds: 60,
        values: ["ns1.sub.example.org h.example.org 3 1 1 1 60"],
      },
      { name: child, type: "NS", ttlSeconds: 60, values: ["ns1.sub.example.org"] },
    ]);
    const { port } = await server.start();
    expect((await askUdp(port, query(1, "sub", "SOA"))).answer[0]?.data).toContain(" 3 ");
    expect((await askUdp(port, query(1, "x.sub"))).authority[0]?.name).toBe(child);
    expect((await askUdp(port, query(1, "sub", "DS"))).answer[0]?.data).toBe("1 8 9 00");
  });
});
