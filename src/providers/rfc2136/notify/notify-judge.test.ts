import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { notifyMessage, queryMessage, responseTo } from "@zonekeeper/dns/wire/message/compose";
import { decodeMessage } from "@zonekeeper/dns/wire/message/decode-message";
import { encodeMessage } from "@zonekeeper/dns/wire/message/encode-message";
import type { Message } from "@zonekeeper/dns/wire/message/message";
import { TsigClient } from "@zonekeeper/dns/wire/tsig/tsig-client";
import type { TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { describe, expect, test } from "vitest";
import {
  FULL_KEY,
  NODE_CRYPTO,
  NOW_SECONDS,
  UPDATE_KEY,
} from "../../../../test/support/name-server/server-fixture.ts";
import type { NotifyInterest } from "../../provider.ts";
import { judgeNotify } from "./notify-judge.ts";

const ZONE = trustedDnsName("example.org");
const SERVER = "192.0.2.53";
const OTHER_HOST = "203.0.113.9";
const NOTIFY = notifyMessage({ id: 7, zone: ZONE, soa: null });
const account = (changes: Partial<NotifyInterest> = {}): NotifyInterest => ({
  zone: ZONE,
  host: SERVER,
  key: FULL_KEY,
  ...changes,
});

interface NotifyReply {
  readonly rcode: string | null;
  readonly woken: number;
  readonly tsig: string | null;
}

/**
 * Sends a message; returns the response code, the number of woken accounts and the TSIG verdict on
 * the answer.
 */
function sendNotify(
  message: Message,
  interests: readonly NotifyInterest[],
  { from = SERVER, key, at = NOW_SECONDS }: { from?: string; key?: TsigKey; at?: number } = {},
): NotifyReply {
  const client = key === undefined ? null : new TsigClient(key, NODE_CRYPTO);
  const plain = encodeMessage(message);
  const bytes = client?.sign(plain, at) ?? plain;
  const received = { host: from, bytes, nowSeconds: NOW_SECONDS };
  const { reply, woken } = judgeNotify(received, interests, NODE_CRYPTO);
  if (reply === null) return { rcode: null, woken: woken.length, tsig: null };
  const decoded = decodeMessage(reply);
  if (!decoded.ok) throw new Error(decoded.error);
  expect(decoded.value).toMatchObject({ id: message.id, opcode: "NOTIFY", response: true });
  const tsig = client?.verify(reply, NOW_SECONDS).status ?? null;
  return { rcode: decoded.value.rcode, woken: woken.length, tsig };
}

describe("a NOTIFY that counts", () => {
  test("unsigned from the account's server", () => {
    expect(sendNotify(NOTIFY, [account()])).toEqual({ rcode: "NOERROR", woken: 1, tsig: null });
  });
  test("the same seen on a dual-stack socket", () => {
    expect(sendNotify(NOTIFY, [account()], { from: `::ffff:${SERVER}` }).woken).toBe(1);
  });
  test("signed with the account's key, from anywhere; the answer is signed", () => {
    expect(sendNotify(NOTIFY, [account()], { from: OTHER_HOST, key: FULL_KEY })).toEqual({
      rcode: "NOERROR",
      woken: 1,
      tsig: "verified",
    });
  });
  test("of two accounts with equally named keys the one whose secret fits", () => {
    const other = { ...FULL_KEY, secret: new TextEncoder().encode("another secret") };
    const interests = [account({ key: other }), account(), account({ key: null })];
    expect(sendNotify(NOTIFY, interests, { from: OTHER_HOST, key: FULL_KEY })).toMatchObject({
      rcode: "NOERROR",
      woken: 1,
      tsig: "verified",
    });
  });
});

describe("a NOTIFY that does not count wakes no account", () => {
  const hint = notifyMessage({ id: 7, zone: trustedDnsName("example.net"), soa: null });
  const wrong = { ...FULL_KEY, secret: new TextEncoder().encode("wrong") };
  test.each([
    ["unsigned from another host", NOTIFY, { from: OTHER_HOST }, "REFUSED"],
    ["another account's key", NOTIFY, { key: UPDATE_KEY }, "NOTAUTH"],
    ["a wrong secret, though from the server", NOTIFY, { key: wrong }, "NOTAUTH"],
    ["an old signature (a replay)", NOTIFY, { key: FULL_KEY, at: NOW_SECONDS - 301 }, "NOTAUTH"],
    ["a zone that no account reads", hint, {}, "NOTAUTH"],
    ["no question", { ...NOTIFY, question: [] }, {}, "FORMERR"],
    [
      "two questions",
      { ...NOTIFY, question: [...NOTIFY.question, ...NOTIFY.question] },
      {},
      "FORMERR",
    ],
  ])("%s", (_what, message, options, rcode) => {
    expect(sendNotify(message, [account()], options)).toMatchObject({ rcode, woken: 0 });
  });

  test.each([
    ["a query", queryMessage(1, { name: ZONE, type: "SOA" })],
    ["an answer to a NOTIFY", responseTo(NOTIFY, "NOERROR", true)],
  ])("%s is not answered", (_what, message) => {
    expect(sendNotify(message, [account()])).toEqual({ rcode: null, woken: 0, tsig: null });
  });

  test("no bytes whatever make it throw", () => {
    const whole = encodeMessage(NOTIFY);
    for (let length = 0; length <= whole.length; length += 1) {
      const bytes = whole.subarray(0, length);
      const received = { host: SERVER, bytes, nowSeconds: NOW_SECONDS };
      const { woken } = judgeNotify(received, [account()], NODE_CRYPTO);
      expect(woken.length).toBe(length === whole.length ? 1 : 0);
    }
  });
});
