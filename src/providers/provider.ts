/**
 * The provider interface: a zone back end behind one account. A provider converts and sends;
 * batching, throttling, retries and ownership are not its business. New ones: a folder, a docs
 * page, a line in index.ts.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Net } from "@zonekeeper/base/ports/net";
import type { Random } from "@zonekeeper/base/ports/random";
import type { Result } from "@zonekeeper/base/result";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import type { PluginOptions } from "../model/plugin-options.ts";
import type { Problem } from "../model/problem.ts";
import type { RecordSet } from "../model/record-set.ts";
import type { TypeAnswers } from "../model/type-answers.ts";
import type { Zone } from "../model/zone.ts";
import type { ChangeGroup, Outcome } from "../plan/changes.ts";
import type { OpenVendorHttp } from "../ports/vendor-http.ts";
import type { WriteRails } from "../ports/write-gate.ts";

/** How one call asserts what a record set is before it is written. */
export type Assertion =
  /** By the write: creating what exists fails, a deletion or replacement names what was read. */
  | "implied"
  /** Beside the writes, as prerequisites (RFC 2136 §2.4) or compares. */
  | "sent"
  /** By deleting and creating the same record set in the call. */
  | "rewritten"
  /** Not at all: the name is read right before the call, and again after it. */
  | "never";

/** How the two kinds of preconditions are asserted. */
export interface Assertions {
  /** That a record set does not exist. */
  readonly absent: Assertion;
  /** That a record set has exactly the values that were read. */
  readonly exact: Assertion;
}

/**
 * What one call may hold at most; an absent limit does not exist. A replacement is a deletion and
 * an addition.
 */
export interface BatchLimits {
  /** Change groups. */
  readonly groupsMax: number;
  /** Record sets that are added, and that are deleted. */
  readonly additionsMax?: number;
  readonly deletionsMax?: number;
  /** Records that are created, changed and deleted; a value that takes another's place is one. */
  readonly operationsMax?: number;
  /** Types whose values are never changed in place: such a value is two operations. */
  readonly rewrittenTypes?: ReadonlySet<string>;
  /**
   * Comparisons: two for each owner name that is written or asserted, unless it is below another
   * one, and one for each value there.
   */
  readonly comparesMax?: number;
  /** Values of record sets that are added or deleted, and preconditions that are sent. */
  readonly valuesMax?: number;
  /** Characters of those values. */
  readonly charactersMax?: number;
  /** Bytes of the DNS message, without compression. */
  readonly bytesMax?: number;
}

