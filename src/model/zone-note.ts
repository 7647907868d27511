/**
 * The zone of a DNSEntry, noted at the entry in the write that adds our finalizer: the status says
 * it only when the zone has answered, and a process that ends in between leaves a finalizer whose
 * records nobody could find (Z-19). Pure.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { ZONE_ANNOTATION } from "./annotation-keys.ts";

/** As the status of an entry says it later. */
export interface ZoneNote {
  /** `namespace/name` of the DNSProvider. */
  readonly provider: string;
  readonly providerType: string;
  /** Its id, which may have blanks. */
  readonly zone: string;
}

/** The annotation with this note. */
export function noteAnnotation({ provider, providerType, zone }: ZoneNote) {
  return { [ZONE_ANNOTATION]: `${providerType} ${provider} ${zone}` };
}

/** What the object notes; null = nothing, or nothing that can be read. */
export function readZoneNote({ metadata }: KubeObject): ZoneNote | null {
  const text = metadata.annotations?.[ZONE_ANNOTATION] ?? "";
  const [, providerType, provider, zone] = /^(\S+) ([^\s/]+\/[^\s/]+) (.+)$/.exec(text) ?? [];
  if (providerType === undefined || provider === undefined || zone === undefined) return null;
  return { provider, providerType, zone };
}
