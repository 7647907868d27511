/** Values of somebody else in a record set of ours (Z-27): the marker names those that are ours. */
import { expect, test } from "vitest";
import { rulesWith } from "../../test/support/values/plan-rules.ts";
import { planLines } from "../../test/support/values/plan-summary.ts";
import { nameOf, parseDesired, parseOwned } from "../../test/support/values/zone-text.ts";
import { planName } from "./plan.ts";

const FOREIGN = "198.51.100.1";
const TEXT =
  "the A record has 198.51.100.1 of somebody else; remove that value there, or add it to the object";

/** The plan where the zone has our 192.0.2.1 and somebody's 198.51.100.1. */
function lines(desired: string): readonly string[] {
  const own = parseOwned("www 300 A 192.0.2.1 ; owner=me");
  const current = own.map((one) => ({
    ...one,
    data: one.data === null ? null : { ...one.data, values: ["192.0.2.1", FOREIGN] },
    foreignValues: [FOREIGN],
  }));
  const absence = { proven: true, proof: "deleted-object" } as const;
  const plan = planName(nameOf("www"), parseDesired(desired), current, rulesWith({ absence }));
  return planLines([plan]).map((line) => line.replaceAll(".example.org", ""));
}

test.each([
  ["is not removed as drift", "www 300 A 192.0.2.1", "A"],
  ["is not merged with what replaces ours", "www 300 A 192.0.2.7", "A"],
  ["does not go with a record that nobody wants", "", "A"],
  ["makes no room for another type", "www 300 CNAME lb.example.com", "CNAME"],
])("Z-27 a foreign value %s", (_, desired, type) => {
  expect(lines(desired)).toEqual([`! www ${type} held: ForeignValue ${TEXT}`]);
});

test("Z-27 a value that the object wants, too, is no reason to wait", () => {
  expect(lines(`www 300 A 192.0.2.1\nwww 300 A ${FOREIGN}`)).toEqual([]);
  const [line] = lines(`www 300 A 192.0.2.7\nwww 300 A ${FOREIGN}`);
  expect(line).toContain("192.0.2.7");
  expect(line).not.toContain("held");
});
