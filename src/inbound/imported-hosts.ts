/**
 * The names of a zone → the hosts that a mesh gets: addresses, or another name, and ports; and why
 * others are left out. Pure. RFC 1034 §3.6.2 (CNAME), §4.2.1 (cuts), RFC 2782 (SRV).
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
import { type ImportPort, type ImportRules, portOf } from "../model/import-rules.ts";
import { isInternalAddress } from "../model/internal-address.ts";
import { asPlain } from "../model/merged.ts";
import { isNameOfOthers } from "../model/names-of-others.ts";
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

/** Where a host is. */
export interface Endpoint {
  /** An IP address, or a host name. */
  readonly address: string;
  /** Where it listens, by name of port; absent = where the host does. */
  readonly ports?: Readonly<Record<string, number>>;
}

/** What is imported of one name. */
export interface ImportedHost {
  readonly host: DnsName;
  /** Never empty. All are addresses, or at least one is a name. */
  readonly endpoints: readonly Endpoint[];
  /** Never empty. */
  readonly ports: readonly ImportPort[];
  /** `cluster/kind/namespace/name` of the object it is published for; null = nobody says. */
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

type Found<T> = { readonly is: T } | { readonly skip: SkipReason };

const NOTHING: ZoneView = {
  ...{ apex: trustedDnsName(""), id: "", readAtMs: 0, names: () => [], at: () => [] },
};
const ALIASES_MAX = 8;
/** RFC 1123 §2.1. */
const HOST = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/;
const SERVICE = /^_([a-z0-9-]+)\._tcp\.(.+)$/;

/** What is known of a host. */
export type ImportFound = Found<ImportedHost>;

/** An SRV record. */
interface Service {
  /** Of its port: `https`. */
  readonly name: string;
  readonly priority: number;
  readonly port: number;
  readonly target: DnsName;
}

/** Of one zone. `here`: id of the cluster that they are imported into. */
export class ImportedHosts {
  readonly #rules: Pick<ImportRules, "ports" | "domains" | "excluded">;
  readonly #here: string;
  /** By host, then by name of the records. */
  readonly #services = new Map<DnsName, Map<DnsName, readonly Service[]>>();
  /** Names with addresses or an alias. */
  readonly #named = new Set<DnsName>();
  readonly #cuts = new Set<DnsName>();
  /** By name: hosts whose answer rests on it. One that does no more is looked at in vain. */
  readonly #readers = new Map<DnsName, Set<DnsName>>();
  readonly #found = new Map<DnsName, ImportFound>();
  #view: ZoneView = NOTHING;

  constructor(rules: Pick<ImportRules, "ports" | "domains" | "excluded">, here: string) {
    this.#rules = rules;
    this.#here = here;
  }

  /** In scope. */
  found(): ReadonlyMap<DnsName, ImportFound> {
    return this.#found;
  }

  /**
   * Reads these names, or all of the zone; answers the hosts that were looked at anew, since their
   * answer rests on one of them.
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

  /** Hosts whose answer rests on the name; its services are read. */
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
    return { is: { host, endpoints: endpoints.is, ports: all, cameFrom: originOf(records) } };
  }

  /** `reader`: the host that asks, which is looked at again when the name changes. */
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

  /** The cut and what is below it are the child's. */
  #isDelegated(host: DnsName): boolean {
    for (
      let name: DnsName | null = host;
      name !== null && this.#cuts.size > 0;
      name = parentOf(name)
    )
      if (this.#cuts.has(name)) return true;
    return false;
  }

  /** Addresses of the name or of what it is an alias of; what is outside of the zone as a name. */
  #endpointsAt(start: DnsName, reader: DnsName): Found<readonly Endpoint[]> {
    let name = start;
    for (let aliases = 0; aliases <= ALIASES_MAX; aliases++) {
      const sets = this.#at(name, reader).map(({ set }) => set);
      const addresses = sets.flatMap(({ type, values }) => (isAddress(type) ? values : []));
      if (addresses.length > 0) return endpointsFrom(addresses);
      const alias = sets.find(({ type }) => type === "CNAME")?.values[0];
      const target = alias === undefined ? null : parseDnsName(alias);
      if (target?.ok !== true) return { skip: "AliasToNothing" };
      if (!this.#holds(target.value)) return endpointNamed(target.value);
      name = target.value;
    }
    return { skip: "AliasLoop" };
  }

  /** The hosts of the services: by address where the zone has them all, else by name. */
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

  /** Of the lowest priority; the target `.` is none. */
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

function isAddress(type: string): boolean {
  return type === "A" || type === "AAAA";
}

/** A marker of ours that names no cluster may be of this one. */
function isOfCluster(marker: ZoneRecord["marker"], here: string): boolean {
  return marker?.isOwn === true && (marker.cluster === null || marker.cluster === here);
}

/** Addresses of the machine or the link that asks would lead the mesh to itself. */
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

/** One for each service: that of its first record. */
function portsOf(services: readonly Service[]): readonly ImportPort[] {
  const byName = new Map<string, number>();
  for (const { name, port } of services) if (!byName.has(name)) byName.set(name, port);
  return [...byName].map(([name, number]) => portOf(name, number));
}

function originOf(records: readonly ZoneRecord[]): string | null {
  const marker = records.find((record) => record.marker !== null)?.marker;
  return marker?.resource == null ? null : `${marker.cluster ?? "?"}/${marker.resource}`;
}
