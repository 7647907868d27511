import { expect, test } from "vitest";
import { hasSequence, isPending, withoutSequence } from "./pending.ts";

test.each([
  [{ owner: "me" }, false, false],
  [{ owner: "me", data: "+0" }, false, true],
  [{ owner: "me", state: "pending" }, true, true],
  [{ owner: "me", state: "of-a-later-version", data: "+0" }, true, true],
])("%o", (labels, pending, sequence) => {
  expect(isPending(labels)).toBe(pending);
  expect(hasSequence(labels)).toBe(sequence);
  expect(withoutSequence(labels)).toEqual({ owner: "me" });
});
