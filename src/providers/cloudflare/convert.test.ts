/** Records of the API as record sets and back, in every variant of an answer that is documented. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { recordSet, withTtl } from "../../../test/conformance/provider-harness.ts";
import { FakeDnsZone } from "../../../test/support/fakes/cloudflare/dns-zone.ts";
import { setsIn } from "../../../test/support/fakes/cloudflare/harness.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { auditSet, fromRecord, normalizeSet, toRecord, toRecordSets } from "./convert.ts";
import { planLimits } from "./limits.ts";

const FREE = planLimits("free");
const ZONE: Zone = {
  id: "z1",
  name: trustedDnsName("example.org"),
  providerType: "cloudflare-dns",
  endpoint: "api.cloudflare.com",
  view: "",
};

describe("types", () => {
  test.each([
    ["A", "192.0.2.1"],
    ["AAAA", "2001:db8::1"],
    ["CAA", '0 issue "ca.example.net; x=1"'],
    ["CNAME", "other.example.net"],
    ["DS", `60485 5 1 ${"2bb183af5f22588179a53b0a98631fad1a292118"}`],
    ["HTTPS", '1 . alpn="h2,h3" port=8443'],
    ["HTTPS", "0 svc.example.net"],
    ["MX", "10 mail.example.net"],
    ["NAPTR", '100 50 "S" "SIP+D2U" "" _sip._udp.example.org'],
    ["NAPTR", '100 50 "U" "E2U+sip" "!^.*$!sip:info@example.org!" .'],
    ["NS", "ns1.example.net"],
    ["PTR", "host.example.net"],
    ["SRV", "10 5 5223 server.example.net"],
    ["SRV", "0 0 0 ."],
    ["SSHFP", `1 2 ${"ab".repeat(32)}`],
    ["SVCB", '2 svc.example.net alpn="h2"'],
    ["TLSA", `3 1 1 ${"ab".repeat(32)}`],
    ["TXT", '"a b" "c"'],
    ["URI", '10 1 "https://www.example.org/a b"'],
  ])("%s %s comes back from the fake", (type, value) => {
    const zone = new FakeDnsZone("z1", "example.org", "free");
    const set = normalizeSet(recordSet("x.example.org", type, value), FREE);
    expect(auditSet(set, ZONE, FREE)).toEqual([]);
    for (const one of set.values) zone.add(fromRecord(set, one, null));
    expect(setsIn(zone)).toEqual([set]);
  });

  test.each([
    ["MX", { content: "mail.example.net", priority: 10 }, "10 mail.example.net"],
    ["MX", { content: "mail.example.net.", priority: "10" }, "10 mail.example.net"],
    ["SRV", { content: "5 5223 s.example.net", priority: 10 }, "10 5 5223 s.example.net"],
    ["SRV", { content: "10\t5\t5223\ts.example.net", data: null }, "10 5 5223 s.example.net"],
    [
      "SRV",
      { data: { priority: "1", weight: 2, port: 3, target: "S.example.net." } },
      "1 2 3 s.example.net",
    ],
    ["URI", { priority: 1, data: { weight: 2, target: "https://x/" } }, '1 2 "https://x/"'],
    ["CAA", { content: '0 issue "ca.example.net"' }, '0 issue "ca.example.net"'],
    ["TXT", { content: "Bah bah black sheep" }, '"Bah bah black sheep"'],
    ["TXT", { content: 'v=DKIM1; p="' }, String.raw`"v=DKIM1; p=\""`],
    ["TXT", { content: "grüße" }, String.raw`"gr\195\188\195\159e"`],
    ["TXT", { content: '"two" "strings"' }, '"two" "strings"'],
    [
      "LOC",
      { content: "IN LOC 31 58 52.1 S 115 49 11.7 E 20m", data: {} },
      "IN LOC 31 58 52.1 S 115 49 11.7 E 20m",
    ],
    ["A", { content: null }, ""],
  ])("%s %o is read as %s", (type, fields, value) => {
    const found = toRecord({ id: "1", name: "X.example.org.", type, ttl: "300", ...fields });
    expect(found).toMatchObject({
      name: "x.example.org",
      record: { type, value, ttlSeconds: 300, proxied: false },
    });
  });

  test.each([null, "x", [], {}, { id: "1", name: "x" }, { id: 1, name: "x", type: "A" }])(
    "%o is no record",
    (value) => {
      expect(toRecord(value)).toBeNull();
    },
  );
});

describe("TTL and proxy", () => {
  const record = (id: string, content: string, more: Readonly<Record<string, unknown>>) => {
    const found = toRecord({ id, name: "x.example.org", type: "A", content, ...more });
    if (found === null) throw new Error("no record");
    return found;
  };

  test("automatic is 300 seconds; of several TTLs the least counts", () => {
    const auto = toRecordSets([record("1", "192.0.2.1", { ttl: 1 })]);
    const none = toRecordSets([record("1", "192.0.2.1", {})]);
    expect([auto[0]?.ttlSeconds, none[0]?.ttlSeconds]).toEqual([300, 300]);
    const mixed = [record("1", "192.0.2.1", { ttl: 900 }), record("2", "192.0.2.2", { ttl: 60 })];
    expect(toRecordSets(mixed)).toMatchObject([
      { ttlSeconds: 60, values: ["192.0.2.1", "192.0.2.2"] },
    ]);
  });

  test("one proxied record makes the set proxied", () => {
    const mixed = [
      record("1", "192.0.2.1", { ttl: 900, proxied: false }),
      record("2", "192.0.2.2", { ttl: 1, proxied: true }),
    ];
    expect(toRecordSets(mixed)).toMatchObject([
      { ttlSeconds: 300, properties: { proxied: "true" } },
    ]);
  });

  const with_ = (type: string, properties: Readonly<Record<string, string>>): RecordSet => ({
    ...recordSet("x.example.org", type, type === "A" ? "192.0.2.1" : '"x"'),
    properties,
  });

  test("a proxied set has no TTL of its own", () => {
    const set = normalizeSet(with_("A", { proxied: "true" }), FREE);
    expect(set).toMatchObject({ ttlSeconds: 300, properties: { proxied: "true" } });
    expect(fromRecord(set, "192.0.2.1", null)).toMatchObject({ ttl: 1, proxied: true });
    expect(normalizeSet(set, FREE)).toEqual(set);
    expect(normalizeSet(with_("A", { proxied: "false" }), FREE).properties).toEqual({});
    expect(normalizeSet(with_("TXT", { proxied: "true" }), FREE).properties).toEqual({});
  });

  test.each([
    ["free", 1, 300],
    ["free", 30, 60],
    ["enterprise", 30, 30],
    ["enterprise", 5, 30],
    ["free", 86_401, 86_400],
    ["a plan to come", 59, 60],
  ])("on the plan %s a TTL of %i is %i", (plan, asked, given) => {
    const set = withTtl(recordSet("x.example.org", "A", "192.0.2.1"), asked);
    expect(normalizeSet(set, planLimits(plan)).ttlSeconds).toBe(given);
  });
});

test.each([
  [recordSet("example.com", "A", "192.0.2.1"), "InvalidName"],
  [recordSet(String.raw`a\032b.example.org`, "A", "192.0.2.1"), "InvalidName"],
  [recordSet("example.org", "NS", "ns1.example.net"), "InvalidValue"],
  [recordSet("x.example.org", "LOC", "0 0 0 N 0 0 0 E 0m"), "UnsupportedType"],
  [recordSet("x.example.org", "CNAME", "a.example", "b.example"), "InvalidValue"],
  [recordSet("x.example.org", "TXT", '"" ""'), "InvalidValue"],
  [recordSet("x.example.org", "TXT", `"${"x".repeat(250)}" `.repeat(20)), "InvalidValue"],
  [recordSet("x.example.org", "A", ...addresses(97)), "TooManyValues"],
  [
    { ...recordSet("x.example.org", "A", "192.0.2.1"), setIdentifier: "a" },
    "UnsupportedRoutingPolicy",
  ],
  [
    { ...recordSet("x.example.org", "A", "192.0.2.1"), properties: { proxied: "yes" } },
    "InvalidValue",
  ],
  [
    { ...recordSet("x.example.org", "MX", "1 a.example"), properties: { proxied: "true" } },
    "InvalidValue",
  ],
  [
    { ...recordSet("x.example.org", "A", "192.0.2.1"), properties: { alias: "true" } },
    "UnsupportedProperty",
  ],
])("%o: %s", (set, code) => {
  expect(
    auditSet(normalizeSet(set, { ...FREE, ttlSecondsMin: 0 }), ZONE, FREE).map(
      (problem) => problem.code,
    ),
  ).toContain(code);
});

function addresses(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `192.0.2.${index}`);
}
