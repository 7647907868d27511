import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN } from "../../../test/support/values/zone-text.ts";
import { forbiddenIn, idBytesMax } from "../../model/marker-ids.ts";
import { gardenerFormat } from "../gardener/format.ts";
import { meshFormat } from "../mesh/format.ts";
import { formatMarker, markerBytes } from "../txt/marker-value.ts";
import type { TypeClaim } from "./name-marker.ts";
import { misread } from "./read-back.ts";

const RUNS = Number(process.env["ZONEKEEPER_LAW_RUNS"] ?? "1000");

/** What would be read as another word, beside any text. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("me", "a,b", "a,mesh=you", "eu,prod", "a=b", "a\\", '"', "", " a", "a/b", "A B"),
  fc
    .array(fc.constantFrom(",", "=", '"', "\\", "mesh", "types", "owner", "prefix", "c"))
    .map((texts) => texts.join("")),
  fc.integer({ min: 100, max: 260 }).map((length) => "x".repeat(length)),
);
const claim = fc.record({
  type: fc.constantFrom("A", "AAAA", "CNAME", "TXT"),
  owner: text,
  resource: fc.oneof(fc.constant("service/default/web"), text),
  shortResource: fc.constant("service/default/~1"),
  cluster: fc.option(text),
});
const claims = fc.uniqueArray(claim, {
  minLength: 1,
  maxLength: 3,
  selector: (s) => s.type,
});

describe("what is written is read as what was meant, or not written", () => {
  test.each([
    ["mesh", meshFormat(ORIGIN), true],
    ["gardener", gardenerFormat(ORIGIN), false],
  ] as const)("%s", (_, format, hasCluster) => {
    const [markerName] = format.markerNames(nameOf("www"));
    if (markerName === undefined) throw new Error("no place");
    const facts = (one: TypeClaim) => [one.owner, hasCluster ? one.cluster : null];
    fc.assert(
      fc.property(claims, (meant) => {
        const text = format.format(meant, []);
        if ("trouble" in text) return;
        const record = {
          name: markerName,
          type: "TXT",
          setIdentifier: null,
          ttlSeconds: 300,
          values: text.values,
          properties: {},
          routingPolicy: null,
        };
        const marker = format.parse(record);
        expect(marker?.foreignValues).toEqual([]);
        expect(marker?.claims).toHaveLength(meant.length);
        for (const one of meant) {
          const read = marker?.claims.find(({ type }) => type === one.type);
          expect(read === undefined ? null : facts(read)).toEqual(facts(one));
          expect([one.resource, one.shortResource]).toContain(read?.resource);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("what is refused at the start is what no marker carries", () => {
  const one = (owner: string): TypeClaim => ({
    type: "A",
    owner,
    resource: "crd/a/b",
    shortResource: "crd/a/b",
    cluster: "c",
  });
  const txt = (owner: string): boolean => {
    const rdata = formatMarker({ owner, resource: "crd/a/b" });
    return rdata !== null && markerBytes(rdata) <= 255;
  };
  const inZone = (format: ReturnType<typeof meshFormat>) => (owner: string) =>
    "values" in format.format([one(owner)], []);

  test.each([
    ["txt", txt, 0],
    ["gardener", inZone(gardenerFormat(ORIGIN)), 0],
    ["mesh", inZone(meshFormat(ORIGIN)), 1],
  ] as const)("%s", (format, isWritten, cluster) => {
    const room = idBytesMax({ format, isSigned: false }) - cluster;
    expect([isWritten("x".repeat(room)), isWritten("x".repeat(room + 1))]).toEqual([true, false]);
    fc.assert(
      fc.property(text, (owner) => {
        const isGood = forbiddenIn(format, owner) === null && owner.length <= room;
        expect(isWritten(owner)).toBe(isGood);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("why a marker must not be written", () => {
  const claimOf = (type: string | null, changed: Partial<TypeClaim> = {}): TypeClaim => ({
    ...{ type, owner: "me", resource: "crd/a/b", shortResource: "crd/a/~1", cluster: "c" },
    ...changed,
  });
  const A = claimOf("A");
  const why = (meant: readonly TypeClaim[], read: readonly TypeClaim[], text = "x") =>
    misread({ format: "mesh", meant, read, texts: [text] });
  const UNLIKE =
    "the registry mesh would not read the marker as it is meant; use the registry configmap";

  test.each<[string, readonly TypeClaim[], readonly TypeClaim[], boolean]>([
    ["it says what is meant", [A], [A], true],
    ["it says it with the short name", [A], [claimOf("A", { resource: "crd/a/~1" })], true],
    ["it says more", [A], [A, claimOf("AAAA")], false],
    ["it says less", [A, claimOf("AAAA")], [A], false],
    ["it says it of another type", [A], [claimOf("AAAA")], false],
    ["… of no type", [A], [claimOf(null)], false],
    ["… of another owner", [A], [claimOf("A", { owner: "you" })], false],
    ["… of another object", [A], [claimOf("A", { resource: "crd/x/y" })], false],
    ["… of another cluster", [A], [claimOf("A", { cluster: "d" })], false],
    ["no type alone", [claimOf(null)], [claimOf(null)], true],
    ["no type alone, unsaid", [claimOf(null)], [], false],
    ["no type beside one", [claimOf(null), A], [A], true],
    ["a type beside none, unsaid", [claimOf(null), A], [claimOf(null)], false],
  ])("%s", (_, meant, read, isGood) => {
    expect(why(meant, read)).toBe(isGood ? null : UNLIKE);
  });

  test.each<[string, Partial<TypeClaim>, string]>([
    ["owner", { owner: "o".repeat(300) }, "its owner id has 300; choose another --owner"],
    [
      "cluster",
      { cluster: "c".repeat(300) },
      "its cluster id has 300; choose another --kubeconfig",
    ],
    [
      "object",
      { resource: "r".repeat(300), cluster: null },
      "its object has 300; choose another name",
    ],
    [
      "the first of two that are as long",
      { owner: "o".repeat(300), resource: "r".repeat(300) },
      "its owner id has 300; choose another --owner, or the registry configmap, which carries any",
    ],
  ])("too long: %s", (_, changed, expected) => {
    const one = claimOf("A", changed);
    expect(why([one], [one], "x".repeat(320))).toContain(
      `the marker has 320 bytes and does not fit 255: ${expected}`,
    );
  });
});
