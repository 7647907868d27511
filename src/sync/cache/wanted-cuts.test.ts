import { expect, test } from "vitest";
import { nameOf, parseDesired } from "../../../test/support/values/zone-text.ts";
import type { Contribution } from "../contract/contribution.ts";
import { WantedCuts } from "./wanted-cuts.ts";

function wanting(text: string): Contribution {
  const items = parseDesired(text);
  const object = { cluster: "c1", kind: "dnsendpoint", namespace: "ta", name: "x" };
  const found = { items, waiting: [], problems: [], complete: true };
  return { object, generation: 1, deleting: false, found };
}

/** A table of these names that counts its walks. */
function tableOf(names: readonly string[]) {
  const table = {
    revision: 1,
    walks: 0,
    *names() {
      table.walks += 1;
      yield* names.map(nameOf);
    },
  };
  return table;
}

test("a change reaches the cuts above it, and a wildcard those beside it", () => {
  const cuts = new WantedCuts();
  expect(cuts.dependingOn(nameOf("a.corp"))).toEqual([]);
  cuts.add(1, wanting("corp 300 NS ns.example.com.\ncorp 300 DS 1 8 2 00"));
  cuts.add(2, wanting("corp 300 NS ns.example.com.\ndeep.sub 300 DNAME example.com."));
  cuts.add(3, wanting("www 300 A 192.0.2.1"));
  const depending = (name: string) => cuts.dependingOn(nameOf(name));
  expect(depending("a.b.corp")).toEqual([nameOf("corp")]);
  expect(depending("corp")).toEqual([nameOf("corp")]);
  expect(depending("sub")).toEqual([]);
  expect(depending("*")).toEqual([nameOf("corp"), nameOf("deep.sub")]);
  expect(depending("*.sub")).toEqual([nameOf("deep.sub")]);
  expect(depending("*.deep.sub")).toEqual([nameOf("deep.sub")]);
  cuts.remove(1);
  expect(depending("corp")).toEqual([nameOf("corp")]);
  cuts.remove(2);
  cuts.remove(2);
  expect(depending("corp")).toEqual([]);
  cuts.add(4, wanting("*.apps 300 A 192.0.2.1"));
  expect(depending("b.a.apps")).toEqual([nameOf("*.apps")]);
  expect(depending("apps")).toEqual([nameOf("*.apps")]);
  expect(depending("other")).toEqual([]);
});

test("one walk over the zone serves all cuts and wildcards until something moves", () => {
  const cuts = new WantedCuts();
  cuts.add(1, wanting("corp 300 NS ns.example.com."));
  cuts.add(2, wanting("mail 300 NS ns.example.com.\n*.a.corp 300 A 192.0.2.1"));
  const table = tableOf(["@", "www", "mail", "a.corp", "b.a.corp", "acorp"]);
  const below = (cut: string) => cuts.namesUnder(nameOf(cut), table, () => [nameOf("c.corp")]);
  expect(below("corp")).toEqual(["a.corp", "b.a.corp", "c.corp"].map(nameOf));
  expect([below("mail"), below("www")]).toEqual([[nameOf("mail")], []]);
  expect(below("*.a.corp")).toEqual(["a.corp", "b.a.corp"].map(nameOf));
  expect(table.walks).toBe(1);
  table.revision = 2;
  below("corp");
  expect(table.walks).toBe(2);
  cuts.add(3, wanting("www 300 A 192.0.2.1"));
  below("corp");
  cuts.remove(3);
  below("corp");
  expect(table.walks).toBe(4);
});
