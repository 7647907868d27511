/**
 * The facts of a DNSProvider that entries need: a value, made in decide-provider.ts and kept in the
 * directory.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ZoneTenancy } from "../../sync/contract/zone.ts";

/** The known facts of one DNSProvider. */
export interface ProviderFacts {
  /** `namespace/name`. */
  readonly id: string;
  readonly namespace: string;
  readonly type: string;
  /** `pending`: nothing is known about its zones yet. `invalid`: it cannot be used, see message. */
  readonly state: "ready" | "invalid" | "pending";
  readonly message: string;
  /** Serves entries that are themselves deleting, and no others (Z-19). */
  readonly deleting: boolean;
  /**
   * True = it is not being deleted: `deleting` is set because its class is another one now. Absent
   * = it has a class of ours.
   */
  readonly hasLeft?: true;
  /** Null unless an account is open. */
  readonly account: string | null;
  /** Zones that it serves; while a listing fails, those of the last one. */
  readonly zones: readonly Zone[];
  /** Ids of served zones that a user named, in the spec or in the account's settings (Z-18). */
  readonly explicit: readonly string[];
  /**
   * Ids of served zones that may be the same as another account's zone of the name: as long as that
   * is not settled, nothing is written to them (Z-18).
   */
  readonly unproven: readonly string[];
  /** Every zone of the account that was ever listed; records of deleting entries may be there. */
  readonly known: readonly Zone[];
  /** Ids of known zones that are no longer listed while another zone has their name. */
  readonly replaced: readonly string[];
  /**
   * Included domains. While its zones are not known: those of the spec, else the zones that its
   * settings name or that it served last (empty = any domain).
   */
  readonly included: readonly DnsName[];
  readonly excluded: readonly DnsName[];
  /** Seconds; null = the program's default. */
  readonly defaultTtlSeconds: number | null;
  /** Entries at most; null = any number. */
  readonly entriesMax: number | null;
  /** How fast changed entries are taken; null = at once. */
  readonly rateLimit: EntryRate | null;
  /** Sorted; an object uses DNSProviders of one of its realms. */
  readonly realms: readonly string[];
  /** Owner id of records whose object names none; null = that of the installation. */
  readonly ownerId: string | null;
  /**
   * Further clusters whose objects in the namespace of the same name it serves, too; `*` = all;
   * absent = none.
   */
  readonly clusters?: readonly string[];
  /** Its statement about the tenants of its zones. */
  readonly tenancy: TenancyRequest;
}

/** A rate of entries that are made or changed. */
export interface EntryRate {
  readonly requestsPerDay: number;
  /** Taken at once after an idle time. */
  readonly burst: number;
}

/**
 * The statement of one DNSProvider about the tenants of its zones; its namespace is in its facts.
 */
export type TenancyRequest = Omit<ZoneTenancy, "namespaces">;

/** A record set whose object names no owner id has that of the DNSProvider. */
export function withOwner(
  item: DesiredRecordSet,
  { ownerId }: Pick<ProviderFacts, "ownerId">,
): DesiredRecordSet {
  // clause: provider-owner-id-applies
  return /* clause: object-owner-id-comes-first */ item.owner !== null || ownerId === null
    ? item
    : { ...item, owner: ownerId };
}

/** A DNSProvider whose zones are not known, or cannot be used. */
export interface ProviderTrouble {
  /** `namespace/name`. */
  readonly provider: string;
  /** Why, for people. */
  readonly message: string;
}
