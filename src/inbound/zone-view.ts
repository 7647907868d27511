/**
 * The records of a zone with their markers, as the import into ServiceEntries reads them. Types
 * only.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../model/record-set.ts";

/** The statement of a marker about a record set. */
export interface ZoneMarker {
  /** True = its owner id is one of ours. */
  readonly isOwn: boolean;
  /** Null = it names none. */
  readonly cluster: string | null;
  /** `kind/namespace/name`; null = it names none. */
  readonly resource: string | null;
}

/** A record set that is no marker itself. */
export interface ZoneRecord {
  readonly set: RecordSet;
  /** Null = it has none: a program without markers, or a person, wrote the record. */
  readonly marker: ZoneMarker | null;
}

/** All names of a zone that was read completely. */
export interface ZoneView {
  readonly apex: DnsName;
  /** Id at the provider. */
  readonly id: string;
  /** When the zone was read, Unix milliseconds. */
  readonly readAtMs: number;
  /** Names with data, in no special order. */
  names(): Iterable<DnsName>;
  /** Empty = nothing is there. */
  at(name: DnsName): readonly ZoneRecord[];
}

/** The records of a zone, or why they are not known: it is not open, or not read yet. */
export type ViewedZone = { readonly view: ZoneView } | { readonly unread: string };
