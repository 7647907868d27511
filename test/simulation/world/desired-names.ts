/**
 * What objects of the simulator's users want, read by simple rules of its own and not by the
 * product's sources.
 */
import type { WantedObject } from "./truth.ts";

/** `spec` of a DNSEntry, as users of the simulator write it. */
export interface EntrySpec {
  readonly dnsName: string;
  readonly targets?: readonly string[];
  readonly text?: readonly string[];
  readonly ttl?: number;
  readonly ownerId?: string;
}

/** What a DNSEntry gets that says no TTL; a Service or Ingress has no wish then (Z-21). */
const DEFAULT_TTL_SECONDS = 300;

/** What a spec says; null = it is broken. */
export function wantedBySpec(resource: string, spec: EntrySpec): WantedObject | null {
  const { dnsName, targets = [], text = [], ttl = DEFAULT_TTL_SECONDS } = spec;
  const host = targets.map((t) => t.toLowerCase()).filter((t) => /^[a-z.]+$/.test(t));
  const v4 = targets.filter((target) => /^\d+\.\d+\.\d+\.\d+$/.test(target));
  const v6 = targets.filter((target) => target.includes(":"));
  const isRead = v4.length + v6.length + host.length === targets.length;
  const isOneKind = text.length === 0 || targets.length === 0;
  if (!isRead || !isOneKind || dnsName.includes(" ") || ttl === 0) return null;
  const all = { TXT: text.map((line) => `"${line}"`), A: v4, AAAA: v6, CNAME: host };
  const values = Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0));
  const types = Object.keys(values);
  return { resource, names: [dnsName], types, values, ttlSeconds: ttl, settled: true };
}

/** What a Service or Ingress with one address wants. */
export interface BalancedNames {
  readonly resource: string;
  readonly names: readonly string[];
  readonly address: string;
  readonly ttlSeconds: number | null;
}

/** An address record at each name. */
export function wantedByBalancer(desired: BalancedNames): WantedObject {
  const { resource, names, address, ttlSeconds } = desired;
  return { resource, names, types: ["A"], values: { A: [address] }, ttlSeconds, settled: true };
}

/**
 * Z-5: a mistake takes nothing back and adds the names that can be read; what becomes of it is not
 * predicted.
 */
export function broken(
  now: Pick<WantedObject, "resource" | "names"> & Partial<WantedObject>,
  before: WantedObject | null,
): WantedObject {
  const known = before?.names ?? [];
  const added = now.names.filter((name) => now.values === undefined && !known.includes(name));
  return {
    resource: now.resource,
    names: [...new Set([...known, ...now.names])],
    unvalued: [...(before?.unvalued ?? []), ...added],
    types: [...new Set([...(before?.types ?? []), ...(now.types ?? [])])],
    values: { ...before?.values, ...now.values },
    ttlSeconds: now.ttlSeconds ?? null,
    settled: false,
  };
}
