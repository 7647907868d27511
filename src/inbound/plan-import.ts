/** The ServiceEntries of one import as they are → what is written and what is over. Pure. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ImportRules } from "../model/import-rules.ts";
import { isReleased } from "../model/release.ts";
import { isSameJson } from "../model/same-json.ts";
import { type ImportedHost, importedHosts, type Skipped } from "./imported-hosts.ts";
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

/** What is to be done, and which hosts are skipped. */
export interface ImportPlan {
  readonly writes: readonly ImportWrite[];
  /** Hosts whose object is as wanted. */
  readonly inSync: number;
  /** Objects of the import whose host the zone does not have, or that is not imported any more. */
  readonly over: readonly KubeObject[];
  readonly skipped: readonly Skipped[];
}

/** What the zone asks for, whatever the cluster has. */
export interface WantedEntries {
  readonly entries: readonly { readonly host: DnsName; readonly wanted: OwnFields }[];
  readonly skipped: readonly Skipped[];
}

/** `here`: the cluster that they are imported into. */
export function wantedEntries(view: ZoneView, rules: ImportRules, here: string): WantedEntries {
  const { hosts, skipped } = importedHosts(view, rules, here);
  const { zone, namespace } = rules;
  const entryOf = (one: ImportedHost) => ({
    ...{ host: one.host, wanted: serviceEntryOf(zone, namespace, one) },
  });
  return { entries: hosts.map(entryOf), skipped };
}

/** `entries`: all ServiceEntries of the cluster. `isFought`: somebody takes our writes back. */
export function planImport(
  zone: WantedEntries,
  rules: ImportRules,
  entries: readonly KubeObject[],
  isFought: (wanted: OwnFields) => boolean,
): ImportPlan {
  const own = new Map<string, KubeObject>();
  const taken = new Map<string, KubeObject>();
  const names = new Map<string, KubeObject>();
  for (const entry of entries) {
    // What a person took over is theirs: its origin stays, and it is not published.
    const isOwn = isOfImport(entry, rules) && !isReleased(entry);
    if (isOwn) own.set(importedHostOf(entry), entry);
    else for (const host of hostsOf(entry)) taken.set(host, entry);
    if (!isOwn && entry.metadata.namespace === rules.namespace)
      names.set(entry.metadata.name, entry);
  }
  const skipped: Skipped[] = [...zone.skipped];
  const writes: ImportWrite[] = [];
  let inSync = 0;
  for (const { host, wanted } of zone.entries) {
    if (/* clause: local-host-stays */ taken.has(host))
      skipped.push({ host, reason: "LocalHostExists" });
    else if (names.has(wanted.metadata.name)) skipped.push({ host, reason: "ObjectExists" });
    else {
      const current = own.get(host) ?? null;
      own.delete(host);
      if (current !== null && isAsWanted(current, wanted)) inSync += 1;
      else if (isFought(wanted)) skipped.push({ host, reason: "Fighting" });
      else writes.push({ wanted, current });
    }
  }
  // An object that is being deleted already needs no removal.
  const over = [...own.values()].filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return { writes, inSync, over, skipped };
}

/** Fields that others add are theirs. */
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

/** The merge patch (RFC 7396) that makes it so; a list is replaced whole. */
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
