/** Owner ids that objects name; a DNSOwner switches them on. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";

/** On an object: of its records. On a DNSProvider: of the records of objects that name none. */
export const OWNER_ID_ANNOTATION = "dns.gardener.cloud/owner-id";

/** What a marker of every format can carry. */
const OWNER_ID = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,100}$/;

/** Whether a DNSOwner can switch it on. */
export function isOwnerId(text: string): boolean {
  return OWNER_ID.test(text);
}

/** What an owner id is, for messages. */
export const OWNER_ID_FORM =
  "write 1 to 100 printable ASCII characters without spaces, commas, quotes and backslashes";

/** Null = the object names none. */
export function ownerIdOf({ metadata }: KubeObject): string | null {
  return metadata.annotations?.[OWNER_ID_ANNOTATION]?.trim() || null;
}
