import { describe, expect, test } from "vitest";
import { newFuse, settled } from "../../test/support/values/fuse-items.ts";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import { FUSE_LIMITS } from "../model/fuse-limits.ts";
import type { NamePlan, OwnedRecordSet } from "./changes.ts";
import { approveFuse } from "./fuse.ts";
import { applyFuse, type FuseContext, withoutRemovals } from "./fuse-plans.ts";
import { isWeak } from "./fuse-state.ts";
import type { HoldCode } from "./hold-reasons.ts";
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
  return { plans, context: contextOf(owned) };
}

function contextOf(owned: readonly OwnedRecordSet[]): FuseContext {
  const own = owned.filter((one) => one.marker?.owner === "me" && one.data !== null);
  return {
    nowMs: 0,
    owned: own.length,
    ownedNames: new Set(own.map((one) => one.name)).size,
    ownedIn: () => own.length,
    ownedAt: (name) => own.filter((one) => one.name === name).length,
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
function pending({ plans, context }: ReturnType<typeof plansOf>) {
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
  return { plans: during, context };
}

describe("removals", () => {
  test("a change of type that was approved approves no removal of the same record", () => {
    const { plans, context } = plansOf(zoneOf(12), wantsOf(12, "CNAME x.example"));
    const { state } = applyFuse(newFuse(), plans, context);
    const approved = approveFuse(state, state.heldUpdates?.hash ?? "") ?? newFuse();
    expect(changed(applyFuse(approved, plans, context).plans)).toBe(24);
    const gone = plansOf(zoneOf(12), "", weak);
    expect(changed(applyFuse(approved, gone.plans, context).plans)).toBe(0);
  });

  test("Z-10 the steps of a removal are one item: counted once, approved once", () => {
    const before = plansOf(zoneOf(12), "");
    const tripped = settled(applyFuse(newFuse(), before.plans, before.context).state);
    const approved = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const during = pending(before);
    expect(changed(applyFuse(approved, during.plans, during.context).plans)).toBe(12);
    const few = plansOf(zoneOf(9), "", {});
    const context = { ...few.context, ownedNames: 40, owned: 40 };
    const first = applyFuse(newFuse(), few.plans, context).state;
    const second = applyFuse(first, pending(few).plans, context);
    expect(second.state.passed).toHaveLength(9);
    expect(codes(second.plans)).toEqual([]);
  });

  test("too many become holds that say which set to approve", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const { state: growing, plans: passed } = applyFuse(newFuse(), plans, context);
    const state = settled(growing);
    expect(changed(passed)).toBe(0);
    expect(codes(passed)).toEqual(["FuseTripped"]);
    expect(passed[0]?.holds[0]?.message).toContain(state.frozen?.hash ?? "none");
    expect(passed[0]?.holds[0]?.provenance?.name).toBe("web");
    const later = applyFuse(state, plansOf("x 300 A 192.0.2.1 ; owner=me", "").plans, context);
    expect(later.plans[0]?.holds[0]?.message).toContain("earlier set");
    const approved = approveFuse(later.state, state.frozen?.hash ?? "") ?? newFuse();
    expect(changed(applyFuse(approved, plans, context).plans)).toBe(12);
  });

  test("the last name of the zone needs the strong proof, or another name in its place", () => {
    const gone = plansOf(zoneOf(1), "", weak);
    expect(codes(applyFuse(newFuse(), gone.plans, gone.context).plans)).toEqual(["FuseTripped"]);
    const moved = plansOf(zoneOf(1), "other 300 A 192.0.2.1", weak);
    expect(changed(applyFuse(newFuse(), moved.plans, moved.context).plans)).toBe(2);
    const sure = plansOf(zoneOf(1), "");
    expect(changed(applyFuse(newFuse(), sure.plans, sure.context).plans)).toBe(1);
  });

  test("a marker that stands in a registry outside the zone counts by its labels", () => {
    const { plans, context } = plansOf(zoneOf(2), "");
    const { state } = applyFuse(newFuse(), plans, context);
    const other = plansOf(zoneOf(2).replaceAll("owner=me", "owner=me resource=service/a/b"), "");
    expect(applyFuse(state, other.plans, context).state.passed.length).toBe(4);
  });
});

describe("a replacement is never held as a removal (Z-16)", () => {
  const lines = ["A 192.0.2.2", "CNAME lb.example.com", "AAAA 2001:db8::1", 'TXT "x"'];
  const cases = lines.flatMap((line) => [1, 9, 10, 31].map((count) => [count, line] as const));
  test.each(cases)("%i names that become %s pass", (count, wanted) => {
    for (const rules of [weak, {}]) {
      const start = plansOf(zoneOf(count), wantsOf(count, "A 192.0.2.1"));
      const seen = applyFuse(newFuse(), start.plans, start.context).state;
      const { plans, context } = plansOf(zoneOf(count), wantsOf(count, wanted), rules);
      const replacing = plans.map((plan) => ({
        ...plan,
        changes: plan.changes.filter((one) => one.proof === null),
      }));
      const result = applyFuse(seen, replacing, context);
      expect(result.plans).toEqual(replacing);
      expect(result.state.passed).toEqual([]);
    }
  });

  test("but the first plan of a version holds them, with the creates that need their place", () => {
    const { plans, context } = plansOf(zoneOf(12), wantsOf(12, "CNAME lb.example.com"));
    const first = applyFuse(newFuse(), plans, context);
    expect(changed(first.plans)).toBe(0);
    expect(first.plans[0]?.holds.map((hold) => hold.key.type)).toEqual(["A", "CNAME"]);
    const hash = first.state.heldUpdates?.hash ?? "";
    const approved = approveFuse(first.state, hash) ?? newFuse();
    // Each says with which set a person approved it, the creates of its name, too.
    expect(applyFuse(approved, plans, context).plans).toEqual(
      plans.map((plan) => ({
        ...plan,
        changes: plan.changes.map((change) => ({ ...change, approved: hash })),
      })),
    );
  });

  test("an adoption with new values is an update too", () => {
    const keys = [{ name: nameOf("www"), type: "A", setIdentifier: null }];
    const rules = { adoption: { mode: "listed", keys } } as const;
    const { plans, context } = plansOf("www 300 A 192.0.2.9", "www 300 A 192.0.2.1", rules);
    expect(applyFuse(newFuse(), plans, context).plans).toEqual(plans);
  });
});

describe("while the counters cannot be kept, no removal passes", () => {
  test("whatever its proof; everything else goes on", () => {
    const zone = `a 300 A 192.0.2.1 ; owner=me
                  a 300 TXT "x" ; owner=me
                  b 300 A 192.0.2.1 ; owner=me
                  c 300 A 192.0.2.9`;
    const desired = `a 300 A 192.0.2.2
                     b 300 CNAME lb.example.com
                     c 300 A 192.0.2.1`;
    const { plans } = plansOf(zone, desired);
    const passed = withoutRemovals(plans, "the ConfigMap is forbidden");
    expect(passed[0]?.changes.map(({ change }) => change?.op)).toEqual(["replace"]);
    expect(passed[0]?.holds).toEqual([
      {
        key: { name: nameOf("a"), type: "TXT", setIdentifier: null },
        code: "FuseBlind",
        message:
          "removals wait until the counters of the fuse can be read and stored: the ConfigMap is forbidden",
        provenance: { cluster: "", kind: "service", namespace: "default", name: "web" },
        change: plans[0]?.changes.find(({ change }) => change?.op === "remove")?.change,
        proof: "deleted-object",
      },
    ]);
    expect(passed.slice(1), "a change of type is none, and other holds stay").toEqual(
      plans.slice(1),
    );
    expect(passed[2]?.holds.map(({ code }) => code)).toEqual(["ForeignRecord"]);
  });

  test("the permit that a held removal would have taken along goes all the same, and first", () => {
    const [record] = parseZone('_permit.a.a 300 TXT "permit"');
    if (record === undefined) throw new Error("no record");
    const permit = { owner: "me", toOwner: "you", toResource: "service/b/next", record };
    const owned = parseOwned("a 300 A 192.0.2.1 ; owner=me").map((one) => ({ ...one, permit }));
    const created = parseDesired('a 300 TXT "x" ; from=service/b/other');
    const plan = planName(nameOf("a"), created, owned, rulesWith());
    expect(plan.changes).toHaveLength(2);
    const [passed] = withoutRemovals([plan], "");
    expect(passed?.changes.map(({ change, permit: p }) => [change, p])).toEqual([
      [null, { is: "withdrawn", alone: true }],
    ]);
    expect(passed?.holds.map(({ code }) => code)).toEqual(["FuseBlind"]);
    const foreign = owned.map((one) => ({ ...one, permit: { ...permit, owner: "north" } }));
    const [other] = withoutRemovals([planName(nameOf("a"), [], foreign, rulesWith())], "");
    expect(other?.changes).toEqual([]);
  });

  test("holds of the name stay beside those of the fuse", () => {
    const zone = 'a 300 A 192.0.2.9\na 300 TXT "x" ; owner=me';
    const { plans, context } = plansOf(zone, "a 300 A 192.0.2.1", weak);
    const both = ["ForeignRecord", "FuseBlind"];
    expect(withoutRemovals(plans, "")[0]?.holds.map(({ code }) => code)).toEqual(both);
    const fused = applyFuse(newFuse(), plans, context).plans[0];
    expect(fused?.holds.map(({ code }) => code)).toEqual(["ForeignRecord", "FuseTripped"]);
  });
});

describe("what the fuse knows of the zone", () => {
  test("the threshold may be another", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const some = plans.slice(0, 5);
    expect(changed(applyFuse(newFuse(), some, context).plans)).toBe(5);
    const limits = { ...FUSE_LIMITS, strong: 4 };
    expect(changed(applyFuse(newFuse(), some, { ...context, limits }).plans)).toBe(0);
  });

  test("a name that is as wanted counts as planned, and another does not", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const state = settled(applyFuse(newFuse(), plans, context).state);
    expect(state.frozen?.items).toHaveLength(12);
    const left = (isAsWanted?: FuseContext["isAsWanted"]) =>
      applyFuse(state, [], isAsWanted === undefined ? context : { ...context, isAsWanted }).state
        .frozen?.items.length ?? 0;
    expect([left(), left((name) => name === nameOf("n0")), left(() => true)]).toEqual([12, 11, 0]);
  });

  test("an approval outlasts what is not known, and ends with a plan without it", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const tripped = settled(applyFuse(newFuse(), plans, context).state);
    const approved = approveFuse(tripped, tripped.frozen?.hash ?? "") ?? newFuse();
    const left = (code: HoldCode) => {
      const holdsOnly = plans.map(({ name, changes }) => ({
        ...{ name, changes: [] },
        holds: changes.map(({ key }) => ({ key, code, message: "", provenance: null })),
      }));
      return applyFuse(approved, holdsOnly, context).state.approvedRemovals.length;
    };
    expect([left("NotSynced"), left("ClusterChanged"), left("NoTargets")]).toEqual([12, 12, 0]);
  });

  test("a removal that nobody can be told of is held without an object", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const bare = plans.map((plan) => ({
      ...plan,
      changes: plan.changes.map((one) => ({ ...one, current: null })),
    }));
    const [held] = applyFuse(newFuse(), bare, context).plans;
    expect(held?.holds.map(({ code, provenance }) => [code, provenance])).toEqual([
      ["FuseTripped", null],
    ]);
  });

  test("a held change says what would be written and how a removal is known", () => {
    const removed = plansOf(zoneOf(12), "", weak);
    const [gone] = applyFuse(newFuse(), removed.plans, removed.context).plans;
    expect(gone?.holds).toMatchObject([
      { change: { op: "remove", previous: { values: ["192.0.2.1"] } }, proof: "missing-from-list" },
    ]);
    const edited = plansOf(zoneOf(12), wantsOf(12, "A 192.0.2.2"));
    const [held] = applyFuse(newFuse(), edited.plans, edited.context).plans;
    expect(held?.holds).toMatchObject([
      {
        change: {
          op: "replace",
          previous: { values: ["192.0.2.1"] },
          next: { values: ["192.0.2.2"] },
        },
        proof: null,
      },
    ]);
  });

  test("a change that is held is told to the object that wants it", () => {
    const { plans, context } = plansOf(
      zoneOf(12).replaceAll("owner=me", "owner=me resource=service/default/old"),
      wantsOf(12, "A 192.0.2.2"),
    );
    const [held] = applyFuse(newFuse(), plans, context).plans;
    expect(held?.holds.map(({ provenance }) => provenance?.name)).toEqual(["web"]);
  });

  test("a held removal does not hold the creates of its name", () => {
    const zone = zoneOf(12, 'TXT "x"');
    const { plans, context } = plansOf(zone, wantsOf(12, "A 192.0.2.1"));
    const [fused] = applyFuse(newFuse(), plans, context).plans;
    expect(fused?.changes.map(({ change }) => change?.op)).toEqual(["create"]);
    expect(fused?.holds.map(({ key }) => key.type)).toEqual(["TXT"]);
  });
});

