import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Asked,
  ask,
  type Fixture,
  FULL_KEY,
  fixtureOf,
  hostedZone,
  NODE_CRYPTO,
  NOW_SECONDS,
  OTHER_ZONE_KEY,
  TRANSFER_KEY,
  UPDATE_KEY,
} from "../../../../../test/support/name-server/server-fixture.ts";
import { updateFromText } from "../../../../../test/support/name-server/update-text.ts";
import {
  APEX,
  nameOf,
  setsFrom,
  textOf,
  zoneText,
} from "../../../../../test/support/name-server/zone-text.ts";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { trustedDnsName } from "../../names/dns-name.ts";
import { queryMessage } from "../../wire/message/compose.ts";
import { decodeMessage } from "../../wire/message/decode-message.ts";
import { encodeMessage } from "../../wire/message/encode-message.ts";
import type { Edns, Message } from "../../wire/message/message.ts";
import { TsigClient } from "../../wire/tsig/tsig-client.ts";
import { zoneFrom } from "../zone/zone-edit.ts";

const edns = (udpPayloadBytes: number, version = 0): Edns => ({
  udpPayloadBytes,
  dnssecOk: false,
  version,
});
const query = (name: string, type = "A"): Message =>
  queryMessage(0x1234, { name: nameOf(name), type });
const UPDATE = updateFromText("add a A 192.0.2.1");

/** `rcode` of the only message. */
function rcodeOf({ messages }: Asked): string | undefined {
  expect(messages).toHaveLength(1);
  return messages[0]?.rcode;
}

async function rcode(fixture: Fixture, ...rest: [Message, object?]): Promise<string | undefined> {
  return rcodeOf(await ask(fixture, ...rest));
}

describe("a question that comes again", () => {
  const shown = async (fixture: Fixture, request: Message, options = {}): Promise<unknown> => {
    const { messages } = await ask(fixture, request, options);
    const { id, rcode: code, answer, truncated } = messages[0] ?? query("none");
    return { id, code, truncated, answer: textOf(answer) };
  };

  test("is answered from the newest version of the zone, and counted", async () => {
    const fixture = await fixtureOf("www A 192.0.2.1");
    const known = { id: 0x1234, code: "NOERROR", truncated: false };
    const before = { ...known, answer: ["www 300 A 192.0.2.1"] };
    expect(await shown(fixture, query("www"))).toEqual(before);
    expect(await shown(fixture, { ...query("www"), id: 7 })).toEqual({ ...before, id: 7 });
    expect(await shown(fixture, query("a"))).toMatchObject({ code: "NXDOMAIN" });
    expect(await rcode(fixture, UPDATE, { key: FULL_KEY })).toBe("NOERROR");
    expect(await shown(fixture, query("a"))).toMatchObject({ answer: ["a 300 A 192.0.2.1"] });
    const [found, none, updated] = ["query NOERROR", "query NXDOMAIN", "update NOERROR"];
    expect(fixture.answered).toEqual([found, found, none, updated, found]);
  });

  test("is cut or not by how and with what EDNS it comes, and signed when it is", async () => {
    const many = Array.from({ length: 60 }, (_, host) => `many A 192.0.2.${host + 1}`).join("\n");
    const fixture = await fixtureOf(many);
    const again = [1, 2].map(() => query("many"));
    for (const request of again) {
      expect(await shown(fixture, request)).toMatchObject({ truncated: true });
      expect(await shown(fixture, { ...request, edns: edns(4096) })).toMatchObject({
        truncated: false,
      });
      expect(await shown(fixture, request, { transport: "tcp" })).toMatchObject({
        truncated: false,
      });
      const { verdicts } = await ask(fixture, request, { key: FULL_KEY });
      expect(verdicts.map(({ status }) => status)).toEqual(["verified"]);
    }
  });

  test("is answered by a zone that was added below meanwhile", async () => {
    const fixture = await fixtureOf("sub.www A 192.0.2.1");
    expect(await shown(fixture, query("sub.www"))).toMatchObject({ code: "NOERROR" });
    const soa = "@ SOA ns1.example.org hostmaster.example.org 7 3600 600 86400 60";
    const below = nameOf("www");
    fixture.zones.add(await hostedZone(zoneFrom(below, setsFrom(soa, below))));
    expect(await shown(fixture, query("sub.www"))).toMatchObject({ code: "NXDOMAIN" });
  });
});

