import { describe, expect, test } from "vitest";
import { rulesWith, UNPROVEN } from "../../test/support/values/plan-rules.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import type { DesiredRecordSet } from "../model/record-set.ts";
import { NO_TRANSFER } from "../model/transfer-request.ts";
import type { NamePlan, OwnedRecordSet } from "./changes.ts";
import { markerState } from "./claims.ts";
import { planName } from "./plan.ts";
import type { OrderedChange, PlanRules } from "./rules.ts";

const LINE = "www 300 A 192.0.2.1";
const OWN = `${LINE} ; owner=me`;
const [record] = parseZone('_permit.a.www 300 TXT "permit"');
if (record === undefined) throw new Error("no record");
const OBJECT = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
const permitOf = (owner: string) => ({ owner, toOwner: "you", toResource: "a/b/c", record });
const wants = (text: string, release: boolean) =>
  parseDesired(text).map((one) => ({ ...one, transfer: { ...NO_TRANSFER, release } }));

function lines({ changes, holds }: NamePlan): readonly string[] {
  return [
    ...changes.map(
      (one) =>
        `${one.reason.code} ${one.change?.op ?? "-"} ${one.marker === null ? "-" : "marked"} permit=${one.permit?.is ?? "-"}`,
    ),
    ...holds.map(({ code }) => `! ${code}`),
  ];
}
const plan = (
  desired: readonly DesiredRecordSet[],
  current: readonly OwnedRecordSet[],
  rules: Partial<PlanRules> = {},
) => planName(nameOf("www"), desired, current, rulesWith(rules));

const RELEASED = ["Released - - permit=-"];

describe("in words", () => {
  test("the change says what goes and what stays, the hold how to publish again", () => {
    const [change] = plan(wants(LINE, true), parseOwned(OWN)).changes;
    expect(change?.reason.message).toBe("released: the marker is removed, the record stays");
    const [hold] = plan(wants(LINE, true), []).holds;
    expect(hold?.message).toBe(
      "the object has released its records; remove its annotation zonekeeper.dev/release to publish again",
    );
  });
});

test("until it is done the hold names what is still to be given up, and nobody else's", () => {
  const mine = parseOwned('www 300 AAAA 2001:db8::1 ; owner=me\nwww 300 TXT "x" ; owner=me');
  const half = parseOwned("www 300 MX 10 mx ; owner=me").map((one) => ({ ...one, data: null }));
  const foreign = parseOwned("www 300 SRV 0 0 1 a ; owner=you");
  const message = (...current: readonly OwnedRecordSet[]) =>
    plan(wants(LINE, true), current, UNPROVEN).holds.find(({ code }) => code === "Released")
      ?.message;
  expect(message(...mine, ...half, ...foreign)).toBe(
    "the object releases its records; the marker of its AAAA and TXT record still exists",
  );
  expect(message(...half, ...foreign)).toContain("has released its records");
});