/** What an account may do besides its rate; several count together. */
export interface RateLimit {
  /** Of all zones together, or of each zone. */
  readonly scope: "account" | "zone";
  /** Calls, those that read, those that write, or the record sets that these add and delete. */
  readonly counts: "calls" | "reads" | "writes" | "changes";
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * What a back end can do, as data; the packer and the scheduler read it
 * (docs/architecture.md#contracts).
 */
export interface Capabilities {
  /** Types that can be written. */
  readonly types: ReadonlySet<string>;
  /**
   * `zone`: a batch is all or nothing over names. `set`: one record set a call. `value`: one value
   * a call, so that a part of a record set may be written.
   */
  readonly atomicity: "zone" | "set" | "value";
  /** How a call asserts record sets that it writes, and `others`. */
  readonly preconditions: { readonly written: Assertions; readonly others: Assertions };
  /**
   * A record set is as the call has it: where nothing is compared, what came to it since it was
   * read is lost (ADR 0038). Default false: a call adds and removes values.
   */
  readonly wholeSets?: boolean;
  /**
   * A CNAME beside other data: `refused` aloud, or `dropped` with a good answer (RFC 2136
   * §3.4.2.2).
   */
  readonly cnameConflicts: "refused" | "dropped";
  readonly batch: BatchLimits;
  /** Seconds, inclusive. */
  readonly ttl: { readonly minSeconds: number; readonly maxSeconds: number };
  /** Names may have `*` elsewhere than as their first label: `a-*.x`. Default false. */
  readonly starInNames?: boolean;
  /** Members of a routing policy are one record set there, with one TTL. Default false. */
  readonly membersShareTtl?: boolean;
  /**
   * A CNAME at the apex is taken beside all but addresses, and answered with the addresses of its
   * target. Default false: it is held there.
   */
  readonly flattensApex?: boolean;
  /**
   * What types of the back end's own answer. A line for each type that the standards do not know: a
   * type that is not listed may answer anything, so that a foreign one blocks its name (Z-7).
   */
  readonly ownTypes?: TypeAnswers;
  /** Calls an account may make, burst and per second; null = unlimited. */
  readonly rate: { readonly burst: number; readonly perSecond: number } | null;
  /** Further limits; absent = none. */
  readonly rateLimits?: readonly RateLimit[];
  /**
   * `configured`: the configuration names each zone, so that each zone counts. `account` (default):
   * the account lists all its zones, and a zone below another one counts only when it is delegated
   * (Z-18).
   */
  readonly zoneListing?: "configured" | "account";
}

/** All records of a zone or of some of its names. */
export interface ZoneSnapshot {
  /** Sorted by key; the apex SOA and NS included. */
  readonly sets: readonly RecordSet[];
  /**
   * Change token at the time of the snapshot, e.g. the SOA serial; null if the provider has none.
   */
  readonly token: string | null;
  /** Calls that it took; default 1. */
  readonly pages?: number;
}

/** Changes between two tokens. */
export interface ZoneDelta {
  readonly token: string;
  /**
   * Names with changes, whose records must be read again unless `records` tells them. Null = the
   * delta is unknown, read the whole zone.
   */
  readonly names: readonly DnsName[] | null;
  /**
   * What became of the records at these names that were written or removed: with what stood before
   * they say what stands now, and nothing must be read. Absent = the back end tells names only.
   */
  readonly records?: readonly MovedRecord[];
}

/** One record of a set that was written or removed, at the later token. */
export interface MovedRecord {
  readonly name: DnsName;
  readonly type: string;
  readonly ttlSeconds: number;
  /** Canonical rdata. */
  readonly value: string;
  /** False = it was removed. */
  readonly isThere: boolean;
}

/**
 * What became of a change that the provider accepted. `live`: all its servers have it. `failed`:
 * one refused it, or it is given up for now; `message` says why and what to do.
 */
export type Propagation =
  | { readonly is: "pending" | "live" }
  | { readonly is: "failed"; readonly message: string };

/** One account, open. Methods throw OperationError when a call as a whole fails. */
export interface ProviderSession {
  readonly capabilities: Capabilities;
  /** Those of one zone, where plans of the vendor differ; absent = as above. */
  capabilitiesOf?(zone: Zone): Capabilities;
  /**
   * Whose calls the vendor counts: sessions of one key share a rate. No secret. Absent = the
   * settings of the session are an account of their own.
   */
  readonly rateKey?: string;
  /** The zones this account shows. Complete or thrown. */
  zones(signal: AbortSignal): Promise<readonly Zone[]>;
  /**
   * `before` is awaited before every call that reads a further page, so that loads keep to the
   * account's rate (Z-20).
   */
  pace?(before: () => Promise<void>): void;
  /** All records of a zone, or only those at `names`. Complete or thrown (Z-6). */
  records(zone: Zone, names: readonly DnsName[] | null, signal: AbortSignal): Promise<ZoneSnapshot>;
  /** The present change token, cheaply. No method = the back end has none. */
  changeToken?(zone: Zone, signal: AbortSignal): Promise<string>;
  /** Names changed since `token`. There where `changeToken` is. */
  changesSince?(zone: Zone, token: string, signal: AbortSignal): Promise<ZoneDelta>;
  /**
   * Why this zone cannot have a normalized record set: type, value, length, routing policy,
   * property. Empty = it can. Pure; asked before planning, and the record set is held with it.
   */
  audit(set: RecordSet, zone: Zone): readonly Problem[];
  /** The set as a read-back of this zone will show it (TTL clamp, case, quoting); pure. */
  normalize(set: RecordSet, zone: Zone): RecordSet;
  /**
   * Applies whole groups in one call, in order. Yields exactly one Outcome for each group, in any
   * order. Groups in one call share one outcome where `atomicity` is `zone`.
   */
  apply(zone: Zone, groups: readonly ChangeGroup[], signal: AbortSignal): AsyncIterable<Outcome>;
  /** Of the change with this receipt (`Outcome`). One call. No method = there are no receipts. */
  propagationOf?(zone: Zone, receipt: string, signal: AbortSignal): Promise<Propagation>;
  /**
   * Calls `onHint` when a hint reports that the zone may have changed; the caller then reads the
   * change token and draws no other conclusion. Returns a function that ends the subscription. No
   * method = the back end gives no hints.
   */
  onChangeHint?(zone: Zone, onHint: () => void): () => void;
  close(): void;
}

type Method<K extends keyof ProviderSession> = Extract<
  NonNullable<ProviderSession[K]>,
  (...given: never) => unknown
>;

/** What each call of these methods becomes; each gets the method as the session has it. */
export type AroundCalls = {
  readonly [K in keyof ProviderSession]?: (method: Method<K>) => Method<K>;
};

/**
 * The session to whoever calls it, with its own calls `around` those inside. A method that it lacks
 * stays missing: callers ask whether it is there.
 */
export function sessionAround(session: ProviderSession, around: AroundCalls): ProviderSession {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(session, {
    get: (inner, name) => {
      const value: unknown = Reflect.get(inner, name, inner);
      if (typeof value !== "function") return value;
      if (!methods.has(name)) {
        const method: unknown = value.bind(inner);
        methods.set(name, Reflect.get(around, name)?.(method) ?? method);
      }
      return methods.get(name);
    },
  });
}

/** Which NOTIFYs (RFC 1996) an account accepts. */
export interface NotifyInterest {
  readonly zone: DnsName;
  /** The account's server: unsigned ones count from this IP address only. */
  readonly host: string;
  /** Signed ones count with this key only; null = none do. */
  readonly key: TsigKey | null;
}

/** Where NOTIFYs come in; one for the program. */
export interface NotifyFeed {
  /** Calls `onHint` for each accepted NOTIFY. Returns a function that ends the subscription. */
  subscribe(interest: NotifyInterest, onHint: () => void): () => void;
}

/**
 * Ports a session may use. The rails are enforced below everything: `http` sends nothing that
 * changes a zone then, and who uses `net` refuses as `shared/guarded-http.ts` does
 * (docs/safety.md#no-calls).
 */
export interface ProviderEnvironment extends WriteRails {
  readonly net: Net;
  /** HTTP to the APIs of vendors; the same rules for addresses as `net`. */
  readonly http: OpenVendorHttp;
  readonly clock: Clock;
  readonly random: Random;
  readonly crypto: Crypto;
  readonly log: Log;
  /** Who reads messages may not learn what answers at an address: only the log says it (Z-29). */
  readonly hidesTroubles?: boolean;
  /** Absent = the program does not listen for NOTIFY. */
  readonly notifyFeed?: NotifyFeed;
  /** Of plug-in modules. Absent = there are none. */
  readonly pluginOptions?: PluginOptions;
}

/**
 * Settings of a DNSProvider object: its Secret's data as text and its `providerConfig`. Never
 * logged.
 */
export interface ProviderSettings {
  readonly secret: Readonly<Record<string, string>>;
  readonly config: unknown;
}

/** A provider type that can be registered. */
export interface ProviderType {
  /** As in `DNSProvider.spec.type`. */
  readonly type: string;
  /**
   * Checks settings and opens a session; opens no connection yet. Problems name the key and never
   * its value. A promise where the module of the provider is loaded on first use.
   */
  open(
    settings: ProviderSettings,
    environment: ProviderEnvironment,
  ): OpenedSession | Promise<OpenedSession>;
  /**
   * Zones that the settings name, also where the settings as a whole are wrong; empty = none can be
   * read. Absent = settings of this type name no zones.
   */
  namedZones?(settings: ProviderSettings): NamedZones | Promise<NamedZones>;
}

/** In the order of the settings. */
export type NamedZones = readonly DnsName[];

/** A session, or what is wrong with its settings. */
export type OpenedSession = Result<ProviderSession, readonly Problem[]>;
