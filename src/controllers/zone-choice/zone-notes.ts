/**
 * Makes the note of a DNSEntry: an annotation that names the zone which its records may be in,
 * stored before anything is written there (`model/zone-note.ts`). Pure.
 */
import { parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import type { ZoneNote } from "../../model/zone-note.ts";
import { entryApplicant } from "./applicant.ts";
import type { ProviderDirectory } from "./provider-directory.ts";
import type { Selection } from "./select-provider.ts";

/** The note of the zone that was selected. */
export function noteOf({
  provider,
  zone,
}: Pick<Extract<Selection, { kind: "zone" }>, "provider" | "zone">): ZoneNote {
  return { provider: provider.id, providerType: provider.type, zone: zone.id };
}

/** The note of an entry that is about to be made; null = no zone is known that serves its name. */
export function noteOfNew(
  directory: Pick<ProviderDirectory, "select">,
  entry: KubeObject,
  targetNamespace: string | null,
): ZoneNote | null {
  const name = parseDnsName(textOf(fieldsOf(entry["spec"])["dnsName"]) ?? "");
  if (!name.ok) return null;
  const applicant = entryApplicant(entry, targetNamespace);
  const query = { name: name.value, applicant, present: null, presentZone: null };
  const selection = directory.select(query);
  return selection.kind === "zone" ? noteOf(selection) : null;
}
