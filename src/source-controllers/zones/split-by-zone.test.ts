/** Tests the text about names that no zone holds. */
import { expect, test } from "vitest";
import { parseDesired } from "../../../test/support/values/zone-text.ts";
import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import { splitByZone } from "./split-by-zone.ts";

test.each<readonly [string, Selection]>([
  ["create one for its zone", { kind: "none" }],
  ["--domain-filter", { kind: "none", isByFlags: true }],
  ["it lists its zones", { kind: "invalid", message: "it lists its zones" } as Selection],
])("%s", (text, selection) => {
  const items = parseDesired("www 300 A 192.0.2.1");
  const found = { items, waiting: [], problems: [], complete: true };
  expect(splitByZone(found, () => selection).unserved).toEqual([
    expect.stringMatching(new RegExp(`^www\\.example\\.org: .*${text}`)),
  ]);
});
