import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject, ObjectMeta } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { DEFAULT_MARKS } from "../../../test/support/worlds/default-publish.ts";
import { RELEASE_ANNOTATION, WANTED_AGAIN_ANNOTATION } from "../../model/annotation-keys.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, NOTHING } from "../../sources/source.ts";
import { sourceLabel } from "./entry-signs.ts";
import { ownerOf, type SourceScope } from "./owner-link.ts";
import { type EntriesContext, planEntries } from "./plan-entries.ts";

const NEAR: SourceScope = {
  kind: SERVICE,
  cluster: "c1",
  targetCluster: "c1",
  targetNamespace: null,
  aliases: new Map(),
};
const service: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "default", uid: "new" },
};
const reference = (uid: string) => [
  { apiVersion: "v1", kind: "Service", name: "web", uid, controller: true },
];

function entry(name: string, dnsName: string, metadata: Partial<ObjectMeta> = {}): KubeObject {
  return {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: {
      name,
      namespace: "default",
      uid: `uid-${name}`,
      resourceVersion: "7",
      ownerReferences: reference("new"),
      labels: LABELS,
      ...metadata,
    },
    spec: { dnsName, targets: ["192.0.2.1"] },
  };
}

const LABELS = sourceLabel({
  cluster: "c1",
  kind: "service",
  namespace: "default",
  name: "web",
});

function item(name: string, type = "A", values = ["192.0.2.1"]): DesiredRecordSet {
  return {
    name: trustedDnsName(name),
    type,
    setIdentifier: null,
    ttlSeconds: null,
    values,
    properties: {},
    routingPolicy: null,
    provenance: { cluster: "c1", kind: "service", namespace: "default", name: "web" },
    owner: null,
    createdAtMs: 0,
  };
}

function plan(
  found: Partial<Found<DesiredRecordSet>>,
  own: readonly KubeObject[],
  more: Partial<EntriesContext> = {},
) {
  const { create, change, remove } = planEntries({
    scope: NEAR,
    object: service,
    found: { ...NOTHING, ...found },
    own,
    left: [],
    nameOf: (name) => `web-service-${name}`,
    targetClass: "gardendns",
    isServed: false,
    noteOf: () => null,
    marks: DEFAULT_MARKS,
    ...more,
  });
  return {
    create: create.map((e) => ({ metadata: e.metadata, spec: e["spec"] })),
    change: change.map(({ entry: { metadata }, patch }) => [metadata.name, patch]),
    remove: remove.map((e) => e.metadata.name),
  };
}

const nothing = { create: [], change: [], remove: [] };

