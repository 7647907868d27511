import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isObject, type JsonObject, valueAt, without } from "../json/json.ts";
import { SERVICE_KIND } from "../kinds/service.ts";
import { applyConfiguration, recordUpdate } from "./field-manager.ts";
import { differenceOf, type FieldSet, NO_FIELDS, pathsOf, pathText, unionOf } from "./field-set.ts";
import { fieldsOf, withNamedFields } from "./field-walk.ts";
import { readManaged } from "./managed-fields.ts";
import { wholeSchema } from "./merge-rule.ts";
import { mergeConfiguration } from "./merge-values.ts";

const SCHEMA = wholeSchema(SERVICE_KIND);
const TYPE = { apiVersion: "v1", kind: "Service" };

const value = fc.constantFrom("1", "2");
const port = fc.record(
  {
    port: fc.constantFrom(53, 80),
    protocol: fc.constantFrom("TCP", "UDP"),
    name: value,
    nodePort: fc.constantFrom(30_000, 30_001),
  },
  { requiredKeys: ["port", "protocol"] },
);
const config = fc
  .record(
    {
      labels: fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3 }),
      finalizers: fc.uniqueArray(fc.constantFrom("x/1", "x/2", "x/3")),
      ports: fc.uniqueArray(port, { selector: (each) => `${each.port}${each.protocol}` }),
      selector: fc.dictionary(fc.constantFrom("a", "b"), value, { maxKeys: 2 }),
      type: value,
      externalIPs: fc.array(value, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .map(({ labels, finalizers, ...spec }): JsonObject => {
    const metadata = {
      name: "s",
      ...(labels === undefined ? {} : { labels }),
      ...(finalizers === undefined ? {} : { finalizers }),
    };
    return { ...TYPE, metadata, ...(Object.keys(spec).length === 0 ? {} : { spec }) };
  });
const manager = fc.constantFrom("one", "two", "three");
const applies = fc.array(fc.tuple(manager, config), { minLength: 1, maxLength: 6 });

const author = (name: string) => ({ name, subresource: "", time: "2026-01-01T00:00:00Z" });

function apply(live: JsonObject | null, name: string, wanted: JsonObject): JsonObject {
  const application = { live, config: wanted, author: author(name), force: true };
  return applyConfiguration(SERVICE_KIND, application);
}

const bare = (object: JsonObject): JsonObject => {
  const { metadata } = object;
  return { ...object, metadata: isObject(metadata) ? without(metadata, "managedFields") : {} };
};

/** All that is owned. */
function owned(object: JsonObject): FieldSet {
  const managed = readManaged(valueAt(object, "metadata", "managedFields")) ?? new Map();
  return [...managed.values()].reduce((set, entry) => unionOf(set, entry.fields), NO_FIELDS);
}

const texts = (set: FieldSet): readonly string[] => pathsOf(set).map(pathText);
/** Built-in kinds have their structs from the start. */
const UNOWNED = [".apiVersion", ".kind", ".metadata.name", ".spec", ".status"];
const there = (object: JsonObject): FieldSet =>
  withNamedFields(SCHEMA, fieldsOf(SCHEMA, bare(object)));
const BASE = { ...TYPE, metadata: { name: "s", annotations: { base: "1" } } };
/** Each run applies several times; the machine may be slow. */
const RUNS = { numRuns: 60 };
const SLOW_MS = 30_000;

describe("after any applies that are forced", () => {
  test(
    "the object says what was applied last, and again changes nothing",
    () => {
      fc.assert(
        fc.property(applies, (all) => {
          // Without this one nobody might be left, and then all is "before-first-apply"'s.
          let live = apply(null, "base", BASE);
          for (const [name, wanted] of all) {
            live = apply(live, name, wanted);
            expect(mergeConfiguration(SCHEMA, bare(live), wanted)).toEqual(bare(live));
            expect(apply(live, name, wanted)).toEqual(live);
          }
        }),
        RUNS,
      );
    },
    SLOW_MS,
  );

  test(
    "nothing is there that nobody owns, and nobody owns what is not there",
    () => {
      fc.assert(
        fc.property(applies, (all) => {
          // An empty list has no owner by an apply, but "before-first-apply" would be one.
          let object = apply(null, "base", BASE);
          for (const [name, wanted] of all) object = apply(object, name, wanted);
          const unowned = texts(differenceOf(fieldsOf(SCHEMA, bare(object)), owned(object)));
          expect(unowned.filter((path) => !UNOWNED.includes(path))).toEqual([]);
          expect(texts(differenceOf(owned(object), there(object)))).toEqual([]);
        }),
        RUNS,
      );
    },
    SLOW_MS,
  );

  test(
    "who applies nothing more owns nothing more",
    () => {
      fc.assert(
        fc.property(applies, (all) => {
          let live = apply(null, "base", BASE);
          for (const [name, wanted] of all) live = apply(live, name, wanted);
          for (const name of ["one", "two", "three"])
            live = apply(live, name, { ...TYPE, metadata: { name: "s" } });
          expect(texts(owned(live))).toEqual([".metadata.annotations.base"]);
          const left = texts(differenceOf(fieldsOf(SCHEMA, bare(live)), owned(live)));
          expect(left.filter((path) => !UNOWNED.includes(path))).toEqual([]);
        }),
        RUNS,
      );
    },
    SLOW_MS,
  );
});

test("an update is owned by who made it, and by nobody else", () => {
  fc.assert(
    fc.property(config, config, (before, after) => {
      const live = apply(null, "one", before);
      const next = {
        ...after,
        metadata: { ...Object(after["metadata"]), managedFields: undefined },
      };
      const managed = readManaged(
        recordUpdate(SERVICE_KIND, { live, next, author: author("hand") }),
      );
      const entries = [...(managed ?? new Map()).values()];
      const hand = entries.find((entry) => entry.manager.name === "hand")?.fields ?? NO_FIELDS;
      const one = entries.find((entry) => entry.manager.name === "one")?.fields ?? NO_FIELDS;
      const both = texts(differenceOf(hand, differenceOf(hand, one)));
      expect(both).toEqual([]);
      expect(texts(differenceOf(one, there(after)))).toEqual([]);
    }),
    RUNS,
  );
});
