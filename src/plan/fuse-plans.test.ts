import { describe, expect, test } from "vitest";
import { rulesWith } from "../../test/support/plan-rules.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/zone-text.ts";
import type { NamePlan, OwnedRecordSet } from "./changes.ts";
import { approveFuse, newFuse } from "./fuse.ts";
import { type FuseScene, throughFuse } from "./fuse-plans.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";

const weak: Partial<PlanRules> = { absence: { proven: true, proof: "missing-from-list" } };

/** Plans every name of a zone against what is wanted. */
function plansOf(zone: string, desired: string, rules: Partial<PlanRules> = {}) {
  const owned = parseOwned(zone);
  const wanted = parseDesired(desired);
  const names = [...new Set([...owned, ...wanted].map((one) => one.name))];
  const plans = names.map((name) =>
    planName(
      name,
      wanted.filter((one) => one.name === name),
      owned.filter((one) => one.name === name),
      rulesWith(rules),
    ),
  );
  return { plans, scene: sceneOf(owned) };
}

function sceneOf(owned: readonly OwnedRecordSet[]): FuseScene {
  const ours = owned.filter((one) => one.marker?.owner === "me" && one.data !== null);
  return {
    nowMs: 0,
    owned: ours.length,
    ownedNames: new Set(ours.map((one) => one.name)).size,
    ownedAt: (name) => ours.filter((one) => one.name === name).length,
    version: "v1",
  };
}

const zoneOf = (count: number, line = "A 192.0.2.1") =>
  Array.from({ length: count }, (_, index) => `n${index} 300 ${line} ; owner=me`).join("\n");
const wantsOf = (count: number, line: string) => zoneOf(count, line).replaceAll(" ; owner=me", "");
const changed = (plans: readonly NamePlan[]) => plans.flatMap((plan) => plan.changes).length;
const codes = (plans: readonly NamePlan[]) => [
  ...new Set(plans.flatMap((plan) => plan.holds.map((hold) => hold.code))),
];

/** The same zone in the middle of its sequences (Z-10). */
function pending({ plans, scene }: ReturnType<typeof plansOf>) {
  const labels = { state: "pending", data: "0+" };
  const during = plans.map((plan) => ({
    ...plan,
    changes: plan.changes.map((change) => {
      const { current } = change;
      if (current?.marker == null) return change;
      const marker = { ...current.marker, labels: { ...current.marker.labels, ...labels } };
      return { ...change, current: { ...current, marker } };
    }),
  }));
  return { plans: during, scene };
}

describe("removals", () => {
  test("Z-10 the steps of a removal are one item: counted once, approved once", () => {
    const before = plansOf(zoneOf(12), "");
    const tripped = throughFuse(newFuse(), before.plans, before.scene).state;
    const approved = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const during = pending(before);
    expect(changed(throughFuse(approved, during.plans, during.scene).plans)).toBe(12);
    const few = plansOf(zoneOf(9), "", {});
    const scene = { ...few.scene, ownedNames: 40, owned: 40 };
    const first = throughFuse(newFuse(), few.plans, scene).state;
    const second = throughFuse(first, pending(few).plans, scene);
    expect(second.state.passed).toHaveLength(9);
    expect(codes(second.plans)).toEqual([]);
  });

  test("too many become holds that say which set to approve", () => {
    const { plans, scene } = plansOf(zoneOf(12), "");
    const { state, plans: passed } = throughFuse(newFuse(), plans, scene);
    expect(changed(passed)).toBe(0);
    expect(codes(passed)).toEqual(["FuseTripped"]);
    expect(passed[0]?.holds[0]?.message).toContain(state.frozen?.hash ?? "none");
    expect(passed[0]?.holds[0]?.provenance?.name).toBe("web");
    const later = throughFuse(state, plansOf("x 300 A 192.0.2.1 ; owner=me", "").plans, scene);
    expect(later.plans[0]?.holds[0]?.message).toContain("earlier set");
    const approved = approveFuse(later.state, state.frozen?.hash ?? "") ?? newFuse();
    expect(changed(throughFuse(approved, plans, scene).plans)).toBe(12);
  });

  test("the last name of the zone needs the strong proof, or another name in its place", () => {
    const gone = plansOf(zoneOf(1), "", weak);
    expect(codes(throughFuse(newFuse(), gone.plans, gone.scene).plans)).toEqual(["FuseTripped"]);
    const moved = plansOf(zoneOf(1), "other 300 A 192.0.2.1", weak);
    expect(changed(throughFuse(newFuse(), moved.plans, moved.scene).plans)).toBe(2);
    const sure = plansOf(zoneOf(1), "");
    expect(changed(throughFuse(newFuse(), sure.plans, sure.scene).plans)).toBe(1);
  });

  test("a marker that stands in a registry outside the zone counts by its labels", () => {
    const { plans, scene } = plansOf(zoneOf(2), "");
    const { state } = throughFuse(newFuse(), plans, scene);
    const other = plansOf(zoneOf(2).replaceAll("owner=me", "owner=me resource=service/a/b"), "");
    expect(throughFuse(state, other.plans, scene).state.passed.length).toBe(4);
  });
});

describe("a replacement is never held as a removal (Z-16)", () => {
  const lines = ["A 192.0.2.2", "CNAME lb.example.com", "AAAA 2001:db8::1", 'TXT "x"'];
  const cases = lines.flatMap((line) => [1, 9, 10, 31].map((count) => [count, line] as const));
  test.each(cases)("%i names that become %s pass", (count, wanted) => {
    for (const rules of [weak, {}]) {
      const start = plansOf(zoneOf(count), wantsOf(count, "A 192.0.2.1"));
      const seen = throughFuse(newFuse(), start.plans, start.scene).state;
      const { plans, scene } = plansOf(zoneOf(count), wantsOf(count, wanted), rules);
      const replacing = plans.map((plan) => ({
        ...plan,
        changes: plan.changes.filter((one) => one.proof === null),
      }));
      const result = throughFuse(seen, replacing, scene);
      expect(result.plans).toEqual(replacing);
      expect(result.state.passed).toEqual([]);
    }
  });

  test("but the first plan of a version holds them, with the creates that need their place", () => {
    const { plans, scene } = plansOf(zoneOf(12), wantsOf(12, "CNAME lb.example.com"));
    const first = throughFuse(newFuse(), plans, scene);
    expect(changed(first.plans)).toBe(0);
    expect(first.plans[0]?.holds.map((hold) => hold.key.type)).toEqual(["A", "CNAME"]);
    const approved = approveFuse(first.state, first.state.heldUpdates?.hash ?? "") ?? newFuse();
    expect(throughFuse(approved, plans, scene).plans).toEqual(plans);
  });

  test("an adoption with new values is an update too", () => {
    const keys = [{ name: nameOf("www"), type: "A", setIdentifier: null }];
    const rules = { adoption: { mode: "listed", keys } } as const;
    const { plans, scene } = plansOf("www 300 A 192.0.2.9", "www 300 A 192.0.2.1", rules);
    expect(throughFuse(newFuse(), plans, scene).plans).toEqual(plans);
  });
});
