/**
 * Our reading and writing of every record type beside that of others: BIND's zone compiler (text
 * and bytes), ldns, and the real servers through updates, transfers, dig and kdig. Zones are
 * random; the seed is in the title.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { WireWriter } from "@zonekeeper/dns/wire/bytes/wire-writer";
import type { ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { encodeRdata } from "@zonekeeper/dns/wire/rdata/encode-rdata";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { dig } from "../support/clients/dig.ts";
import { makeTempFolder, type TempFolder } from "../support/ports/temp-folder.ts";
import { run, runOk } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS } from "../support/real-servers/index.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { ARBITRARY_RDATA, arbitraryRecordOf } from "../support/values/arbitrary-record.ts";
import { compiledRecords } from "../support/values/raw-zone.ts";
import {
  apply,
  claim,
  lines,
  NEVER,
  onlyZone,
  openSession,
  set,
} from "../support/values/rfc2136-session.ts";
import { readZoneFile } from "../support/zone-file/read-zone-file.ts";
import { writeZoneFile } from "../support/zone-file/write-zone-file.ts";

const SEED = Number(process.env["ZONEKEEPER_SEED"] ?? 20_261_121);
const zone = trustedDnsName("example.org");
const APEX = `example.org. 300 IN SOA ns1.example.org. h.example.org. 1 3600 600 86400 60
example.org. 300 IN NS ns1.example.org.
ns1.example.org. 300 IN A 192.0.2.1
`;

/**
 * Twelve records of each type, each at a name of its own; TTLs below a week, as ldns and servers
 * may clamp.
 */
function randomRecords(seed: number): readonly ResourceRecord[] {
  return Object.keys(ARBITRARY_RDATA).flatMap((type, index) =>
    fc
      .sample(arbitraryRecordOf(type, zone), { seed: seed + index, numRuns: 12 })
      .map((record, number) => ({
        ...record,
        name: trustedDnsName(`${type.toLowerCase()}${number}.${record.name}`),
        ttlSeconds: record.ttlSeconds % 604_800,
      })),
  );
}

/** Zone text of ours in canonical order, read from anybody's. */
function canonical(text: string, origin: DnsName = zone): string {
  const { records, problems } = readZoneFile({
    file: "theirs",
    text,
    zone: origin,
    ttlSeconds: null,
    include: null,
  });
  expect(problems).toEqual([]);
  return writeZoneFile(records);
}

/** Without the checks of what is wise: host names, targets that exist. */
const LENIENT = [
  "-k",
  "ignore",
  "-n",
  "ignore",
  "-m",
  "ignore",
  "-M",
  "ignore",
  "-S",
  "ignore",
  "-r",
  "ignore",
  "-i",
  "none",
];

describe(`every type through other programs (seed ${SEED})`, () => {
  let folder: TempFolder;
  let file: string;
  let own: string;
  beforeEach(() => {
    folder = makeTempFolder("rdata");
    file = join(folder.path, "ours.zone");
    own = canonical(APEX + writeZoneFile(randomRecords(SEED)));
    writeFileSync(file, own);
  });
  afterEach(() => folder.remove());

  describeReal("BIND's zone compiler", ["bind"], () => {
    test("reads our text as the records that we meant, and we read its text", async () => {
      const other = join(folder.path, "theirs.zone");
      await runOk("named-checkzone", [
        ...LENIENT,
        "-q",
        "-D",
        "-s",
        "full",
        "-o",
        other,
        zone,
        file,
      ]);
      expect(canonical(readFileSync(other, "utf8")).split("\n")).toEqual(own.split("\n"));
      await runOk("named-checkzone", [
        ...LENIENT,
        "-q",
        "-D",
        "-s",
        "relative",
        "-o",
        other,
        zone,
        file,
      ]);
      expect(canonical(readFileSync(other, "utf8")).split("\n")).toEqual(own.split("\n"));
    });

    test("makes the same bytes of every record", async () => {
      const other = join(folder.path, "theirs.raw");
      await runOk("named-compilezone", [...LENIENT, "-q", "-F", "raw", "-o", other, zone, file]);
      const { records } = readZoneFile({ file, text: own, zone, ttlSeconds: null, include: null });
      const bytes = records
        .filter(({ type }) => type !== "SOA") // Ours is compressed inside itself.
        .map((record) => `${record.name} ${record.type} ${rdataHex(record)}`);
      const compiled = compiledRecords(readFileSync(other)).filter((line) => !/ SOA /.test(line));
      expect(compiled.toSorted()).toEqual(bytes.toSorted());
    });
  });

  describeReal("ldns", ["ldns"], () => {
    test("reads our text as the same zone, and we read its text", async () => {
      // ldns 1.8.3 prints a quote in a name without its backslash, which nobody can read back.
      const lines = own.split("\n").filter((line) => !line.includes('\\"'));
      writeFileSync(file, lines.join("\n"));
      const other = join(folder.path, "theirs.zone");
      const text = await runOk("ldns-read-zone", [file]);
      expect(canonical(text).split("\n")).toEqual(lines);
      writeFileSync(other, text);
      const { code, stdout } = await run("ldns-compare-zones", ["-a", file, other]);
      expect([code, stdout]).toEqual([0, expect.stringContaining("+0\t-0\t~0")]);
    });
  });
});

