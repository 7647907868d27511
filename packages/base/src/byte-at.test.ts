import { expect, test } from "vitest";
import { byteAt } from "./byte-at.ts";

test("beyond the end there are zeros", () => {
  expect([byteAt(Uint8Array.of(7), 0), byteAt([7], 1), byteAt([7], -1)]).toEqual([7, 0, 0]);
});
