/**
 * The names of a zone → the hosts that a mesh gets: addresses, or another name, and ports; and why
 * others are left out. Pure. RFC 1034 §3.6.2 (CNAME), §4.2.1 (cuts), RFC 2782 (SRV).
 */
import { compareText } from "@zonekeeper/base/compare-text";
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

/** A name that is left out. */
export interface Skipped {
  readonly host: DnsName;
  readonly reason: SkipReason;
}

/** Hosts by reason; both sorted. */
export function skippedByReason(
  skipped: readonly Skipped[],
): ReadonlyMap<SkipReason, readonly DnsName[]> {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))].sort(compareText);
  const hostsOf = (reason: SkipReason): readonly DnsName[] =>
    skipped.flatMap((one) => (one.reason === reason ? [one.host] : [])).sort(compareText);
  return new Map(reasons.map((reason) => [reason, hostsOf(reason)]));
}

type Found<T> = { readonly is: T } | { readonly skip: SkipReason };

const ALIASES_MAX = 8;
/** RFC 1123 §2.1. */
const HOST = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)+$/;
const SERVICE = /^_([a-z0-9-]+)\._tcp\.(.+)$/;

/** See the head of this file. `here`: id of the cluster that they are imported into. */
export function importedHosts(
  view: ZoneView,
  rules: Pick<ImportRules, "ports" | "domains" | "excluded">,
  here: string,
): { readonly hosts: readonly ImportedHost[]; readonly skipped: readonly Skipped[] } {
  const zone = new ZoneFacts(view, here);
  const hosts: ImportedHost[] = [];
  const skipped: Skipped[] = [];
  for (const host of zone.hosts()) {
    if (!isInScope(host, rules)) continue;
    const found = zone.imported(host, rules.ports);
    if ("is" in found) hosts.push(found.is);
    else skipped.push({ host, reason: found.skip });
  }
  return { hosts, skipped };
}

function isInScope(
  host: DnsName,
  { domains, excluded }: Pick<ImportRules, "domains" | "excluded">,
): boolean {
  const isIn = (domain: DnsName): boolean => isAtOrBelow(host, domain);
  return (domains.length === 0 || domains.some(isIn)) && !excluded.some(isIn);
}

/** An SRV record. */
interface Service {
  /** Of its port: `https`. */
  readonly name: string;
  readonly priority: number;
  readonly port: number;
  readonly target: DnsName;
}

class ZoneFacts {
  readonly #apex: DnsName;
  readonly #here: string;
  /** Each name is read once. */
  readonly #records = new Map<DnsName, readonly ZoneRecord[]>();
  /** By host. */
  readonly #services = new Map<string, readonly Service[]>();
  readonly #hosts: DnsName[] = [];
  readonly #cuts = new Set<string>();

  constructor(view: ZoneView, here: string) {
    this.#apex = view.apex;
    this.#here = here;
    const seen = new Set<DnsName>();
    for (const name of view.names()) {
      const records = view.at(name);
      this.#records.set(name, records);
      const types = new Set(records.map(({ set }) => set.type));
      if (types.has("NS") && name !== view.apex) this.#cuts.add(name);
      if (types.has("A") || types.has("AAAA") || types.has("CNAME")) seen.add(name);
      const [, label, host] = types.has("SRV") ? (SERVICE.exec(name) ?? []) : [];
      if (label === undefined || host === undefined) continue;
      this.#services.set(host, [
        ...(this.#services.get(host) ?? []),
        ...this.#servicesAt(name, label),
      ]);
      seen.add(trustedDnsName(host));
    }
    this.#hosts = [...seen].sort(compareText);
  }

  /** Names with addresses, an alias or services. */
  hosts(): readonly DnsName[] {
    return this.#hosts;
  }

  imported(host: DnsName, ports: readonly ImportPort[]): Found<ImportedHost> {
    const records = this.#at(host);
    const skip = this.#skipOf(host, records);
    if (skip !== null) return { skip };
    const services = this.#services.get(host) ?? [];
    const isThere = records.some(({ set }) => isAddress(set.type) || set.type === "CNAME");
    const endpoints = isThere ? this.#endpointsAt(host) : this.#endpointsOf(services);
    if ("skip" in endpoints) return endpoints;
    const all = services.length === 0 ? ports : portsOf(services);
    if (all.length === 0) return { skip: "NoPorts" };
    return { is: { host, endpoints: endpoints.is, ports: all, cameFrom: originOf(records) } };
  }

  #at(name: DnsName): readonly ZoneRecord[] {
    return this.#records.get(name) ?? [];
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
  #endpointsAt(host: DnsName): Found<readonly Endpoint[]> {
    let name = host;
    for (let aliases = 0; aliases <= ALIASES_MAX; aliases++) {
      const sets = this.#at(name).map(({ set }) => set);
      const addresses = sets.flatMap(({ type, values }) => (isAddress(type) ? values : []));
      if (addresses.length > 0) return endpointsFrom(addresses);
      const alias = sets.find(({ type }) => type === "CNAME")?.values[0];
      const target = alias === undefined ? null : parseDnsName(alias);
      if (target?.ok !== true) return { skip: "AliasToNothing" };
      if (!this.#holds(target.value)) return { is: [{ address: target.value }] };
      name = target.value;
    }
    return { skip: "AliasLoop" };
  }

  /** The hosts of the services: by address where the zone has them all, else by name. */
  #endpointsOf(services: readonly Service[]): Found<readonly Endpoint[]> {
    const main = new Map(portsOf(services).map(({ name, number }) => [name, number]));
    const found: Endpoint[] = [];
    for (const target of new Set(services.map((service) => service.target))) {
      const own = services.filter(
        (service) => service.target === target && service.port !== main.get(service.name),
      );
      const ports = Object.fromEntries(own.map(({ name, port }) => [name, port]));
      const at = this.#holds(target) ? this.#endpointsAt(target) : { is: [{ address: target }] };
      if ("skip" in at) continue;
      found.push(...at.is.map((one) => (own.length === 0 ? one : { ...one, ports })));
    }
    return found.length === 0 ? { skip: "AliasToNothing" } : { is: found.sort(byAddress) };
  }

  #holds(name: DnsName): boolean {
    return isAtOrBelow(name, this.#apex) && !this.#isDelegated(name);
  }

  /** Of the lowest priority; the target `.` is none. */
  #servicesAt(name: DnsName, label: string): readonly Service[] {
    const values = this.#at(name).flatMap(({ set }) => (set.type === "SRV" ? set.values : []));
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
