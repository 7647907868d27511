import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN, parseZone } from "../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { TypeClaim } from "../shared/name-marker.ts";
import { meshFormat } from "./format.ts";

const format = meshFormat(ORIGIN);
const claimWith = (changed: Partial<TypeClaim> = {}): TypeClaim => ({
  type: "A",
  owner: "me",
  resource: "service/shop/web",
  shortResource: "service/shop/~1",
  cluster: "c1",
  ...changed,
});
const FULL = "cluster=c1,m=mesh,mesh=me,ns=shop,resource=service/shop/web,types=A";

describe("format", () => {
  const LONG = `service/shop/${"x".repeat(255)}`;

  test.each<[string, readonly TypeClaim[], readonly string[]]>([
    ["everything", [claimWith()], [FULL]],
    ["no cluster", [claimWith({ cluster: null })], [FULL.replace("cluster=c1,", "")]],
    [
      "no object, and so no namespace",
      [claimWith({ resource: null })],
      ["cluster=c1,m=mesh,mesh=me,types=A"],
    ],
    ["no type", [claimWith({ type: null })], [FULL.replace(",types=A", "")]],
    [
      "an object without namespace",
      [claimWith({ resource: "x" })],
      [FULL.replace(/ns=.*,t/, "resource=x,t")],
    ],
    [
      "two types of one object, sorted",
      [claimWith({ type: "AAAA" }), claimWith()],
      [`${FULL} AAAA`],
    ],
    [
      "one object in two clusters: two texts",
      [claimWith(), claimWith({ cluster: "c2" })],
      [FULL, FULL.replace("c1", "c2")],
    ],
    [
      "one object of two owners: two texts",
      [claimWith(), claimWith({ owner: "you" })],
      [FULL, FULL.replace("mesh=me", "mesh=you")],
    ],
    ["an object that is too long", [claimWith({ resource: LONG })], [FULL.replace("/web", "/~1")]],
  ])("%s", (_, claims, values) => {
    expect(format.format(claims, [])).toEqual({ values: values.map((text) => `"${text}"`) });
  });

  test("255 bytes fit and 256 do not", () => {
    const fill = "x".repeat(255 - FULL.length);
    const owner = (more: string) => [
      claimWith({ owner: `me${fill}${more}`, shortResource: "service/shop/web" }),
    ];
    expect(format.format(owner(""), [])).toEqual({
      values: [`"${FULL.replace(",mesh=me", `,mesh=me${fill}`)}"`],
    });
    expect(format.format(owner("x"), [])).toEqual({
      trouble: expect.stringMatching(/does not fit/),
    });
  });

  test.each<[string, Partial<TypeClaim>, RegExp]>([
    ["a comma", { owner: "a,b" }, /mesh cannot write the owner id "a,b": it holds a comma; choose/],
    ["somebody else's id", { owner: "a,mesh=victim" }, /owner id .* a comma; .* another --owner/],
    ["a comma in the cluster", { cluster: "eu,prod" }, /cluster id "eu,prod": .* --kubeconfig.id/],
    ["a quote", { owner: 'm"e' }, /a quote/],
    ["a backslash", { owner: "m\\e" }, /a backslash/],
    ["what is not ASCII", { owner: "mé" }, /not printable ASCII/],
    ["a long cluster", { cluster: "c".repeat(230) }, /does not fit 255: its cluster id has 230/],
  ])("%s cannot be said", (_, changed, trouble) => {
    expect(format.format([claimWith(changed)], [])).toEqual({
      trouble: expect.stringMatching(trouble),
    });
  });
});

describe("parse", () => {
  const [SET] = parseZone('www 300 TXT "x"') as readonly [RecordSet];
  const parsed = (...values: readonly string[]) => format.parse({ ...SET, values });

  test("with and without quotes, in one string or in two", () => {
    const expected = [claimWith({ shortResource: "service/shop/web" })];
    expect(parsed(FULL)?.claims).toEqual(expected);
    expect(parsed(`"${FULL}"`)?.claims).toEqual(expected);
    expect(parsed(`"${FULL.slice(0, 9)}" "${FULL.slice(9)}"`)?.claims).toEqual(expected);
  });

  test.each(['"hello"', '"m=mesh"', '"mesh=me,hello"', '"=x,mesh=me"'])(
    "%s is no marker",
    (value) => {
      expect(parsed(value)).toBeNull();
    },
  );

  test("nothing is kept, and what is not said is not known", () => {
    const [claim] = parsed('"mesh=me"')?.claims ?? [];
    expect(claim).toEqual({
      owner: "me",
      type: null,
      resource: null,
      shortResource: null,
      cluster: null,
    });
    expect(parsed('"mesh=me"')).toMatchObject({ keptValues: [], foreignValues: [] });
  });

  test("a text beside it is foreign", () => {
    expect(parsed('"mesh=me"', '"hello"')?.foreignValues).toEqual(['"hello"']);
  });

  test.each(["www.example.com.", "_mesh.www.example.com.", "_mesh.com."])(
    "%s is outside the zone and marks nothing",
    (markerName) => {
      expect(format.labelled(nameOf(markerName))).toBeNull();
      expect(format.parse({ ...SET, name: nameOf(markerName), values: ['"mesh=me"'] })).toBeNull();
    },
  );
});

describe("places", () => {
  test("its name, and no other places", () => {
    expect([format.name, format.otherMarkerNames(nameOf("www"))]).toEqual(["mesh", []]);
  });

  test.each([
    ["www", ["www", "_mesh.www"]],
    ["*", ["*", "_mesh._wildcard"]],
    ["_mesh.www", ["_mesh._mesh.www"]],
    ["www.example.com.", []],
  ])("of %s: %j", (name, markerNames) => {
    expect(format.markerNames(nameOf(name))).toEqual(markerNames.map(nameOf));
  });

  test("253 bytes are a name, 254 are none", () => {
    const below = `${"x".repeat(60)}.`.repeat(3);
    const name = (bytes: number) => nameOf(`${"y".repeat(bytes)}.${below}zz`);
    const bytes = 253 - "_mesh.".length - name(0).length;
    expect(format.markerNames(name(bytes)).map(({ length }) => length)).toEqual([247, 253]);
    expect(format.markerNames(name(bytes + 1)).map(({ length }) => length)).toEqual([248]);
  });
});
