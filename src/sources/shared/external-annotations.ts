/**
 * Annotations of external-dns on kinds that are published here as it publishes them, under either
 * of its prefixes. Where ours says the same thing, ours counts.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { EXTERNAL_DNS_PREFIXES } from "../../model/annotation-keys.ts";
import type { Problem } from "../../model/problem.ts";
import { annotationField, TTL_ANNOTATION } from "./annotations.ts";
import { quoted, readName } from "./read-name.ts";

/** The key under which the object has it; null = it has none, or an empty one. */
export function externalKey(
  { metadata: { annotations = {} } }: KubeObject,
  name: string,
): string | null {
  const keys = EXTERNAL_DNS_PREFIXES.map((prefix) => `${prefix}${name}`);
  return keys.find((key) => (annotations[key] ?? "").trim() !== "") ?? null;
}

/** The elements of a comma list, and the key that has it. */
export interface ExternalList {
  readonly key: string;
  readonly texts: readonly string[];
}

/** Null = the object has no such annotation. */
export function externalList(object: KubeObject, name: string): ExternalList | null {
  const key = externalKey(object, name);
  if (key === null) return null;
  const list = object.metadata.annotations?.[key] ?? "";
  const texts = list
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  return { key, texts };
}

/** The annotation that has the TTL of its records. */
export function ttlKeyOf(object: KubeObject): string {
  const own = object.metadata.annotations?.[TTL_ANNOTATION] ?? "";
  return (own.trim() === "" ? externalKey(object, "ttl") : null) ?? TTL_ANNOTATION;
}

/** Names that are written in an object, and the problems of those that are none. */
export interface WrittenNames {
  readonly names: readonly DnsName[];
  readonly problems: readonly Problem[];
}

/** Reads texts that are names, each with the path of its field. */
export function writtenNames(texts: readonly (readonly [unknown, string])[]): WrittenNames {
  const names = new Set<DnsName>();
  const problems: Problem[] = [];
  for (const [text, field] of texts) {
    const shown = typeof text === "string" ? text : JSON.stringify(text);
    const name = readName(shown);
    if (name.ok) names.add(name.value);
    else {
      const message = `not a DNS name: ${name.error}`;
      problems.push({ code: "InvalidDnsName", subject: quoted(shown), message, field });
    }
  }
  return { names: [...names], problems };
}

/** The names of `hostname` or another annotation, with its path. */
export function externalHostnames(
  object: KubeObject,
  annotation = "hostname",
): readonly (readonly [string, string])[] {
  const list = externalList(object, annotation);
  return list === null ? [] : list.texts.map((text) => [text, annotationField(list.key)]);
}
