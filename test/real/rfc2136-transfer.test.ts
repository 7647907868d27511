/**
 * Large zones and odd names against BIND, Knot and PowerDNS: transfers of many signed messages, and
 * what they refuse.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Zone } from "../../src/model/zone.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { REAL_SERVERS } from "../support/real-servers/index.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import {
  apply,
  claim,
  group,
  lines,
  NEVER,
  onlyZone,
  openSession,
  openUnsigned,
  set,
} from "../support/values/rfc2136-session.ts";

const COUNT = 5000;
const address = (index: number): string => `10.1.${index >> 8}.${index & 255}`;
const RECORDS = Array.from({ length: COUNT }, (_, index) => [
  `host-${index} 300 IN A ${address(index)}`,
  `a-host-${index} 300 IN TXT "heritage=external-dns,external-dns/owner=me,external-dns/resource=service/default/host-${index}"`,
]).flat();

describe.each(REAL_SERVERS)("$name", ({ name, needs, start }) => {
  describeReal(`rfc2136 with a large zone on ${name}`, [needs], () => {
    let server: RealServer;
    let session: ProviderSession;
    let zone: Zone;
    const full = (host: string): string => `${host}.example.org`;

    beforeAll(async () => {
      server = await start({ zone: "example.org", records: RECORDS });
      session = openSession(server);
      zone = await onlyZone(session);
    });
    afterAll(async () => {
      session?.close();
      await server?.stop();
    });

    test("ten thousand record sets arrive whole, in many signed messages", async () => {
      const { sets } = await session.records(zone, null, NEVER);
      const all = new Set(lines(sets));
      expect(all.size).toBe(2 * COUNT + 3);
      for (let index = 0; index < COUNT; index += 1)
        expect(all.has(`${full(`host-${index}`)} 300 A ${address(index)}`)).toBe(true);
    });

    test("three transfers at a time do not mix", async () => {
      const snapshots = await Promise.all([1, 2, 3].map(() => session.records(zone, null, NEVER)));
      expect(snapshots.map(({ sets }) => sets.length)).toEqual(Array(3).fill(2 * COUNT + 3));
    });

    test("updates go on while the zone is transferred", async () => {
      const loading = session.records(zone, null, NEVER);
      const writes = Array.from({ length: 10 }, (_, index) =>
        apply(session, zone, claim(set(full(`busy-${index}`), 60, "A", address(index)))),
      );
      const outcomes = (await Promise.all(writes)).flat();
      expect(new Set(outcomes.map((outcome) => outcome.status))).toEqual(new Set(["applied"]));
      expect((await loading).sets.length).toBeGreaterThanOrEqual(2 * COUNT + 3);
    });

    test("a hundred single names by query, in order of their names", async () => {
      const names = Array.from(
        { length: 100 },
        (_, index) => set(full(`host-${index}`), 0, "A").name,
      );
      const snapshot = await session.records(zone, names, NEVER);
      expect(lines(snapshot.sets).toSorted()).toEqual(
        names.map((each, index) => `${each} 300 A ${address(index)}`).toSorted(),
      );
    });

    test("an address at a name that is no host name: BIND refuses it for good, others take it", async () => {
      const odd = set("a\\.b.example.org", 60, "A", "192.0.2.1");
      const [outcome] = await apply(session, zone, claim(odd));
      if (name === "BIND") expect(outcome).toMatchObject({ status: "rejected", code: "REFUSED" });
      else {
        expect(outcome).toMatchObject({ status: "applied" });
        expect(lines((await session.records(zone, [odd.name], NEVER)).sets)).toEqual(lines([odd]));
      }
    });

    test("removing what is not there changes nothing and is no error", async () => {
      const before = await session.changeToken?.(zone, NEVER);
      const ghost = set(full("ghost"), 60, "A", "192.0.2.1");
      const outcome = await apply(session, zone, group([{ op: "remove", previous: ghost }]));
      expect(outcome).toMatchObject([{ status: "applied" }]);
      if (name !== "PowerDNS") expect(await session.changeToken?.(zone, NEVER)).toBe(before);
    });

    test("unsigned updates are not taken: retry with a remedy, nothing written", async () => {
      const bare = openUnsigned(server);
      const next = set(full("bare"), 60, "A", "192.0.2.1");
      const [outcome] = await apply(bare, zone, claim(next));
      expect(outcome).toMatchObject({
        status: "retry",
        message: expect.stringContaining("unsigned updates"),
      });
      expect((await session.records(zone, [next.name], NEVER)).sets).toEqual([]);
      await expect(bare.records(zone, null, NEVER)).rejects.toMatchObject({
        name: "OperationError",
      });
      bare.close();
    });

    test("the highest TTL is kept; below a delegation records are taken and read back", async () => {
      const cut = set(full("cut"), 60, "NS", "ns.elsewhere.test");
      const below = set(full("www.cut"), 2_147_483_647, "A", "192.0.2.1");
      expect(await apply(session, zone, claim(cut), claim(below))).toMatchObject([
        { status: "applied" },
        { status: "applied" },
      ]);
      const snapshot = await session.records(zone, [below.name, cut.name], NEVER);
      expect(lines(snapshot.sets)).toEqual(lines([cut, below]));
    });

    test("writing what is already there is no error", async () => {
      const present = set(full("host-1"), 300, "A", address(1));
      const again = group([{ op: "replace", previous: present, next: present }], {
        is: "exact",
        set: present,
      });
      expect(await apply(session, zone, again)).toMatchObject([{ status: "applied" }]);
      expect(lines((await session.records(zone, [present.name], NEVER)).sets)).toEqual(
        lines([present]),
      );
    });

    test("the apex keeps its NS and SOA whatever is removed", async () => {
      const { sets } = await session.records(zone, [zone.name], NEVER);
      const removals = sets.map((previous) => ({ op: "remove" as const, previous }));
      await apply(session, zone, group(removals));
      const after = await session.records(zone, [zone.name], NEVER);
      expect(after.sets.map((each) => each.type)).toEqual(["NS", "SOA"]);
    });
  });
});
