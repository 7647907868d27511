/** What is to be known of a name to say what both programs leave there. */
import { markerKindOf } from "../../../src/model/kinds.ts";
import { resourceOf } from "../../../src/model/provenance.ts";
import type { DesiredRecordSet } from "../../../src/model/record-set.ts";
import { EXTERNAL_DNS_SOURCES } from "../../../src/sources/external-dns-rows.ts";
import { openSource } from "../../../src/sources/index.ts";
import type { Found } from "../../../src/sources/source.ts";
import { DEFAULT_CLASSES } from "../worlds/default-classes.ts";
import { MemoryCluster } from "../worlds/memory-cluster.ts";
import { PREFIX } from "./chance.ts";
import type { Located } from "./objects.ts";
import { RULES, SOURCES as SOURCE_NAMES } from "./our-answers.ts";
import { type Endpoint, NODES } from "./worlds.ts";

/** A record set of one object, or as it stands. TTL null = no wish. */
export interface Line {
  readonly type: string;
  readonly ttl: number | null;
  readonly values: readonly string[];
  /** As markers name objects; empty = none. */
  readonly resource: string;
}

/** With the owner in its marker; empty = it has none. */
export interface MarkedLine extends Line {
  readonly owner: string;
}

/** What an object says of all its names. */
export interface Wanting {
  readonly resource: string;
  readonly found: Found<DesiredRecordSet>;
  /** By name: what it would want without its mistaken TTL; the same where it has none. */
  readonly wishes: ReadonlyMap<string, readonly Line[]>;
  readonly isMistaken: boolean;
}

/** Types that both programs manage. */
export const MANAGED: readonly string[] = ["A", "AAAA", "CNAME"];

/** Sources with the kinds that markers have for them, in the order of their flags. */
export const SOURCES = SOURCE_NAMES.map((name) => {
  const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null, externalDns: RULES };
  const source = openSource(name, options, EXTERNAL_DNS_SOURCES);
  return { source, kind: markerKindOf(source.primary) };
});

/** What all objects of a world say. */
export function wantedIn(objects: readonly Located[]): readonly Wanting[] {
  const cluster = new MemoryCluster("c1");
  for (const { kind, object } of [...NODES, ...objects]) {
    cluster.apply(kind, object);
    const { namespace = "", name } = object.metadata;
    if (object["status"] !== undefined) cluster.setStatus(kind, namespace, name, object["status"]);
  }
  return SOURCES.flatMap(({ source, kind: markerKind }) =>
    objects
      .filter(({ kind }) => kind === source.primary)
      .map(({ object }): Wanting => {
        const ttl = `${PREFIX}ttl`;
        const { [ttl]: text, ...annotations } = object.metadata.annotations ?? {};
        const isMistaken = text === "soon";
        const mended = { ...object, metadata: { ...object.metadata, annotations } };
        const found = source.endpoints(object, cluster);
        const wishes = new Map<string, Line[]>();
        const { items } = isMistaken ? source.endpoints(mended, cluster) : found;
        for (const { name, type, ttlSeconds, values, provenance } of items)
          if (MANAGED.includes(type))
            wishes.set(name, [
              ...(wishes.get(name) ?? []),
              {
                type,
                ttl: ttlSeconds,
                values: [...values].sort(),
                resource: resourceOf(provenance),
              },
            ]);
        const { namespace, name } = object.metadata;
        const resource = `${markerKind}/${namespace}/${name}`;
        return { resource, found, wishes, isMistaken };
      }),
  );
}

/** Managed records at names, with what their markers say. */
export function recordsIn(zone: readonly Endpoint[]): ReadonlyMap<string, readonly MarkedLine[]> {
  const markers = new Map<string, string>();
  for (const { dnsName, recordType, targets } of zone)
    if (recordType === "TXT") markers.set(dnsName, targets.join());
  const standing = new Map<string, MarkedLine[]>();
  for (const { dnsName, recordType: type, targets, recordTTL = 0 } of zone) {
    if (!MANAGED.includes(type)) continue;
    const marker = markers.get(`${type.toLowerCase()}-${dnsName}`) ?? "";
    const labelOf = (key: string) => marker.match(`external-dns/${key}=([^,"]*)`)?.[1] ?? "";
    const ttl = recordTTL === 0 ? 300 : recordTTL;
    const values = [...targets].sort();
    const one = { type, ttl, values, owner: labelOf("owner"), resource: labelOf("resource") };
    standing.set(dnsName, [...(standing.get(dnsName) ?? []), one]);
  }
  return standing;
}

/** `ttl type values`. */
export function lineText({ ttl, type, values }: Line): string {
  return [ttl ?? 300, type, ...values].join(" ");
}

/** Both cannot be at one name. */
export function excludes(one: Line, other: Line): boolean {
  return one.type === other.type || one.type === "CNAME" || other.type === "CNAME";
}

/** Names that it lists, published or not. */
export function listedBy({ found }: Wanting): ReadonlySet<string> {
  return new Set([...found.items, ...found.waiting].map(({ name }) => name));
}
