/**
 * Plans an import: compares the hosts of a zone with the ServiceEntries (Istio) of a cluster, and
 * says which objects to create, to change, or to delete, and which hosts are left out and why.
 * Pure.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ImportRules } from "../model/imports.ts";
import { isReleased } from "../model/object-annotations.ts";
import { isSameJson } from "../model/same-json.ts";
import { ImportedHosts, type SkipReason } from "./imported-hosts.ts";
import {
  hostsOf,
  importedHostOf,
  isOfImport,
  type OwnFields,
  serviceEntryOf,
} from "./service-entry.ts";
import type { ZoneView } from "./zone-view.ts";

/** An object to create or to change. */
export interface ImportWrite {
  readonly wanted: OwnFields;
  /** Null = it does not exist. */
  readonly current: KubeObject | null;
}

/** The changes to be made, and which hosts are left out. */
export interface ImportPlan {
  readonly writes: readonly ImportWrite[];
  /** Number of hosts whose object is as desired. */
  readonly inSync: number;
  /** Objects of the import to delete: the zone lacks the host, or it is not imported any more. */
  readonly over: readonly KubeObject[];
  readonly skipped: readonly (readonly [DnsName, SkipReason])[];
}

/**
 * The planner of one import. Keeps what it has read, so that a changed name or object costs only
 * the hosts that it concerns; the plan is the same as after reading all anew.
 */
export class ImportPlanner {
  readonly #rules: ImportRules;
  readonly #zone: ImportedHosts;
  readonly #wanted = new Map<DnsName, OwnFields>();
  /** By name of the desired object. */
  readonly #hostsByName = new Map<string, DnsName>();
  /** All ServiceEntries of the cluster, by namespace and name. */
  readonly #objects = new Map<string, KubeObject>();
  /** Objects that the import made, by host. */
  readonly #own = new Map<DnsName, KubeObject>();
  /** By host: number of other ServiceEntries that list it. */
  readonly #taken = new Map<DnsName, number>();
  /** Hosts to decide at the next plan. */
  readonly #open = new Set<DnsName>();
  readonly #writes = new Map<DnsName, ImportWrite>();
  /** Hosts that the zone has and that cannot be written, because of objects of others. */
  readonly #refused = new Map<DnsName, SkipReason>();
  readonly #over = new Map<DnsName, KubeObject>();

  /** `here`: id of the cluster that they are imported into. */
  constructor(rules: ImportRules, here: string) {
    this.#rules = rules;
    this.#zone = new ImportedHosts(rules, here);
  }

  /** These names of the zone may have changed. */
  readZone(view: ZoneView, names: Iterable<DnsName> | "all"): void {
    const { zone, namespace } = this.#rules;
    for (const host of this.#zone.read(view, names)) {
      const found = this.#zone.found().get(host);
      if (found !== undefined && "is" in found) {
        const wanted = serviceEntryOf(zone, namespace, found.is);
        this.#wanted.set(host, wanted);
        this.#hostsByName.set(wanted.metadata.name, host);
      } else {
        this.#hostsByName.delete(this.#wanted.get(host)?.metadata.name ?? "");
        this.#wanted.delete(host);
      }
      this.#open.add(host);
    }
  }

