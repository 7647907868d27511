/** The history of zones as people read it. */

import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { HistoryChange, HistoryDocument } from "../../../api/documents.ts";
import { historyText } from "./history-text.ts";

const AT: HistoryChange = {
  at: "2026-11-29T10:51:15.000Z",
  zone: trustedDnsName("example.org"),
  ...{ name: trustedDnsName("www.example.org"), type: "A", is: "created" },
  after: { values: ["192.0.2.1"], ttlSeconds: 300 },
  ...{ object: "service/default/web", generation: 2, cause: "edit", why: "Wanted" },
  ...{ providers: ["default/bind"], callMs: 3, answeredMs: 12.4 },
};
const { after: _, generation: _generation, answeredMs: _answered, ...REST } = AT;

function shown(changes: readonly HistoryChange[], more: Partial<HistoryDocument> = {}): string {
  const schema = "zonekeeper.dev/history/v1";
  const asked = { now: "2026-11-29T12:53:20.000Z", zone: AT.zone, name: null };
  const document = { schema, ...asked, changes, isCut: false, troubles: [], ...more } as const;
  return historyText(document, "Europe/Berlin");
}

test("a change says when, what, for which object, why, and how long it took", () => {
  expect(
    shown([AT]),
  ).toBe(`2026-11-29 11:51:15 (2 h ago)  created www.example.org A: 192.0.2.1 ttl 300
    Wanted for service/default/web generation 2, through default/bind, answered after 12 ms
`);
});

test.each([
  [
    {
      before: { values: ["192.0.2.1"], ttlSeconds: 60 },
      is: "changed",
      cause: "drift",
      why: "ValueChanged",
      after: AT.after,
    },
    "changed www.example.org A: 192.0.2.1 ttl 60 -> 192.0.2.1 ttl 300",
    "the zone was not as wanted, ValueChanged for service/default/web",
  ],
  [
    { before: AT.after, is: "removed", cause: "order", why: "approved", setIdentifier: "eu" },
    "removed www.example.org A (eu): 192.0.2.1",
    "a person approved its removal (service/default/web)",
  ],
  [
    { before: AT.after, is: "removed", cause: "edit", why: "deleted-object" },
    "removed www.example.org A: 192.0.2.1",
    "its object was deleted (service/default/web)",
  ],
  [
    { before: AT.after, is: "removed", cause: "edit", why: "missing-from-list", object: "" },
    "removed www.example.org A: 192.0.2.1",
    "its object is missing from a complete list",
  ],
  [
    { after: AT.after, is: "created", cause: "edit", why: "Wanted", editor: "kubectl-edit" },
    "created www.example.org A: 192.0.2.1 ttl 300",
    "Wanted for service/default/web, edited by kubectl-edit",
  ],
  [
    { owners: ["", "me"], is: "marker", cause: "order", why: "Adopted" },
    "ownership www.example.org A: nobody -> me",
    "ordered by a person, Adopted for service/default/web",
  ],
  [
    { owners: ["me", "me"], is: "marker", cause: "drift", why: "MarkerMissing" },
    "ownership www.example.org A: written anew for me",
    "the zone was not as wanted, MarkerMissing for service/default/web",
  ],
] as const)("%o", (change, what, why) => {
  const [first, second] = shown([{ ...REST, ...change } as HistoryChange]).split("\n");
  expect(first).toMatch(/^2026-11-29 11:51:15 \(2 h ago\) {2}/);
  expect(first?.slice("2026-11-29 11:51:15 (2 h ago)  ".length)).toBe(what);
  expect(second?.trim()).toBe(`${why}, through default/bind`);
});

test("nothing, more than is shown, and what may be missing are said", () => {
  expect(shown([])).toBe("No change is known in example.org.\n");
  expect(shown([AT], { isCut: true, troubles: ["the journal of example.org: gone"] })).toMatch(
    /\nThere are older ones: --limit shows more\.\nthe journal of example\.org: gone\n$/,
  );
});

test("what others wrote obeys no terminal", () => {
  const text = shown([
    { ...AT, object: "service/a/\u001b[2J", after: { values: ["a\u202eb\nc"], ttlSeconds: 1 } },
  ]);
  expect(text).toContain("service/a/\\u001b[2J");
  expect(text).toContain("a\\u202eb\\u000ac ttl 1");
});
