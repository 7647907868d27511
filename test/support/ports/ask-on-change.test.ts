/** What is given without asking is what the same news gave. */
import { expect, test } from "vitest";
import { askOnChange } from "./ask-on-change.ts";

/** A value that changes to `later` while it is asked for, once. */
function changing(later: string) {
  const world = { value: "a", asked: 0, next: later };
  const ask = askOnChange(
    async () => world.value,
    async () => {
      world.asked += 1;
      world.value = world.next;
      return world.value;
    },
  );
  return { world, ask };
}

test("is asked again only where there is news", async () => {
  const { world, ask } = changing("a");
  expect([await ask(), await ask(), world.asked]).toEqual(["a", "a", 1]);
  world.value = "b";
  world.next = "b";
  expect([await ask(), await ask(), world.asked]).toEqual(["b", "b", 2]);
});

test("what changed while it was asked for is not taken for what was there before", async () => {
  const { world, ask } = changing("b");
  expect(await ask()).toBe("b");
  world.value = "a";
  world.next = "a";
  expect(await ask()).toBe("a");
});

test("without news it is asked each time", async () => {
  let asked = 0;
  const ask = askOnChange(
    () => Promise.reject(new Error("nobody answers")),
    async () => {
      asked += 1;
      return asked;
    },
  );
  expect([await ask(), await ask()]).toEqual([1, 2]);
});
