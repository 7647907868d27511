/**
 * What a registry format declares about itself, and what it is opened with. The list of formats is
 * in index.ts.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { PluginOptions } from "../model/plugin-options.ts";
import type { TypeAnswers } from "../model/type-answers.ts";
import type { Zone } from "../model/zone.ts";
import type { RegistryStore } from "../ports/stores.ts";
import type { Ownership } from "./ownership.ts";
import type { TxtSettings } from "./txt/settings.ts";

/**
 * Former ids of clusters to the present ones (`--cluster-alias old=new`, Z-30): a marker with a
 * former id is read as one with the present id. The zone keeps the former one until the marker is
 * written the next time.
 */
export type ClusterAliases = ReadonlyMap<string, string>;

/** What registries are opened with; each takes the fields that it needs. */
export interface RegistryContext {
  /** Our main owner id (`--owner`). */
  readonly owner: string;
  /** Names at and below which every record is ours without a marker (`--noop-owns`). */
  readonly owns: readonly DnsName[];
  /** Former ids of clusters in markers. */
  readonly clusterAliases: ClusterAliases;
  /** Options and keys of the TXT registry. */
  readonly txt: TxtSettings;
  /** Keeps rows outside of the zone; null = no cluster can keep any. */
  readonly store: RegistryStore | null;
  readonly clock: Clock;
  readonly log: Log;
  /** Options of plug-in modules. Absent = there are none. */
  readonly pluginOptions?: PluginOptions;
}

/** A zone whose registry is opened. */
export interface RegistryZone {
  readonly zone: Zone;
  /** True for owner ids that are ours in the zone now. */
  readonly isOwnedByUs: (owner: string) => boolean;
  /** True when the changes of a name go in one all-or-nothing call. */
  readonly atomic: boolean;
  /** True when names may have `*` elsewhere than as their first label. */
  readonly starInNames: boolean;
  /**
   * True when a call that creates a record set does not notice that one was made there meanwhile:
   * two writers may end with the values of both (Z-27).
   */
  readonly isMerging: boolean;
  /**
   * True when a call fails if a record set that it changes or removes is not as it was read. Both
   * false = only record sets that it creates are compared.
   */
  readonly compares: boolean;
  /** True when a call adds or removes single values, and not a record set as a whole. */
  readonly byValue: boolean;
  /** True when a CNAME at the apex is flattened: it excludes only addresses. */
  readonly flattensApex: boolean;
  /** How the back end's own types answer. */
  readonly ownTypes: TypeAnswers;
}

/** A row of the list: one registry format. */
export interface RegistryRow {
  /** As `--registry` names it. */
  readonly name: string;
  /** Where it records ownership, for `--help`: one phrase without a full stop. */
  readonly doc: string;
  /**
   * Called once for a term of leadership; the answer is called once for each zone of an account.
   */
  open(context: RegistryContext): (zone: RegistryZone) => Ownership;
}
