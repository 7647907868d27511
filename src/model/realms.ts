/**
 * Realms: names that divide the DNSProviders of a namespace among its entries (Gardener
 * external-dns-management, "realms").
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";

/** Comma list on entries and DNSProviders; absent or empty = the realm without a name. */
export const REALMS_ANNOTATION = "dns.gardener.cloud/realms";

/** Sorted; `[""]` where the object names none. */
export function realmsOf({ metadata }: KubeObject): readonly string[] {
  return readRealms(metadata.annotations?.[REALMS_ANNOTATION] ?? "");
}

/** Realms of a comma list. */
export function readRealms(text: string): readonly string[] {
  return [...new Set(text.split(",").map((realm) => realm.trim()))].sort();
}
