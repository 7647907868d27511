/**
 * What flags of external-dns say of single sources, and of the records that all of them want: data
 * of `ExternalDnsRules`.
 */
import type { Node } from "./go-template/parse.ts";

/** Templates that make names, as they were parsed; null = none is given. */
export interface TemplateRules {
  readonly names: readonly Node[] | null;
  /** Makes `name:target`. */
  readonly pairs: readonly Node[] | null;
  /** Makes the targets of `names`, for objects that do not say where they are reached. */
  readonly targets: readonly Node[] | null;
  /** They add to the names that an object has; else they count where it has none. */
  readonly isAdding: boolean;
}

/** Read from flags; `NO_SOURCE_RULES` where none is given. */
export interface SourceRules {
  /** `--provider`, whose properties count; empty = those of all do. */
  readonly provider: string;
  readonly templates: TemplateRules;
  /** The annotations `hostname` and `internal-hostname` say nothing. */
  readonly ignoresHostnames: boolean;
  /** Targets of DNSEndpoints that have none; `isDefaultForced`: of every address and CNAME. */
  readonly defaultTargets: readonly string[];
  readonly isDefaultForced: boolean;
  /** Seconds of records whose object says none; null = as the zone has it. */
  readonly minTtlSeconds: number | null;
  /** Seconds to which lower TTLs of objects are raised; 0 = they are not. */
  readonly leastTtlSeconds: number;
  /** Pods of headless Services are published with the addresses of their nodes. */
  readonly isHostIpPublished: boolean;
  /** Endpoints that are not ready count, whatever their Service says. */
  readonly isUnreadyPublished: boolean;
  /** Host names of load balancers are looked up. */
  readonly areBalancersResolved: boolean;
  /** Nodes that take no Pods count as well. */
  readonly areCordonedPublished: boolean;
  /** Internal IPv6 addresses of nodes go beside the external ones. */
  readonly isInternalIpv6Published: boolean;
}

/** external-dns without such flags. */
export const NO_SOURCE_RULES: SourceRules = {
  provider: "",
  templates: { names: null, pairs: null, targets: null, isAdding: false },
  ignoresHostnames: false,
  defaultTargets: [],
  isDefaultForced: false,
  minTtlSeconds: null,
  leastTtlSeconds: 0,
  isHostIpPublished: false,
  isUnreadyPublished: false,
  areBalancersResolved: false,
  areCordonedPublished: false,
  isInternalIpv6Published: false,
};
