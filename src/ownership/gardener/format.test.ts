import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone, shortName } from "../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { TypeClaim } from "../shared/name-marker.ts";
import { gardenerFormat } from "./format.ts";

const format = gardenerFormat(ORIGIN);
const claimWith = (changed: Partial<TypeClaim> = {}): TypeClaim => ({
  type: "A",
  owner: "me",
  resource: "service/default/web",
  shortResource: "service/default/~1",
  cluster: null,
  ...changed,
});
const marker = (...texts: readonly string[]): RecordSet => {
  const lines = ["prefix=comment-", ...texts].map((text) => `comment-www 600 TXT "${text}"`);
  const [set] = parseZone(lines.join("\n"));
  if (set === undefined) throw new Error("no set");
  return set;
};

describe("parse", () => {
  test("a marker without an owner names none", () => {
    expect(format.parse(marker("resource-A=service/default/web"))?.claims).toEqual([
      claimWith({ owner: "", shortResource: "service/default/web" }),
    ]);
  });

  test("an empty resource names no object", () => {
    expect(format.parse(marker("owner=me", "resource-a="))?.claims).toEqual([
      claimWith({ resource: null, shortResource: null }),
    ]);
  });

  test("a lock gives no owner, whatever owner it names", () => {
    const lock = format.parse(marker("owner=me", "kind=DNSLock"));
    expect(lock?.claims.map(({ owner }) => owner)).toEqual([""]);
    expect(lock?.keptValues).toEqual(['"kind=DNSLock"']);
  });

  test("the targets of a flattened alias are kept, and are no foreign text", () => {
    const alias = format.parse(marker("owner=me", "cnames=lb.example.com", "hello"));
    expect([alias?.keptValues, alias?.foreignValues]).toEqual([
      ['"cnames=lb.example.com"'],
      ['"hello"'],
    ]);
  });

  test("escapes are undone", () => {
    expect(format.parse(marker(String.raw`owner=m\"e`))?.claims[0]?.owner).toBe('m"e');
  });

  test.each([
    [
      "its prefix under another key",
      { ...marker("owner=me"), values: ['"owner=comment-"', '"note=comment-"'] },
    ],
    ["another prefix", { ...marker("owner=me"), values: ['"owner=me"', '"prefix=note-"'] }],
    ["a name that is no marker's", { ...marker("owner=me"), name: nameOf("www") }],
    [
      "a name outside the zone",
      { ...marker("owner=me"), name: nameOf("comment-www.example.com.") },
    ],
  ])("%s: it is no marker", (_, set) => {
    expect(format.parse(set)).toBeNull();
  });

  test("a name outside the zone marks nothing", () => {
    expect(format.labelled(nameOf("comment-www.example.com."))).toBeNull();
    expect(format.labelled(nameOf("comment-www"))).toBe(nameOf("www"));
  });
});

describe("places", () => {
  const texts = (name: string) => [
    format.markerNames(nameOf(name)).map(shortName),
    format.otherMarkerNames(nameOf(name)).map(shortName),
  ];

  test("its name", () => {
    expect([format.name, format.ttlSeconds]).toEqual(["gardener", 600]);
  });

  test.each([
    ["www", ["comment-www"], []],
    ["@", ["comment--base"], []],
    ["*", ["*.comment--base"], ["*.comment-"]],
    ["*.apps", ["*.comment-apps"], []],
    ["-base", [], []],
    ["x".repeat(55), [`comment-${"x".repeat(55)}`], []],
    ["x".repeat(56), [], []],
  ])("of %s: %j, formerly %j", (name, markerNames, old) => {
    expect(texts(name)).toEqual([markerNames, old]);
  });

  test.each([
    ["comment-www", "www"],
    ["*.comment-", "*"],
    ["comment-.www", null],
    ["comment--base.www", null],
    ["commenter-www", null],
  ])("%s marks %s", (markerName, name) => {
    expect(format.labelled(nameOf(markerName))).toBe(name === null ? null : nameOf(name));
  });

  test("253 bytes are a name, 254 are none", () => {
    const below = `${"y".repeat(45)}.${"x".repeat(60)}.${"x".repeat(60)}.${"x".repeat(60)}`;
    const name = (first: string) => nameOf(`${first}.${below}`);
    const first = "z".repeat(253 - "comment-.".length - nameOf(below).length);
    expect(format.markerNames(name(first)).map(({ length }) => length)).toEqual([253]);
    expect(format.markerNames(name(`${first}z`))).toEqual([]);
  });
});

