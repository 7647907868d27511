/** How the TXT registry of a zone is opened, and what follows from it. */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ClusterAliases, RegistryZone } from "../registry.ts";
import { templatesRead } from "./marker-candidates.ts";
import { MarkerCodec } from "./marker-codec.ts";
import type { WriteOptions } from "./marker-writes.ts";
import { TYPED } from "./name-template.ts";
import type { TxtSettings } from "./settings.ts";

/** How a zone's TXT registry is opened. */
export interface TxtOwnershipOptions
  extends Pick<RegistryZone, "isOwnedByUs">,
    Partial<Omit<RegistryZone, "zone" | "isOwnedByUs">>,
    Partial<Omit<TxtSettings, "markerLocationOf">> {
  readonly apex: DnsName;
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
