import { expect, test } from "vitest";
import { nameOf, parseZone } from "../../../test/support/values/zone-text.ts";
import { synthesizedAt } from "./synthesized-answer.ts";

const APEX = nameOf("@");
const ZONE = parseZone(`
@ 300 NS ns1.example.org.
www 300 A 192.0.2.1
*.apps 300 A 192.0.2.2
b.c.apps 300 A 192.0.2.3
old 300 DNAME new.example.org.
* 300 TXT "any"
`);
const table = {
  at: (name: string) => ZONE.filter((set) => set.name === name),
  names: () => new Set(ZONE.map(({ name }) => name)),
};

test.each([
  ["www", null],
  ["foo.apps", "wildcard *.apps"],
  ["x.y.apps", "wildcard *.apps"],
  // RFC 4592 §2.2.3: c.apps exists, because b.c.apps does, and hides the wildcard.
  ["c.apps", null],
  ["x.c.apps", null],
  ["x.www", null],
  ["nothing", "wildcard *"],
  ["a.b.old", "dname old"],
  ["old", null],
])("what answers at %s: %s", (name, expected) => {
  const found = synthesizedAt(table, APEX, nameOf(name));
  const at = expected?.split(" ")[1];
  expect(found === null ? null : `${found.is} ${found.at}`).toBe(
    expected === null ? null : `${expected.split(" ")[0]} ${nameOf(at ?? "@")}`,
  );
});
