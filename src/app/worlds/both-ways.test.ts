import { expect, test } from "vitest";
import { dayTroubles, proveBothWays } from "../../../test/simulation/proofs/both-ways.ts";

test("what a change on either side does, by the table (ADR 0134)", () => proveBothWays());

test("six hours of changes on both sides leaves what the table says, and a stranger's as it was", async () => {
  expect(await dayTroubles(3, 6)).toEqual([]);
});
