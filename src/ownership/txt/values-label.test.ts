/** Markers that say which values are their owner's, where a call compares nothing (Z-27). */
import { describe, expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { ORIGIN, parseDesired, parseZone } from "../../../test/support/values/zone-text.ts";
import { settle } from "../../../test/support/worlds/reconcile.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { RecordSet } from "../../model/record-set.ts";
import { valueHashes } from "../data-hash.ts";
import { openTxtOwnership } from "./ownership.ts";

const LONG = `service/${"n".repeat(60)}/${"w".repeat(45)}`;

function worldOf(desired: string, isMerging: boolean, atomic = true) {
  const isOwnedByUs = (owner: string) => owner === "me";
  return {
    zone: new ZoneModel([], { atomic }),
    ownership: openTxtOwnership({ apex: ORIGIN, isOwnedByUs, atomic, isMerging }),
    desired: parseDesired(desired),
    rules: rulesWith({}),
  };
}

function markerIn(sets: readonly RecordSet[]): string {
  return sets.find(({ type }) => type === "TXT")?.values[0] ?? "";
}

const ONE = "www 300 A 192.0.2.1";
const hashOf = (text: string): string => parseZone(text).map(valueHashes).join("");

describe("Z-27 the label `values`", () => {
  test.each([true, false])(
    "a final marker has it (atomic: %s), and a rewrite keeps it right",
    async (atomic) => {
      const world = worldOf(ONE, true, atomic);
      await settle(world);
      expect(markerIn(world.zone.all())).toContain(`external-dns/values=${hashOf(ONE)}"`);
      const two = `${ONE}\nwww 300 A 192.0.2.2`;
      await settle({ ...world, desired: parseDesired(two) });
      const marker = markerIn(world.zone.all());
      expect(marker).toContain(`external-dns/values=${hashOf(two)}"`);
      expect(marker).not.toContain("state=");
    },
  );

  test("no marker has it where the back end compares", async () => {
    const world = worldOf(ONE, false);
    await settle(world);
    expect(markerIn(world.zone.all())).not.toContain("values=");
  });

  test("values beyond it are foreign", async () => {
    const world = worldOf(ONE, true);
    await settle(world);
    const sets = world.zone
      .all()
      .map((set) => (set.type === "A" ? { ...set, values: [...set.values, "198.51.100.1"] } : set));
    const read = await world.ownership.read(sets);
    expect(read.map(({ foreignValues }) => foreignValues)).toEqual([["198.51.100.1"]]);
    const [alone] = await world.ownership.read(world.zone.all());
    expect(alone?.foreignValues).toBeUndefined();
  });

  test("it goes first where the marker has no room for it", async () => {
    const many = Array.from(
      { length: 12 },
      (_, at) => `www 300 A 192.0.2.${at + 1} ; from=${LONG}`,
    );
    const world = worldOf(many.join("\n"), true);
    await settle(world);
    const marker = markerIn(world.zone.all());
    expect(marker).toContain(LONG);
    expect(marker).not.toContain("values=");
  });
});
