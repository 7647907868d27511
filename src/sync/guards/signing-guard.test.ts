import { expect, test } from "vitest";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { nameOf, parseDesired } from "../../../test/support/values/zone-text.ts";
import type { NamePlan } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import { SigningGuard } from "./signing-guard.ts";

const PLAN = planName(nameOf("www"), parseDesired("www 300 A 192.0.2.1"), [], rulesWith());
const counts = (unsigned: number) => ({
  owned: 1,
  ownedNames: 1,
  ownedAt: () => 1,
  ownedIn: () => 1,
  unsigned,
});

function guarded() {
  const seen: (readonly NamePlan[])[] = [];
  let rechecks = 0;
  const inner = {
    admit: async (plans: readonly NamePlan[]) => {
      seen.push(plans);
      return plans;
    },
    approve: async (hash: string) => hash === "yes",
    heldSets: () => [],
    close: () => seen.push([]),
  };
  const guard = new SigningGuard(inner, () => {
    rechecks += 1;
  });
  const codes = async (unsigned: number): Promise<readonly string[]> => {
    const [plan] = await guard.admit([PLAN], counts(unsigned));
    return plan?.changes.length === 0 ? plan.holds.map(({ code }) => code) : ["passes"];
  };
  return { guard, codes, seen, rechecks: () => rechecks };
}

test("Z-13 require is refused while an unsigned marker of ours is left, and accepted for good afterwards", async () => {
  const { codes, seen, rechecks } = guarded();
  expect(await codes(2)).toEqual(["SigningRefused"]);
  expect([seen.length, rechecks()]).toEqual([0, 0]);
  // The last one is gone: everything comes again, so that the fuse sees it as a whole.
  expect(await codes(0)).toEqual(["SigningRefused"]);
  expect([seen.length, rechecks()]).toEqual([0, 1]);
  expect(await codes(0)).toEqual(["passes"]);
  // One that appears now was written by somebody else.
  expect(await codes(1)).toEqual(["passes"]);
});

test("the refusal names the first markers that stand in the way", async () => {
  const { guard } = guarded();
  const names = ["a-x", "a-y", "a-z", "a-more"].map((name) => `${name}.example.org`);
  const unsignedNames = (most: number) => names.slice(0, most);
  const [many] = await guard.admit([PLAN], { ...counts(4), unsignedNames });
  expect(many?.holds[0]?.message).toContain(
    "not signed: 4 (TXT a-x.example.org, TXT a-y.example.org, TXT a-z.example.org, …);",
  );
  const one = { ...counts(1), unsignedNames: () => ["a-half.example.org"] };
  const [single] = await guard.admit([PLAN], one);
  expect(single?.holds[0]?.message).toContain("not signed: 1 (TXT a-half.example.org);");
});

test("a zone without one passes at once; the rest is the other guard's", async () => {
  const { guard, codes, seen } = guarded();
  expect(await codes(0)).toEqual(["passes"]);
  expect([await guard.approve("yes"), await guard.approve("no")]).toEqual([true, false]);
  expect(guard.heldSets()).toEqual([]);
  guard.close();
  expect(seen).toHaveLength(2);
});
