/** Opens the registry that the configuration names (`--registry`), for one zone. */
import type { RegistryConfig } from "../config/registry-config.ts";
import { type DnsName, isAtOrBelow } from "../model/dns-name.ts";
import type { Zone } from "../model/zone.ts";
import { findRegistry, locationOf } from "../ownership/configmap/locate-registry.ts";
import { openConfigMapOwnership } from "../ownership/configmap/ownership.ts";
import { openGardenerOwnership } from "../ownership/gardener/ownership.ts";
import { openMeshOwnership } from "../ownership/mesh/ownership.ts";
import { openNoopOwnership } from "../ownership/noop/ownership.ts";
import type { Ownership } from "../ownership/ownership.ts";
import { withOtherFormats } from "../ownership/with-other-formats.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { RegistryStore } from "../ports/registry-store.ts";
import type { GardenerOptions } from "./start-controllers.ts";

type OpenOwnership = GardenerOptions["openOwnership"];

/** What registries are opened with. */
export interface OpenRegistryOptions {
  /** Owner id of this group. */
  readonly owner: string;
  readonly registry: RegistryConfig;
  /** The TXT registry with its options and keys. */
  readonly txtRegistry: OpenOwnership;
  /** Where rows are kept by formats that do not keep them in the zone. */
  readonly store: RegistryStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** The registry of each zone, for one term of leadership. */
export function openRegistry(options: OpenRegistryOptions): OpenOwnership {
  const { owner, registry } = options;
  const isOwnedByUs = (candidate: string): boolean => candidate === owner;
  if (registry.format === "txt") return options.txtRegistry;
  if (registry.format === "noop") return noopRegistry(owner, registry.owns);
  if (registry.format === "configmap") return configMapRegistry(options);
  const open = registry.format === "gardener" ? openGardenerOwnership : openMeshOwnership;
  return ({ name: apex }, { atomicity }) =>
    withOtherFormats(open({ apex, isOwnedByUs, atomic: atomicity === "zone" }), {
      apex,
      isOwnedByUs,
    });
}

/** Below the names that are ours as a whole, no marker says otherwise. */
function noopRegistry(owner: string, owns: readonly DnsName[]): OpenOwnership {
  return ({ name: apex }, { atomicity }) =>
    withOtherFormats(openNoopOwnership({ owner, owns, atomic: atomicity === "zone" }), {
      apex,
      isOwnedByUs: (candidate) => candidate === owner,
      isAllOwnedByUs: (name) => owns.some((domain) => isAtOrBelow(name, domain)),
    });
}

/** One for a zone, however many accounts show it: it keeps the zone's rows in memory. */
function configMapRegistry({ owner, store, clock, log }: OpenRegistryOptions): OpenOwnership {
  const opened = new Map<string, Ownership>();
  return (zone, { atomicity }) => {
    const text = identityOf(zone);
    const known = opened.get(text);
    if (known !== undefined) return known;
    const atomic = atomicity === "zone";
    const find = () => findRegistry({ store, apex: zone.name, zone: text });
    const own = { store, apex: zone.name, ...locationOf(text) };
    const registry = openConfigMapOwnership({ ...own, atomic, clock, log, find });
    const isOwnedByUs = (candidate: string): boolean => candidate === owner;
    const ownership = withOtherFormats(registry, { apex: zone.name, isOwnedByUs });
    opened.set(text, ownership);
    return ownership;
  };
}

/**
 * `rfc2136 192.0.2.53:53 example.org`: what makes a zone that zone (Z-18), and a person know it.
 */
function identityOf({ providerType, endpoint, id, view }: Zone): string {
  return [providerType, endpoint, id, view].filter((part) => part !== "").join(" ");
}
