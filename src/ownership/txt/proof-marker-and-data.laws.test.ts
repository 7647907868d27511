/**
 * Proof 2 of docs/safety.md, "Marker and data", exhaustively over one atomic zone: every start,
 * every desired set, and every foreign write between reading and writing. Whatever happens, nothing
 * of somebody else changes, no record of ours stands without its marker, and a write that lost its
 * ground changes nothing.
 */
import { describe, expect, test } from "vitest";
import { isBounded, sampled } from "../../../test/support/values/law-runs.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  nameOf,
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import {
  DESIRED,
  ownMarker as marker,
  MARKED_NAMES as NAMES,
  OWNERS,
  outsiders,
  RECORDS,
  startLines,
} from "../../../test/support/worlds/marker-cases.ts";
import { settle, step, type World } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { hasSameData, isSameKey, type RecordSet } from "../../model/record-set.ts";
import type { Change } from "../../plan/changes.ts";
import { openTxtOwnership } from "./ownership.ts";

function worldOf(
  name: string,
  start: string | null,
  owner: string | null,
  desired: string | null,
): World {
  return {
    zone: new ZoneModel(parseZone(startLines(name, start, owner))),
    ownership: openTxtOwnership({
      apex: ORIGIN,
      isOwnedByUs: (one) => one === "me",
      starInNames: true,
    }),
    desired: desired === null ? [] : parseDesired(`${name} 300 ${desired}`),
    rules: rulesWith(),
  };
}

/** Record sets that are not ours: no marker of ours labels them, and they are none. */
async function foreignSets(world: World): Promise<readonly RecordSet[]> {
  const owned = await world.ownership.read(world.zone.all());
  const ownedByUs = owned.filter((one) => one.marker?.owner === "me" && !one.contested);
  return world.zone.all().filter((set) => {
    const isOurMarker = set.values.every((value) => value === marker("me"));
    return !isOurMarker && !ownedByUs.some(({ data }) => data !== null && isSameKey(data, set));
  });
}

function expectIntact(world: World, sets: readonly RecordSet[], scenario: string): void {
  for (const set of sets) {
    const now = world.zone.at(set.name).find((one) => isSameKey(one, set));
    expect(
      now !== undefined && hasSameData(now, set),
      `${scenario}: ${showZone([set])} changed`,
    ).toBe(true);
  }
}

/** Every record of a value that only we write is marked as ours. */
async function expectMarked(world: World, desired: string | null, scenario: string): Promise<void> {
  const owned = await world.ownership.read(world.zone.all());
  const written = owned.filter(
    ({ type, data }) => data !== null && desired === `${type} ${data.values.join()}`,
  );
  for (const one of written)
    expect(one.contested || one.marker !== null, `${scenario}: ${one.type} without marker`).toBe(
      true,
    );
}

async function play(name: string, start: string | null, owner: string | null): Promise<number> {
  let scenarios = 0;
  for (const desired of DESIRED)
    for (const foreign of [
      null,
      ...sampled(outsiders(name, start, owner), DESIRED.indexOf(desired)),
    ]) {
      const world = worldOf(name, start, owner, desired);
      const scenario = `${name}: ${start} of ${owner}, wanted ${desired}, meanwhile ${JSON.stringify(foreign)}`;
      const prepared = await step(nameOf(name), world);
      if (foreign !== null) world.zone.write(foreign);
      const foreigners = await foreignSets(world);
      const before = showZone(world.zone.all());
      const applied = prepared.group !== null && world.zone.apply(prepared.group);
      if (applied && prepared.group !== null) expectWhole(world, prepared.group.changes, scenario);
      else expect(showZone(world.zone.all()), scenario).toBe(before);
      expectIntact(world, foreigners, scenario);
      await expectMarked(world, desired, scenario);
      await settle(world);
      expectIntact(world, foreigners, scenario);
      await expectMarked(world, desired, scenario);
      scenarios++;
    }
  return scenarios;
}

/** No write of an applied group was dropped in silence. */
function expectWhole(world: World, changes: readonly Change[], scenario: string): void {
  for (const change of changes) {
    if (change.op === "remove") continue;
    const now = world.zone.at(change.next.name).find((one) => isSameKey(one, change.next));
    expect(now?.values, `${scenario}: dropped in silence`).toEqual(change.next.values);
  }
}

describe.each(NAMES)("proof 2, marker and data: %s", (name) => {
  test.each([null, ...RECORDS])(
    "starting from %s",
    async (start) => {
      let scenarios = 0;
      for (const owner of start === null ? [null] : OWNERS)
        scenarios += await play(name, start, owner);
      if (!isBounded) expect(scenarios).toBeGreaterThan(80);
    },
    60_000,
  );
});
