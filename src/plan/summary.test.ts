import { expect, test } from "vitest";
import { rulesWith } from "../../test/support/plan-rules.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/zone-text.ts";
import { planName } from "./plan.ts";
import { countLine, countPlans, planLines } from "./summary.ts";

const plan = (name: string, zone: string, desired = "") =>
  planName(nameOf(name), parseDesired(desired), parseOwned(zone), rulesWith());

const plans = [
  plan("b", "b 300 A 192.0.2.1 ; owner=me", "b 60 A 192.0.2.2\nb 300 AAAA 2001:db8::1"),
  plan("a", "a 300 A 192.0.2.1 ; owner=me\na 300 A 192.0.2.2"),
  plan("c", "c 300 A 192.0.2.9", "c 300 A 192.0.2.1"),
  plan("d", "d 300 A 192.0.2.1 ; owner=me resource=x/y/z", "d 300 A 192.0.2.1"),
];

test("lines are zone text with a sign, sorted by name", () => {
  expect(planLines(plans)).toEqual([
    "- a.example.org 300 A 192.0.2.1, 192.0.2.2",
    "+ b.example.org 300 AAAA 2001:db8::1",
    "~ b.example.org 300 A 192.0.2.1 -> 60 192.0.2.2",
    "! c.example.org A held: ForeignRecord A 192.0.2.9 stands there, without an owner",
    "m d.example.org A owner=me service/default/web",
  ]);
});

test("counts", () => {
  expect(countLine(countPlans(plans))).toBe(
    "1 to create, 1 to replace, 1 to remove, 1 marker, 1 held",
  );
  expect(countLine(countPlans([]))).toBe(
    "0 to create, 0 to replace, 0 to remove, 0 markers, 0 held",
  );
});
