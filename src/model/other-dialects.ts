/**
 * Names that an object asks another program for, in annotations and fields that are read here by no
 * source: external-dns's annotations, and the hosts of an Ingress without an annotation of ours.
 * Says where a name stands; wants nothing.
 */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { EXTERNAL_DNS_PREFIXES, NAMES_ANNOTATION } from "./annotation-keys.ts";

/** Comma lists of names, for external-dns. */
export const HOSTNAME_ANNOTATIONS: readonly string[] = ["hostname", "internal-hostname"].flatMap(
  (key) => EXTERNAL_DNS_PREFIXES.map((prefix) => `${prefix}${key}`),
);

/** The field in which an Ingress names hosts. */
const RULES = "spec.rules";

/** Where the object names each name: an annotation key, or the path of a field. */
export function namesElsewhere(object: KubeObject): ReadonlyMap<DnsName, string> {
  const { annotations = {} } = object.metadata;
  const names = new Map<DnsName, string>();
  const add = (text: unknown, where: string): void => {
    const name = typeof text === "string" ? parseDnsName(text.trim()) : null;
    if (name?.ok === true && !names.has(name.value)) names.set(name.value, where);
  };
  for (const key of HOSTNAME_ANNOTATIONS)
    for (const text of annotations[key]?.split(",") ?? []) add(text, `the annotation ${key}`);
  for (const rule of listOf(fieldsOf(object["spec"])["rules"]) ?? [])
    add(fieldsOf(rule)["host"], RULES);
  return names;
}

/**
 * As `namesElsewhere`, without hosts that the author left out on purpose: an Ingress with an
 * annotation of ours has its choice there.
 */
export function unreadNames(object: KubeObject): ReadonlyMap<DnsName, string> {
  const names = namesElsewhere(object);
  const isChosen = (object.metadata.annotations?.[NAMES_ANNOTATION] ?? "").trim() !== "";
  return isChosen ? new Map([...names].filter(([, where]) => where !== RULES)) : names;
}
