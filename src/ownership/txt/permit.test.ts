import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import { openTxtOwnership } from "./ownership.ts";
import { formatPermit, parsePermit, permitName, permitNames, permittedBy } from "./permit.ts";

const CONTENT = { owner: "east", toOwner: "west", toResource: "crd/external-dns/ns-record-b" };
const KEY = { name: nameOf("www"), type: "A", setIdentifier: null };
const UNSIGNED = { apex: ORIGIN, signing: null };
const formatted = (content: typeof CONTENT) => formatPermit(content, KEY, UNSIGNED);
const TEXT =
  '"heritage=zonekeeper,zonekeeper/kind=permit,zonekeeper/owner=east,zonekeeper/to-owner=west,zonekeeper/to-resource=crd/external-dns/ns-record-b"';

describe("the name of a permit", () => {
  test.each([
    ["www", "A", "_permit.a.www"],
    ["@", "TXT", "_permit.txt"],
    ["*", "A", "_permit.a._wildcard"],
    ["*.apps", "CNAME", "_permit.cname._wildcard.apps"],
    // Below a delegation the zone does not answer: beside it.
    ["zone", "NS", "_permit-ns-zone"],
    ["zone", "DS", "_permit-ds-zone"],
    ["zone", "DNAME", "_permit-dname-zone"],
  ])("the permit of %s %s is at %s, and is read back", (name, type, expected) => {
    const key = { name: nameOf(name), type, setIdentifier: null };
    const permit = permitName(key, ORIGIN);
    expect(permit === null ? null : shortName(permit)).toBe(expected);
    expect(permittedBy(permit ?? "", ORIGIN)).toEqual({ name: key.name, type });
  });

  test.each([
    ["a label of 60 bytes with NS", "x".repeat(60), "NS"],
    ["a name of 250 bytes", `${`${"x".repeat(57)}.`.repeat(4)}yyyyyy`, "A"],
    ["the apex with NS: beside it is outside", "@", "NS"],
    ["a type that is no record of ours", "www", "SOA"],
    ["a label that stands for the wildcard", "_wildcard", "A"],
  ])("%s has none", (_, name, type) => {
    expect(permitName({ name: nameOf(name), type, setIdentifier: null }, ORIGIN)).toBeNull();
  });

  test("all of a name: those that cannot be are left out", () => {
    const names = permitNames(ORIGIN, ORIGIN).map(shortName);
    expect(names).toContain("_permit.a");
    expect(names).toEqual(names.filter((name) => name.startsWith("_permit.")));
  });

  test("the longest name and the longest label fit, and one byte more does not", () => {
    const permitAt = (name: string, type: string) =>
      permitName({ name: nameOf(name), type, setIdentifier: null }, ORIGIN)?.length ?? null;
    const long = (last: number) => `${`${"x".repeat(57)}.`.repeat(3)}${"y".repeat(last)}`;
    expect([permitAt(long(57), "A"), permitAt(long(58), "A")]).toEqual([253, null]);
    const label = (bytes: number) => permitAt("x".repeat(bytes - "_permit-ns-".length), "NS");
    expect([label(63), label(64)]).toEqual([63 + ".example.org".length, null]);
  });

  test.each([
    "www",
    "_permit",
    "_permit.www",
    "_permit.soa.www",
    "_permit-a-www",
    "_permit.ns.www",
    "_permits.a.www",
    "_permit.a.www.example.com.",
  ])("%s is none", (name) => {
    expect(permittedBy(nameOf(name), ORIGIN)).toBeNull();
  });
});