describe("queries", () => {
  test("an answer repeats id, question and RD, and never offers recursion", async () => {
    const fixture = await fixtureOf("www A 192.0.2.1");
    const { messages } = await ask(fixture, { ...query("www"), recursionDesired: true });
    expect(messages[0]).toMatchObject({
      id: 0x1234,
      response: true,
      authoritative: true,
      recursionDesired: true,
      recursionAvailable: false,
      truncated: false,
      rcode: "NOERROR",
      question: query("www").question,
      edns: null,
    });
    expect(textOf(messages[0]?.answer ?? [])).toEqual(["www 300 A 192.0.2.1"]);
  });

  test("the case of the question comes back letter by letter", async () => {
    const { responder } = await fixtureOf("www A 192.0.2.1");
    const bytes = encodeMessage(query("www"));
    for (const at of [13, 15, 18]) bytes[at] = (bytes[at] ?? 0) & ~0x20;
    const [reply] = await responder.respond(bytes, "udp");
    expect(reply?.subarray(12, bytes.length)).toEqual(bytes.subarray(12));
  });

  test.each([
    ["outside our zones: REFUSED without AA", query("www.example.net."), "REFUSED"],
    ["a transfer of a zone that is not ours: NOTAUTH", query("example.net.", "AXFR"), "NOTAUTH"],
    ["no question", { ...query("www"), question: [] }, "FORMERR"],
    [
      "two questions (RFC 9619)",
      { ...query("www"), question: [...query("a").question, ...query("b").question] },
      "FORMERR",
    ],
    [
      "class CH without meaning",
      { ...query("www"), question: [{ name: APEX, type: "A", class: "CH" as const }] },
      "REFUSED",
    ],
    [
      "class ANY",
      { ...query("www"), question: [{ name: APEX, type: "A", class: "ANY" as const }] },
      "REFUSED",
    ],
    ["type OPT", query("www", "OPT"), "FORMERR"],
    ["type MAILB", query("www", "TYPE253"), "NOTIMP"],
    ["opcode NOTIFY", { ...query("@", "SOA"), opcode: "NOTIFY" as const }, "NOTIMP"],
    ["opcode 2", { ...query("@", "SOA"), opcode: "OPCODE2" as const }, "NOTIMP"],
    ["an EDNS version of the future", { ...query("www"), edns: edns(1232, 1) }, "BADVERS"],
  ])("%s", async (_title, message, expected) => {
    const { messages } = await ask(await fixtureOf(), message);
    expect(messages[0]).toMatchObject({ rcode: expected, authoritative: false, answer: [] });
  });

  test("version.bind in class CH", async () => {
    const question = { name: trustedDnsName("version.bind"), type: "TXT", class: "CH" as const };
    const { messages } = await ask(await fixtureOf(), { ...query("@"), question: [question] });
    expect(messages[0]?.answer).toMatchObject([{ class: "CH", data: '"zonekeeper"' }]);
  });

  test("a signed query has a signed answer", async () => {
    const { verdicts } = await ask(await fixtureOf("www A 192.0.2.1"), query("www"), {
      key: TRANSFER_KEY,
    });
    expect(verdicts).toMatchObject([{ status: "verified" }]);
  });
});

test("a signed request that was passed on under another id is answered under that id (RFC 8945 §4.2)", async () => {
  const { responder } = await fixtureOf("www A 192.0.2.1");
  const client = new TsigClient(TRANSFER_KEY, NODE_CRYPTO);
  const bytes = client.sign(encodeMessage(query("www")), NOW_SECONDS);
  bytes.set([0x43, 0x21]);
  const [reply = new Uint8Array()] = await responder.respond(bytes, "udp");
  expect(reply.subarray(0, 2)).toEqual(Uint8Array.of(0x43, 0x21));
  expect(client.verify(reply, NOW_SECONDS)).toMatchObject({ status: "verified" });
});

