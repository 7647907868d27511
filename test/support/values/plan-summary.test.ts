import { expect, test } from "vitest";
import { planName } from "../../../src/plan/plan.ts";
import { rulesWith } from "./plan-rules.ts";
import { countLine, countPlans, planLines } from "./plan-summary.ts";
import { nameOf, parseDesired, parseOwned, parseZone } from "./zone-text.ts";

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
    "! c.example.org A held: ForeignRecord A 192.0.2.9 exists and has no owner; delete it, or take it over with zonekeeper ownership adopt c.example.org",
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

test("the line of a removed marker names its owner; that of a permit without an owner names none", () => {
  const [released] = planLines([plan("e", "e 300 A - ; owner=me")]);
  expect(released).toBe("m e.example.org A owner=me removed");
  const [record] = parseZone('_permit.a.f 300 TXT "permit"');
  if (record === undefined) throw new Error("no record");
  const permit = { owner: "me", toOwner: "you", toResource: "a/b/c", record };
  const left = parseOwned("f 300 A 192.0.2.1").map((one) => ({ ...one, permit }));
  expect(planLines([planName(nameOf("f"), [], left, rulesWith())])).toEqual([
    "m f.example.org A owner= removed",
  ]);
});

test("lines of one sign are sorted by their text", () => {
  const both = plan("i", "", "i 60 A 192.0.2.1\ni 300 AAAA 2001:db8::1");
  expect(planLines([both])).toEqual([
    "+ i.example.org 300 AAAA 2001:db8::1",
    "+ i.example.org 60 A 192.0.2.1",
  ]);
});

test("a set identifier is told, and a changed TTL alone", () => {
  const routed = plan("g", "", "g 300 A 192.0.2.1 ; id=eu policy=weighted");
  expect(planLines([routed])).toEqual(["+ g.example.org 300 A 192.0.2.1 ; id=eu"]);
  expect(planLines([plan("h", "h 300 A 192.0.2.1 ; owner=me", "h 60 A 192.0.2.1")])).toEqual([
    "~ h.example.org 300 A 192.0.2.1 -> 60",
  ]);
});
