import * as dnsPacket from "dns-packet";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as records from "../../../../../test/support/name-server/update-records.ts";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { trustedDnsName } from "../../names/dns-name.ts";
import { formatUnknown } from "../../rdata/index.ts";
import { formatTxt } from "../../rdata/txt.ts";
import { emptyMessage, queryMessage, responseTo } from "./compose.ts";
import { decodeMessage } from "./decode-message.ts";
import { encodeMessage, tryEncodeMessage } from "./encode-message.ts";
import type { Message, ResourceRecord } from "./message.ts";
import * as update from "./update.ts";

const name = trustedDnsName;
const record = (owner: string, type: string, data: string | null): ResourceRecord => ({
  name: name(owner),
  type,
  class: "IN",
  ttlSeconds: 300,
  data,
});

function decoded(bytes: Uint8Array): Message {
  const result = decodeMessage(bytes);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

const RECORDS: readonly ResourceRecord[] = [
  record("a.example.org", "A", "192.0.2.1"),
  record("a.example.org", "AAAA", "2001:db8::1"),
  record("c.example.org", "CNAME", "a.example.org"),
  record("example.org", "NS", "ns1.example.org"),
  record("example.org", "MX", "10 a.example.org"),
  record("example.org", "MX", "0 ."),
  record("example.org", "TXT", '"one" "t\\"w\\\\o\\007"'),
  record("_sip._tcp.example.org", "SRV", "1 2 5060 a.example.org"),
  record("example.org", "SOA", "ns1.example.org host.example.org 4294967295 3600 600 86400 60"),
  record("1.2.0.192.in-addr.arpa", "PTR", "a.example.org"),
  record("example.org", "CAA", "\\# 5 0000016162"),
  record("t.example.org", "TYPE65280", "\\# 2 abcd"),
  record("*.example.org", "A", "192.0.2.2"),
  record("a\\.b.example.org", "A", "192.0.2.3"),
  record("", "NS", "a.root-servers.net"),
];

describe("round trip", () => {
  test("every section, flag and type comes back", () => {
    const message: Message = {
      ...emptyMessage(4711),
      response: true,
      authoritative: true,
      recursionDesired: true,
      recursionAvailable: true,
      rcode: "NXDOMAIN",
      question: [{ name: name("a.example.org"), type: "ANY", class: "IN" }],
      answer: RECORDS,
      authority: RECORDS.slice(3, 4),
      additional: RECORDS.slice(0, 1),
      edns: { udpPayloadBytes: 1232, dnssecOk: true, version: 0 },
    };
    expect(decoded(encodeMessage(message))).toEqual(message);
  });

  test("compression makes it smaller and pointers stay below 16384", () => {
    const many = Array.from({ length: 2000 }, (_, index) =>
      record(`host${index}.sub${index % 7}.example.org`, "CNAME", `host${index + 1}.example.org`),
    );
    const bytes = encodeMessage({ ...emptyMessage(1), response: true, answer: many });
    expect(bytes.length).toBeLessThan(2000 * 42);
    expect(decoded(bytes).answer).toEqual(many);
  });

  test("extended response codes need EDNS", () => {
    const message: Message = { ...emptyMessage(1), response: true, rcode: "BADVERS" };
    expect(tryEncodeMessage(message).ok).toBe(false);
    const edns = { udpPayloadBytes: 512, dnssecOk: false, version: 0 };
    expect(decoded(encodeMessage({ ...message, edns })).rcode).toBe("BADVERS");
  });

  test("what cannot be written is named", () => {
    const bad = { ...emptyMessage(1), answer: [record("x.org", "A", "no address")] };
    const result = tryEncodeMessage(bad);
    expect(result.ok ? "" : result.error).toContain("x.org A");
  });
});

describe("UPDATE (RFC 2136)", () => {
  const set = { name: name("w.example.org"), type: "A" };
  test("prerequisites and updates keep class, zero TTL and emptiness", () => {
    const message = update.updateMessage({
      id: 7,
      zone: name("example.org"),
      prerequisites: [
        records.requireSet(set),
        ...update.requireExactSet({ ...set, values: ["192.0.2.1", "192.0.2.2"] }),
        update.requireNoSet(set),
        records.requireNameInUse(set.name),
        update.requireNameUnused(set.name),
      ],
      updates: [
        records.deleteSet(set),
        records.deleteName(set.name),
        ...update.deleteRecords({ ...set, values: ["192.0.2.1"] }),
        ...update.addRecords({ ...set, ttlSeconds: 60, values: ["192.0.2.9"] }),
      ],
    });
    const back = decoded(encodeMessage(message));
    expect(back).toEqual(message);
    expect(back.answer.map((each) => `${each.class} ${each.type} ${each.data}`)).toEqual([
      "ANY A null",
      "IN A 192.0.2.1",
      "IN A 192.0.2.2",
      "NONE A null",
      "ANY ANY null",
      "NONE ANY null",
    ]);
    expect(back.authority.map((each) => `${each.class} ${each.ttlSeconds}`)).toEqual([
      "ANY 0",
      "ANY 0",
      "NONE 0",
      "IN 60",
    ]);
  });

  test("a request is never cut", () => {
    const updates = update.addRecords({
      ...set,
      ttlSeconds: 60,
      values: Array.from({ length: 5000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`),
    });
    const message = update.updateMessage({
      id: 1,
      zone: name("example.org"),
      prerequisites: [],
      updates,
    });
    expect(tryEncodeMessage(message).ok).toBe(false);
  });
});

describe("truncation", () => {
  const request = queryMessage(1, { name: name("example.org"), type: "ANY" });
  const answer = [1, 2, 3].flatMap((host) =>
    Array.from({ length: 10 }, (_, index) =>
      record(`h${host}.example.org`, "A", `10.0.0.${index}`),
    ),
  );

  test("whole record sets go, and TC is set", () => {
    const response = { ...responseTo(request, "NOERROR", true), answer };
    const back = decoded(encodeMessage(response, { bytesMax: 512 }));
    expect(back.truncated).toBe(true);
    expect(back.answer).toHaveLength(20);
  });

  test("additional data goes in silence, OPT never", () => {
    const edns = { udpPayloadBytes: 512, dnssecOk: false, version: 0 };
    const response = { ...responseTo(request, "NOERROR", true), additional: answer, edns };
    const bytes = encodeMessage(response, { bytesMax: 512 });
    const back = decoded(bytes);
    expect(bytes.length).toBeLessThanOrEqual(512);
    expect(back.truncated).toBe(false);
    expect(back.additional).toHaveLength(20);
    expect(back.edns).toEqual(edns);
  });
});

describe("hostile bytes", () => {
  const header = [0, 1, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0];
  test.each([
    ["an empty message", []],
    ["a short header", [0, 1, 2]],
    ["a pointer to itself", [...header, 0xc0, 12, 0, 1, 0, 1]],
    ["a pointer forwards", [...header, 0xc0, 14, 0, 1, 0, 1]],
    ["a reserved label type", [...header, 0x40, 0, 0, 1, 0, 1]],
    ["a label over the end", [...header, 63, 1, 2]],
    ["bytes after the end", [...header, 0, 0, 1, 0, 1, 9]],
    ["counts without records", [0, 1, 0x80, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ])("%s is an error", (_, bytes) => {
    expect(decodeMessage(Uint8Array.from(bytes)).ok).toBe(false);
  });

  test("an A record without data is an error in class IN", () => {
    const bytes = encodeMessage({
      ...emptyMessage(1),
      response: true,
      answer: [record("x.org", "A", null)],
    });
    expect(decodeMessage(bytes).ok).toBe(false);
  });

  test("two OPT records are an error", () => {
    const edns = { udpPayloadBytes: 512, dnssecOk: false, version: 0 };
    const bytes = encodeMessage({ ...emptyMessage(1), edns });
    const twice = Uint8Array.from([...bytes, ...bytes.slice(12)]);
    twice[11] = 2;
    expect(decodeMessage(twice).ok).toBe(false);
  });

  test.each([
    ["no option", [], true],
    ["a cookie and an unknown one", [0, 10, 0, 2, 1, 2, 255, 1, 0, 0], true],
    ["half an option", [0, 10, 0], false],
    ["an option beyond the rdata", [0, 10, 0, 9, 1], false],
  ])("OPT with %s", (_what, options, isOk) => {
    const edns = { udpPayloadBytes: 512, dnssecOk: false, version: 0 };
    const bytes = [...encodeMessage({ ...emptyMessage(1), edns }), ...options];
    bytes[bytes.length - options.length - 1] = options.length;
    expect(decodeMessage(Uint8Array.from(bytes)).ok).toBe(isOk);
    // The same with something behind it, which is none of its options.
    const more = [...bytes, 0, 0, 16, 0, 1, 0, 0, 0, 0, 0, 2, 1, 65];
    more[11] = 2;
    expect(decodeMessage(Uint8Array.from(more)).ok).toBe(isOk);
  });

  test("random bytes never throw; what decodes, encodes again to an equal message", () => {
    const body = fc.uint8Array({ maxLength: 120 });
    fc.assert(
      fc.property(
        body,
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
        (bytes, counts) => {
          const message = Uint8Array.from([
            0,
            1,
            0x84,
            0,
            ...counts.flatMap((count) => [0, count]),
            ...bytes,
          ]);
          const result = decodeMessage(message);
          if (result.ok) expect(decodeMessage(encodeMessage(result.value))).toEqual(result);
        },
      ),
      { numRuns: runsOf(10_000) },
    );
  });

  test("a good message with some bytes changed never throws", () => {
    const good = encodeMessage({ ...emptyMessage(1), response: true, answer: RECORDS });
    const change = fc.tuple(fc.nat(good.length - 1), fc.nat(255));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        const bytes = good.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const result = decodeMessage(bytes);
        if (result.ok && result.value.edns === null && Number(bytes[3]) < 0x10)
          expect(decodeMessage(encodeMessage(result.value))).toEqual(result);
      }),
      { numRuns: runsOf(10_000) },
    );
  });
});

describe("against dns-packet", () => {
  const label = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);
  const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));
  const u16 = fc.nat(65_535);
  const rdata = fc.oneof(
    fc.ipV4().map((ip) => ["A", ip, ip] as const),
    host.map((target) => ["CNAME", target, target] as const),
    host.map((target) => ["NS", target, target] as const),
    host.map((target) => ["PTR", target, target] as const),
    fc
      .tuple(u16, host)
      .map(
        ([preference, exchange]) =>
          ["MX", `${preference} ${exchange}`, { preference, exchange }] as const,
      ),
    fc
      .tuple(u16, u16, u16, host)
      .map(
        ([priority, weight, port, target]) =>
          [
            "SRV",
            `${priority} ${weight} ${port} ${target}`,
            { priority, weight, port, target },
          ] as const,
      ),
    fc
      .array(fc.uint8Array({ maxLength: 255 }), { minLength: 1, maxLength: 3 })
      .map(
        (strings) =>
          ["TXT", formatTxt(strings), strings.map((string) => Buffer.from(string))] as const,
      ),
    fc
      .uint8Array({ minLength: 1, maxLength: 40 })
      .map((bytes) => ["TYPE65280", formatUnknown(bytes), Buffer.from(bytes)] as const),
  );
  const rows = fc.array(fc.tuple(host, fc.nat(0x7fff_ffff), rdata), { minLength: 1, maxLength: 8 });

  test("it reads what we write", () => {
    fc.assert(
      fc.property(rows, (list) => {
        const answer = list.map(([owner, ttlSeconds, [type, data]]) => ({
          ...record(owner, type, data),
          ttlSeconds,
        }));
        const packet = dnsPacket.decode(
          Buffer.from(encodeMessage({ ...emptyMessage(9), response: true, answer })),
        );
        for (const [index, [owner, ttl, [type, , data]]] of list.entries()) {
          const parsed = packet.answers?.[index] as {
            name: string;
            ttl: number;
            type: string;
            data: unknown;
          };
          expect([parsed.name, parsed.ttl]).toEqual([owner, ttl]);
          expect(parsed.type).toBe(type === "TYPE65280" ? "UNKNOWN_65280" : type);
          expect(parsed.data).toEqual(data);
        }
      }),
      { numRuns: runsOf(1000) },
    );
  });

  test("we read what it writes", () => {
    fc.assert(
      fc.property(rows, (list) => {
        const answers = list.map(([owner, ttl, [type, , data]]) => ({
          name: owner,
          ttl,
          class: "IN",
          type: type === "TYPE65280" ? "UNKNOWN_65280" : type,
          data,
        }));
        const bytes = dnsPacket.encode({ id: 9, type: "response", answers: answers as never });
        const back = decoded(new Uint8Array(bytes));
        expect(back.answer).toEqual(
          list.map(([owner, ttlSeconds, [type, data]]) => ({
            ...record(owner, type, data),
            ttlSeconds,
          })),
        );
      }),
      { numRuns: runsOf(1000) },
    );
  });
});
