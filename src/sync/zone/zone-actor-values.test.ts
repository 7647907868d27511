/** Z-10 where a call writes one value: a part of a record set that was cut off is ours. */
import { describe, expect, test } from "vitest";
import { LIKE_ALIDNS } from "../../../test/support/memory-provider/behaviour.ts";
import { type ApplyFault, NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { fakeObserver } from "../../../test/support/values/fake-observer.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";

type EngineFixture = ReturnType<typeof engineWorld>;

/** The data stops after one value: calls are marker, data, marker. */
function cutData({ account }: EngineFixture): void {
  let calls = 0;
  const apply = (): readonly ApplyFault[] =>
    calls++ === 1 ? [{ kind: "partial", changes: 1 }] : [];
  account.breakWith({ ...NO_FAULTS, apply });
}

async function opened(): Promise<EngineFixture> {
  const fixture = engineWorld({ behaviour: LIKE_ALIDNS });
  fixture.engine.openZone(fixture.zoneInput);
  await fixture.clock.advance(1_000);
  return fixture;
}

const THREE = ["192.0.2.1", "192.0.2.2", "192.0.2.3"];

const NEXT: readonly (readonly [string, readonly string[]])[] = [
  ["changes", ["192.0.2.11", "192.0.2.12", "192.0.2.13"]],
  ["grows", [...THREE, "192.0.2.4", "192.0.2.5"]],
  ["shrinks", ["192.0.2.3"]],
];

describe("Z-10 the actor over a zone that takes one value a call", () => {
  test("a create that was cut off is completed", async () => {
    const fixture = await opened();
    cutData(fixture);
    fixture.engine.contribute(KEY, entry("www", THREE));
    await fixture.clock.advance(10_000);
    expect(fixture.values("www")).toEqual(THREE);
    expect(fixture.values("a-www").join()).not.toContain("state=");
  });

  test.each(NEXT)("a record set that %s is completed, and goes as a whole", async (_, next) => {
    const fixture = await opened();
    fixture.engine.contribute(KEY, entry("www", THREE));
    await fixture.clock.advance(10_000);
    cutData(fixture);
    fixture.engine.contribute(KEY, entry("www", next));
    await fixture.clock.advance(10_000);
    expect(fixture.values("www")).toEqual(next);
    cutData(fixture);
    fixture.engine.withdraw(entry("www", []).object, "deleted-object");
    await fixture.clock.advance(180_000);
    expect([fixture.values("www"), fixture.values("a-www")]).toEqual([[], []]);
  });

  test("a process that comes after completes a create", async () => {
    const first = await opened();
    cutData(first);
    first.engine.contribute(KEY, entry("www", THREE));
    await first.clock.advance(300);
    await first.engine.stop();
    expect(first.values("www")).toEqual(["192.0.2.1"]);
    const second = engineWorld({ behaviour: LIKE_ALIDNS, account: first.account });
    second.engine.openZone(second.zoneInput);
    second.engine.contribute(KEY, entry("www", THREE));
    await second.clock.advance(10_000);
    expect(second.values("www")).toEqual(THREE);
    expect(second.values("a-www").join()).not.toContain("state=");
  });

  test("a process that comes after ends a removal", async () => {
    const first = await opened();
    first.engine.contribute(KEY, entry("www", THREE));
    await first.clock.advance(30_000);
    cutData(first);
    first.engine.withdraw(entry("www", []).object, "deleted-object");
    await first.clock.advance(300);
    await first.engine.stop();
    expect(first.values("www")).toEqual(THREE.slice(1));
    const { account, state } = first;
    const observer = fakeObserver("absent");
    const second = engineWorld({ behaviour: LIKE_ALIDNS, account, state, observer });
    second.engine.openZone(second.zoneInput);
    await second.clock.advance(180_000);
    expect([second.values("www"), second.values("a-www")]).toEqual([[], []]);
  });

  test("a value of somebody else beside a part of ours stays, and so does the marker", async () => {
    const fixture = await opened();
    fixture.engine.contribute(KEY, entry("www", THREE));
    await fixture.clock.advance(10_000);
    const { content } = fixture;
    cutData(fixture);
    const { apply } = fixture.account.faults;
    const read = () => {
      const [set] = content.all().filter(({ type }) => type === "A");
      if (set?.values.length === 2)
        content.write([{ key: set, next: { ...set, values: ["192.0.2.2", "203.0.113.9"] } }]);
      return [];
    };
    fixture.account.breakWith({ apply, read });
    fixture.engine.withdraw(entry("www", []).object, "deleted-object");
    await fixture.clock.advance(180_000);
    expect(fixture.values("www")).toEqual(["192.0.2.2", "203.0.113.9"]);
    expect(fixture.values("a-www").join()).toContain("state=pending");
  });

  test("… and the other records of the name go, with their markers (F23-alidns 170)", async () => {
    const fixture = await opened();
    const [addresses, text] = [entry("www", THREE), entry("www", ['"hello"'], "TXT")];
    const items = [...addresses.found.items, ...text.found.items];
    fixture.engine.contribute(KEY, { ...addresses, found: { ...addresses.found, items } });
    await fixture.clock.advance(10_000);
    const { content } = fixture;
    const [whole] = content.all().filter(({ type }) => type === "A");
    if (whole === undefined) throw new Error("no record");
    // A stranger comes when our marker says that the record goes.
    const read = () => {
      const isGoing = fixture.values("a-www").join().includes("state=pending");
      const mixed = { ...whole, values: [...THREE, "203.0.113.9"] };
      if (isGoing) content.write([{ key: whole, next: mixed }]);
      return [];
    };
    fixture.account.breakWith({ ...NO_FAULTS, read });
    fixture.engine.withdraw(addresses.object, "deleted-object");
    await fixture.clock.advance(180_000);
    const left = content.all().filter(({ name }) => name === "www.example.org");
    expect(left.map(({ type }) => type)).toEqual(["A"]);
    expect(fixture.values("www")).toEqual([...THREE, "203.0.113.9"]);
    expect(fixture.values("a-www").join()).toContain("state=pending");
    expect(fixture.values("txt-www")).toEqual([]);
    const [shown] = await fixture.engine.explain(whole.name);
    expect(shown?.holds.map(({ key, code }) => `${key.type} ${code}`)).toEqual(["A ForeignValue"]);
    expect(shown?.holds[0]?.message).toContain("delete those that are of somebody else");
    // The stranger's value is deleted by hand: ours follows with the next reading of the zone.
    fixture.account.breakWith(NO_FAULTS);
    content.write([{ key: whole, next: whole }]);
    await fixture.clock.advance(3_600_000);
    expect([fixture.values("www"), fixture.values("a-www")]).toEqual([[], []]);
  });
});
