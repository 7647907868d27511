import { OperationError } from "@zonekeeper/base/operation-error";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { EntryWrites } from "./entry-writes.ts";
import { wasMadeIn } from "./source-class.ts";

const KEY = "default/web";
const sent: KubeObject = {
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name: "web-service-1", namespace: "default", labels: { a: "b" } },
  spec: { dnsName: "www.example.org", targets: ["192.0.2.1"] },
};
const stored = (change: Partial<KubeObject> = {}): KubeObject => ({
  ...sent,
  ...change,
  metadata: { ...sent.metadata, uid: "1", resourceVersion: "7", ...change.metadata },
});
const added = (object: KubeObject): ObjectChange => ({ type: "added", kind: DNS_ENTRY, object });

const OTHER = { "dns.gardener.cloud/class": "x" };
const TAKEN = { ...OTHER, "zonekeeper.dev/former-class": "gardendns" };

function linked(annotations: Readonly<Record<string, string>>, more: object = {}) {
  const owner = { apiVersion: "v1", kind: "Service", name: "web", uid: "u", controller: true };
  return { ...sent.metadata, ownerReferences: [owner], annotations, ...more };
}

function entriesThat(create: () => Promise<KubeObject>, present = stored()) {
  const again: string[] = [];
  const awaited: string[] = [];
  const clock = new VirtualClock();
  const entries = new EntryWrites({
    scope: {
      ...{ kind: SERVICE, cluster: "c1", targetCluster: "c1" },
      ...{ targetNamespace: null, aliases: new Map() },
    },
    view: { get: () => ({ state: "absent" }) },
    own: {
      awaitEnd: (entry, key) => void awaited.push(`${entry} ${key}`),
      wasMadeHere: (entry) => wasMadeIn(entry, ["gardendns"]),
    },
    writer: { create, patch: async () => stored(), read: async () => present },
    clock,
    again: (key) => void again.push(key),
  });
  return { entries, again, awaited, clock };
}

test("an entry that the watch shows as it was sent needs no further look, once", async () => {
  const { entries } = entriesThat(async () => stored());
  expect(await entries.create(KEY, sent)).toBeNull();
  expect(entries.isAsSent(KEY, added(stored()))).toBe(true);
  expect(entries.isAsSent(KEY, added(stored()))).toBe(false);
});

test("one whose source object was decided anew before the watch showed it is looked at", async () => {
  const { entries } = entriesThat(async () => stored());
  await entries.create(KEY, sent);
  entries.decidedAnew(KEY);
  expect(entries.isAsSent(KEY, added(stored()))).toBe(false);
});

test("so does one that the watch shows before the answer", async () => {
  const answers: ((entry: KubeObject) => void)[] = [];
  const { entries } = entriesThat(() => new Promise((resolve) => answers.push(resolve)));
  const created = entries.create(KEY, sent);
  expect(entries.isAsSent(KEY, added(stored()))).toBe(true);
  answers[0]?.(stored());
  expect(await created).toBeNull();
});

test.each<[string, ObjectChange]>([
  ["its spec", added(stored({ spec: { dnsName: "www.example.org", ttl: 5 } }))],
  ["a label", added(stored({ metadata: { ...sent.metadata, labels: { a: "b", hook: "x" } } }))],
  ["an annotation", added(stored({ metadata: { ...sent.metadata, annotations: { a: "x" } } }))],
  ["finalizers", added(stored({ metadata: { ...sent.metadata, finalizers: ["x/y"] } }))],
  ["a deletion", { ...added(stored()), type: "deleted", proof: "watched" }],
])("what somebody changed on its way is looked at: %s", async (_, change) => {
  const { entries } = entriesThat(async () => stored());
  await entries.create(KEY, sent);
  expect(entries.isAsSent(KEY, change)).toBe(false);
});

test("an entry whose create failed is looked at, and one that nobody sent", async () => {
  const lost = new OperationError({ code: "UnknownOutcome", message: "lost", retry: "backoff" });
  const { entries } = entriesThat(() => Promise.reject(lost));
  await expect(entries.create(KEY, sent)).rejects.toBe(lost);
  expect(entries.isAsSent(KEY, added(stored()))).toBe(false);
});

test("a name that is taken is told, and tried again", async () => {
  const taken = new OperationError({ code: "AlreadyExists", message: "taken", retry: "backoff" });
  const { entries, again, awaited } = entriesThat(() => Promise.reject(taken));
  expect(await entries.create(KEY, sent)).toContain("belongs to another object");
  expect(again).toEqual(["default/web"]);
  expect(awaited).toEqual(["default/web-service-1 default/web"]);
});

test.each<[string, KubeObject["metadata"], string, readonly string[]]>([
  ["of our class: its answer was lost", linked({}), "", ["default/web"]],
  ["made in our class, and taken into another", linked(TAKEN), "", ["default/web"]],
  ["of another class, and ending", linked(OTHER, { deletionTimestamp: "1" }), "", ["default/web"]],
  [
    "of another class",
    linked(OTHER),
    "the dns entry object default/web-service-1 of this object is of class x, and gardendns is wanted: it is left as it is and does not follow; give it class gardendns again, or delete it",
    [],
  ],
])(
  "an entry of the object that is there and was not seen: %s",
  async (_, metadata, text, tried) => {
    const there = new OperationError({ code: "AlreadyExists", message: "there", retry: "backoff" });
    const { entries, again, awaited, clock } = entriesThat(
      () => Promise.reject(there),
      stored({ metadata }),
    );
    expect(await entries.create("default/web", sent)).toBe("");
    expect(again).toEqual(["default/web"]);
    again.length = 0;
    // Whoever made it may be about to delete it.
    await clock.advance(10_000);
    expect(await entries.create("default/web", sent)).toBe(text);
    expect(again).toEqual(tried);
    expect(awaited).toHaveLength(2);
  },
);

test("a change that is undone each time is made five times a minute, and then told", async () => {
  const { entries, again, clock } = entriesThat(async () => stored());
  const one = { entry: stored(), patch: { spec: { ttl: 60 } } };
  const other = { entry: stored(), patch: { spec: { ttl: 120 } } };
  const times = async (count: number, change = one) => {
    const all = [];
    for (let time = 0; time < count; time++) all.push(await entries.patch(KEY, change));
    return all;
  };
  expect(await times(5)).toEqual(["", "", "", "", ""]);
  expect(await times(1)).toEqual([expect.stringContaining("is changed back by another program")]);
  expect(again).toEqual([KEY]);
  // Another change is new, and so is the first one after it.
  expect(await times(1, other)).toEqual([""]);
  expect(await times(5)).toEqual(["", "", "", "", ""]);
  expect(await times(1)).not.toEqual([""]);
  await clock.advance(60_000);
  expect(await times(1)).toEqual([""]);
});