describe("what counts as what", () => {
  const both = (count: number, type: string) => `${zoneOf(count)}\n${zoneOf(count, type)}`;

  test("creates are no updates, removals neither, and no update is weak", () => {
    const creates = plansOf("", wantsOf(12, "A 192.0.2.1"));
    expect(applyFuse(newFuse(), creates.plans, creates.context).state.heldUpdates).toBeNull();
    const gone = plansOf(zoneOf(12), "", weak);
    const tripped = settled(applyFuse(newFuse(), gone.plans, gone.context).state);
    expect([tripped.frozen?.items.length, tripped.heldUpdates]).toEqual([12, null]);
    expect(tripped.frozen?.items.every(isWeak)).toBe(true);
    const changes = plansOf(zoneOf(12), wantsOf(12, "A 192.0.2.2"));
    const held = applyFuse(newFuse(), changes.plans, changes.context).state.heldUpdates;
    expect(held?.items.map(isWeak)).toEqual(Array(12).fill(false));
  });

  test("a name that was planned without its removal leaves the set", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const state = settled(applyFuse(newFuse(), plans, context).state);
    const back = plansOf(zoneOf(1), wantsOf(1, "A 192.0.2.1")).plans;
    expect(applyFuse(state, back, context).state.frozen?.items).toHaveLength(11);
  });

  test("labels of a marker in another order are the same marker", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const state = settled(applyFuse(newFuse(), plans, context).state);
    const turned = plans.map((plan) => ({
      ...plan,
      changes: plan.changes.map((one) => {
        if (one.current?.marker == null) return one;
        const labels = Object.fromEntries(Object.entries(one.current.marker.labels).reverse());
        return {
          ...one,
          current: { ...one.current, marker: { ...one.current.marker, labels } },
        };
      }),
    }));
    const again = applyFuse(state, turned, context).state;
    expect([again.frozen?.hash, again.later]).toEqual([state.frozen?.hash, []]);
  });

  test("the last name is not lost while one record set of it stays", () => {
    const { plans, context } = plansOf(both(1, 'TXT "x"'), wantsOf(1, "A 192.0.2.1"), weak);
    expect(changed(applyFuse(newFuse(), plans, context).plans)).toBe(1);
  });

  test("a marker that is left without data beside a held record is none, and goes", () => {
    const { plans, context } = plansOf(zoneOf(12), "");
    const left = parseOwned("n0 300 A - ; owner=me");
    const both = planName(nameOf("n0"), [], [...parseOwned(zoneOf(1)), ...left], rulesWith());
    const [fused] = applyFuse(newFuse(), [both, ...plans.slice(1)], context).plans;
    expect(fused?.changes.map(({ change, current }) => [change, current?.data])).toEqual([
      [null, null],
    ]);
    expect(fused?.holds.map(({ key, code }) => `${key.type} ${code}`)).toEqual(["A FuseTripped"]);
  });

  test("a held replacement does not hold the creates of its name", () => {
    const desired = `${wantsOf(12, "A 192.0.2.2")}\n${wantsOf(12, "AAAA 2001:db8::1")}`;
    const { plans, context } = plansOf(zoneOf(12), desired);
    const [fused] = applyFuse(newFuse(), plans, context).plans;
    expect(fused?.changes.map(({ key }) => key.type)).toEqual(["AAAA"]);
    expect(fused?.holds.map(({ key }) => key.type)).toEqual(["A"]);
  });

  test("a held change of type holds the creates of its name with its hash, and nothing else", () => {
    const rules = { managedTypes: new Set(["A", "ALIAS", "TXT"]) };
    const zone = `${zoneOf(12, "ALIAS lb.example.com")}\n${zoneOf(12, 'TXT "x"').replaceAll("owner=me", "owner=me resource=a/b/c")}`;
    const desired = `${wantsOf(12, "A 192.0.2.1")}\n${wantsOf(12, 'TXT "x"')}`;
    const { plans, context } = plansOf(zone, desired, rules);
    const { plans: fused, state } = applyFuse(newFuse(), plans, context);
    expect(fused[0]?.changes.map(({ key, reason }) => [key.type, reason.code])).toEqual([
      ["TXT", "MarkerOnly"],
    ]);
    expect(fused[0]?.holds.map(({ key }) => key.type)).toEqual(["A", "ALIAS"]);
    for (const hold of fused[0]?.holds ?? [])
      expect(hold.message).toContain(`approve ${state.heldUpdates?.hash} lets`);
  });

  test("a create waits for every record that has to make room, approved ones apart", () => {
    const { plans, context } = plansOf(
      both(12, "AAAA 2001:db8::1"),
      wantsOf(12, "CNAME x.example"),
    );
    const { heldUpdates, ...state } = applyFuse(newFuse(), plans, context).state;
    if (heldUpdates === null) throw new Error("nothing is held");
    const half = {
      ...state,
      approvedUpdates: heldUpdates.items.filter(({ type }) => type === "A"),
      heldUpdates: { ...heldUpdates, items: heldUpdates.items.filter(({ type }) => type !== "A") },
    };
    const [fused] = applyFuse(half, plans, context).plans;
    expect(fused?.changes.map(({ key }) => key.type)).toEqual(["A"]);
    expect(fused?.holds.map(({ key }) => key.type)).toEqual(["AAAA", "CNAME"]);
  });
});

