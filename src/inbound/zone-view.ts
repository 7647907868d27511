/** What a zone holds, as the way in reads it. Data only. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../model/record-set.ts";

/** What a marker says of a record set. */
export interface ZoneMarker {
  /** True = its owner id is one of ours. */
  readonly isOwn: boolean;
  /** Null = it names none. */
  readonly cluster: string | null;
  /** `kind/namespace/name`; null = it names none. */
  readonly resource: string | null;
}

/** A record set with data; markers themselves are none. */
export interface ZoneRecord {
  readonly set: RecordSet;
  /** Null = there is none: the record is somebody's who keeps no markers. */
  readonly marker: ZoneMarker | null;
}

/** All names of a zone that was read completely. */
export interface ZoneView {
  readonly apex: DnsName;
  /** Id at the provider. */
  readonly id: string;
  /** Unix milliseconds of the last answer that it rests on. */
  readonly readAtMs: number;
  /** Names with data, in no special order. */
  names(): Iterable<DnsName>;
  /** Empty = nothing is there. */
  at(name: DnsName): readonly ZoneRecord[];
}

/** A zone that is open and read, or why there is none. */
export type ViewedZone = { readonly view: ZoneView } | { readonly unread: string };
