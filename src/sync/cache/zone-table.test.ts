import { expect, test } from "vitest";
import { UsedBeginnings } from "./zone-table.ts";

test("a text is unused until a name begins with it, and stays used", () => {
  const beginnings = new UsedBeginnings(["a-", "aaaa-", "_owner.a.", "a.b-"]);
  const all = beginnings.unused;
  for (const name of ["www.example.org", "axb-www.example.org", "b.a-www.example.org"])
    beginnings.meet(name);
  expect(beginnings.unused).toBe(all);
  beginnings.meet("a.b-www.example.org");
  expect([...beginnings.unused]).toEqual(["a-", "aaaa-", "_owner.a."]);
  beginnings.meet("_owner.a.www.example.org");
  beginnings.meet("www.example.org");
  expect([...beginnings.unused]).toEqual(["a-", "aaaa-"]);
});

test("one name may begin with several texts", () => {
  const beginnings = new UsedBeginnings(["a", "a-"]);
  beginnings.meet("a-www.example.org");
  expect(beginnings.unused.size).toBe(0);
  beginnings.meet("b.example.org");
  expect(beginnings.unused.size).toBe(0);
});

test("without texts none is unused", () => {
  const beginnings = new UsedBeginnings([]);
  beginnings.meet("www.example.org");
  expect(beginnings.unused.size).toBe(0);
});