describe("what a caller says and hears of a look", () => {
  const changes = () => plansOf(zoneOf(12), wantsOf(12, "A 192.0.2.2"));
  const namesHeld = ({ plans }: { readonly plans: readonly NamePlan[] }) =>
    plans.filter(({ holds }) => holds.length > 0).map(({ name }) => name);

  test("updates that the caller has made itself are none of a new version", () => {
    const { plans, context } = changes();
    const made = applyFuse(newFuse(), plans, { ...context, isMadeHere: () => true });
    expect(made.plans).toEqual(plans);
    const some = { ...context, isMadeHere: ({ name }: { name: string }) => name === nameOf("n0") };
    const rest = applyFuse(newFuse(), plans, some);
    expect(rest.state.heldUpdates?.items).toHaveLength(11);
  });

  test("a look after the first plan holds no update", () => {
    const { plans, context } = changes();
    const later = applyFuse(newFuse(), plans, { ...context, isFirstPlan: false });
    expect([later.plans, later.state.heldUpdates]).toEqual([plans, null]);
    const first = applyFuse(newFuse(), plans, { ...context, version: "v2", isFirstPlan: true });
    expect(namesHeld(first)).toHaveLength(12);
  });

  test("each name that is held says so; what passes is not", () => {
    const { plans, context } = plansOf(zoneOf(12), wantsOf(12, 'TXT "x"'));
    const held = namesHeld(applyFuse(newFuse(), plans, context));
    expect(held).toEqual(plans.map(({ name }) => name));
    const few = plansOf(zoneOf(3), "");
    expect(namesHeld(applyFuse(newFuse(), few.plans, few.context))).toEqual([]);
    const updates = changes();
    expect(namesHeld(applyFuse(newFuse(), updates.plans, updates.context))).toHaveLength(12);
  });

  test("a change of the marker alone passes beside what is held, and who loses nothing keeps the plan", () => {
    const zone = zoneOf(12).replace("owner=me", "owner=me2").concat('\nn0 300 TXT "x" ; owner=me');
    const { plans, context } = plansOf(zone, wantsOf(1, "A 192.0.2.1"));
    const fused = applyFuse(newFuse(), plans, context);
    expect(fused.plans[0]?.changes.map(({ reason }) => reason.code)).toEqual(["MarkerUpdate"]);
    expect(fused.plans[0]?.holds.map(({ code }) => code)).toEqual(["FuseTripped"]);
    const inSync = plansOf(zoneOf(1), wantsOf(1, "A 192.0.2.1"));
    expect(applyFuse(newFuse(), inSync.plans, inSync.context).plans[0]).toBe(inSync.plans[0]);
    expect(withoutRemovals(inSync.plans, "")[0]).toBe(inSync.plans[0]);
  });
});
