import { expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import { nameOf, parseDesired } from "../../test/support/values/zone-text.ts";
import { admitDesired } from "./admit-desired.ts";

test("nothing wanted is nothing admitted", () => {
  expect(admitDesired([], rulesWith())).toEqual({ contenders: [], refused: [], holds: [] });
});

test("a record set that nobody may have is refused for the reason that the rules give", () => {
  const [refusedSet, free] = parseDesired('www 300 TXT "heritage=x"\napi 300 TXT "y"');
  if (refusedSet === undefined || free === undefined) throw new Error("two record sets are needed");
  const blocker = { code: "ReservedName", message: "a text in the form of a marker" } as const;
  const refused = new Map([[refusedSet, blocker]]);
  const admitted = admitDesired([refusedSet, free], rulesWith({ refused }));
  expect(admitted).toMatchObject({ contenders: [free], refused: [refusedSet] });
  expect(admitted.holds).toEqual([
    {
      key: { name: refusedSet.name, type: "TXT", setIdentifier: null },
      ...blocker,
      provenance: refusedSet.provenance,
      isRefused: true,
    },
  ]);
});

test.each([
  ["NS ns.example.com", true],
  ["DS 1 13 2 00", true],
  ["A 192.0.2.1", false],
])("at a delegation %s is admitted: %s", (line, isAdmitted) => {
  const desired = parseDesired(`sub 300 ${line}`);
  const managedTypes = new Set(["NS", "DS", "A"]);
  const at = admitDesired(desired, rulesWith({ managedTypes, delegatedAt: nameOf("sub") }));
  expect(at.contenders.length === 1).toBe(isAdmitted);
  const above = admitDesired(desired, rulesWith({ managedTypes, delegatedAt: nameOf("@") }));
  expect(above.holds.map(({ code }) => code)).toEqual(["Delegated"]);
});