describe("sizes", () => {
  const many = Array.from({ length: 60 }, (_, i) => `big A 192.0.2.${i}`).join("\n");
  const large = Array.from({ length: 30 }, (_, i) => `big A 192.0.2.${i}`).join("\n");

  test.each([
    ["without EDNS 512", null, 512],
    ["EDNS asks for less than 512", edns(100), 512],
    ["EDNS asks for 1000", edns(1000), 1000],
    ["EDNS asks for 4096: we send 1232 at most", edns(4096), 1232],
  ])("truncated over UDP, %s", async (_title, option, most) => {
    const fixture = await fixtureOf(`${many}\n${many.replaceAll("192.0.2", "198.51.100")}`);
    const { messages, sizes } = await ask(fixture, { ...query("big"), edns: option });
    expect(messages[0]).toMatchObject({ truncated: true, answer: [] });
    expect(sizes[0]).toBeLessThanOrEqual(most);
    expect(messages[0]?.edns).toEqual(option === null ? null : edns(1232));
  });

  test("the same fits with EDNS, and over TCP without", async () => {
    const fixture = await fixtureOf(large);
    const small = await ask(fixture, query("big"));
    expect(small.messages[0]?.truncated).toBe(true);
    const wide = await ask(fixture, { ...query("big"), edns: edns(1232) });
    expect(wide.messages[0]).toMatchObject({ truncated: false });
    expect(wide.messages[0]?.answer).toHaveLength(30);
    const tcp = await ask(fixture, query("big"), { transport: "tcp" });
    expect(tcp.messages[0]?.answer).toHaveLength(30);
  });

  test("a signature counts", async () => {
    const fixture = await fixtureOf(large);
    for (let bytes = 512; bytes < 700; bytes += 7) {
      const { sizes } = await ask(
        fixture,
        { ...query("big"), edns: edns(bytes) },
        { key: FULL_KEY },
      );
      expect(sizes[0]).toBeLessThanOrEqual(bytes);
    }
  });

  test("a referral without all its glue is truncated (RFC 9471)", async () => {
    const glue = Array.from({ length: 40 }, (_, i) => `ns.sub AAAA 2001:db8::${i + 1}`).join("\n");
    const fixture = await fixtureOf(`sub NS ns.sub\n${glue}`);
    const { messages } = await ask(fixture, query("www.sub"));
    expect(messages[0]).toMatchObject({ truncated: true, authoritative: false });
    expect(messages[0]?.authority).toHaveLength(1);
    const tcp = await ask(fixture, query("www.sub"), { transport: "tcp" });
    expect(tcp.messages[0]).toMatchObject({ truncated: false });
    expect(tcp.messages[0]?.additional).toHaveLength(40);
  });
});