describe("entries of a source", () => {
  test("addresses, host name and TTL become one entry", () => {
    const items = [item("a.org", "A"), item("a.org", "AAAA", ["2001:db8::1"])];
    expect(plan({ items: items.map((i) => ({ ...i, ttlSeconds: 60 })) }, []).create).toEqual([
      {
        metadata: {
          name: "web-service-a.org",
          namespace: "default",
          ownerReferences: reference("new"),
          labels: LABELS,
        },
        spec: { dnsName: "a.org", ttl: 60, targets: ["192.0.2.1", "2001:db8::1"] },
      },
    ]);
  });

  test("what stands is left alone; what differs is patched, in this very object", () => {
    const own = [entry("web-service-a.org", "a.org")];
    expect(plan({ items: [item("a.org")] }, own)).toEqual(nothing);
    expect(plan({ items: [item("a.org", "A", ["192.0.2.2"])] }, own).change).toEqual([
      [
        "web-service-a.org",
        { metadata: { uid: "uid-web-service-a.org" }, spec: { targets: ["192.0.2.2"] } },
      ],
    ]);
  });

  test("Z-1, Z-4: unwanted goes, waiting and unknown stay", () => {
    const own = [entry("web-service-a.org", "a.org"), entry("web-service-b.org", "b.org")];
    expect(plan({}, own).remove).toEqual(["web-service-a.org", "web-service-b.org"]);
    const waiting = [{ name: trustedDnsName("a.org"), reason: "NoTargets" }];
    expect(plan({ waiting }, own).remove).toEqual(["web-service-b.org"]);
    expect(plan({ complete: false }, own)).toEqual(nothing);
  });

  test("a waiting name keeps its entry even if somebody edited the entry's dnsName", () => {
    const waiting = [{ name: trustedDnsName("a.org"), reason: "NoTargets" }];
    expect(plan({ waiting }, [entry("web-service-a.org", "edited.org")])).toEqual(nothing);
  });

  test("of twins the one with our name stays, else the oldest", () => {
    const old = entry("old", "a.org", { creationTimestamp: "2026-01-01T00:00:00Z" });
    const young = entry("young", "a.org", { creationTimestamp: "2026-01-02T00:00:00Z" });
    const called = entry("web-service-a.org", "a.org", {
      creationTimestamp: "2026-01-03T00:00:00Z",
    });
    const found = { items: [item("a.org")] };
    expect(plan(found, [young, old])).toEqual({ ...nothing, remove: ["young"] });
    expect(plan({ ...found, complete: false }, [young, old, called]).remove).toEqual([
      "young",
      "old",
    ]);
  });

  test("an entry that is going is neither used nor removed again", () => {
    const going = entry("web-service-a.org", "a.org", {
      deletionTimestamp: "2026-01-01T00:00:00Z",
    });
    const { create, remove } = plan({ items: [item("a.org")] }, [going]);
    expect([create.length, remove]).toEqual([1, []]);
    expect(plan({}, [going]).remove).toEqual([]);
  });

  test("a source with a new uid takes its entries over before they are collected", () => {
    const own = [entry("web-service-a.org", "a.org", { ownerReferences: reference("old") })];
    expect(plan({ items: [item("a.org")] }, own).change).toEqual([
      [
        "web-service-a.org",
        {
          metadata: {
            uid: "uid-web-service-a.org",
            resourceVersion: "7",
            ownerReferences: reference("new"),
          },
        },
      ],
    ]);
    const far = entry("web-service-a.org", "a.org", { namespace: "dns", ownerReferences: [] });
    expect(plan({ items: [item("a.org")] }, [far])).toEqual(nothing);
  });
});

describe("a release", () => {
  const wwwOf = (value: string | null) => {
    const annotations = value === null ? {} : { [RELEASE_ANNOTATION]: value };
    return entry("web-service-a.org", "a.org", { annotations });
  };
  const saying = (annotations: Readonly<Record<string, string>>): KubeObject => ({
    ...service,
    metadata: { ...service.metadata, annotations },
  });

  test.each([
    ["true", null, "by-source"],
    ["by-source", null, "by-source"],
    [null, "by-source", null],
    ["false", "by-source", null],
    ["yes", "by-source", null],
    ["true", "false", "by-source"],
  ])("of %s at the object makes of %s at its entry %s", (asked, present, released) => {
    const object = saying(asked === null ? {} : { [RELEASE_ANNOTATION]: asked });
    const patch = { metadata: { annotations: { [RELEASE_ANNOTATION]: released } } };
    const { change } = plan({ complete: false }, [wwwOf(present)], { object });
    expect(change).toEqual([["web-service-a.org", patch]]);
  });

  test.each([
    ["true", "true"],
    ["true", "by-source"],
    [null, "true"],
    ["false", "true"],
    ["yes", null],
  ])("of %s at the object leaves %s at its entry", (asked, present) => {
    const object = saying(asked === null ? {} : { [RELEASE_ANNOTATION]: asked });
    expect(plan({ complete: false }, [wwwOf(present)], { object }).change).toEqual([]);
  });

  test("is written into a new entry", () => {
    const object = saying({ [RELEASE_ANNOTATION]: "true" });
    const { create } = plan({ items: [item("a.org")] }, [], { object });
    expect(create[0]?.metadata.annotations).toEqual({ [RELEASE_ANNOTATION]: "by-source" });
  });
});

describe("Z-25: beside an entry that is not ours none is made", () => {
  test.each([
    ["with the DNS name", entry("other", "a.org")],
    ["with the object name", entry("web-service-a.org", "b.org")],
  ])("%s", (_, left) => {
    expect(plan({ items: [item("a.org")] }, [], { left: [left] })).toEqual(nothing);
  });
});

describe("an entry of an earlier version", () => {
  test("gets its label", () => {
    const [own] = [entry("web-service-a.org", "a.org", { labels: undefined })];
    expect(plan({ items: [item("a.org")] }, [own]).change).toEqual([
      ["web-service-a.org", { metadata: { uid: "uid-web-service-a.org", labels: LABELS } }],
    ]);
  });
});

