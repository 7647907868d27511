import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { MovedRecord } from "../../providers/provider.ts";
import { setsAfter } from "./sets-after.ts";

const moved = (type: string, value: string, isThere: boolean, ttlSeconds = 300): MovedRecord => ({
  name: nameOf("www"),
  type,
  value,
  ttlSeconds,
  isThere,
});
const outcome = (known: string, ...records: readonly MovedRecord[]): readonly string[] =>
  setsAfter(parseZone(known), records)
    .map(({ type, ttlSeconds, values }) => `${ttlSeconds} ${type} ${values.join(",")}`)
    .sort();

describe("what a name has after a delta", () => {
  test("a record of a set comes and another one goes, other types stay", () => {
    expect(
      outcome(
        'www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\nwww 60 TXT "a"',
        moved("A", "192.0.2.1", false),
        moved("A", "192.0.2.3", true),
      ),
    ).toEqual(["300 A 192.0.2.2,192.0.2.3", '60 TXT "a"']);
  });

  test("a set whose records are all removed is gone", () => {
    expect(outcome("www 300 A 192.0.2.1", moved("A", "192.0.2.1", false))).toEqual([]);
  });

  test("what was known already is there once, and what was unknown may be removed", () => {
    const [here, gone] = [moved("A", "192.0.2.1", true), moved("A", "192.0.2.7", false)];
    expect(outcome("www 300 A 192.0.2.1", here, gone)).toEqual(["300 A 192.0.2.1"]);
  });

  test("another TTL is that of the record as it was written last, the lowest of a set", () => {
    const [one, two] = [moved("A", "192.0.2.1", true, 60), moved("A", "192.0.2.2", true, 900)];
    expect(outcome("www 300 A 192.0.2.1", one)).toEqual(["60 A 192.0.2.1"]);
    expect(outcome("www 300 A 192.0.2.1", two)).toEqual(["300 A 192.0.2.1,192.0.2.2"]);
  });
});

test("law: from any sets to any others, whatever else the delta repeats", () => {
  const values = fc.uniqueArray(fc.constantFrom("192.0.2.1", "192.0.2.2", "192.0.2.3"));
  fc.assert(
    fc.property(values, values, values, (before, now, repeated) => {
      const records = [
        ...[
          ...before.filter((one) => !now.includes(one)),
          ...repeated.filter((one) => !now.includes(one)),
        ].map((one) => moved("A", one, false)),
        ...now
          .filter((one) => !before.includes(one) || repeated.includes(one))
          .map((one) => moved("A", one, true)),
      ];
      const result = setsAfter(setOf(before), records);
      expect(result).toEqual(setOf(now));
    }),
  );
});

function setOf(values: readonly string[]): readonly RecordSet[] {
  if (values.length === 0) return [];
  return parseZone(values.map((value) => `www 300 A ${value}`).join("\n"));
}
