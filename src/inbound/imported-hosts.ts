/**
 * Turns the names of a zone into the hosts that are imported into an Istio mesh: each with
 * addresses or another name, and ports. Says why other names are left out. Remembers which hosts
 * depend on which names, so that a changed name costs only these. Pure. RFC 1034 §3.6.2 (CNAME),
 * §4.2.1 (zone cuts), RFC 2782 (SRV).
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { groupedBy } from "@zonekeeper/base/grouped-by";
import {
  type DnsName,
  isAtOrBelow,
  isWildcard,
  parentOf,
  parseDnsName,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import { isInternalAddress } from "../model/addresses.ts";
import { type ImportPort, type ImportRules, isNameOfOthers, portOf } from "../model/imports.ts";
import { asPlain } from "../model/record-set.ts";
import type { ZoneRecord, ZoneView } from "./zone-view.ts";

/** Why a name is not imported; docs/reference/service-entries.md says what to do. */
export type SkipReason =
  | "AliasLoop"
  | "AliasToNothing"
  | "Delegated"
  | "Fighting"
  | "InternalAddress"
  | "LocalHostExists"
  | "NameOfOthers"
  | "NoPorts"
  | "NotAHost"
  | "ObjectExists"
  | "OwnRecord"
  | "RoutingPolicy"
  | "Wildcard";

/** An address of a host. */
export interface Endpoint {
  /** An IP address, or a host name. */
  readonly address: string;
  /** Its port numbers by port name, where they differ from the host's; absent = they do not. */
  readonly ports?: Readonly<Record<string, number>>;
}

/** The imported records of one name. */
export interface ImportedHost {
  readonly host: DnsName;
  /** Never empty. All are addresses, or at least one is a name. */
  readonly endpoints: readonly Endpoint[];
  /** Never empty. */
  readonly ports: readonly ImportPort[];
  /**
   * `cluster/kind/namespace/name` of the object that the record is published for, from its marker;
   * null = it has none.
   */
  readonly cameFrom: string | null;
}

/** Hosts by reason; both sorted. */
export function skippedByReason(
  skipped: Iterable<readonly [DnsName, SkipReason]>,
): ReadonlyMap<SkipReason, readonly DnsName[]> {
  const byReason = [...groupedBy(skipped, ([, reason]) => reason)].map(
    ([reason, all]) => [reason, all.map(([host]) => host).sort(compareText)] as const,
  );
  return new Map(byReason.sort(([a], [b]) => compareText(a, b)));
}

/** The value that was found (`is`), or why it is left out (`skip`). */
type Found<T> = { readonly is: T } | { readonly skip: SkipReason };

const NOTHING: ZoneView = {
  ...{ apex: trustedDnsName(""), id: "", readAtMs: 0, names: () => [], at: () => [] },
};
const ALIASES_MAX = 8;
/** RFC 1123 §2.1. */
const HOST = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/;
const SERVICE = /^_([a-z0-9-]+)\._tcp\.(.+)$/;

/** The import of a host, or why it is left out. */
export type ImportFound = Found<ImportedHost>;

/** An SRV record. */
interface Service {
  /** Name of its port: `https` of `_https._tcp`. */
  readonly name: string;
  readonly priority: number;
  readonly port: number;
  readonly target: DnsName;
}

/** The hosts of one zone. `here`: id of the cluster that they are imported into. */
export class ImportedHosts {
  readonly #rules: Pick<ImportRules, "ports" | "domains" | "excluded">;
  readonly #here: string;
  /** SRV records by host, then by their owner name. */
  readonly #services = new Map<DnsName, Map<DnsName, readonly Service[]>>();
  /** Names with addresses or an alias. */
  readonly #named = new Set<DnsName>();
  readonly #cuts = new Set<DnsName>();
  /**
   * By name: hosts that were decided with its records. It may name a host that needs it no more,
   * which is then decided once in vain.
   */
  readonly #readers = new Map<DnsName, Set<DnsName>>();
  readonly #found = new Map<DnsName, ImportFound>();
  #view: ZoneView = NOTHING;

  constructor(rules: Pick<ImportRules, "ports" | "domains" | "excluded">, here: string) {
    this.#rules = rules;
    this.#here = here;
  }

  /** All hosts in the scope of the import. */
  found(): ReadonlyMap<DnsName, ImportFound> {
    return this.#found;
  }

