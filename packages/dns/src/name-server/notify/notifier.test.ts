import type { SocketAddress } from "@zonekeeper/base/ports/net";
import { describe, expect, test } from "vitest";
import { QUIET_LOG } from "../../../../../test/support/name-server/quiet-log.ts";
import { FULL_KEY, NODE_CRYPTO } from "../../../../../test/support/name-server/server-fixture.ts";
import { APEX } from "../../../../../test/support/name-server/zone-text.ts";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { responseTo } from "../../wire/message/compose.ts";
import { decodeMessage } from "../../wire/message/decode-message.ts";
import { encodeMessage } from "../../wire/message/encode-message.ts";
import type { Message, Rcode, ResourceRecord } from "../../wire/message/message.ts";
import type { TsigKey } from "../../wire/tsig/tsig-key.ts";
import { checkRequest } from "../../wire/tsig/tsig-server.ts";
import { Notifier } from "./notifier.ts";

const HERE: SocketAddress = { host: "127.0.0.1", port: 5300 };
const soa = (serial: number): ResourceRecord => ({
  name: APEX,
  type: "SOA",
  class: "IN",
  ttlSeconds: 300,
  data: `ns.${APEX} root.${APEX} ${serial} 1 1 1 1`,
});
const serialIn = (message: Message) => Number(message.answer[0]?.data?.split(" ")[2]);

/** A notifier with one secondary, which answers when told to. */
function startNotifier(key: TsigKey | null = null) {
  const clock = new VirtualClock();
  const sent: Uint8Array[] = [];
  let id = 0;
  const notifier = new Notifier({
    secondaries: [{ address: HERE, key }],
    clock,
    random: { next: () => 0, bytes: () => new Uint8Array([0, ++id]), uuid: () => "" },
    crypto: NODE_CRYPTO,
    log: QUIET_LOG,
    send: async (_to, bytes) => void sent.push(bytes),
  });
  const check = (bytes: Uint8Array) =>
    checkRequest(bytes, {
      crypto: NODE_CRYPTO,
      nowSeconds: Math.floor(clock.nowMs() / 1000),
      keyOf: () => key,
    });
  const last = (): Message => {
    const verdict = check(sent.at(-1) ?? new Uint8Array(0));
    const decoded = decodeMessage("message" in verdict ? verdict.message : new Uint8Array(0));
    if (!decoded.ok) throw new Error(decoded.error);
    return decoded.value;
  };
  /** Answers the last NOTIFY; unsigned with `forged`. */
  const answer = (options: { from?: SocketAddress; rcode?: Rcode; forged?: boolean } = {}) => {
    const bytes = encodeMessage(responseTo(last(), options.rcode ?? "NOERROR", true));
    const verdict = check(sent.at(-1) ?? new Uint8Array(0));
    const signed =
      verdict.status === "verified" && options.forged !== true
        ? verdict.signer.sign(bytes, Math.floor(clock.nowMs() / 1000))
        : bytes;
    notifier.receive({ from: options.from ?? HERE, bytes: signed });
  };
  return { clock, notifier, sent, last, answer };
}

describe("NOTIFY to secondaries (RFC 1996)", () => {
  test("a change is told at once: opcode, AA, one question, the new SOA", () => {
    const { notifier, last, sent } = startNotifier();
    notifier.changed(APEX, soa(8));
    expect(sent).toHaveLength(1);
    expect(last()).toMatchObject({
      opcode: "NOTIFY",
      response: false,
      authoritative: true,
      question: [{ name: APEX, type: "SOA", class: "IN" }],
      answer: [{ type: "SOA" }],
    });
    expect(serialIn(last())).toBe(8);
  });

  test("it is repeated with growing waits, six times in all, and then given up", async () => {
    const { clock, notifier, sent } = startNotifier();
    notifier.changed(APEX, soa(8));
    const counts: number[] = [];
    for (const ms of [999, 1, 2000, 4000, 8000, 16_000, 32_000, 600_000]) {
      await clock.advance(ms);
      counts.push(sent.length);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("an answer ends it; changes in the meantime become one more announcement", async () => {
    const { clock, notifier, sent, last, answer } = startNotifier();
    notifier.changed(APEX, soa(8));
    for (let serial = 9; serial < 50; serial += 1) notifier.changed(APEX, soa(serial));
    expect(sent).toHaveLength(1);
    answer();
    await clock.advance(100);
    expect(sent).toHaveLength(2);
    expect(serialIn(last())).toBe(49);
    answer();
    await clock.advance(100_000);
    expect(sent).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });

  test.each([
    ["from another host", { from: { host: "192.0.2.9", port: 5300 } }],
    ["from another port", { from: { host: "127.0.0.1", port: 53 } }],
  ])("an answer %s does not count", async (_what, options) => {
    const { clock, notifier, sent, answer } = startNotifier();
    notifier.changed(APEX, soa(8));
    answer(options);
    await clock.advance(1000);
    expect(sent).toHaveLength(2);
  });

  test("with a key it is signed, and only a signed answer counts", async () => {
    const { clock, notifier, sent, answer } = startNotifier(FULL_KEY);
    notifier.changed(APEX, soa(8));
    answer({ forged: true });
    await clock.advance(1000);
    expect(sent).toHaveLength(2);
    answer();
    await clock.advance(600_000);
    expect(sent).toHaveLength(2);
  });

  test("a refusal ends it too: repeating would not help", async () => {
    const { clock, notifier, sent, answer } = startNotifier();
    notifier.changed(APEX, soa(8));
    answer({ rcode: "NOTIMP" });
    await clock.advance(600_000);
    expect(sent).toHaveLength(1);
  });

  test("after stop nothing is sent", async () => {
    const { clock, notifier, sent } = startNotifier();
    notifier.changed(APEX, soa(8));
    notifier.stop();
    notifier.changed(APEX, soa(9));
    await clock.advance(600_000);
    expect(sent).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });
});
