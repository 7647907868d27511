/** Keys mean to us what they mean to CoreDNS, which is not here: its answers are recorded. */
import { expect, test } from "vitest";
import { recordedAnswers } from "./answers.ts";
import { keysOf, setsIn } from "./harness.ts";

const answers = recordedAnswers();

test.each(answers.map((one) => [`${one.name} ${one.type}`, one] as const))(
  "%s is read as CoreDNS answered it",
  (_, { name, type, ttlSeconds, values, keys }) => {
    const found = setsIn(keys).find((set) => set.name === name && set.type === type);
    expect(found).toMatchObject({ ttlSeconds, values });
  },
);

test("what is written for a record set means that record set to CoreDNS, too", () => {
  for (const { keys } of answers)
    for (const set of setsIn(keys)) {
      const again = setsIn(keysOf(set)).find(({ type }) => type === set.type);
      expect(again).toEqual(set);
    }
});