describe("a cluster that has a new id (Z-30)", () => {
  const scope: SourceScope = {
    ...{ kind: SERVICE, cluster: "new", targetCluster: "t", targetNamespace: "dns" },
    aliases: new Map([["old", "new"]]),
  };
  const owners = (text: string): KubeObject =>
    entry("web-service-before", "a.org", {
      annotations: {
        "resources.gardener.cloud/owners": text,
        "resources.gardener.cloud/ignore-owners-for-access-control": "true",
      },
    });

  test("finds its entries, and rewrites their owners and nothing else", () => {
    const before = owners("old:/Service/default/web,x:/Service/default/other");
    expect(ownerOf(scope, before)).toBe("default/web");
    expect(ownerOf({ ...scope, aliases: new Map() }, before)).toBeNull();
    const { create, change, remove } = plan({ items: [item("a.org")] }, [before], { scope });
    expect([create, remove]).toEqual([[], []]);
    const annotations = {
      "resources.gardener.cloud/owners": "new:/Service/default/web,x:/Service/default/other",
    };
    expect(change).toEqual([
      ["web-service-before", { metadata: { uid: "uid-web-service-before", annotations } }],
    ]);
  });

  test("what has the present id is left as it is", () => {
    const now = owners("new:/Service/default/web");
    expect(plan({ items: [item("a.org")] }, [now], { scope }).change).toEqual([]);
  });

  test("an id that became the one of the entries' cluster is written as Gardener does: without it", () => {
    const near = { ...scope, cluster: "t", aliases: new Map([["old", "t"]]) };
    const [[, patch] = []] = plan(
      { items: [item("a.org")] },
      [owners("old:/Service/default/web")],
      {
        scope: near,
      },
    ).change;
    expect(patch).toMatchObject({
      metadata: { annotations: { "resources.gardener.cloud/owners": "/Service/default/web" } },
    });
  });
});

describe("entries elsewhere", () => {
  const far: SourceScope = {
    kind: SERVICE,
    cluster: "c2",
    targetCluster: "c1",
    targetNamespace: "dns",
    aliases: new Map(),
  };

  test("are linked by annotation, in the target namespace, with the target class", () => {
    const { create } = plan({ items: [item("a.org")] }, [], { scope: far, targetClass: "garden" });
    expect(create[0]?.metadata).toEqual({
      name: "web-service-a.org",
      namespace: "dns",
      labels: sourceLabel({ cluster: "c2", kind: "service", namespace: "default", name: "web" }),
      annotations: {
        "resources.gardener.cloud/ignore-owners-for-access-control": "true",
        "resources.gardener.cloud/owners": "c2:/Service/default/web",
        "zonekeeper.dev/source-class": "gardendns",
        "dns.gardener.cloud/class": "garden",
      },
    });
    const made: KubeObject = { ...service, metadata: create[0]?.metadata ?? service.metadata };
    expect(ownerOf(far, made)).toBe("default/web");
    expect(ownerOf(NEAR, made)).toBeNull();
    expect(ownerOf({ ...far, cluster: "c3" }, made)).toBeNull();
    expect(fieldsOf(create[0]?.spec)["dnsName"]).toBe("a.org");
  });

  test("Z-30 one that somebody deletes says that it is made anew, for as long as its name is listed", () => {
    const again = (value: string | null) => [
      ["web-service-a.org", { metadata: { annotations: { [WANTED_AGAIN_ANNOTATION]: value } } }],
    ];
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    const going = (annotations = {}) =>
      entry("web-service-a.org", "a.org", { deletionTimestamp, annotations });
    const marked = { [WANTED_AGAIN_ANNOTATION]: "true" };
    const changes = (found: Partial<Found<DesiredRecordSet>>, own: KubeObject, more = {}) =>
      plan(found, [own], { scope: far, ...more }).change;
    const waiting = [{ name: trustedDnsName("a.org"), reason: "NoTargets" }];
    for (const found of [{ items: [item("a.org")] }, { waiting }, { complete: false }]) {
      expect(changes(found, going())).toEqual(again("true"));
      expect(changes(found, going(marked))).toEqual([]);
      expect(changes(found, going(), { isServed: true })).toEqual([]);
      expect(changes(found, going(), { scope: NEAR })).toEqual([]);
    }
    expect(changes({}, going())).toEqual([]);
    expect(changes({}, going(marked))).toEqual(again(null));
  });
});
