/**
 * Annotations of external-dns with properties for its providers and members of routing policies
 * (`source/annotations/provider_specific.go` @v0.22), for every name of the object.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { EXTERNAL_DNS_PREFIXES } from "../../model/annotation-keys.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { memberOf } from "../../model/record-attributes.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { aliased } from "../shared/annotated-items.ts";
import { annotationField } from "../shared/annotations.ts";
import { heldItems, listsNames } from "../shared/found.ts";
import type { Found } from "../source.ts";
import { readEndpointProperties } from "./endpoint-properties.ts";

/** Annotations that are properties of `provider/…`. */
const OF_PROVIDERS = ["aws", "scw", "webhook", "coredns", "azure"] as const;

/** Found with them; ones that mean nothing here hold the names. */
export function withAnnotatedProperties(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
  provider: string,
): Found<DesiredRecordSet> {
  const { setIdentifier, providerSpecific, keys } = annotatedProperties(object);
  if (keys.length === 0 || !listsNames(found)) return found;
  const remarks = keys.filter((key) => provider === "cloudflare" && NOTES.test(key));
  const noted = {
    ...found,
    problems: [...found.problems, ...remarks.map((key) => noteOf(object, key))],
  };
  const answers = providerSpecific.filter(({ name }) => !NOTES.test(name));
  const read = readEndpointProperties({ setIdentifier, providerSpecific: answers }, provider);
  if (!read.ok) {
    const problem: Problem = {
      code: "Unsupported",
      subject: resourceOf(objectKeyOf(object, "")),
      message: `${read.error.message}. The names of this object stay as they are`,
      field: keys.map(annotationField).join(", "),
    };
    return heldItems(noted, problem);
  }
  const { properties } = read.value;
  const member = memberOf(read.value);
  const items = noted.items.map((item) => ({
    ...item,
    properties: { ...item.properties, ...properties },
    ...(member ?? {}),
  }));
  return { ...noted, items: items.flatMap(aliased) };
}

/** What Cloudflare keeps beside a record, and no answer has. */
const NOTES = /\/cloudflare-(?:record-comment|tags)$/;

function noteOf(object: KubeObject, key: string): Problem {
  return {
    code: "Unsupported",
    subject: `${resourceOf(objectKeyOf(object, ""))} ${key}`,
    message:
      "has no effect: comments and tags of records are not written, those that stand are kept",
    field: annotationField(key),
  };
}

interface AnnotatedProperties {
  /** Empty = none. */
  readonly setIdentifier: string;
  readonly providerSpecific: readonly { readonly name: string; readonly value: string }[];
  /** The annotations that say it. */
  readonly keys: readonly string[];
}

function annotatedProperties({ metadata: { annotations = {} } }: KubeObject): AnnotatedProperties {
  const values = new Map<string, { readonly key: string; readonly value: string }>();
  // The first prefix comes first.
  for (const prefix of [...EXTERNAL_DNS_PREFIXES].reverse())
    for (const [key, value] of Object.entries(annotations)) {
      const name = key.startsWith(prefix) ? propertyOf(key.slice(prefix.length), value) : null;
      if (name !== null) values.set(name, { key, value });
    }
  const keys = [...values.values()].map(({ key }) => key).sort();
  const setIdentifier = values.get(SET_IDENTIFIER)?.value.trim() ?? "";
  values.delete(SET_IDENTIFIER);
  return {
    setIdentifier,
    providerSpecific: [...values].map(([name, { value }]) => ({ name, value: value.trim() })),
    keys,
  };
}

const SET_IDENTIFIER = "set-identifier";

/** As DNSEndpoints name it; null = it is no property. */
function propertyOf(name: string, value: string): string | null {
  if (name === SET_IDENTIFIER) return name;
  if (name === "alias") return value.trim() === "true" ? name : null;
  if (name === "record-type") return value.trim() === "ptr" ? name : null;
  if (name.startsWith("cloudflare-")) return `${EXTERNAL_DNS_PREFIXES[0]}${name}`;
  const provider = OF_PROVIDERS.find((one) => name.startsWith(`${one}-`));
  return provider === undefined ? null : `${provider}/${name.slice(provider.length + 1)}`;
}