function rdataHex(record: ResourceRecord): string {
  const writer = new WireWriter();
  if (!encodeRdata(writer, record.type, record.data ?? ""))
    throw new Error(`${record.type} ${record.data}`);
  return Buffer.from(writer.finish()).toString("hex");
}

/** One of each type, at host names: servers check those. */
const WRITTEN: Readonly<Record<string, string>> = {
  A: "192.0.2.1",
  AAAA: "2001:db8::1",
  CAA: '128 issue "ca.example; policy=ev"',
  CNAME: "target.example.org",
  DNAME: "elsewhere.test",
  DS: "60485 13 2 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971",
  HTTPS: '1 . mandatory=alpn,port alpn="h2,h3" port=8443 ipv4hint=192.0.2.1 ipv6hint=2001:db8::1',
  MX: "10 target.example.org",
  NAPTR: '100 50 "u" "E2U+sip" "!^.*$!sip:info@example.org!i" .',
  NS: "ns.elsewhere.test",
  PTR: "target.example.org",
  SRV: "1 2 5060 target.example.org",
  SSHFP: "4 2 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971",
  SVCB: '1 Target.Example.org alpn="h2" key667="a\\"b\\001"',
  TLSA: "3 1 1 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971",
  TXT: '"a;b" "c\\"d"',
  URI: '10 1 "https://www.example.org/a?b"',
};

describe.each(REAL_SERVERS)("$name", ({ name: program, needs, start }) => {
  describeReal("every type through updates, queries and transfers", [needs, "dig", "kdig"], () => {
    let server: RealServer;
    let session: ProviderSession;
    const names = Object.entries(WRITTEN).map(([type, data]) => ({
      type,
      data,
      // Servers refuse a DS outside a delegation.
      name: `${type === "DS" ? "ns" : type.toLowerCase()}.example.org`,
    }));
    beforeAll(async () => {
      server = await start({ zone: "example.org", records: ["target 300 IN A 192.0.2.9"] });
      session = openSession(server);
    });
    afterAll(async () => {
      session?.close();
      await server?.stop();
    });

    test("what the provider writes is what dig, kdig and a transfer show", async () => {
      const target = await onlyZone(session);
      const order = names.toSorted((a, b) => Number(a.type === "DS") - Number(b.type === "DS"));
      for (const { name, type, data } of order)
        expect(await apply(session, target, claim(set(name, 300, type, data))), type).toEqual([
          { name, status: "applied" },
        ]);
      const { sets } = await session.records(target, null, NEVER);
      for (const { name, type, data } of names) {
        expect(lines(sets)).toContain(`${name} 300 ${type} ${data}`);
        if (type === "NS") continue;
        for (const program of ["dig", "kdig"] as const) {
          const { answer } = await dig({ port: server.port, name, type, program });
          const text = answer.map((each) => `${each.name} 300 IN ${each.type} ${each.rdata}\n`);
          const { records } = readZoneFile({
            file: program,
            text: text.join(""),
            zone,
            ttlSeconds: null,
            include: null,
          });
          const own = records.filter((each) => each.name === name);
          expect(own.map((each) => `${each.type} ${each.data}`)).toEqual([`${type} ${data}`]);
        }
      }
    });

    test("single names are read as a transfer has them, and all can be removed again", async () => {
      const target = await onlyZone(session);
      const all = [...new Set(names.map(({ name }) => trustedDnsName(name)))];
      const whole = await session.records(target, null, NEVER);
      const wanted = whole.sets.filter(({ name }) => all.includes(name));
      expect(lines((await session.records(target, all, NEVER)).sets)).toEqual(lines(wanted));
      for (const previous of wanted.toSorted((a, b) => (a.type < b.type ? -1 : 1)))
        expect(
          await apply(session, target, {
            name: previous.name,
            keys: [],
            changes: [{ op: "remove", previous }],
            preconditions: [{ is: "exact", set: previous }],
          }),
          previous.type,
        ).toMatchObject([{ status: "applied" }]);
      // PowerDNS 4.7 answers NOERROR to the removal of an SVCB or HTTPS record whose target is not
      // the root, and keeps it.
      const kept = program === "PowerDNS" ? ["SVCB"] : [];
      const { sets } = await session.records(target, all, NEVER);
      expect(sets.map(({ type }) => type)).toEqual(kept);
    });
  });
});
