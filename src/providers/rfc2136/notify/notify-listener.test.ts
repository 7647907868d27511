import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { frameMessage, TcpFrames } from "@zonekeeper/dns/wire/framing/tcp-frames";
import { notifyMessage } from "@zonekeeper/dns/wire/message/compose";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import { afterEach, expect, test } from "vitest";
import { QUIET_LOG } from "../../../../test/support/name-server/quiet-log.ts";
import { FULL_KEY } from "../../../../test/support/name-server/server-fixture.ts";
import { RealClock } from "../../../app/ports/real-clock.ts";
import { RealCrypto } from "../../../app/ports/real-crypto.ts";
import { RealNet } from "../../../app/ports/real-net.ts";
import { NOTIFY_CONNECTIONS_MAX, NotifyListener } from "./notify-listener.ts";

const net = new RealNet();
const ZONE = trustedDnsName("example.org");
const NOTIFY = encodeMessage(notifyMessage({ id: 7, zone: ZONE, soa: null }));
const WAIT_MS = 5000;
let listener: NotifyListener | null = null;
afterEach(() => listener?.close());

async function listen(): Promise<{
  readonly port: number;
  readonly hints: () => number;
  end(): void;
}> {
  const options = { net, clock: new RealClock(), crypto: new RealCrypto(), log: QUIET_LOG };
  listener = await NotifyListener.open(options, { host: "127.0.0.1", port: 0 });
  let count = 0;
  const interest = { zone: ZONE, host: "127.0.0.1", key: FULL_KEY };
  const end = listener.subscribe(interest, () => {
    count += 1;
  });
  return { port: listener.port, hints: () => count, end };
}

const connect = (port: number) =>
  net.connectTcp({ host: "127.0.0.1", port }, { timeoutMs: WAIT_MS });

/** The response code of the answer by TCP; null = the connection ends without one. */
async function notifyByTcp(port: number): Promise<number | null> {
  const stream = await connect(port);
  await stream.write(frameMessage(NOTIFY));
  const frames = new TcpFrames();
  const bytes = await stream.read(WAIT_MS);
  if (bytes !== null) frames.push(bytes);
  stream.close();
  const message = frames.take();
  return message === null ? null : (message[3] ?? 0) & 15;
}

async function notifyByUdp(port: number): Promise<number> {
  let take: (bytes: Uint8Array) => void = () => undefined;
  const answered = new Promise<Uint8Array>((resolve) => {
    take = resolve;
  });
  const socket = await net.bindUdp({ host: "127.0.0.1", port: 0 }, ({ bytes }) => take(bytes));
  await socket.send({ host: "127.0.0.1", port }, NOTIFY);
  const bytes = await answered;
  await socket.close();
  return (bytes[3] ?? 0) & 15;
}

test("UDP and TCP on one port: each NOTIFY that counts is a hint", async () => {
  const { port, hints } = await listen();
  expect(await notifyByUdp(port)).toBe(0);
  expect(await notifyByTcp(port)).toBe(0);
  expect(hints()).toBe(2);
});

test("after the end of the subscription there is no hint, and the zone is unknown", async () => {
  const { port, hints, end } = await listen();
  end();
  expect(await notifyByUdp(port)).toBe(9);
  expect(hints()).toBe(0);
});

test("connections are bounded", async () => {
  const { port, hints } = await listen();
  const idle = await Promise.all(
    Array.from({ length: NOTIFY_CONNECTIONS_MAX }, () => connect(port)),
  );
  const refused = await notifyByTcp(port).catch(() => null);
  expect(refused).toBeNull();
  expect(hints()).toBe(0);
  for (const stream of idle) stream.close();
});