describe("an object that gives its records up", () => {
  test.each<[string, string, readonly string[]]>([
    ["the marker goes and the data stays", OWN, RELEASED],
    ["nothing is written where nothing stands", "", ["! Released"]],
    ["nor where only its marker is left", "www 300 A - ; owner=me", ["! Released"]],
    ["another's record is left alone", `${LINE} ; owner=you`, ["! Released"]],
    [
      "so it is with what it has of another type",
      "www 300 AAAA 2001:db8::1 ; owner=me",
      ["Released - - permit=-", "! Released"],
    ],
    [
      "and with all it has, in one plan",
      `${OWN}\nwww 300 TXT "x" ; owner=me`,
      [...RELEASED, ...RELEASED],
    ],
    [
      "another object's record at the key is not its to give",
      `${LINE} ; owner=me resource=service/b/other`,
      ["! Released"],
    ],
    [
      "nor is one of another type",
      `www 300 AAAA 2001:db8::1 ; owner=me resource=service/b/other`,
      ["! Released", "! NotSynced"],
    ],
  ])("%s", (_, zone, expected) => {
    expect(lines(plan(wants(LINE, true), parseOwned(zone), UNPROVEN))).toEqual(expected);
  });

  test("what a former object left at its key is its own, and given up", () => {
    const former = parseOwned(`${LINE} ; owner=me resource=service/b/other`);
    expect(lines(plan(wants(LINE, true), former))).toEqual(RELEASED);
    const nameless = parseOwned(OWN).map((one) => ({
      ...one,
      marker: one.marker === null ? null : { ...one.marker, resource: null },
    }));
    expect(lines(plan(wants(LINE, true), nameless, UNPROVEN))).toEqual(RELEASED);
  });

  test("nobody says that it is done while a marker of its own stands", () => {
    const retyped = plan(wants("www 300 CNAME a.example.net", true), parseOwned(OWN), UNPROVEN);
    expect(lines(retyped)).toEqual([...RELEASED, "! Released"]);
    expect(retyped.holds[0]?.message).toBe(
      "the object releases its records; the marker of its A record still exists",
    );
  });

  test("what is given up makes room for nobody: its data stays", () => {
    const other = parseDesired("www 300 CNAME b.example.net ; from=service/b/other");
    const rules = {
      objectTransfers: [{ object: OBJECT, transfer: { ...NO_TRANSFER, release: true } }],
    };
    expect(lines(plan(other, parseOwned(OWN), rules))).toEqual([...RELEASED, "! ForeignRecord"]);
  });

  test.each<[string, readonly boolean[], readonly string[]]>([
    ["says so without a desired set", [true], RELEASED],
    ["is being deleted, and was made anew without saying so", [true, false], ["! NotSynced"]],
    ["says nothing of it", [false], ["! NotSynced"]],
  ])("an object that %s", (_, transfers, expected) => {
    const rules = transfers.map((release) => ({
      object: OBJECT,
      transfer: { ...NO_TRANSFER, release },
    }));
    expect(lines(plan([], parseOwned(OWN), { ...UNPROVEN, objectTransfers: rules }))).toEqual(
      expected,
    );
  });

  test("goes before the removal of what is proven to be unwanted", () => {
    const transfers = [{ object: OBJECT, transfer: { ...NO_TRANSFER, release: true } }];
    expect(lines(plan([], parseOwned(OWN), { objectTransfers: transfers }))).toEqual(RELEASED);
  });

  test("one that gives nothing up keeps its record", () => {
    expect(lines(plan(wants(LINE, false), parseOwned(OWN)))).toEqual([]);
  });

  test("its own permit goes along, another's does not", () => {
    const having = (owner: string) =>
      parseOwned(OWN).map((one) => ({ ...one, permit: permitOf(owner) }));
    expect(lines(plan(wants(LINE, true), having("me")))).toEqual(["Released - - permit=withdrawn"]);
    expect(lines(plan(wants(LINE, true), having("you")))).toEqual(RELEASED);
  });
});

describe("an order to release", () => {
  const state =
    parseOwned(OWN).flatMap(({ marker }) => (marker === null ? [] : [markerState(marker)]))[0] ??
    "";
  const ordered = (order: OrderedChange, key = "www.example.org A") => ({
    ...UNPROVEN,
    orders: new Map([[key, order]]),
  });

  test("releases desired and unwanted records without any proof", () => {
    const rules = ordered({ is: "release", marker: state });
    expect(lines(plan(wants(LINE, false), parseOwned(OWN), rules))).toEqual(RELEASED);
    expect(lines(plan([], parseOwned(OWN), rules))).toEqual(RELEASED);
  });

  test.each<[string, Partial<PlanRules>]>([
    ["is another", ordered({ is: "transfer", marker: state })],
    ["was for another marker", ordered({ is: "release", marker: "{}" })],
    [
      "was for another record set",
      ordered({ is: "release", marker: state }, "www.example.org AAAA"),
    ],
  ])("does nothing where it %s", (_, rules) => {
    expect(lines(plan(wants(LINE, false), parseOwned(OWN), rules))).toEqual([]);
    expect(lines(plan([], parseOwned(OWN), rules))).toEqual(["! NotSynced"]);
  });
});