  /** The ServiceEntries of the cluster as they are. */
  readObjects(objects: readonly KubeObject[]): void {
    for (const object of [...this.#objects.values()]) this.readObject(object, true);
    for (const object of objects) this.readObject(object);
  }

  /** A ServiceEntry was created or changed, or is gone. */
  readObject(object: KubeObject, isGone = false): void {
    const { namespace, name } = object.metadata;
    const key = `${namespace}/${name}`;
    const before = this.#objects.get(key);
    if (before !== undefined) this.#count(before, -1);
    if (isGone) this.#objects.delete(key);
    else {
      this.#objects.set(key, object);
      this.#count(object, 1);
    }
    const host = namespace === this.#rules.namespace ? this.#hostsByName.get(name) : undefined;
    if (host !== undefined) this.#open.add(host);
  }

  #count(object: KubeObject, by: 1 | -1): void {
    const isOwn = this.#isOwn(object);
    const hosts = isOwn ? [importedHostOf(object)] : hostsOf(object);
    for (const host of hosts.map(trustedDnsName)) {
      this.#open.add(host);
      const left = (this.#taken.get(host) ?? 0) + by;
      if (isOwn && by > 0) this.#own.set(host, object);
      else if (isOwn) this.#own.delete(host);
      else if (left > 0) this.#taken.set(host, left);
      else this.#taken.delete(host);
    }
  }

  /** True = the import made the object, and no person took it over by the release annotation. */
  #isOwn(object: KubeObject): boolean {
    return isOfImport(object, this.#rules) && !isReleased(object);
  }

  /** `isFought`: true = somebody reverts our writes of this object, so that it is not written. */
  plan(isFought: (wanted: OwnFields) => boolean): ImportPlan {
    for (const [host, reason] of this.#refused) if (reason === "Fighting") this.#open.add(host);
    for (const host of [...this.#open, ...this.#writes.keys()]) this.#judge(host, isFought);
    this.#open.clear();
    const left = [...this.#zone.found()].flatMap(([host, found]) =>
      "skip" in found ? [[host, found.skip] as const] : [],
    );
    return {
      writes: [...this.#writes.values()],
      inSync: this.#wanted.size - this.#writes.size - this.#refused.size,
      over: [...this.#over.values()],
      skipped: [...left, ...this.#refused],
    };
  }

  #judge(host: DnsName, isFought: (wanted: OwnFields) => boolean): void {
    for (const all of [this.#writes, this.#refused, this.#over]) all.delete(host);
    const [wanted, current = null] = [this.#wanted.get(host), this.#own.get(host)];
    const refusal = wanted === undefined ? null : this.#refusalOf(host, wanted);
    if (refusal !== null) this.#refused.set(host, refusal);
    if (wanted === undefined || refusal !== null) {
      // An object that is being deleted already needs no removal.
      if (current !== null && current.metadata.deletionTimestamp === undefined)
        this.#over.set(host, current);
    } else if (current !== null && isAsWanted(current, wanted)) return;
    else if (isFought(wanted)) this.#refused.set(host, "Fighting");
    else this.#writes.set(host, { wanted, current });
  }

  #refusalOf(host: DnsName, { metadata }: OwnFields): SkipReason | null {
    if (/* clause: local-host-stays */ this.#taken.has(host)) return "LocalHostExists";
    const object = this.#objects.get(`${metadata.namespace}/${metadata.name}`);
    return object === undefined || this.#isOwn(object) ? null : "ObjectExists";
  }
}

/** True = the object has our fields as desired; other fields, which others add, do not count. */
function isAsWanted(current: KubeObject, { metadata, spec }: OwnFields): boolean {
  const { labels = {}, annotations = {} } = current.metadata;
  return (
    holds(fieldsOf(current["spec"]), spec) &&
    holds(labels, metadata.labels) &&
    holds(annotations, metadata.annotations)
  );
}

function holds(all: Fields, own: Fields): boolean {
  return Object.entries(own).every(([field, value]) => isSameJson(all[field], value));
}

/** The merge patch (RFC 7396) that makes `current` as desired; a list is replaced whole. */
export function importPatch(current: KubeObject, wanted: OwnFields): Fields {
  const { labels, annotations } = wanted.metadata;
  const spec = fieldsOf(current["spec"]);
  const { addresses = spec["addresses"] === undefined ? undefined : null } = wanted.spec;
  const { resourceVersion } = current.metadata;
  return {
    metadata: { resourceVersion, labels, annotations },
    spec: { ...wanted.spec, ...(addresses === undefined ? {} : { addresses }) },
  };
}
