/**
 * Annotations of external-dns with properties for its providers and members of routing policies
 * (`source/annotations/provider_specific.go` @v0.22), for every name of the object.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { EXTERNAL_DNS_PREFIXES } from "../../model/annotation-keys.ts";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";
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
  rules: NoteRules,
): Found<DesiredRecordSet> {
  const { setIdentifier, providerSpecific, keys } = annotatedProperties(object);
  if (keys.length === 0 || !listsNames(found)) return found;
  const notes = keys.flatMap((key) => notesOf(object, key, rules));
  const answers = providerSpecific.filter(({ name }) => !NOTES.some(({ key }) => key.test(name)));
  const read = readEndpointProperties({ setIdentifier, providerSpecific: answers }, rules.provider);
  if (!read.ok) {
    const problem: Problem = {
      code: "Unsupported",
      subject: resourceOf(objectKeyOf(object, "")),
      message: `${read.error.message}. The names of this object stay as they are`,
      field: keys.map(annotationField).join(", "),
    };
    return heldItems(found, ...notes, problem);
  }
  // An alias has a host name as its target; where addresses are reported there is none to make.
  const { alias: _, ...ofAddresses } = read.value.properties;
  const member = memberOf(read.value);
  const items = found.items.map((item) => {
    const properties = item.type === "CNAME" ? read.value.properties : ofAddresses;
    return { ...item, properties: { ...item.properties, ...properties }, ...(member ?? {}) };
  });
  return { ...found, problems: [...found.problems, ...notes], items: items.flatMap(aliased) };
}

type NoteRules = Pick<ExternalDnsRules, "provider" | "types">;

/** What no answer of the record has. Where external-dns would write it, a note says so. */
const NOTES: readonly {
  readonly key: RegExp;
  readonly isMissed: (rules: NoteRules) => boolean;
  readonly message: string;
}[] = [
  {
    key: /\/cloudflare-(?:record-comment|tags)$/,
    isMissed: ({ provider }) => provider === "cloudflare",
    message:
      "has no effect: comments and tags of records are not written, those that stand are kept",
  },
  {
    key: /(?:^|\/)record-type$/,
    isMissed: ({ types }) => types.has("PTR"),
    message: "has no effect: addresses get no PTR records here; write them as a DNSEndpoint",
  },
];

function notesOf(object: KubeObject, key: string, rules: NoteRules): readonly Problem[] {
  const subject = `${resourceOf(objectKeyOf(object, ""))} ${key}`;
  return NOTES.filter((note) => note.key.test(key) && note.isMissed(rules)).map(({ message }) => ({
    ...{ code: "Unsupported", subject, message, field: annotationField(key) },
  }));
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
