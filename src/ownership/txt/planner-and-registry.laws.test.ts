import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runsOf } from "../../../test/support/values/law-runs.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  ORIGIN,
  parseDesired,
  parseOwned,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { round, settle, type World } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import { planName } from "../../plan/plan.ts";
import { openTxtOwnership } from "./ownership.ts";

/** `ZONEKEEPER_LAW_RUNS=10000` digs deeper. */
const RUNS = runsOf(Number(process.env["ZONEKEEPER_LAW_RUNS"] ?? "1000"));
const NAMES = ["foo", "a-foo", "cname-foo", "*", "@", "x".repeat(63), "_owner.a.foo"];
const DATA = [
  "A 192.0.2.1",
  "A 192.0.2.2",
  "AAAA 2001:db8::1",
  "CNAME lb.example.com",
  'TXT "hello"',
];
const OBJECTS = ["service/default/web", "ingress/a/x"];

const name = fc.constantFrom(...NAMES);
const data = fc.constantFrom(...DATA);
const object = fc.constantFrom(...OBJECTS);

/** Any marker anywhere: typed, fallback, legacy; ours, another's; with or without its data. */
const marker = fc
  .record({
    markerName: fc.constantFrom(
      "a-foo",
      "cname-foo",
      "txt-a-foo",
      "_owner.a.foo",
      "foo",
      "_owner.a",
      "_owner.cname._wildcard",
    ),
    owner: fc.constantFrom("me", "you"),
    object,
  })
  .map(
    ({ markerName, owner, object: resource }) =>
      `${markerName} 300 TXT "heritage=external-dns,external-dns/owner=${owner},external-dns/resource=${resource}"`,
  );
const line = fc.record({ name, data }).map((one) => `${one.name} 300 ${one.data}`);
/** Lines are written one by one, so that the zone drops what DNS forbids. */
const zoneText = fc.array(fc.oneof(line, marker), { maxLength: 10 });
const desiredText = fc.array(
  fc
    .record({ name, data, object })
    .map((one) => `${one.name} 300 ${one.data} ; from=${one.object} created=${one.object.length}`),
  { maxLength: 6 },
);

function zoneOf(lines: readonly string[]): ZoneModel {
  const zone = new ZoneModel([]);
  for (const one of lines) for (const next of parseZone(one)) zone.write({ op: "create", next });
  return zone;
}

function worldOf(zone: ZoneModel, desired: readonly string[]): World {
  const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (owner) => owner === "me" });
  return { zone, ownership, desired: parseDesired(desired.join("\n")), rules: rulesWith() };
}

/**
 * Everything in the zone that is not ours: foreign and contested data with its markers, texts,
 * others' markers.
 */
async function foreign(world: World): Promise<readonly RecordSet[]> {
  const owned = await world.ownership.read(world.zone.all());
  const marked = owned.filter((one) => one.marker?.owner === "me" && !one.contested);
  const isOwnedByUs = (set: RecordSet) =>
    marked.some(({ data: found }) => found !== null && isSameKey(found, set)) ||
    set.values.every((value) => value.includes("external-dns/owner=me,"));
  return world.zone.all().filter((set) => !isOwnedByUs(set));
}

describe("laws of planner and TXT registry together", () => {
  test("law: plan(apply(c), d) = nothing; nothing foreign changes; no data of ours is without marker", async () => {
    await fc.assert(
      fc.asyncProperty(zoneText, desiredText, async (lines, desired) => {
        const world = worldOf(zoneOf(lines), desired);
        const before = await foreign(world);
        await settle(world);
        for (const set of before) {
          const now = world.zone.at(set.name).find((one) => isSameKey(one, set));
          expect(now !== undefined && hasSameData(now, set), showZone([set])).toBe(true);
        }
        const owned = await world.ownership.read(world.zone.all());
        for (const one of owned.filter(({ data: found }) => found !== null))
          expect(one.marker?.owner === "me" || before.some((set) => isSameKey(set, one))).toBe(
            true,
          );
        // Under proof of absence a marker of ours outlives its data only at a name whose desired
        // set is held, or beside foreign records.
        const orphans = owned.filter(
          (one) => one.data === null && one.marker?.owner === "me" && !one.contested,
        );
        const isShared = (set: RecordSet) => set.type === "TXT" && set.values.length > 1;
        if (!world.zone.all().some(isShared))
          for (const one of orphans)
            expect(world.desired.some((want) => want.name === one.name)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test("law: one round is enough unless markers have to move", async () => {
    await fc.assert(
      fc.asyncProperty(desiredText, async (desired) => {
        const world = worldOf(zoneOf([]), desired);
        const first = await round(world);
        const second = await round(world);
        const moved = first
          .concat(second)
          .some(
            (group) =>
              group.name.startsWith("a-foo") ||
              group.name.startsWith("cname-foo") ||
              group.name.startsWith("_owner"),
          );
        if (!moved) expect(second).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  test("law: the order of desired and current changes nothing", () => {
    const owner = fc.constantFrom("", " ; owner=me", " ; owner=you", " ; owner=me contested");
    const current = fc.uniqueArray(fc.record({ data, owner }), {
      selector: (one) => one.data.split(" ")[0],
      maxLength: 4,
    });
    const wants = fc.array(fc.record({ data, object, created: fc.nat(3) }), { maxLength: 6 });
    fc.assert(
      fc.property(current, wants, fc.infiniteStream(fc.nat()), (zone, wanted, order) => {
        const sets = parseOwned(zone.map((one) => `foo 300 ${one.data}${one.owner}`).join("\n"));
        const desired = wanted.flatMap((one) =>
          parseDesired(`foo 300 ${one.data} ; from=${one.object} created=${one.created}`),
        );
        const shuffled = <T>(all: readonly T[]) =>
          all
            .map((one) => ({ one, at: Number(order.next().value) }))
            .sort((a, b) => a.at - b.at)
            .map(({ one }) => one);
        const foo = parseZone("foo 300 A 192.0.2.1")[0]?.name ?? ORIGIN;
        expect(planName(foo, shuffled(desired), shuffled(sets), rulesWith())).toEqual(
          planName(foo, desired, sets, rulesWith()),
        );
      }),
      { numRuns: RUNS },
    );
  });

  test("law: no change of a plan touches what is not ours", () => {
    const owner = fc.constantFrom("", " ; owner=you", " ; owner=me contested");
    const current = fc.uniqueArray(fc.record({ data, owner }), {
      selector: (one) => one.data.split(" ")[0],
    });
    fc.assert(
      fc.property(current, desiredText, (zone, desired) => {
        const sets = parseOwned(zone.map((one) => `foo 300 ${one.data}${one.owner}`).join("\n"));
        const wanted = parseDesired(desired.join("\n")).filter((one) => one.name.startsWith("foo"));
        const foo = parseZone("foo 300 A 192.0.2.1")[0]?.name ?? ORIGIN;
        for (const { change, current: found } of planName(foo, wanted, sets, rulesWith()).changes) {
          expect(change?.op).toBe("create");
          expect(found).toBeNull();
        }
      }),
      { numRuns: RUNS },
    );
  });
});
