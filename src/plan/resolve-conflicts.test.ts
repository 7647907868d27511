import { expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import { parseDesired } from "../../test/support/values/zone-text.ts";
import { rankContestants, resolveConflicts } from "./resolve-conflicts.ts";

const DESIRED = parseDesired(`www 300 AAAA 2001:db8::1 ; from=service/a/x created=1
                             www 300 A 192.0.2.1 ; from=service/a/y created=2
                             www 300 CNAME lb.example.com ; from=service/a/z created=3`);

test("winners are sorted by key, the contest by rank", () => {
  const context = { current: [], rules: rulesWith() };
  expect(resolveConflicts(DESIRED, context).winners.map(({ type }) => type)).toEqual(["A", "AAAA"]);
  const rows = rankContestants(DESIRED, context);
  expect(
    rows.map(({ desired: want, winner }) => [want.type, winner?.desired.type ?? null]),
  ).toEqual([
    ["AAAA", null],
    ["A", null],
    ["CNAME", "AAAA"],
  ]);
});

test("who has lost the name blocks nobody", () => {
  const desired = parseDesired(`www 300 A 192.0.2.1 ; from=service/a/x created=1
                               www 300 CNAME lb.example.com ; from=service/a/y created=2
                               www 300 AAAA 2001:db8::1 ; from=service/a/z created=3`);
  const { winners, holds } = resolveConflicts(desired, { current: [], rules: rulesWith() });
  expect(winners.map(({ type }) => type)).toEqual(["A", "AAAA"]);
  expect(holds.map(({ key }) => key.type)).toEqual(["CNAME"]);
});

test.each([
  ["one cluster", {}, "service/a/x"],
  ["several, also where both objects are in one", { c1: 0, c2: 1 }, "service/a/x of cluster c1"],
])("a hold says who has the name, with all values: %s", (_, clusterRank, who) => {
  const desired = parseDesired(`www 300 A 192.0.2.1 ; from=service/a/x created=1
                               www 300 A 192.0.2.2 ; from=service/a/x
                               www 300 A 192.0.2.9 ; from=service/a/y created=2`);
  const { holds } = resolveConflicts(desired, { current: [], rules: rulesWith({ clusterRank }) });
  expect(holds.map(({ code, message }) => `${code} ${message}`)).toEqual([
    `Superseded ${who} has the name with A 192.0.2.1, 192.0.2.2; remove the name from one of the two`,
  ]);
});
