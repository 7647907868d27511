import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameOf, ORIGIN } from "../../../test/support/zone-text.ts";
import { barredIn, idBytesMax } from "../../model/marker-word.ts";
import { gardenerFormat } from "../gardener/format.ts";
import { meshFormat } from "../mesh/format.ts";
import { formatMarker, markerBytes } from "../txt/value.ts";
import type { Statement } from "./name-marker.ts";

const RUNS = Number(process.env["ZONEKEEPER_LAW_RUNS"] ?? "1000");

/** What would be read as another word, beside any text. */
const text = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("me", "a,b", "a,mesh=you", "eu,prod", "a=b", "a\\", '"', "", " a", "a/b", "A B"),
  fc
    .array(fc.constantFrom(",", "=", '"', "\\", "mesh", "types", "owner", "prefix", "c"))
    .map((parts) => parts.join("")),
  fc.integer({ min: 100, max: 260 }).map((length) => "x".repeat(length)),
);
const statement = fc.record({
  type: fc.constantFrom("A", "AAAA", "CNAME", "TXT"),
  owner: text,
  resource: fc.oneof(fc.constant("service/default/web"), text),
  shortResource: fc.constant("service/default/~1"),
  cluster: fc.option(text),
});
const statements = fc.uniqueArray(statement, {
  minLength: 1,
  maxLength: 3,
  selector: (s) => s.type,
});

describe("what is written is read as what was meant, or not written", () => {
  test.each([
    ["mesh", meshFormat(ORIGIN), true],
    ["gardener", gardenerFormat(ORIGIN), false],
  ] as const)("%s", (_, format, hasCluster) => {
    const [place] = format.places(nameOf("www"));
    if (place === undefined) throw new Error("no place");
    const facts = (one: Statement) => [one.owner, hasCluster ? one.cluster : null];
    fc.assert(
      fc.property(statements, (meant) => {
        const text = format.format(meant, []);
        if ("trouble" in text) return;
        const record = {
          name: place,
          type: "TXT",
          setIdentifier: null,
          ttlSeconds: 300,
          values: text.values,
          properties: {},
          routingPolicy: null,
        };
        const marker = format.parse(record);
        expect(marker?.strange).toEqual([]);
        expect(marker?.statements).toHaveLength(meant.length);
        for (const one of meant) {
          const read = marker?.statements.find(({ type }) => type === one.type);
          expect(read === undefined ? null : facts(read)).toEqual(facts(one));
          expect([one.resource, one.shortResource]).toContain(read?.resource);
        }
      }),
      { numRuns: RUNS },
    );
  });
});

describe("what is refused at the start is what no marker carries", () => {
  const one = (owner: string): Statement => ({
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
        const isGood = barredIn(format, owner) === null && owner.length <= room;
        expect(isWritten(owner)).toBe(isGood);
      }),
      { numRuns: RUNS },
    );
  });
});
