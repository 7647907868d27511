/** How the TXT registry of a zone is opened, and what follows from it. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { TypeAnswers } from "../../model/type-answers.ts";
import type { ClusterAliases } from "../cluster-aliases.ts";
import { templatesRead } from "./marker-candidates.ts";
import { MarkerCodec, type MarkerEncryption } from "./marker-codec.ts";
import type { MarkerLocation } from "./marker-location.ts";
import type { WriteOptions } from "./marker-writes.ts";
import { type NameTemplate, TYPED } from "./name-template.ts";
import type { MarkerSigning } from "./signature.ts";

/** How a zone's TXT registry is opened. */
export interface TxtOwnershipOptions {
  readonly apex: DnsName;
  /** True for owner ids that are ours and active now; asked when one of our markers has to move. */
  readonly isOwnedByUs: (owner: string) => boolean;
  /** Default `typed`. */
  readonly markerLocation?: MarkerLocation;
  /**
   * True when data and marker go in one all-or-nothing call; else each write is a step (Z-10).
   * Default true.
   */
  readonly atomic?: boolean;
  /** Names may have `*` elsewhere than as their first label: `a-*.example.org`; default false. */
  readonly starInNames?: boolean;
  /** A CNAME at the apex is flattened: it excludes only addresses. Default false. */
  readonly flattensApex?: boolean;
  /** How the back end's own types answer; default none. */
  readonly ownTypes?: TypeAnswers;
  /**
   * True when a call that writes a record set does not notice that it has changed: markers then say
   * which values are ours (Z-27). Default false.
   */
  readonly isMerging?: boolean;
  /** False when a call does not compare all that it writes: nothing is merged. Default true. */
  readonly compares?: boolean;
  /** True when a call writes one value of a record set: pending markers name each (Z-10). */
  readonly byValue?: boolean;
  /** What `typed` is made of: the user's prefix, suffix and wildcard replacement; default TYPED. */
  readonly nameTemplate?: NameTemplate;
  /** Affixes of earlier configurations, read besides the default ones. */
  readonly readAlso?: readonly NameTemplate[];
  /** Null (default) = markers are plain, and encrypted ones have no owner. */
  readonly encryption?: MarkerEncryption | null;
  /** Null (default) = signatures are neither written nor looked at (docs/safety.md#ownership). */
  readonly signing?: MarkerSigning | null;
  /** Seconds of new markers; default 300. */
  readonly markerTtlSeconds?: number;
  /** Former ids of clusters, which a migration replaces by the present ones; default none. */
  readonly clusterAliases?: ClusterAliases;
  /** Whether markers carry `external-dns/cluster`; default true. False is for other versions. */
  readonly writeCluster?: boolean;
}

const DEFAULTS = {
  markerLocation: "typed",
  nameTemplate: TYPED,
  atomic: true,
  starInNames: false,
  flattensApex: false,
  ownTypes: {},
  isMerging: false,
  signing: null,
  markerTtlSeconds: 300,
  writeCluster: true,
  clusterAliases: new Map<string, string>(),
} as const;

/** The options with their defaults. */
export function writeOptionsOf(options: TxtOwnershipOptions): WriteOptions {
  const { readAlso = [], encryption = null, compares = true, ...given } = options;
  const all = { ...DEFAULTS, ...given };
  return {
    ...all,
    merges: all.atomic && compares && !all.isMerging,
    // clause: every-marker-form-is-read
    nameTemplates: templatesRead(all.nameTemplate, readAlso),
    codec: new MarkerCodec(encryption),
  };
}