describe("who may do what", () => {
  test.each([
    ["update without a signature", UPDATE, undefined, "REFUSED"],
    ["update by a key that may", UPDATE, UPDATE_KEY, "NOERROR"],
    ["update by a key that may only transfer", UPDATE, TRANSFER_KEY, "REFUSED"],
    ["update by a key of another zone", UPDATE, OTHER_ZONE_KEY, "REFUSED"],
    [
      "update of a zone that is not ours",
      { ...UPDATE, question: query("example.net.", "SOA").question },
      FULL_KEY,
      "NOTAUTH",
    ],
    [
      "update of a name inside our zone as a zone",
      { ...UPDATE, question: query("sub", "SOA").question },
      FULL_KEY,
      "NOTAUTH",
    ],
    ["update with zone type A", { ...UPDATE, question: query("@").question }, FULL_KEY, "FORMERR"],
    ["update without a zone", { ...UPDATE, question: [] }, FULL_KEY, "FORMERR"],
    ["transfer without a signature", query("@", "AXFR"), undefined, "REFUSED"],
    ["transfer by a key that may", query("@", "AXFR"), TRANSFER_KEY, "NOERROR"],
    ["transfer by a key that may only update", query("@", "AXFR"), UPDATE_KEY, "REFUSED"],
    ["transfer by a key of another zone", query("@", "AXFR"), OTHER_ZONE_KEY, "REFUSED"],
    ["increments without a signature", query("@", "IXFR"), undefined, "REFUSED"],
    ["increments without the serial", query("@", "IXFR"), FULL_KEY, "FORMERR"],
  ])("%s", async (_title, message, key, expected) => {
    const fixture = await fixtureOf();
    const { messages, verdicts } = await ask(fixture, message, {
      transport: "tcp",
      ...(key === undefined ? {} : { key }),
    });
    expect(messages.map((each) => each.rcode)).toEqual([expected]);
    if (key !== undefined) expect(verdicts).toMatchObject([{ status: "verified" }]);
    expect(fixture.zone.state.version.soa.serial).toBe(
      expected === "NOERROR" && message === UPDATE ? 8 : 7,
    );
  });

  test("AXFR over UDP is FORMERR", async () => {
    expect(await rcode(await fixtureOf(), query("@", "AXFR"), { key: FULL_KEY })).toBe("FORMERR");
  });
});

describe("signatures that do not hold (RFC 8945 §5.2)", () => {
  const wrong = { ...FULL_KEY, secret: new Uint8Array(32) };
  const unknownKey = { ...FULL_KEY, name: trustedDnsName("stranger") };
  const sha512 = { ...FULL_KEY, algorithm: "hmac-sha512" as const };
  test.each([
    ["a wrong secret", wrong, 0, "BADSIG", null],
    ["an unknown key", unknownKey, 0, "BADKEY", null],
    ["another algorithm", sha512, 0, "BADKEY", null],
    ["a clock that is an hour off", FULL_KEY, 3600, "BADTIME", NOW_SECONDS],
    ["a clock that is an hour behind", FULL_KEY, -3600, "BADTIME", NOW_SECONDS],
  ])("%s", async (_title, key, skew, error, serverTimeSeconds) => {
    const fixture = await fixtureOf();
    const asked = await ask(fixture, UPDATE, { key, nowSeconds: NOW_SECONDS + skew });
    expect(rcodeOf(asked)).toBe("NOTAUTH");
    expect(asked.verdicts).toMatchObject([
      { status: "failed", error, reported: true, serverTimeSeconds },
    ]);
    expect(fixture.zone.state.version.soa.serial).toBe(7);
    expect(fixture.answered).toEqual(["update NOTAUTH"]);
  });
});

