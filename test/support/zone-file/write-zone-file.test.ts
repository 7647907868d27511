import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arbitraryRecord } from "../values/arbitrary-record.ts";
import { runsOf } from "../values/law-runs.ts";
import { readZoneFile } from "./read-zone-file.ts";
import { writeZoneFile } from "./write-zone-file.ts";

const zone = trustedDnsName("example.org");
const record = (name: string, type: string, data: string): ResourceRecord => ({
  name: trustedDnsName(name),
  type,
  class: "IN",
  ttlSeconds: 300,
  data,
});
const read = (text: string) =>
  readZoneFile({ file: "-", text, zone, ttlSeconds: null, include: null });

describe("writeZoneFile", () => {
  test("SOA first, then the canonical order of RFC 4034 §6.1; names absolute", () => {
    const records = [
      record("z.example.org", "A", "192.0.2.1"),
      record("a.z.example.org", "TXT", '"x"'),
      record("*.z.example.org", "MX", "1 z.example.org"),
      record("\\200.z.example.org", "A", "192.0.2.1"),
      record("example.org", "NS", "ns1.example.org"),
      record("yljkjljk.a.example.org", "SVCB", "0 Foo.example"),
      record("a.example.org", "SRV", "0 0 0 ."),
      record("example.org", "SOA", "ns1.example.org h.example.org 1 2 3 4 5"),
      record("example.org", "A", "192.0.2.2"),
      record("example.org", "A", "192.0.2.1"),
    ];
    expect(writeZoneFile(records).replaceAll("\t", " ").split("\n")).toEqual([
      "example.org. 300 IN SOA ns1.example.org. h.example.org. 1 2 3 4 5",
      "example.org. 300 IN A 192.0.2.1",
      "example.org. 300 IN A 192.0.2.2",
      "example.org. 300 IN NS ns1.example.org.",
      "a.example.org. 300 IN SRV 0 0 0 .",
      "yljkjljk.a.example.org. 300 IN SVCB 0 Foo.example.",
      "z.example.org. 300 IN A 192.0.2.1",
      "*.z.example.org. 300 IN MX 1 z.example.org.",
      'a.z.example.org. 300 IN TXT "x"',
      "\\200.z.example.org. 300 IN A 192.0.2.1",
      "",
    ]);
  });

  test("what is written is read back, and equal zones are equal files", () => {
    const records = fc.array(arbitraryRecord(zone), { maxLength: 20 });
    fc.assert(
      fc.property(records, (list) => {
        const text = writeZoneFile(list);
        const back = read(text);
        expect(back.problems).toEqual([]);
        expect(writeZoneFile(back.records)).toBe(text);
        expect(back.records).toHaveLength(list.length);
        for (const one of list) expect(back.records).toContainEqual(one);
        expect(writeZoneFile([...list].reverse())).toBe(text);
      }),
      { numRuns: runsOf(300) },
    );
  });

  test("reading any text never throws, and what it gives is canonical", () => {
    const piece = fc.oneof(
      fc.constantFrom("\n", " ", "(", ")", ";", '"', "\\", "$ORIGIN", "@", "A", "TXT", "60", "IN"),
      fc.string({ maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { records } = read(pieces.join(""));
        expect(read(writeZoneFile(records))).toMatchObject({ problems: [] });
      }),
      { numRuns: runsOf(3000) },
    );
  });
});
