/** A DNSProvider as a holder of its account (Z-18). Pure. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { createdAtMs } from "@zonekeeper/kube/objects/object-fields";
import type { Holder } from "../../controllers/accounts/accounts.ts";

/**
 * `namespace/name` of DNSProviders, separated by commas: they lead into the same zones, which
 * cannot be proven.
 */
export const SAME_ZONE_ANNOTATION = "zonekeeper.dev/same-zone-as";
/** As above: they lead into other zones, although their names and apexes are equal. */
export const OTHER_ZONE_ANNOTATION = "zonekeeper.dev/other-zone-than";

/** Names without a namespace are in that of the DNSProvider. */
export function accountHolder(provider: KubeObject): Holder {
  const { namespace = "", name, annotations } = provider.metadata;
  const named = (annotation: string): readonly string[] =>
    (annotations?.[annotation] ?? "")
      .split(",")
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .map((text) => (text.includes("/") ? text : `${namespace}/${text}`));
  return {
    id: `${namespace}/${name}`,
    createdAtMs: createdAtMs(provider),
    sameAs: named(SAME_ZONE_ANNOTATION),
    otherThan: named(OTHER_ZONE_ANNOTATION),
  };
}
