import { describe, expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../test/support/worlds/zone-model.ts";
import type { OwnedRecordSet } from "./changes.ts";
import { selectIndependentRemovals } from "./decide-unwanted.ts";
import { planName } from "./plan.ts";
import type { PlanRules } from "./rules.ts";

const OWN = "www 300 AAAA 2001:db8::1 ; owner=me resource=service/default/web";
const OLD = OWN.replace("web", "old");
const DESIRED = "www 300 A 192.0.2.1";

/** Types of what may go while the desired set cannot be written. */
function going(
  present: readonly OwnedRecordSet[],
  { desired = DESIRED, ...rules }: Partial<PlanRules> & { readonly desired?: string } = {},
): readonly string[] {
  const plan = planName(nameOf("www"), parseDesired(desired), present, rulesWith(rules));
  const existing = present.flatMap(({ data, marker }) => [
    ...(data === null ? [] : [data]),
    ...(marker === null || marker.record === null ? [] : [marker.record]),
  ]);
  return selectIndependentRemovals(plan, new ZoneModel(existing)).map(({ key }) => key.type);
}

const marked = (text: string, key: string): readonly OwnedRecordSet[] => {
  const [record] = parseZone(`${key} 300 TXT "marker"`);
  if (record === undefined) throw new Error("no record");
  return parseOwned(text).map((one) =>
    one.marker === null ? one : { ...one, marker: { ...one.marker, record } },
  );
};

describe("what goes while the rest of the plan cannot", () => {
  test("what another object had", () => {
    expect(going(parseOwned(OLD))).toEqual(["AAAA"]);
  });

  test("not what makes room, nor what is changed", () => {
    expect(going(parseOwned(OLD), { desired: "www 300 CNAME a.example.net" })).toEqual([]);
    expect(going(parseOwned(OWN), { desired: "www 300 AAAA 2001:db8::2" })).toEqual([]);
  });

  test("not the last answer of an object that still wants one", () => {
    expect(going(parseOwned(OWN))).toEqual([]);
    expect(
      going([...parseOwned(OWN), ...parseOwned(OLD.replace("AAAA 2001:db8::1", 'TXT "x"'))]),
    ).toEqual(["TXT"]);
  });

  test("nor its last address, whatever other record the name has", () => {
    for (const neighbour of ["www 300 MX 10 mx", 'www 300 TXT "x"', "www 300 NS ns"])
      expect(going([...parseOwned(OWN), ...parseOwned(neighbour)])).toEqual([]);
  });

  test("but beside another answer of that sort", () => {
    expect(going([...parseOwned(OWN), ...parseOwned("www 300 A 192.0.2.9")])).toEqual(["AAAA"]);
  });

  test("and what its object wants no answer of that sort in place of, where others stand", () => {
    const text = 'www 300 TXT "x" ; owner=me resource=service/default/web';
    expect(going(parseOwned(text))).toEqual([]);
    expect(going([...parseOwned(text), ...parseOwned("www 300 MX 10 mx")])).toEqual(["TXT"]);
  });

  test("a marker at the name itself is no answer", () => {
    expect(going(marked(OWN, "www"))).toEqual([]);
    expect(going(marked(OWN, "aaaa-www"))).toEqual([]);
  });

  test("a marker at another name says nothing of the other records", () => {
    const neighbour = parseOwned("www 300 A 192.0.2.9");
    expect(going([...marked(OWN, "aaaa-www"), ...neighbour])).toEqual(["AAAA"]);
  });

  test("a record at the key of a marker without its own record is a foreign answer", () => {
    const [half] = parseOwned(OWN).map((one) => ({ ...one, data: null }));
    if (half === undefined) throw new Error("no marker");
    const text = parseOwned('www 300 TXT "x" ; owner=me resource=service/default/web');
    const foreign = parseOwned("www 300 AAAA 2001:db8::9");
    expect(going([half, ...foreign, ...text])).toEqual(["AAAA", "TXT"]);
  });

  test("a marker without its record goes", () => {
    const half = parseOwned(OWN).map((one) => ({ ...one, data: null }));
    expect(going(half)).toEqual(["AAAA"]);
  });

  test("nothing is missed where nobody wants anything, or the marker names nobody", () => {
    expect(going(parseOwned(OWN), { desired: "" })).toEqual(["AAAA"]);
    const nameless = parseOwned(OWN).map((one) =>
      one.marker === null ? one : { ...one, marker: { ...one.marker, resource: null } },
    );
    expect(going(nameless)).toEqual(["AAAA"]);
  });
});
