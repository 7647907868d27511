/**
 * Random records of every type that we read, in canonical form, for round trips and for real
 * servers.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { parseRdata } from "@zonekeeper/dns/rdata/index";
import { formatText } from "@zonekeeper/dns/rdata/tokens";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import fc from "fast-check";

const byte = fc.nat(255);
const token = fc.nat(65_535);
const bytes = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
const text = (maxLength: number) => bytes(0, maxLength).map(formatText);
const hex = (length: number) => bytes(length, length).map((b) => Buffer.from(b).toString("hex"));
const base64 = bytes(3, 60).map((b) => Buffer.from(b).toString("base64"));
const label = fc.oneof(
  fc.stringMatching(/^[a-z0-9_]{1,8}$/),
  fc.stringMatching(/^[a-z0-9_]{1,8}$/),
  bytes(1, 8).map((b) => [...b].map((one) => `\\${String(one).padStart(3, "0")}`).join("")),
);
const name = fc.array(label, { maxLength: 4 }).map((labels) => `${labels.join(".")}.`);
const seconds = fc.nat(2_147_483_647);
const joined = (...pieces: readonly fc.Arbitrary<unknown>[]) =>
  fc.tuple(...pieces).map((tokens) => tokens.join(" "));
const params = fc
  .record(
    {
      alpn: fc
        .array(fc.stringMatching(/^[a-z0-9.-]{1,9}$/), { minLength: 1, maxLength: 3 })
        .map((items) => items.join(",")),
      port: token,
      ipv4hint: fc.array(fc.ipV4(), { minLength: 1, maxLength: 3 }),
      ipv6hint: fc.array(fc.ipV6(), { minLength: 1, maxLength: 3 }),
      ech: base64,
      dohpath: fc.constant("/q{?dns}"),
      key667: text(20),
    },
    { requiredKeys: [] },
  )
  .map((values) =>
    Object.entries(values)
      .map(([key, value]) => `${key}=${value}`)
      .join(" "),
  );
const service = fc.oneof(
  joined(fc.constant(0), name),
  joined(fc.integer({ min: 1, max: 65_535 }), name, params),
);

/** Rdata in some spelling, by type; neither SOA nor types that a server makes by itself. */
export const ARBITRARY_RDATA: Readonly<Record<string, fc.Arbitrary<string>>> = {
  A: fc.ipV4(),
  AAAA: fc.ipV6(),
  CAA: joined(byte, fc.stringMatching(/^[A-Za-z0-9]{1,9}$/), text(80)),
  CNAME: name,
  DNAME: name,
  DNSKEY: joined(fc.constantFrom(256, 257), fc.constant(3), fc.constantFrom(8, 13, 15), base64),
  DS: joined(token, fc.constantFrom(8, 13), fc.constant(2), hex(32)),
  HTTPS: service,
  MX: joined(token, name),
  NAPTR: joined(token, token, fc.constantFrom('"S"', '""'), text(20), fc.constant('""'), name),
  NS: name,
  PTR: name,
  SRV: joined(token, token, token, name),
  SSHFP: joined(byte, fc.constant(2), hex(32)),
  SVCB: service,
  TLSA: joined(byte, byte, fc.constant(1), hex(32)),
  TXT: fc.array(text(60), { minLength: 1, maxLength: 4 }).map((strings) => strings.join(" ")),
  URI: joined(token, token, bytes(1, 100).map(formatText)),
  TYPE65280: bytes(1, 40).map((b) => `\\# ${b.length} ${Buffer.from(b).toString("hex")}`),
};

/** A record of `type` with canonical data; the owner is a random name right below `zone`. */
export function arbitraryRecordOf(type: string, zone: DnsName): fc.Arbitrary<ResourceRecord> {
  const rdata = ARBITRARY_RDATA[type] ?? fc.constant("");
  return fc.record({ label, ttlSeconds: seconds, rdata }).map((pieces) => {
    const data = parseRdata(type, pieces.rdata.trim());
    const owner = parseRdata("PTR", `${pieces.label}.${zone}`);
    if (!data.ok || !owner.ok) throw new Error(`${type} ${pieces.rdata} is not sound`);
    const { ttlSeconds } = pieces;
    return { name: trustedDnsName(owner.value), type, class: "IN", ttlSeconds, data: data.value };
  });
}

/** A record of any type. */
export function arbitraryRecord(zone: DnsName): fc.Arbitrary<ResourceRecord> {
  return fc
    .constantFrom(...Object.keys(ARBITRARY_RDATA))
    .chain((type) => arbitraryRecordOf(type, zone));
}
