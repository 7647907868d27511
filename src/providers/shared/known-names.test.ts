/** What is known by name is bounded: what was put first goes first. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { KnownNames } from "./known-names.ts";

const name = (label: string) => trustedDnsName(`${label}.example.org`);
const [Z1, Z2] = [{ id: "z1" }, { id: "z2" }];

test("names leave from the oldest, and one that is put again is the newest", () => {
  const known = new KnownNames<string>(3);
  known.put(Z1, name("a"), ["1"]);
  known.put(Z1, name("b"), ["2"]);
  known.put(Z1, name("a"), ["3"]);
  known.put(Z1, name("c"), ["4", "5"]);
  expect(["a", "b", "c"].map((label) => known.at(Z1, name(label)))).toEqual([
    ["3"],
    null,
    ["4", "5"],
  ]);
  expect(known.at(Z2, name("a"))).toBeNull();
});

test("what is forgotten takes no room, and a name without items is known", () => {
  const known = new KnownNames<string>(2);
  known.put(Z1, name("a"), ["1", "2"]);
  known.forget(Z1, name("a"));
  known.put(Z1, name("none"), []);
  expect(known.at(Z1, name("none"))).toEqual([]);
  known.put(Z1, name("b"), ["3", "4"]);
  expect(known.at(Z1, name("none"))).toBeNull();
  expect(known.at(Z1, name("b"))).toHaveLength(2);
});

test("a zone is forgotten as a whole, and no other one", () => {
  const known = new KnownNames<string>(4);
  known.put(Z1, name("a"), ["1", "2"]);
  known.put(Z2, name("a"), ["3"]);
  known.forgetZone(Z1);
  known.put(Z2, name("b"), ["4", "5", "6"]);
  expect([known.at(Z1, name("a")), known.at(Z2, name("a"))]).toEqual([null, ["3"]]);
});
