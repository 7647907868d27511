import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { portOf } from "../model/imports.ts";
import { ImportPlanner, importPatch } from "./plan-import.ts";
import type { OwnFields } from "./service-entry.ts";
import type { ZoneView } from "./zone-view.ts";

const APEX = trustedDnsName("example.org");
const RULES = {
  ...{ zone: "example.org", namespace: "mesh", domains: [], excluded: [] },
  ports: [portOf("tcp-pg", 5432)],
};

function viewOf(hosts: Readonly<Record<string, readonly string[]>>, ttlSeconds = 60): ZoneView {
  const names = Object.keys(hosts).map((label) => trustedDnsName(`${label}.${APEX}`));
  return {
    ...{ apex: APEX, id: "z", readAtMs: 0, names: () => names },
    at: (name) => {
      const values = hosts[name.slice(0, -APEX.length - 1)];
      if (values === undefined) return [];
      const type = values.some((value) => /[g-z]/.test(value)) ? "CNAME" : "A";
      const set = { name, type, setIdentifier: null, values, ttlSeconds } as const;
      const marker = { isOwn: false, cluster: "eu", resource: "service/a/b" };
      return [{ set: { ...set, properties: {}, routingPolicy: null }, marker }];
    },
  };
}

const planOf = (view: ZoneView, objects: readonly KubeObject[], isFought = false) => {
  const planner = new ImportPlanner(RULES, "here");
  planner.readZone(view, "all");
  planner.readObjects(objects);
  return planner.plan(() => isFought);
};

const stored = (fields: OwnFields, more: object = {}): KubeObject => ({
  ...{ apiVersion: "networking.istio.io/v1", kind: "ServiceEntry" },
  ...fields,
  ...more,
  metadata: { ...fields.metadata, resourceVersion: "7", uid: "u" },
});

function first(hosts: Readonly<Record<string, readonly string[]>>): OwnFields {
  const [write] = planOf(viewOf(hosts), []).writes;
  if (write === undefined) throw new Error("nothing is written");
  return write.wanted;
}

const DB = { db: ["192.0.2.2", "192.0.2.1"] };

test("a host is an object whose name follows from zone and host", () => {
  expect(first(DB)).toEqual({
    metadata: {
      ...{ name: expect.stringMatching(/^db-example-org-[0-9a-f]{8}$/), namespace: "mesh" },
      labels: {
        "app.kubernetes.io/managed-by": "zonekeeper",
        "zonekeeper.dev/origin": "dns",
        "networking.istio.io/enable-autoallocate-ip": "false",
      },
      annotations: {
        "zonekeeper.dev/zone": "example.org",
        "zonekeeper.dev/host": "db.example.org",
        "zonekeeper.dev/came-from": "eu/service/a/b",
        "zonekeeper.dev/base": expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    },
    spec: {
      ...{ hosts: ["db.example.org"], location: "MESH_EXTERNAL", resolution: "STATIC" },
      ports: [{ name: "tcp-pg", number: 5432, protocol: "TCP" }],
      endpoints: [{ address: "192.0.2.1" }, { address: "192.0.2.2" }],
      addresses: ["192.0.2.1", "192.0.2.2"],
    },
  });
  const long = first({ [`${"a".repeat(60)}.b`]: ["192.0.2.1"] }).metadata.name;
  expect([long.length <= 63, /^a{54}-[0-9a-f]{8}$/.test(long)]).toEqual([true, true]);
});

test("an object as it is wanted is not written, whatever others add", () => {
  const wanted = first(DB);
  const spec = { ...wanted.spec, exportTo: ["."] };
  const plan = planOf(viewOf(DB), [stored(wanted, { spec })]);
  expect([plan.writes, plan.inSync, plan.over]).toEqual([[], 1, []]);
  // Another order and another TTL are nothing that a ServiceEntry says.
  const shuffled = viewOf({ db: [...DB.db].reverse() }, 300);
  expect(planOf(shuffled, [stored(wanted)]).writes).toEqual([]);
});

test("an object that differs is patched, at the version that was seen", () => {
  const wanted = first(DB);
  const edited = stored(wanted, { spec: { ...wanted.spec, endpoints: [] } });
  const [write] = planOf(viewOf(DB), [edited]).writes;
  expect(importPatch(edited, wanted)).toMatchObject({
    metadata: { resourceVersion: "7" },
    spec: { endpoints: wanted.spec["endpoints"] },
  });
  expect(write?.current).toBe(edited);
  const fought = planOf(viewOf(DB), [edited], true);
  expect([fought.writes, fought.over]).toEqual([[], []]);
  expect(fought.skipped).toEqual([["db.example.org", "Fighting"]]);
  const name = first({ db: ["www.example.net"] });
  expect(name.spec).toMatchObject({
    resolution: "DNS",
    endpoints: [{ address: "www.example.net" }],
  });
  // A merge patch that leaves a field out keeps it.
  expect(importPatch(edited, name)["spec"]).toMatchObject({ addresses: null });
});

test("what is of others stays: their hosts, their names, what was released", () => {
  const wanted = first(DB);
  const own = (metadata: object): KubeObject => {
    const object = stored(wanted);
    return { ...object, metadata: { ...object.metadata, ...metadata } };
  };
  const reasonFor = (object: KubeObject) =>
    planOf(viewOf(DB), [object]).skipped.map(([, reason]) => reason);
  expect(reasonFor(own({ labels: {} }))).toEqual(["LocalHostExists"]);
  expect(reasonFor(own({ namespace: "other" }))).toEqual(["LocalHostExists"]);
  const released = { ...wanted.metadata.annotations, "zonekeeper.dev/release": "true" };
  expect(reasonFor(own({ annotations: released }))).toEqual(["LocalHostExists"]);
  const other = { ...own({ labels: {} }), spec: { hosts: ["x.example.net", 7] } };
  expect(reasonFor(other)).toEqual(["ObjectExists"]);
  const mine = own({ name: "mine", labels: {} });
  const over = planOf(viewOf(DB), [stored(wanted), mine]).over;
  expect(over.map(({ metadata }) => metadata.name)).toEqual([wanted.metadata.name]);
});

test("an object whose host is gone is over, unless it ends already", () => {
  const wanted = first(DB);
  const plan = (object: KubeObject) => planOf(viewOf({}), [object]).over.length;
  const object = stored(wanted);
  const deletionTimestamp = "2026-01-01T00:00:00Z";
  expect(plan(object)).toBe(1);
  expect(plan({ ...object, metadata: { ...object.metadata, deletionTimestamp } })).toBe(0);
});
