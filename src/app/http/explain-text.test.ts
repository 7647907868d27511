import { expect, test } from "vitest";
import { nameOf } from "../../../test/support/zone-text.ts";
import type { NameExplanation } from "../../sync/contract.ts";
import { explainText } from "./explain-text.ts";

const object = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
const set = { type: "A", setIdentifier: null, data: null, resource: null } as const;
const mark = {
  set: {
    ...{ name: nameOf("a-other"), type: "TXT", setIdentifier: null, ttlSeconds: 300 },
    ...{ values: ['"heritage=x"'], properties: {}, routingPolicy: null },
  },
  of: [{ name: nameOf("other"), type: "A", setIdentifier: null }],
  ...{ whose: null, owner: null, resource: null, format: null },
};
const blank: NameExplanation = {
  zone: { account: "a", zone: "example.org" },
  ...{ apex: nameOf("@"), endpoint: "127.0.0.1:53", paused: null, servers: [] },
  name: nameOf("www"),
  verdict: "open",
  desired: [],
  claims: [],
  current: [],
  standing: [],
  owner: null,
  resource: null,
  holds: [],
  heldSets: [],
  lastOutcome: null,
  nextTryAtMs: null,
};
const linesOf = (more: Partial<NameExplanation>): string =>
  explainText(blank.name, [{ ...blank, ...more }]);

test.each<[string, Partial<NameExplanation>, string]>([
  ["nobody and nothing", {}, "wanted: by nobody\n  in the zone: nothing\n  owner: none"],
  [
    "one that waits",
    { claims: [{ object, set: null, place: "waits", reason: "NoTargets" }] },
    "no record now   by service/default/web: it lists the name, and what stands is kept (NoTargets)",
  ],
  [
    "one that goes, of several clusters",
    {
      claims: ["c1", "c2"].map((cluster) => ({
        object: { ...object, cluster },
        set: null,
        place: "leaves",
        reason: "",
      })),
    },
    "by service/default/web of cluster c2: it is being deleted",
  ],
  [
    "two owners",
    { standing: [{ ...set, whose: "contested", owners: ["me", "you"] }] },
    'A (only its marker)   contested by "me" and "you": nobody writes until',
  ],
  [
    "nobody knows whose",
    { standing: [{ ...set, whose: "another", owners: [""] }] },
    "A (only its marker)   of an owner that its marker does not prove",
  ],
  [
    "another's",
    { standing: [{ ...set, whose: "another", owners: ["you"], resource: "service/a/b" }] },
    'A (only its marker)   of the owner "you" for service/a/b: not touched',
  ],
  [
    "a marker of ours",
    { marks: [{ ...mark, is: "marker", whose: "ours", owner: "me", resource: "service/a/b" }] },
    `in the zone:
    TXT 300 "heritage=x"   a marker of ours for other.example.org A, service/a/b; zonekeeper explain 'other.example.org' tells of it
  owner: none: nothing but ownership records stands here`,
  ],
  [
    "a marker of another, in another format",
    { marks: [{ ...mark, is: "marker", whose: "another", owner: "you", format: "gardener" }] },
    `a marker of the owner "you" (format gardener) for other.example.org A; zonekeeper`,
  ],
  ["one of several markers", { marks: [{ ...mark, is: "marker" }] }, "one of the markers of other"],
  ["a permit", { marks: [{ ...mark, is: "permit" }] }, "a permit for other.example.org A; "],
  ["a fence", { marks: [{ ...mark, is: "fence", of: [] }] }, "   a fence: which installation may"],
  ["neither", { marks: [{ ...mark, is: "unknown", of: [] }] }, "speaks for no record that stands"],
  [
    "a removal that is held",
    {
      holds: [
        {
          key: { name: blank.name, type: "A", setIdentifier: null },
          ...{ code: "FuseTripped", message: "one of many", provenance: null },
          change: {
            op: "remove",
            previous: {
              ...{ name: blank.name, type: "A", setIdentifier: null, ttlSeconds: 300 },
              ...{ values: ["192.0.2.3"], properties: {}, routingPolicy: null },
            },
          },
          proof: "missing-from-list",
        },
      ],
    },
    "A: FuseTripped: one of many\n      what would be done: 300 192.0.2.3 removed: its object is missing from a complete list\n",
  ],
  [
    "a set that waits",
    { heldSets: [{ hash: "4f0c", kind: "next-removals", changes: 3 }] },
    "waits for approval:\n    the next set, behind an earlier one, 3 changes: zonekeeper approve 4f0c",
  ],
])("%s", (_, more, expected) => {
  expect(linesOf(more)).toContain(expected);
});