describe("garbage", () => {
  test("too short, or an answer: silence", async () => {
    const { responder, answered } = await fixtureOf();
    expect([...(await responder.respond(new Uint8Array(11), "udp"))]).toEqual([]);
    const answer = encodeMessage({ ...query("www"), response: true });
    expect([...(await responder.respond(answer, "udp"))]).toEqual([]);
    expect(answered).toEqual([]);
  });

  test("a header that promises more than there is: FORMERR with its id", async () => {
    const { responder } = await fixtureOf();
    const bytes = Uint8Array.from([0xab, 0xcd, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
    const [reply] = await responder.respond(bytes, "udp");
    expect(reply).toEqual(Uint8Array.from([0xab, 0xcd, 0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0]));
  });

  test.each([
    ["answer", 7],
    ["authority", 9],
  ])("an OPT in the section %s: FORMERR", async (_section, countAt) => {
    const { responder } = await fixtureOf("www A 192.0.2.1");
    const edns = { udpPayloadBytes: 1232, dnssecOk: false, version: 0 };
    const bytes = encodeMessage({ ...query("www"), edns });
    bytes[11] = 0;
    bytes[countAt] = 1;
    const [reply] = await responder.respond(bytes, "udp");
    expect(reply?.slice(2, 4)).toEqual(Uint8Array.from([0x80, 1]));
  });

  test("no bytes whatever make it throw, change the zone or answer more than one message over UDP", async () => {
    const fixture = await fixtureOf("www A 192.0.2.1");
    const seeds = [query("www"), UPDATE, query("@", "AXFR"), query("@", "IXFR")].map((m) =>
      encodeMessage(m),
    );
    const mutant = fc
      .record({
        seed: fc.constantFrom(...seeds),
        edits: fc.array(fc.tuple(fc.nat(80), fc.nat(255)), { maxLength: 6 }),
        cut: fc.nat(20),
      })
      .map(({ seed, edits, cut }) => {
        const bytes = Uint8Array.from(seed);
        for (const [at, value] of edits) bytes[at % bytes.length] = value;
        return bytes.subarray(0, bytes.length - (cut > 15 ? cut : 0));
      });
    const hostile = fc.oneof(fc.uint8Array({ maxLength: 80 }), mutant);
    await fc.assert(
      fc.asyncProperty(hostile, async (bytes) => {
        const replies = [...(await fixture.responder.respond(bytes, "udp"))];
        expect(replies.length).toBeLessThanOrEqual(1);
        for (const reply of replies) {
          expect(reply.length).toBeLessThanOrEqual(1232);
          expect(reply.subarray(0, 2)).toEqual(bytes.subarray(0, 2));
        }
      }),
      { numRuns: runsOf(3000) },
    );
    expect(fixture.zone.state.version.soa.serial).toBe(7);
  });
});

describe("transfers", () => {
  const text = Array.from({ length: 2000 }, (_, i) => `n${i} TXT "${"x".repeat(100)}"`).join("\n");

  test("a full transfer comes in many messages, each signed, the SOA first and last", async () => {
    const fixture = await fixtureOf(text);
    const { messages, sizes, verdicts } = await ask(fixture, query("@", "AXFR"), {
      transport: "tcp",
      key: TRANSFER_KEY,
    });
    const records = messages.flatMap((message) => message.answer);
    expect(messages.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(40_000);
    expect(new Set(verdicts.map((verdict) => verdict.status))).toEqual(new Set(["verified"]));
    expect([records[0]?.type, records.at(-1)?.type]).toEqual(["SOA", "SOA"]);
    expect(textOf(records.slice(0, -1))).toEqual(zoneText(fixture.zone.state.version));
  });

  test("shows one version, also when the zone changes meanwhile", async () => {
    const fixture = await fixtureOf(text);
    const before = zoneText(fixture.zone.state.version);
    const bytes = encodeMessage(query("@", "AXFR"));
    const signed = new TsigClient(FULL_KEY, NODE_CRYPTO).sign(bytes, NOW_SECONDS);
    const records: Message["answer"][number][] = [];
    for (const reply of await fixture.responder.respond(signed, "tcp")) {
      const decoded = decodeMessage(reply);
      if (decoded.ok) records.push(...decoded.value.answer);
      await fixture.zone.update(
        updateFromText(`delete n${records.length}\n add m${records.length} A 192.0.2.1`),
      );
    }
    expect(textOf(records.slice(0, -1))).toEqual(before);
    expect(fixture.zone.state.version.soa.serial).toBeGreaterThan(10);
  });
});

test("each answer is told with its code", async () => {
  const fixture = await fixtureOf("www A 192.0.2.1");
  await ask(fixture, query("www"));
  await ask(fixture, query("nope"));
  await ask(fixture, query("nope2"));
  await ask(fixture, UPDATE, { key: FULL_KEY });
  await ask(fixture, UPDATE);
  await ask(fixture, query("@", "AXFR"), { key: FULL_KEY, transport: "tcp" });
  expect(fixture.answered).toEqual([
    ...["query NOERROR", "query NXDOMAIN", "query NXDOMAIN"],
    ...["update NOERROR", "update REFUSED", "query NOERROR"],
  ]);
});