describe("the text of a permit", () => {
  test("is read back as it was written", () => {
    expect(formatted(CONTENT)).toBe(TEXT);
    expect(parsePermit(TEXT)).toEqual({ ...CONTENT, signature: null });
  });

  test("takes what is no object as it is, and has no shorter form of it", () => {
    expect(formatted({ ...CONTENT, toResource: "anything" })).toMatch(/to-resource=anything"$/);
    expect(formatted({ ...CONTENT, toResource: "x".repeat(200) })).toBeNull();
  });

  test("255 bytes fit, and one more does not", () => {
    const fill = "x".repeat(255 - (TEXT.length - 2));
    const toResource = `${CONTENT.toResource}/${fill}`;
    expect(formatted({ ...CONTENT, toResource: toResource.slice(0, -1) })).toHaveLength(257);
    expect(formatted({ ...CONTENT, toResource })).toBeNull();
  });

  test("names the object by its hash where the long name does not fit", () => {
    const long = { ...CONTENT, toResource: `service/shop/${"n".repeat(200)}` };
    const text = formatted(long);
    expect(text).toMatch(/to-resource=service\/shop\/~[0-9a-f]{16}"$/);
  });

  test.each([
    ["an owner with a comma", { ...CONTENT, owner: "a,b" }],
    ["no owner", { ...CONTENT, toOwner: "" }],
    ["an object with a quote", { ...CONTENT, toResource: 'a"b' }],
    [
      "owners that fill 255 bytes",
      { ...CONTENT, owner: "o".repeat(100), toOwner: "p".repeat(100) },
    ],
  ])("%s cannot be said", (_, content) => {
    expect(formatted(content)).toBeNull();
  });

  test.each([
    "hello",
    '"heritage=external-dns,external-dns/owner=x"',
    TEXT.replace("kind=permit", "kind=other"),
    TEXT.replace(",zonekeeper/to-owner=west", ""),
    `${TEXT} "more"`,
  ])("%s is none", (text) => {
    expect(parsePermit(text)).toBeNull();
  });
});

describe("reading a zone", () => {
  const read = (zone: string) =>
    openTxtOwnership({ apex: ORIGIN, isOwnedByUs: (one) => one === "east" }).read(parseZone(zone));
  const MARKER = 'a-www 300 TXT "heritage=external-dns,external-dns/owner=east"';

  test("a permit is found with its record, and is no data itself", async () => {
    const owned = await read(`www 300 A 192.0.2.1\n${MARKER}\n_permit.a.www 300 TXT ${TEXT}`);
    expect(owned).toMatchObject([{ type: "A", permit: CONTENT, marker: { owner: "east" } }]);
  });

  test("one that is left behind stands alone", async () => {
    const owned = await read(`_permit.a.www 300 TXT ${TEXT}`);
    expect(owned).toMatchObject([{ type: "A", data: null, marker: null, permit: CONTENT }]);
  });

  test("a text beside it, and a marker that labels it, make it a user's text", async () => {
    const withText = await read(
      `www 300 A 192.0.2.1\n${MARKER}\n_permit.a.www 300 TXT ${TEXT}\n_permit.a.www 300 TXT "hello"`,
    );
    expect(withText.map(({ permit }) => permit)).toEqual([undefined, undefined]);
    const behind = await read(`_permit.a.www 300 TXT ${TEXT}\n_permit.a.www 300 TXT "z"`);
    expect(behind.map(({ type, permit }) => [type, permit])).toEqual([["TXT", undefined]]);
    const published = await read(
      `www 300 A 192.0.2.1\n${MARKER}\n_permit.a.www 300 TXT ${TEXT}\n_owner.txt._permit.a.www 300 TXT "heritage=external-dns,external-dns/owner=east"`,
    );
    expect(published.filter(({ permit }) => permit !== undefined)).toEqual([]);
    expect(published.map(({ type, marker }) => [type, marker?.owner])).toEqual([
      ["TXT", "east"],
      ["A", "east"],
    ]);
  });

  test("each permit is for its own key, in order, and foreign records stay as they are", async () => {
    const zone = `www 300 A 192.0.2.1\n_permit.a.www 300 TXT ${TEXT}\n_permit.aaaa.api 300 TXT ${TEXT}\nx 300 A 192.0.2.2`;
    const owned = await read(zone);
    const permits = owned.map((one) => [shortName(one.name), one.type, one.permit?.toOwner]);
    expect(permits).toEqual([
      ["api", "AAAA", "west"],
      ["www", "A", "west"],
      ["x", "A", undefined],
    ]);
    expect(owned.map(({ contested }) => contested)).toEqual([false, false, false]);
  });

  test("what moves at a permit's name is looked at under the record's name, and the other way round", () => {
    const ownership = openTxtOwnership({ apex: ORIGIN, isOwnedByUs: () => true });
    const permit = nameOf("_permit.a.www");
    expect(ownership.affected(permit)).toContain(nameOf("www"));
    expect(ownership.related(nameOf("www"))).toContain(permit);
  });
});
