import { expect, test } from "vitest";
import { KeptNames } from "./kept-names.ts";

test("a list is made once, until what it rests on has changed or there are too many", () => {
  const made: string[] = [];
  const kept = new KeptNames();
  const ask = (name: string): readonly string[] =>
    kept.of(name, (one) => {
      made.push(one);
      return [one, `a-${one}`];
    });
  expect([ask("www"), ask("www")]).toEqual([
    ["www", "a-www"],
    ["www", "a-www"],
  ]);
  expect(made).toEqual(["www"]);
  kept.forget();
  ask("www");
  expect(made).toEqual(["www", "www"]);
  for (let index = 0; index < 600; index++) ask(`s${index}`);
  ask("www");
  expect(made.filter((name) => name === "www")).toHaveLength(3);
});