  /**
   * Reads these names, or all of the zone; answers the hosts that were decided anew, because they
   * depend on one of the names.
   */
  read(view: ZoneView, names: Iterable<DnsName> | "all"): ReadonlySet<DnsName> {
    this.#view = view;
    const hosts = new Set<DnsName>();
    if (names === "all") {
      for (const host of this.#found.keys()) hosts.add(host);
      for (const all of [this.#services, this.#named, this.#cuts, this.#readers, this.#found])
        all.clear();
    }
    let isCutMoved = false;
    for (const name of names === "all" ? view.names() : names) {
      const types = new Set(view.at(name).map(({ set }) => set.type));
      const isCut = types.has("NS") && name !== view.apex;
      isCutMoved ||= isCut !== this.#cuts.has(name);
      toggle(this.#cuts, name, isCut);
      toggle(this.#named, name, types.has("A") || types.has("AAAA") || types.has("CNAME"));
      for (const host of this.#rereadAt(name, types.has("SRV"))) hosts.add(host);
    }
    const all = [this.#found, this.#named, this.#services].map((some) => [...some.keys()]);
    const looked = isCutMoved ? new Set([...hosts, ...all.flat()]) : hosts;
    for (const host of looked) this.#decide(host);
    return looked;
  }

  /** The hosts that depend on the name; reads the SRV records there. */
  #rereadAt(name: DnsName, isService: boolean): readonly DnsName[] {
    const readers = [name, ...(this.#readers.get(name) ?? [])];
    this.#readers.delete(name);
    const [, label, text] = SERVICE.exec(name) ?? [];
    if (label === undefined || text === undefined) return readers;
    const host = trustedDnsName(text);
    const services = this.#services.get(host) ?? new Map<DnsName, readonly Service[]>();
    const own = isService ? this.#servicesAt(name, label) : [];
    if (own.length > 0) this.#services.set(host, services.set(name, own));
    else if (services.delete(name) && services.size === 0) this.#services.delete(host);
    return [...readers, host];
  }

  #decide(host: DnsName): void {
    const isHost = this.#named.has(host) || this.#services.has(host);
    if (isHost && isInScope(host, this.#rules)) this.#found.set(host, this.#imported(host));
    else this.#found.delete(host);
  }

  #imported(host: DnsName): ImportFound {
    const records = this.#at(host, host);
    const skip = this.#skipOf(host, records);
    if (skip !== null) return { skip };
    const byName = [...(this.#services.get(host) ?? [])].sort(([a], [b]) => compareText(a, b));
    const services = byName.flatMap(([, some]) => some);
    const endpoints = this.#named.has(host)
      ? this.#endpointsAt(host, host)
      : this.#endpointsOf(host, services);
    if ("skip" in endpoints) return endpoints;
    const all = services.length === 0 ? this.#rules.ports : portsOf(services);
    if (all.length === 0) return { skip: "NoPorts" };
    const marker = records.find((record) => record.marker !== null)?.marker;
    const cameFrom =
      marker?.resource == null ? null : `${marker.cluster ?? "?"}/${marker.resource}`;
    return { is: { host, endpoints: endpoints.is, ports: all, cameFrom } };
  }

  /** `reader`: the host that is being decided; it is decided again when the name changes. */
  #at(name: DnsName, reader: DnsName): readonly ZoneRecord[] {
    if (name !== reader)
      this.#readers.set(name, (this.#readers.get(name) ?? new Set<DnsName>()).add(reader));
    return this.#view.at(name);
  }

  #skipOf(host: DnsName, records: readonly ZoneRecord[]): SkipReason | null {
    if (isWildcard(host)) return "Wildcard";
    if (!HOST.test(host)) return "NotAHost";
    if (isNameOfOthers(host)) return "NameOfOthers";
    if (this.#isDelegated(host)) return "Delegated";
    if (records.some(({ set }) => asPlain(set).setIdentifier !== null)) return "RoutingPolicy";
    // clause: own-record-is-not-imported
    if (records.some(({ marker }) => isOfCluster(marker, this.#here))) return "OwnRecord";
    return null;
  }

  /** True = the host is at or below a zone cut: the child zone answers for it. */
  #isDelegated(host: DnsName): boolean {
    for (
      let name: DnsName | null = host;
      name !== null && this.#cuts.size > 0;
      name = parentOf(name)
    )
      if (this.#cuts.has(name)) return true;
    return false;
  }

  /**
   * The addresses of the name, or of the end of its CNAME chain; an end outside of the zone is an
   * endpoint by name.
   */
  #endpointsAt(start: DnsName, reader: DnsName): Found<readonly Endpoint[]> {
    let name = start;
    for (let aliases = 0; aliases <= ALIASES_MAX; aliases++) {
      const sets = this.#at(name, reader).map(({ set }) => set);
      const addresses = sets.flatMap(({ type, values }) =>
        type === "A" || type === "AAAA" ? values : [],
      );
      if (addresses.length > 0) return endpointsFrom(addresses);
      const alias = sets.find(({ type }) => type === "CNAME")?.values[0];
      const target = alias === undefined ? null : parseDnsName(alias);
      if (target?.ok !== true) return { skip: "AliasToNothing" };
      if (!this.#holds(target.value)) return endpointNamed(target.value);
      name = target.value;
    }
    return { skip: "AliasLoop" };
  }

  /** The targets of the SRV records, by address where the zone has the target, else by name. */
  #endpointsOf(reader: DnsName, services: readonly Service[]): Found<readonly Endpoint[]> {
    const main = new Map(portsOf(services).map(({ name, number }) => [name, number]));
    const found: Endpoint[] = [];
    let skip: SkipReason = "AliasToNothing";
    for (const target of new Set(services.map((service) => service.target))) {
      const own = services.filter(
        (service) => service.target === target && service.port !== main.get(service.name),
      );
      const ports = Object.fromEntries(own.map(({ name, port }) => [name, port]));
      const at = this.#holds(target) ? this.#endpointsAt(target, reader) : endpointNamed(target);
      if ("skip" in at) skip = at.skip;
      else found.push(...at.is.map((one) => (own.length === 0 ? one : { ...one, ports })));
    }
    return found.length === 0 ? { skip } : { is: found.sort(byAddress) };
  }

  #holds(name: DnsName): boolean {
    return isAtOrBelow(name, this.#view.apex) && !this.#isDelegated(name);
  }

  /** The SRV records of the lowest priority (RFC 2782: the preferred one). */
  #servicesAt(name: DnsName, label: string): readonly Service[] {
    const values = this.#view.at(name).flatMap(({ set }) => (set.type === "SRV" ? set.values : []));
    const all = values.flatMap((value): readonly Service[] => {
      const [priority, , port, text = ""] = value.split(" ");
      const target = parseDnsName(text);
      return target.ok
        ? [{ name: label, priority: Number(priority), port: Number(port), target: target.value }]
        : [];
    });
    const lowest = Math.min(...all.map(({ priority }) => priority));
    return all.filter(({ priority, port }) => priority === lowest && port > 0);
  }
}

function isInScope(
  host: DnsName,
  { domains, excluded }: Pick<ImportRules, "domains" | "excluded">,
): boolean {
  const isIn = (domain: DnsName): boolean => isAtOrBelow(host, domain);
  return (domains.length === 0 || domains.some(isIn)) && !excluded.some(isIn);
}

function toggle(names: Set<DnsName>, name: DnsName, isIn: boolean): void {
  if (isIn) names.add(name);
  else names.delete(name);
}

/**
 * True = the record is published from this cluster; a marker of ours that names no cluster may be
 * so.
 */
function isOfCluster(marker: ZoneRecord["marker"], here: string): boolean {
  return marker?.isOwn === true && (marker.cluster === null || marker.cluster === here);
}

/**
 * Endpoints of these addresses. Loopback and link-local ones are left out: they mean the asking
 * host.
 */
function endpointsFrom(addresses: readonly string[]): Found<readonly Endpoint[]> {
  // clause: internal-address-is-not-imported
  const others = addresses.filter((address) => !isInternalAddress(address));
  if (others.length === 0) return { skip: "InternalAddress" };
  return { is: others.map((address) => ({ address })).sort(byAddress) };
}

/** A name outside of the zone. Of one of the importing cluster the zone has no say. */
function endpointNamed(address: DnsName): Found<readonly Endpoint[]> {
  return isNameOfOthers(address) ? { skip: "NameOfOthers" } : { is: [{ address }] };
}

function byAddress(a: Endpoint, b: Endpoint): number {
  return compareText(a.address, b.address);
}

/** There is one port for each service name: that of its first SRV record. */
function portsOf(services: readonly Service[]): readonly ImportPort[] {
  const byName = new Map<string, number>();
  for (const { name, port } of services) if (!byName.has(name)) byName.set(name, port);
  return [...byName].map(([name, number]) => portOf(name, number));
}
