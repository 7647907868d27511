/** Annotations of a DNSProvider about the tenants of its zones (Z-26, Z-28). Pure. */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { TenancyRequest } from "../../controllers/zone-choice/provider-facts.ts";

/** `true`: every tenant may publish beside any other. */
export const SHARED_NAMES_ANNOTATION = "zonekeeper.dev/shared-names";
/**
 * Names, separated by commas: zone cuts, wildcards and `_…` names that may be published although
 * others have names there.
 */
export const ALLOW_DELEGATION_ANNOTATION = "zonekeeper.dev/allow-delegation";

/** Reads both; what cannot be read allows nothing. */
export function readTenancy({ metadata }: KubeObject): TenancyRequest {
  const textOf = (key: string): string => metadata.annotations?.[key]?.trim().toLowerCase() ?? "";
  const delegations = textOf(ALLOW_DELEGATION_ANNOTATION).split(",");
  return {
    sharedNames: textOf(SHARED_NAMES_ANNOTATION) === "true",
    delegations: delegations.flatMap((text) => nameIn(text.trim())),
  };
}

function nameIn(text: string): readonly DnsName[] {
  const name = parseDnsName(text);
  return name.ok ? [name.value] : [];
}
