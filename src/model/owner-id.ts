/** Owner ids that objects name; any text may be one, and a DNSOwner switches it on. */
import type { KubeObject } from "./kubernetes.ts";

/** On an object: of its records. On a DNSProvider: of the records of objects that name none. */
export const OWNER_ID_ANNOTATION = "dns.gardener.cloud/owner-id";

/** Null = the object names none. */
export function ownerIdOf({ metadata }: KubeObject): string | null {
  return metadata.annotations?.[OWNER_ID_ANNOTATION]?.trim() || null;
}
