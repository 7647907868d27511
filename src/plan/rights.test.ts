import { describe, expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import {
  nameOf,
  parseDesired,
  parseOwned,
  parseZone,
} from "../../test/support/values/zone-text.ts";
import { isMarkOf } from "../model/provenance.ts";
import { NO_TRANSFER } from "../model/transfer-request.ts";
import type { Marker, MarkerTrouble, OwnedRecordSet } from "./changes.ts";
import {
  contestText,
  isContestedWithUs,
  isMarkedByUntypedMarker,
  isOwnedByUs,
  isShared,
  mayAdopt,
  objectIn,
  ownerText,
  sharedText,
  troubleText,
} from "./rights.ts";
import type { Adoption, OrderedChange } from "./rules.ts";

function only<T>(found: readonly T[]): T {
  const [one] = found;
  if (one === undefined || found.length > 1) throw new Error("one is needed");
  return one;
}
const owned = (text: string) => only(parseOwned(text));
const [record = null] = parseZone('a-www 300 TXT "marker"');
const marker = (overrides: Partial<Marker> = {}): Marker => ({
  owner: "me",
  resource: "service/default/web",
  cluster: null,
  labels: {},
  record,
  ...overrides,
});

describe("whose a record set is", () => {
  test.each<[string, string, boolean, boolean]>([
    ["ours", "www 300 A 192.0.2.1 ; owner=me", true, false],
    ["ours and another's", "www 300 A 192.0.2.1 ; owner=me contested", false, true],
    ["another's", "www 300 A 192.0.2.1 ; owner=you", false, false],
    ["another's and a third one's", "www 300 A 192.0.2.1 ; owner=north contested", false, false],
    ["without an owner", "www 300 A 192.0.2.1", false, false],
  ])("%s", (_, text, own, contested) => {
    expect(isOwnedByUs(owned(text), rulesWith())).toBe(own);
    expect(isContestedWithUs(owned(text), rulesWith())).toBe(contested);
  });

  test("a contest of rows without a marker is none with us", () => {
    const one = { ...owned("www 300 A 192.0.2.1"), contested: true };
    expect(isContestedWithUs(one, rulesWith())).toBe(false);
    expect(isOwnedByUs(one, rulesWith())).toBe(false);
  });

  test.each([
    ["www 300 A 192.0.2.1", "and has no owner"],
    ["www 300 A 192.0.2.1 ; owner=you", 'and is owned by "you"'],
    ["www 300 A 192.0.2.1 ; owner=you contested", "and two owners claim it"],
  ])("%s is in words", (zone, text) => {
    expect(ownerText(owned(zone))).toBe(text);
  });
});

describe("a marker in the format of another registry", () => {
  const where = (record: Marker["record"]) =>
    ownerText({
      ...owned("www 300 A 192.0.2.1"),
      marker: marker({ owner: "you", format: "gardener", record }),
    });

  test("is told with its format and its place", () => {
    expect(where(record)).toBe('and is owned by "you" by the gardener marker at a-www.example.org');
    expect(where(null)).toBe('and is owned by "you" by the gardener marker at the name');
  });

  test.each([
    ["A", true],
    ["AAAA", true],
    ["CNAME", true],
    ["TXT", true],
    ["MX", false],
    ["SRV", false],
  ])("that names no type labels %s: %s", (type, expected) => {
    expect(isMarkedByUntypedMarker(type)).toBe(expected);
  });
});

describe("the object in a marker", () => {
  const object = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
  test.each<[string, Partial<Marker>, boolean]>([
    ["without a cluster: in any", {}, true],
    ["in its cluster", { cluster: "c1" }, true],
    ["in another cluster", { cluster: "c2" }, false],
    ["another object in its cluster", { cluster: "c1", resource: "service/default/x" }, false],
    ["no object", { resource: null }, false],
  ])("%s", (_, overrides, expected) => {
    expect(isMarkOf(marker(overrides), object)).toBe(expected);
  });

  test("is read where it is written out", () => {
    expect(objectIn(marker({ cluster: "c1" }))).toEqual(object);
    expect(objectIn(marker({ resource: null }))).toBeNull();
    expect(objectIn(null)).toBeNull();
  });
});

describe("what is wrong with a marker, in words", () => {
  test.each<[MarkerTrouble, string]>([
    [
      "MarkerUnreadable",
      "the marker at a-www.example.org is encrypted and our key does not open it",
    ],
    ["MarkerUnsigned", "the marker at a-www.example.org has our owner id and no signature"],
    ["MarkerForged", "the marker at a-www.example.org has our owner id and an invalid signature"],
    [
      "MarkerAmbiguous",
      "the marker at a-www.example.org fits several existing records, by the name templates in use and those of --txt-also-read; remove the template that was never used, or remove the marker",
    ],
  ])("%s", (trouble, text) => {
    expect(troubleText(marker({ trouble }))).toBe(text);
  });

  test("outside the zone it has no name to say", () => {
    const text = troubleText(marker({ trouble: "MarkerUnsigned", record: null }));
    expect(text).toBe("the marker at the name has our owner id and no signature");
  });

  test("it is shared where its record set holds a second text", () => {
    const [both = null] = parseZone('a-www 300 TXT "marker"\na-www 300 TXT "theirs"');
    expect(isShared(marker())).toBe(false);
    expect(isShared(marker({ record: both }))).toBe(true);
    expect(isShared(marker({ record: null }))).toBe(false);
    expect(sharedText(marker())).toBe(
      "move the other text in TXT a-www.example.org to another name, and the change follows by itself",
    );
  });

  test("one owner id alone is no contest of two", () => {
    const one = { ...owned("www 300 A 192.0.2.1 ; owner=me contested"), owners: ["me"] };
    expect(contestText({ ...one, marker: marker() })).toBe(
      "the marker at a-www.example.org shares its record set with another text; move that text to another name",
    );
  });
});

describe("adoption", () => {
  const HERE = "www 300 A 192.0.2.1";
  const key = { name: nameOf("www"), type: "A", setIdentifier: null };
  const ordered = (order: OrderedChange) => ({ orders: new Map([["www.example.org A", order]]) });
  const listed = (...keys: readonly (typeof key)[]): Adoption => ({ mode: "listed", keys });
  const desired = (text = HERE, adopt: readonly (readonly [string, string])[] = []) => {
    const values = adopt.map(([type, value]) => ({ type, value }));
    return { ...only(parseDesired(text)), transfer: { ...NO_TRANSFER, adopt: values } };
  };
  const may = (
    one: OwnedRecordSet,
    wanted: ReturnType<typeof desired>,
    rules: Parameters<typeof rulesWith>[0],
  ) => mayAdopt(one, wanted, rulesWith(rules));

  test("an order adopts exactly what a person saw, whatever is wanted", () => {
    const rules = ordered({ is: "adopt", values: ["192.0.2.1"] });
    expect(may(owned(HERE), desired("www 300 A 192.0.2.9"), rules)).toBe(true);
    expect(may(owned("www 300 A 192.0.2.2"), desired(), rules)).toBe(false);
    expect(may(owned("www 300 AAAA 2001:db8::1"), desired(), rules)).toBe(false);
    const equal = { ...rules, adoption: { mode: "equal" } } as const;
    expect(may(owned("www 300 A 192.0.2.2"), desired("www 300 A 192.0.2.2"), equal)).toBe(false);
  });

  test.each<[string, OrderedChange]>([
    ["transfer", { is: "transfer", marker: "" }],
    ["release", { is: "release", marker: "" }],
  ])("an order of %s adopts nothing", (_, order) => {
    expect(may(owned(HERE), desired(), ordered(order))).toBe(false);
  });

  test("nothing that is marked, contested or without data", () => {
    const rules = {
      ...ordered({ is: "adopt", values: ["192.0.2.1"] }),
      adoption: listed(key),
    };
    expect(may(owned(HERE), desired(), rules)).toBe(true);
    expect(may(owned(`${HERE} ; owner=you`), desired(), rules)).toBe(false);
    expect(may({ ...owned(HERE), contested: true }, desired(), rules)).toBe(false);
    expect(may({ ...owned(HERE), data: null }, desired(), rules)).toBe(false);
  });

  test("never means never, whatever the object lists", () => {
    expect(may(owned(HERE), desired(HERE, [["A", "192.0.2.1"]]), {})).toBe(false);
  });

  test("equal is about data alone", () => {
    const equal = { adoption: { mode: "equal" } } as const;
    expect(may(owned(HERE), desired("www 60 A 192.0.2.1"), equal)).toBe(true);
    expect(may(owned(HERE), desired("www 300 A 192.0.2.9", [["A", "192.0.2.1"]]), equal)).toBe(
      false,
    );
  });

  test.each<[string, readonly (readonly [string, string])[], boolean]>([
    ["exactly what stands", [["A", "192.0.2.1"]], true],
    [
      "it twice",
      [
        ["A", "192.0.2.1"],
        ["A", "192.0.2.1"],
      ],
      true,
    ],
    [
      "it beside another type",
      [
        ["A", "192.0.2.1"],
        ["AAAA", "2001:db8::1"],
      ],
      true,
    ],
    [
      "more than stands",
      [
        ["A", "192.0.2.1"],
        ["A", "192.0.2.2"],
      ],
      false,
    ],
    ["something else", [["A", "192.0.2.2"]], false],
    ["another type alone", [["AAAA", "192.0.2.1"]], false],
    ["nothing", [], false],
  ])("an object that lists %s", (_, adopt, expected) => {
    expect(may(owned(HERE), desired("www 300 A 192.0.2.9", adopt), { adoption: listed() })).toBe(
      expected,
    );
  });

  test("a listed key is adopted, and no other", () => {
    const other = { ...key, type: "AAAA" };
    expect(may(owned(HERE), desired("www 300 A 192.0.2.9"), { adoption: listed(other, key) })).toBe(
      true,
    );
    expect(may(owned(HERE), desired("www 300 A 192.0.2.9"), { adoption: listed(other) })).toBe(
      false,
    );
    const { transfer: _, ...plain } = desired();
    expect(mayAdopt(owned(HERE), plain, rulesWith({ adoption: listed() }))).toBe(false);
  });
});
