/** Who reads a zone and objects name by name has the plan of one who reads them anew. */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import fc from "fast-check";
import { expect, test } from "vitest";
import { portOf } from "../model/imports.ts";
import { ImportPlanner } from "./plan-import.ts";
import type { OwnFields } from "./service-entry.ts";
import type { ZoneRecord, ZoneView } from "./zone-view.ts";

const APEX = trustedDnsName("example.org");
const RULES = {
  ...{ zone: "example.org", namespace: "mesh", domains: [] },
  excluded: [trustedDnsName("out.example.org")],
  ports: [portOf("https", 443)],
};
const HOSTS = ["a", "b", "c", "sub", "x.sub", "x.out"].map((label) => `${label}.${APEX}`);
const NAMES = [...HOSTS, `_https._tcp.a.${APEX}`, `_web._tcp.a.${APEX}`, `_x._tcp.sub.${APEX}`];

const name = fc.constantFrom(...NAMES).map(trustedDnsName);
const host = fc.constantFrom(...HOSTS);
const record = fc.oneof(
  fc.record({ type: fc.constant("A"), value: fc.constantFrom("192.0.2.1", "127.0.0.1") }),
  fc.record({ type: fc.constant("CNAME"), value: host }),
  fc.record({ type: fc.constant("NS"), value: fc.constant("ns.example.net") }),
  fc.record({ type: fc.constant("SRV"), value: host.map((target) => `0 0 8443 ${target}`) }),
);
/** Records of a name; empty = they go. */
const zoneEdit = fc.record({ name, records: fc.array(record, { maxLength: 2 }) });
/** The changes that a person makes to the object of a host, or beside it. */
const objectEdit = fc.record({
  host: host.map(trustedDnsName),
  act: fc.constantFrom(
    "apply",
    "apply",
    "apply",
    "drop",
    "edit",
    "release",
    "take",
    "untake",
    "squat",
    "end",
  ),
});
const edit = fc.oneof(zoneEdit, objectEdit);

class World {
  readonly records = new Map<DnsName, readonly ZoneRecord[]>();
  readonly objects = new Map<string, KubeObject>();
  readonly #planner = new ImportPlanner(RULES, "here");
  readonly view: ZoneView = {
    ...{ apex: APEX, id: "z", readAtMs: 0, names: () => this.records.keys() },
    at: (at) => this.records.get(at) ?? [],
  };

  constructor() {
    this.#planner.readZone(this.view, "all");
  }

  change(one: typeof edit extends fc.Arbitrary<infer T> ? T : never): void {
    if ("records" in one) {
      const sets = one.records.map(({ type, value }) => {
        const key = { name: one.name, type: type as RecordType, setIdentifier: null };
        const set = { ...key, values: [value], ttlSeconds: 60, properties: {} };
        return { set: { ...set, routingPolicy: null }, marker: null };
      });
      if (sets.length === 0) this.records.delete(one.name);
      else this.records.set(one.name, sets);
      this.#planner.readZone(this.view, [one.name]);
    } else this.#act(one);
  }

  #act({ host: at, act }: { readonly host: DnsName; readonly act: string }): void {
    const wanted = this.whole().writes.find(({ wanted: to }) => hostOf(to) === at)?.wanted;
    const own = [...this.objects.values()].find(
      ({ metadata }) => metadata.annotations?.["zonekeeper.dev/host"] === at,
    );
    const spec = { hosts: [at] };
    if (act === "apply" && wanted !== undefined) this.#apply(wanted);
    if (act === "take") this.#apply({ metadata: { name: `mine-${at}`, namespace: "mine" }, spec });
    if (act === "untake") this.#gone(`mine/mine-${at}`);
    if (act === "squat" && wanted !== undefined)
      this.#apply({ metadata: { name: wanted.metadata.name, namespace: "mesh" }, spec: {} });
    if (own === undefined) return;
    const { metadata } = own;
    if (act === "drop") this.#gone(`mesh/${metadata.name}`);
    if (act === "edit") this.#apply({ metadata, spec: { ...spec, endpoints: [] } });
    const annotations = { ...metadata.annotations, "zonekeeper.dev/release": "true" };
    if (act === "release")
      this.#apply({ metadata: { ...metadata, annotations }, spec: own["spec"] });
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    if (act === "end")
      this.#apply({ metadata: { ...metadata, deletionTimestamp }, spec: own["spec"] });
  }

  #apply(fields: { readonly metadata: KubeObject["metadata"]; readonly spec: unknown }): void {
    const object = {
      ...{ apiVersion: "networking.istio.io/v1", kind: "ServiceEntry" },
      ...fields,
    };
    this.objects.set(`${fields.metadata.namespace}/${fields.metadata.name}`, object);
    this.#planner.readObject(object);
  }

  #gone(key: string): void {
    const object = this.objects.get(key);
    this.objects.delete(key);
    if (object !== undefined) this.#planner.readObject(object, true);
  }

  /** By one who knows nothing yet. */
  whole() {
    const planner = new ImportPlanner(RULES, "here");
    planner.readObjects([...this.objects.values()]);
    planner.readZone(this.view, "all");
    return planner.plan(isFought);
  }

  edited() {
    return this.#planner.plan(isFought);
  }
}

const hostOf = ({ metadata }: OwnFields) => metadata.annotations["zonekeeper.dev/host"];
const isFought = (wanted: OwnFields): boolean => hostOf(wanted) === `c.${APEX}`;

/** In no special order. */
function shown({ writes, inSync, over, skipped }: ReturnType<World["whole"]>): unknown {
  const texts = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).sort();
  return [inSync, texts(writes), texts(over), texts(skipped)];
}

test("edits of zone and objects, one by one, are what they are together", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(edit, { minLength: 10, maxLength: 60 }), (edits) => {
      const world = new World();
      for (const one of edits) {
        world.change(one);
        const whole = world.whole();
        expect(shown(world.edited())).toEqual(shown(whole));
        for (const [, reason] of whole.skipped) seen.add(reason);
        if (whole.over.length > 0) seen.add("over");
        if (whole.inSync > 0) seen.add("inSync");
      }
    }),
    { numRuns: 100, seed: 39 },
  );
  const met = ["AliasLoop", "AliasToNothing", "Delegated", "Fighting", "InternalAddress"];
  const left = ["LocalHostExists", "ObjectExists", "inSync", "over"];
  expect([...seen]).toEqual(expect.arrayContaining([...met, ...left]));
});
