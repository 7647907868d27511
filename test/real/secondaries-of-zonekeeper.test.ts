/**
 * The embedded name server as a primary: BIND, Knot and NSD copy its zone by AXFR, follow its
 * NOTIFYs, catch up by IXFR and end with the same records. named-checkzone judges the zone as we
 * transfer it.
 */
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DigRecord, transfer } from "../support/clients/dig.ts";
import { nsupdate } from "../support/clients/nsupdate.ts";
import { startEmbedded } from "../support/name-server/start-embedded.ts";
import { eventually } from "../support/ports/eventually.ts";
import { claimPort, type FreePort } from "../support/ports/free-port.ts";
import { run } from "../support/programs/run.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { SECONDARIES } from "../support/real-servers/secondaries.ts";
import {
  apply,
  claim,
  NEVER,
  onlyZone,
  openSession,
  set,
} from "../support/values/rfc2136-session.ts";

const RECORDS = [
  "www 300 A 192.0.2.1",
  "www 300 AAAA 2001:db8::1",
  "alias CNAME www",
  'text 60 TXT "a b" "c;d"',
  "*.w TXT wild",
  "mail MX 10 www",
  "_sip._tcp SRV 1 2 5060 www.example.org",
  "sub NS ns.sub",
  "ns.sub A 192.0.2.53",
  ...Array.from({ length: 2000 }, (_, i) => `host-${i} A 198.51.100.${i % 250}`),
];
const NAME = "example.org";
const rows = (records: readonly DigRecord[]) =>
  records
    .map(({ name, ttlSeconds, type, rdata }) => `${name} ${ttlSeconds} ${type} ${rdata}`)
    .sort();
const copyOf = async ({ port, key }: RealServer) => rows(await transfer({ port, name: NAME, key }));
/** A transfer that is refused for now counts as nothing seen. */
const tryCopyOf = (server: RealServer) => copyOf(server).catch(() => []);

describe.each(SECONDARIES)("$name", ({ name, needs, start }) => {
  describeReal(`${name} as a secondary of the embedded name server`, ["dig", "ldns", needs], () => {
    let port: FreePort;
    let primary: RealServer;
    let secondary: RealServer;

    beforeAll(async () => {
      port = await claimPort();
      primary = await startEmbedded({ zone: NAME, records: RECORDS, notifyPort: port.port });
      const { key } = primary;
      secondary = await start({ zone: NAME, key, primaryPort: primary.port, port: port.port });
    });
    afterAll(async () => {
      await secondary?.stop();
      await primary?.stop();
      port?.release();
    });

    const update = async (...lines: readonly string[]) => {
      const { port: at, key } = primary;
      const result = await nsupdate({ port: at, zone: NAME, key }, lines);
      expect(result.code, result.stderr).toBe(0);
    };
    const caughtUp = async () => {
      const wanted = await copyOf(primary);
      const seen = await eventually(
        `${name} has the zone of the primary`,
        () => tryCopyOf(secondary),
        (copy) => JSON.stringify(copy) === JSON.stringify(wanted),
      );
      expect(seen).toEqual(wanted);
    };

    test("it copies the whole zone", async () => {
      await caughtUp();
      expect(await copyOf(secondary)).toHaveLength(RECORDS.length + 3);
    });

    test("a change is told by NOTIFY and fetched as a delta", async () => {
      await update(`add new.${NAME}. 60 A 192.0.2.77`, `delete www.${NAME}. AAAA`);
      await caughtUp();
      expect(primary.logTail()).not.toContain("does not answer NOTIFY");
      // NSD does not name the kind of transfer, but its size: the whole zone has 50 kB.
      expect(secondary.logTail()).toMatch(/IXFR|incremental|serial 2 .* of \d{2,3} bytes/);
    });

    test("many changes at once arrive all", async () => {
      for (let step = 0; step < 20; step += 1)
        await update(
          `add step-${step}.${NAME}. 60 TXT "number ${step}"`,
          `delete host-${step}.${NAME}. A`,
        );
      await caughtUp();
    });

    test("after kill -9 and a start of the primary it goes on from the journal", async () => {
      await primary.kill9();
      await primary.restart();
      await update(`add after.${NAME}. 60 A 192.0.2.78`);
      await caughtUp();
    });

    test("a secondary that was away gets what it missed", async () => {
      await secondary.kill9();
      await update(`add missed.${NAME}. 60 A 192.0.2.79`);
      await secondary.restart();
      await update(`add later.${NAME}. 60 A 192.0.2.80`);
      await caughtUp();
    });

    test("our provider reads the copy, whole and by delta, and writes nothing there", async () => {
      const session = openSession(secondary);
      const zone = await onlyZone(session);
      const before = await session.records(zone, null, NEVER);
      expect(before.sets.length).toBeGreaterThan(1900);
      await update(`add read.${NAME}. 60 A 192.0.2.81`, `add read-too.${NAME}. 60 A 192.0.2.82`);
      await caughtUp();
      const delta = await session.changesSince?.(zone, before.token ?? "", NEVER);
      expect(delta?.names).toEqual([`read-too.${NAME}`, `read.${NAME}`]);
      const [outcome] = await apply(session, zone, claim(set(`no.${NAME}`, 60, "A", "192.0.2.1")));
      expect(outcome?.status).not.toBe("applied");
      session.close();
    });

    /** The zone as a server transfers it, as a file beside its data. */
    const zoneFile = async (server: RealServer): Promise<string> => {
      const file = join(server.folder, "checked.zone");
      const records = await transfer({ port: server.port, name: NAME, key: server.key });
      const line = ({ name: at, ttlSeconds, type, rdata }: DigRecord) =>
        `${at} ${ttlSeconds} IN ${type} ${rdata}\n`;
      writeFileSync(file, records.map(line).join(""));
      return file;
    };

    test("named-checkzone finds the zone sound", async () => {
      const verdict = await run("named-checkzone", ["-i", "local", NAME, await zoneFile(primary)]);
      expect(verdict.stdout).toContain("OK");
      expect(verdict.code).toBe(0);
    });

    test("ldns-compare-zones finds no difference, and one when there is one", async () => {
      await caughtUp();
      const [own, other] = [await zoneFile(primary), await zoneFile(secondary)];
      const same = await run("ldns-compare-zones", ["-a", own, other]);
      expect(same.code, same.stdout).toBe(0);
      appendFileSync(other, `extra.${NAME}. 60 IN A 192.0.2.99\n`);
      const differing = await run("ldns-compare-zones", ["-a", own, other]);
      expect(differing.stdout).toContain("extra");
    });
  });
});
