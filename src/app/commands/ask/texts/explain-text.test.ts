import { expect, test } from "vitest";
import { explainedText } from "../../../../../test/support/programs/client-text.ts";
import { nameOf } from "../../../../../test/support/values/zone-text.ts";
import type { FenceStatus } from "../../../../sync/contract/fence-status.ts";
import type { MarkerRecord, NameExplanation } from "../../../../sync/contract/name-explanation.ts";

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
const fence = (
  whose: "ours" | "another",
  domain: string,
  by: string | null = null,
): MarkerRecord => ({
  ...{ ...mark, is: "fence", of: [], whose },
  fence: { domain, epoch: 7, contestedBy: by, dismissed: [] },
});
const running: FenceStatus = {
  ...{ mode: "record", domain: "uid-1/a/b", epoch: 7 },
  ...{ code: null, holder: null, message: "", other: null },
};
const blank: NameExplanation = {
  zone: { account: "a", zone: "example.org" },
  ...{ apex: nameOf("@"), isTrusted: true, endpoint: "127.0.0.1:53", paused: null, servers: [] },
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
  explainedText(blank.name, [{ ...blank, ...more }]);

test.each<[string, Partial<NameExplanation>, string]>([
  ["nobody and nothing", {}, "wanted: by no object\n  in the zone: nothing\n  owner: none"],
  [
    "one that waits",
    { claims: [{ object, set: null, place: "waits", reason: "NoTargets" }] },
    "no record now   by service/default/web: it lists the name and has no address; the published record is kept (NoTargets)",
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
    'A (only its marker)   contested by "me" and "you": no owner may write until',
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
    TXT 300 "heritage=x"   a marker of ours for other.example.org A, service/a/b; see zonekeeper explain 'other.example.org'
  owner: none: the name has ownership records only`,
  ],
  [
    "a marker of another, in another format",
    { marks: [{ ...mark, is: "marker", whose: "another", owner: "you", format: "gardener" }] },
    `a marker of the owner "you" (format gardener) for other.example.org A; see zonekeeper`,
  ],
  [
    "a marker of ours, in another format",
    { marks: [{ ...mark, is: "marker", whose: "ours", owner: "me", format: "gardener" }] },
    `a marker of ours (format gardener) for other.example.org A; it gives no right, because this registry keeps another format; see zonekeeper`,
  ],
  [
    "a second marker, at the record's own name",
    {
      marks: [
        {
          ...{ ...mark, is: "marker", whose: "ours", owner: "me", resource: "service/a/b" },
          ...{ of: [{ name: nameOf("www"), type: "A", setIdentifier: null }] },
          beside: [nameOf("a-www")],
        },
      ],
    },
    "   a second marker of ours for www.example.org A, service/a/b; the marker at a-www.example.org decides\n",
  ],
  [
    "several markers in one",
    { marks: [{ ...mark, is: "marker" }] },
    "markers of several owners in one record set, for other.example.org A; see zonekeeper",
  ],
  ["a permit", { marks: [{ ...mark, is: "permit" }] }, "a permit for other.example.org A; "],
  [
    "the fence, held by this installation",
    { marks: [fence("ours", "uid-1/a/b")], fence: running },
    "   the fence of our owner id: this installation uid-1/a/b writes to the zone, in epoch 7\n",
  ],
  [
    "the fence that a copy of this cluster disputes",
    { marks: [fence("ours", "uid-1/a/b", "uid-1/a/b")], fence: running },
    "in epoch 7; a copy of its cluster disputes it, so neither writes",
  ],
  [
    "the fence, held by another installation and disputed",
    { marks: [fence("ours", "uid-2/a/b", "uid-1/a/b")], fence: running },
    "the installation uid-2/a/b writes to the zone, in epoch 7; uid-1/a/b disputes it, so neither",
  ],
  [
    "another's fence",
    { marks: [fence("another", "uid-1/a/b")], fence: running },
    "   the fence of another owner id: the installation uid-1/a/b writes",
  ],
  [
    "the fence of an id of a DNSOwner",
    { marks: [{ ...fence("ours", "uid-1/a/b"), owner: "shop" }], fence: running },
    '   the fence of our owner id "shop": this installation uid-1/a/b writes to the zone',
  ],
  [
    "the fence of an id that waits",
    { marks: [{ ...fence("another", "uid-2/a/b"), owner: "shop" }], fence: running },
    '   the fence of the owner id "shop": the installation uid-2/a/b writes to the zone',
  ],
  [
    "a fence of a later version",
    { marks: [{ ...mark, is: "fence", of: [], whose: "ours", fence: null }] },
    "   the fence of our owner id, in a form that this version cannot read\n",
  ],
  ["neither", { marks: [{ ...mark, is: "unknown", of: [] }] }, "belongs to no existing record"],
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
    { heldSets: [{ hash: "4f0c", kind: "next-removals", changes: 3, removals: 3 }] },
    "waits for approval:\n    the next set, behind an earlier one, 3 changes: zonekeeper approve 4f0c",
  ],
])("%s", (_, more, expected) => {
  expect(linesOf(more)).toContain(expected);
});

test("an instance that writes nothing says so first: it makes none of the open changes", () => {
  const dryRun = "Dry run: this instance writes nothing, neither to zones nor to clusters.";
  expect(explainedText(blank.name, [blank], { dryRun })).toMatch(/^Dry run: [^\n]+\nwww\./);
  expect(explainedText(blank.name, [blank], { dryRun: null })).toMatch(/^www\./);
});

test("a value that is kept while its object has a mistake is not shown as wanted now", () => {
  const claim = { object, set: null, place: "first", reason: "" } as const;
  const text = (listing: string) =>
    explainedText(blank.name, [{ ...blank, claims: [claim] }], {
      wishes: [
        {
          ...{ object: listing, cluster: object.cluster, name: blank.name },
          ...{ state: "Stale", message: "no" },
        },
      ],
    });
  const kept = "by service/default/web: kept from before, see the end";
  expect(text("service/default/web")).toContain(kept);
  expect(text("service/default/other")).not.toContain(kept);
});
