/**
 * Record sets of the API to ours and back, and change groups to one PATCH. The only place with
 * trailing dots. Pure; decides nothing.
 */
import { type DnsName, trustedDnsName } from "../../model/dns-name.ts";
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../../model/object-fields.ts";
import { parseRdata } from "../../model/rdata/index.ts";
import { splitTokens } from "../../model/rdata/tokens.ts";
import { canonicalValues, type RecordSet, type RecordSetKey } from "../../model/record-set.ts";
import { TTL_SECONDS_MAX } from "./limits.ts";

/** Where rdata has names: the API wants each with a dot at its end. */
const NAME_TOKENS: Readonly<Record<string, number>> = {
  CNAME: 0,
  DNAME: 0,
  HTTPS: 1,
  MX: 1,
  NAPTR: 5,
  NS: 0,
  PTR: 0,
  SRV: 3,
  SVCB: 1,
};

/** `Example.org.` → `example.org`. */
export function toName(text: string): DnsName {
  return trustedDnsName(text.replace(/\.$/, ""));
}

/** `example.org` → `example.org.`. */
export function fromName(name: DnsName): string {
  return `${name}.`;
}

/** Null = it is no record set, or all its records are disabled. */
export function toRecordSet(value: unknown): RecordSet | null {
  const fields = fieldsOf(value);
  const [name, type] = [textOf(fields["name"]), textOf(fields["type"])];
  if (name === null || type === null) return null;
  const records = (listOf(fields["records"]) ?? []).map(fieldsOf);
  const values = records
    .filter(({ disabled }) => disabled !== true)
    .map(({ content }) => toValue(type, textOf(content) ?? ""));
  if (values.length === 0) return null;
  return {
    name: toName(name),
    type,
    setIdentifier: null,
    ttlSeconds: numberOf(fields["ttl"]) ?? Number(textOf(fields["ttl"]) ?? 0),
    values: canonicalValues(values),
    properties: {},
    routingPolicy: null,
  };
}

/** Canonical rdata; what cannot be read stays as it is. */
function toValue(type: string, content: string): string {
  const parsed = parseRdata(type, content);
  return parsed.ok ? parsed.value : content;
}

/** Canonical rdata with names as the API takes them. */
function fromValue(type: string, value: string): string {
  const nameIndex = NAME_TOKENS[type];
  const tokens = splitTokens(value);
  if (nameIndex === undefined || !tokens.ok) return value;
  const texts = tokens.value.map((text, index) =>
    index === nameIndex && text !== "." ? `${text}.` : text,
  );
  return texts.join(" ");
}

/** The whole record set as it is to be. */
export function replaceSet(set: RecordSet): Fields {
  return {
    name: fromName(set.name),
    type: set.type,
    ttl: set.ttlSeconds,
    changetype: "REPLACE",
    records: set.values.map((value) => ({ content: fromValue(set.type, value), disabled: false })),
  };
}

/** The record set is to go. */
export function deleteSet({ name, type }: RecordSetKey): Fields {
  return { name: fromName(name), type, changetype: "DELETE" };
}

/** The set as the API will show it. Properties, which it does not have, stay for `audit`. */
export function normalizeSet(set: RecordSet): RecordSet {
  const values = set.values.map((value) => toValue(set.type, value));
  return {
    ...set,
    ttlSeconds: Math.min(Math.max(0, Math.trunc(set.ttlSeconds)), TTL_SECONDS_MAX),
    values: canonicalValues(values),
    properties: set.type === "TXT" ? {} : set.properties,
  };
}