describe("format", () => {
  const OWN = ['"owner=me"', '"prefix=comment-"'];
  const long = (bytes: number) => "x".repeat(bytes - "resource-A=".length);

  test.each<[string, readonly TypeClaim[], readonly string[]]>([
    ["an object", [claimWith()], [...OWN, '"resource-A=service/default/web"']],
    ["no type: theirs alone", [claimWith({ type: null })], OWN],
    ["no object", [claimWith({ resource: null })], [...OWN, '"resource-A="']],
    ["255 bytes", [claimWith({ resource: long(255) })], [...OWN, `"resource-A=${long(255)}"`]],
    [
      "256 bytes: the short form",
      [claimWith({ resource: long(256) })],
      [...OWN, '"resource-A=service/default/~1"'],
    ],
    [
      "256 bytes and no short form",
      [claimWith({ resource: long(256), shortResource: null })],
      [...OWN, '"resource-A="'],
    ],
  ])("%s", (_, claims, values) => {
    expect(format.format(claims, [])).toEqual({ values });
  });

  test("what is kept is kept as it was", () => {
    expect(format.format([claimWith({ type: null })], ['"cnames=a"'])).toEqual({
      values: [...OWN, '"cnames=a"'],
    });
  });

  test("two owners cannot share a marker", () => {
    const two = [claimWith(), claimWith({ owner: "you" })];
    expect(format.format(two, [])).toEqual({
      trouble: expect.stringMatching(/whole name, and me and you claim records of it/),
    });
  });

  test.each([
    [
      "an owner that is too long",
      claimWith({ owner: "o".repeat(250) }),
      /has 256 bytes and does not fit 255: its owner id has 250; choose another --owner/,
    ],
    [
      "a short form that is too long",
      claimWith({ resource: long(256), shortResource: long(256) }),
      /does not fit 255: its object has 245; choose another name/,
    ],
    ["a quote", claimWith({ owner: 'm"e' }), /owner id "m\\"e": it holds a quote; choose another/],
    ["a backslash", claimWith({ owner: "m\\e" }), /it holds a backslash/],
    [
      "what is not ASCII",
      claimWith({ resource: "service/default/wéb" }),
      /the object "service\/default\/wéb": it holds a character that is not printable ASCII/,
    ],
  ])("%s cannot be said", (_, one, trouble) => {
    expect(format.format([one], [])).toEqual({ trouble: expect.stringMatching(trouble) });
  });

  test("a cluster id that is not written blocks nothing", () => {
    expect(format.format([claimWith({ cluster: 'eu,"prod' })], [])).toHaveProperty("values");
  });

  test("commas and blanks are as good as letters", () => {
    const { values = [] } = { ...format.format([claimWith({ owner: "a,mesh=b c" })], []) } as {
      values?: readonly string[];
    };
    expect(format.parse({ ...marker(), values })?.claims[0]?.owner).toBe("a,mesh=b c");
  });
});

describe("another prefix, which stands in the record", () => {
  const set = (name: string, prefix: string, owner = "me"): RecordSet => ({
    ...marker(),
    name: nameOf(name),
    values: [`"owner=${owner}"`, `"prefix=${prefix}"`],
  });

  test.each([
    ["txt-www", "txt-", "www"],
    ["txt-www", "TXT-", "www"],
    ["*.txt-apps", "txt-", "*.apps"],
    ["*.txt--base", "txt-", "*"],
    ["*.txt-", "txt-", "*"],
    ["txt--base", "txt-", "@"],
    ["meta.www", "meta.", "www"],
    ["wwww", "w", "www"],
  ])("%s with %s marks %s", (markerName, prefix, name) => {
    const read = format.parse(set(markerName, prefix));
    expect([read?.name, read?.spelling]).toEqual([nameOf(name), prefix]);
    expect(read?.claims.map(({ owner }) => owner)).toEqual(["me"]);
  });

  test.each([
    ["txt-www", "note-"],
    ["txt-www", ""],
    ["txt-.www", "txt-"],
    ["www", "www"],
    ["txt-www.example.com.", "txt-"],
  ])("%s with %j is no marker", (markerName, prefix) => {
    expect(format.parse(set(markerName, prefix))).toBeNull();
  });

  test("it is written again where it was read", () => {
    const written = format.format([claimWith({ type: null })], [], "txt-");
    expect(written).toEqual({ values: ['"owner=me"', '"prefix=txt-"'] });
  });

  test("it is learned from the zone: eight, and no more", () => {
    const zone = gardenerFormat(ORIGIN);
    const www = nameOf("www");
    expect(zone.alsoLabelled(nameOf("p0-www"))).toEqual([]);
    zone.learn(marker("owner=me"));
    zone.learn(set("txt-www", "note-"));
    expect(zone.otherMarkerNames(www)).toEqual([]);
    for (let count = 0; count < 9; count++) zone.learn(set(`p${count}-x`, `P${count}-`));
    const markerNames = Array.from({ length: 8 }, (_, count) => nameOf(`p${count}-www`));
    expect(zone.otherMarkerNames(www)).toEqual(markerNames);
    expect(markerNames.flatMap((markerName) => zone.alsoLabelled(markerName))).toEqual(
      markerNames.map(() => www),
    );
    expect(zone.alsoLabelled(nameOf("p8-www"))).toEqual([]);
    expect(zone.markerNames(www)).toEqual([nameOf("comment-www")]);
  });
});
