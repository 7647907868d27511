/** Annotations under the one prefix that flags of external-dns name. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { EXTERNAL_DNS_PREFIXES } from "../../model/annotation-keys.ts";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";

/** With the one prefix that counts written as the sources read it. */
export function withPrefix(
  object: KubeObject,
  { prefixes }: Pick<ExternalDnsRules, "prefixes">,
): KubeObject {
  const [first = ""] = prefixes;
  if (prefixes.length > 1) return object;
  const { annotations = {} } = object.metadata;
  const read = Object.entries(annotations).flatMap(([key, value]): [string, string][] => {
    if (key.startsWith(first))
      return [[`${EXTERNAL_DNS_PREFIXES[0]}${key.slice(first.length)}`, value]];
    return EXTERNAL_DNS_PREFIXES.some((prefix) => key.startsWith(prefix)) ? [] : [[key, value]];
  });
  return { ...object, metadata: { ...object.metadata, annotations: Object.fromEntries(read) } };
}
