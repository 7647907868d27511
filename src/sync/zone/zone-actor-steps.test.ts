import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { LIKE_AZURE } from "../../../test/support/memory-provider/behaviour.ts";
import { type ApplyFault, NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { RecordSet } from "../../model/record-set.ts";

const OPTIONS = { behaviour: LIKE_AZURE };
type EngineFixture = ReturnType<typeof engineWorld>;

const namesOf = ({ content }: EngineFixture) =>
  content
    .all()
    .filter(({ type }) => type !== "SOA" && type !== "NS")
    .map(({ name, type }) => `${name.replace(".example.org", "")} ${type}`);
const isPending = ({ values }: EngineFixture) => values("a-www").join().includes("state=pending");

/** Faults by the number of the call, from 0. */
function breakCalls(
  { account }: EngineFixture,
  faultOf: (call: number) => ApplyFault | null,
): void {
  let calls = 0;
  const apply = () => [faultOf(calls++) ?? []].flat();
  account.breakWith({ ...NO_FAULTS, apply });
}

function foreignAt({ content }: EngineFixture, name: string): RecordSet {
  const set: RecordSet = {
    name: trustedDnsName(name),
    type: "A",
    setIdentifier: null,
    ttlSeconds: 60,
    values: ["203.0.113.9"],
    properties: {},
    routingPolicy: null,
  };
  content.write([{ key: set, next: set }]);
  return set;
}

describe("Z-10 the actor over a zone that takes one record set a call", () => {
  test("create, change and remove end as anywhere, and markers are final", async () => {
    const fixture = engineWorld(OPTIONS);
    const { clock, engine, zoneInput, values } = fixture;
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(5_000);
    expect(namesOf(fixture)).toEqual(["a-www TXT", "www A"]);
    expect(isPending(fixture)).toBe(false);
    engine.contribute(KEY, entry("www", ["192.0.2.2"]));
    await clock.advance(5_000);
    expect(values("www")).toEqual(["192.0.2.2"]);
    engine.contribute(KEY, entry("www", ["lb.example.com"], "CNAME"));
    await clock.advance(5_000);
    expect(namesOf(fixture)).toEqual(["cname-www TXT", "www CNAME"]);
    engine.withdraw(entry("www", []).object, "deleted-object");
    await clock.advance(5_000);
    expect(namesOf(fixture)).toEqual([]);
  });

  test("nothing is reported as published before the last step is confirmed", async () => {
    const fixture = engineWorld(OPTIONS);
    const { clock, engine, zoneInput, reports } = fixture;
    breakCalls(fixture, (call) => (call < 2 ? null : { kind: "throttled", afterMs: 60_000 }));
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(30_000);
    expect(namesOf(fixture)).toEqual(["a-www TXT", "www A"]);
    expect(isPending(fixture)).toBe(true);
    const states = new Set(reports.map(({ names }) => names[0]?.state));
    expect([...states]).toEqual(["pending"]);
    fixture.account.breakWith(NO_FAULTS);
    await clock.advance(120_000);
    expect(isPending(fixture)).toBe(false);
    expect(reports.at(-1)?.names[0]?.state).toBe("published");
  });

  test.each([0, 1, 2, 3, 4, 5])(
    "a process that dies at call %i of a create and an update is succeeded by one that goes on",
    async (last) => {
      const first = engineWorld(OPTIONS);
      const { clock, account } = first;
      breakCalls(first, (call) => (call < last ? null : { kind: "lost-before" }));
      first.engine.openZone(first.zoneInput);
      first.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
      await clock.advance(2_000);
      first.engine.contribute(KEY, entry("www", ["192.0.2.2"]));
      await clock.advance(2_000);
      await first.engine.stop();
      account.breakWith(NO_FAULTS);
      const second = engineWorld({ ...OPTIONS, account, clock });
      second.engine.openZone(second.zoneInput);
      second.engine.contribute(KEY, entry("www", ["192.0.2.2"]));
      await clock.advance(10_000);
      expect(namesOf(second)).toEqual(["a-www TXT", "www A"]);
      expect(second.values("www")).toEqual(["192.0.2.2"]);
      expect(isPending(second)).toBe(false);
      expect(second.reports.at(-1)?.names[0]?.state).toBe("published");
    },
  );

  test("a create without an answer that comes when its record is gone again finds its marker there", async () => {
    const fixture = engineWorld(OPTIONS);
    const { clock, engine, zoneInput } = fixture;
    breakCalls(fixture, (call) => (call === 1 ? { kind: "late", delayMs: 20_000 } : null));
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(10_000);
    expect(isPending(fixture)).toBe(false);
    engine.withdraw(entry("www", []).object, "deleted-object");
    await clock.advance(5_000);
    expect([namesOf(fixture), isPending(fixture)]).toEqual([["a-www TXT"], true]);
    await clock.advance(10_000);
    expect(namesOf(fixture)).toContain("www A");
    await clock.advance(120_000);
    expect(namesOf(fixture)).toEqual([]);
  });

  test("a record waits for its removal while an earlier create of other data has no answer (simulator, F07 3121)", async () => {
    const fixture = engineWorld(OPTIONS);
    const { clock, engine, zoneInput, values } = fixture;
    breakCalls(fixture, (call) => (call === 1 ? { kind: "late", delayMs: 20_000 } : null));
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(200);
    engine.contribute(KEY, entry("www", ["192.0.2.2"]));
    await clock.advance(10_000);
    expect([values("www"), isPending(fixture)]).toEqual([["192.0.2.2"], false]);
    engine.withdraw(entry("www", []).object, "deleted-object");
    await clock.advance(45_000);
    expect(namesOf(fixture)).toEqual(["a-www TXT", "www A"]);
    await clock.advance(120_000);
    expect(namesOf(fixture)).toEqual([]);
  });

  test("what somebody puts there in the middle stays, and the record is held", async () => {
    const fixture = engineWorld(OPTIONS);
    const { clock, engine, zoneInput, values, reports } = fixture;
    breakCalls(fixture, (call) =>
      call === 1 ? { kind: "foreign", write: () => foreignAt(fixture, "www.example.org") } : null,
    );
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(30_000);
    expect(values("www")).toEqual(["203.0.113.9"]);
    expect(reports.at(-1)?.names[0]).toMatchObject({ state: "held", code: "ForeignRecord" });
    engine.contribute(KEY, entry("a-www", ["lb.example.com"], "CNAME"));
    await clock.advance(30_000);
    const alias = ["a-www CNAME", "cname-a-www TXT"];
    expect(namesOf(fixture), "its marker makes room (Z-11)").toEqual(
      ["_owner.a.www TXT", ...alias, "www A"].sort(),
    );
    engine.withdraw(entry("www", []).object, "deleted-object");
    await clock.advance(30_000);
    expect(namesOf(fixture)).toEqual([...alias, "www A"]);
  });

  test("D35 a step that never shows is not repeated for ever", async () => {
    const fixture = engineWorld(OPTIONS);
    const { clock, engine, zoneInput, reports } = fixture;
    let calls = 0;
    const undo = () => {
      const [set] = fixture.content.at(trustedDnsName("www.example.org"));
      if (set !== undefined) fixture.content.write([{ key: set, next: null }]);
    };
    fixture.account.breakWith({
      apply: () => {
        calls++;
        return [];
      },
      read: () => [{ kind: "foreign", write: undo }],
    });
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(60_000);
    expect(reports.at(-1)?.names[0]).toMatchObject({ state: "failed", code: "NotConverging" });
    expect(calls).toBeLessThan(60);
  });

  test("a sequence that waited goes on from what stands by then, not from an old reading (simulator, F12 315)", async () => {
    const fixture = engineWorld(OPTIONS);
    const { clock, content, engine, zoneInput, reports } = fixture;
    breakCalls(fixture, (call) => (call === 1 ? { kind: "throttled", afterMs: 60_000 } : null));
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(30_000);
    const [marker] = content.at(trustedDnsName("a-www.example.org"));
    if (marker === undefined) throw new Error("the sequence did not begin");
    const values = marker.values.map((value) => value.replace("owner=me", "owner=you"));
    content.write([{ key: marker, next: { ...marker, values } }]);
    await clock.advance(60_000);
    expect(namesOf(fixture)).toEqual(["a-www TXT"]);
    expect(reports.at(-1)?.names[0]).toMatchObject({ state: "held", code: "ForeignMarker" });
  });

  test("a dry run writes nothing, not even a pending marker", async () => {
    const fixture = engineWorld({ ...OPTIONS, dryRun: true });
    const { clock, engine, zoneInput } = fixture;
    engine.openZone(zoneInput);
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(60_000);
    expect(namesOf(fixture)).toEqual([]);
    expect(engine.status()[0]?.open[0]?.changes[0]?.reason.code).toBe("Wanted");
  });
});

test("an atomic zone never sees a pending marker", async () => {
  const fixture = engineWorld();
  const { clock, engine, zoneInput } = fixture;
  const sent: string[] = [];
  fixture.account.breakWith({
    ...NO_FAULTS,
    apply: (_, groups) => {
      sent.push(JSON.stringify(groups.map(({ changes, rest }) => [changes.length, rest, changes])));
      return [];
    },
  });
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  engine.contribute(KEY, entry("www", ["192.0.2.2"]));
  await clock.advance(5_000);
  engine.withdraw(entry("www", []).object, "deleted-object");
  await clock.advance(5_000);
  expect(sent).toHaveLength(3);
  expect(sent.join()).not.toContain("state=");
});
