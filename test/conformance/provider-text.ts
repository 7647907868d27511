/** Conformance of TXT: every length around the borders and every byte that quoting could hurt. */
import { expect, test } from "vitest";
import type { Subject } from "./provider.ts";
import {
  create,
  mustApply,
  normalizedBy,
  readNames,
  recordSet,
  remove,
  zoneOf,
} from "./provider-harness.ts";
import { isUnsupported } from "./test-where.ts";

/** Declares the cases. */
export function textCases({ harness, at, expects }: Subject): void {
  test.each([...(expects.refusesEmptyText ? [] : [0]), 1, 254, 255, 256, 510, 511])(
    "%i bytes of text come back",
    async (length) => {
      await comesBack(`length-${length}`, quoted("x".repeat(length)));
    },
  );

  test("an empty text is taken, or held before it is tried", async () => {
    const session = harness().open();
    const problems = session.audit(recordSet(at("empty"), "TXT", '""'), await zoneOf(session));
    expect(problems.length > 0).toBe(expects.refusesEmptyText === true);
  });

  test.for([
    ["a quote", String.raw`"say \"yes\""`],
    ["a backslash", String.raw`"C:\\zones\\"`],
    ["a semicolon", '"v=DKIM1; k=rsa; p=MIIB"'],
    ["UTF-8 bytes", String.raw`"gr\195\188\195\159e"`],
    ["bytes below the space", String.raw`"\000\009\010\127"`],
    ["spaces between and inside", '"a  b" " c"'],
    ["what looks like a name", '"example.org."'],
    ["a dollar and an at sign", '"$ORIGIN @ (x)"'],
  ] as const)("%s comes back", async ([title, value], { task }) => {
    if (expects.plainTexts && !PLAIN.test(value)) {
      const session = harness().open();
      const problems = session.audit(recordSet(at("text"), "TXT", value), await zoneOf(session));
      expect(problems).toHaveLength(1);
      return isUnsupported(task, "such texts come back changed, which is said beforehand");
    }
    await comesBack(title.replaceAll(" ", "-").toLowerCase(), value);
  });

  test("several texts at one name come back, each whole", async () => {
    await comesBack("several", '"a"', '"b" "c"', quoted("y".repeat(300)));
  });

  async function comesBack(label: string, ...values: readonly string[]): Promise<void> {
    const session = harness().open();
    const set = await normalizedBy(session, recordSet(at(`text-${label}`), "TXT", ...values));
    await mustApply(session, [create(set)]);
    await harness().settle();
    expect(await readNames(session, [set.name])).toEqual([set]);
    expect((await harness().poll(set.name, "TXT"))?.values).toEqual(set.values);
    await mustApply(session, [remove(set)]);
    expect(await harness().poll(set.name, "TXT")).toBeNull();
  }
}

/** Without escapes. */
const PLAIN = /^[^\\]*$/;

/** Strings of at most 255 bytes each, as TXT rdata has them (RFC 1035 §3.3.14). */
function quoted(text: string): string {
  const pieces = text.match(/.{1,255}/g) ?? [""];
  return pieces.map((part) => `"${part}"`).join(" ");
}
