/** What is known by name is bounded: what was put first goes first. */
import { expect, test } from "vitest";
import { trustedDnsName } from "../../model/dns-name.ts";
import { NameBook } from "./name-book.ts";

const name = (label: string) => trustedDnsName(`${label}.example.org`);
const [Z1, Z2] = [{ id: "z1" }, { id: "z2" }];

test("names leave from the oldest, and one that is put again is the newest", () => {
  const book = new NameBook<string>(3);
  book.put(Z1, name("a"), ["1"]);
  book.put(Z1, name("b"), ["2"]);
  book.put(Z1, name("a"), ["3"]);
  book.put(Z1, name("c"), ["4", "5"]);
  expect(["a", "b", "c"].map((label) => book.at(Z1, name(label)))).toEqual([
    ["3"],
    null,
    ["4", "5"],
  ]);
  expect(book.at(Z2, name("a"))).toBeNull();
});

test("what is forgotten takes no room, and a name without items is known", () => {
  const book = new NameBook<string>(2);
  book.put(Z1, name("a"), ["1", "2"]);
  book.forget(Z1, name("a"));
  book.put(Z1, name("none"), []);
  expect(book.at(Z1, name("none"))).toEqual([]);
  book.put(Z1, name("b"), ["3", "4"]);
  expect(book.at(Z1, name("none"))).toBeNull();
  expect(book.at(Z1, name("b"))).toHaveLength(2);
});

test("a zone is forgotten as a whole, and no other one", () => {
  const book = new NameBook<string>(4);
  book.put(Z1, name("a"), ["1", "2"]);
  book.put(Z2, name("a"), ["3"]);
  book.forgetZone(Z1);
  book.put(Z2, name("b"), ["4", "5", "6"]);
  expect([book.at(Z1, name("a")), book.at(Z2, name("a"))]).toEqual([null, ["3"]]);
});
