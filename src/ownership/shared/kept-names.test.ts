import { expect, test } from "vitest";
import { KeptNames } from "./kept-names.ts";

test("a list is made once, until what it rests on has changed or there are too many", () => {
  const made: string[] = [];
  const kept = new KeptNames();
  const ask = (name: string, basis?: object): readonly string[] =>
    kept.of(name, basis, () => {
      made.push(name);
      return [name, `a-${name}`];
    });
  const timesMade = (): number => made.filter((name) => name === "www").length;
  expect([ask("www"), ask("www")]).toEqual([
    ["www", "a-www"],
    ["www", "a-www"],
  ]);
  expect(timesMade()).toBe(1);
  kept.forget();
  ask("www");
  expect(timesMade()).toBe(2);
  const basis = {};
  for (const one of [basis, basis, {}]) ask("www", one);
  expect(timesMade()).toBe(4);
  for (let index = 0; index < 5_000; index++) ask(`s${index}`, basis);
  ask("www", basis);
  expect(timesMade()).toBe(5);
});
