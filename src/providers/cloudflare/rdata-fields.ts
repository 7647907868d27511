/**
 * Rdata as the API has it: a text `content` for simple types, named fields in `data` for others
 * (API reference, "Create DNS Record"). Numbers may come as text, and fields may be missing: then
 * `content` is read. Pure.
 */
import { splitTokens } from "@zonekeeper/dns/rdata/tokens";
import { txtFromText } from "@zonekeeper/dns/rdata/txt";
import { type Fields, fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { readRdata } from "../shared/dotted-rdata.ts";
import {
  type FieldNames,
  fieldNames,
  fromNamedFields,
  toNamedFields,
} from "../shared/named-fields.ts";

/** Fields in the order of presentation. `priority` of MX and URI is a field of the record. */
const DATA_FIELDS: Readonly<Record<string, FieldNames>> = {
  CAA: fieldNames("flags:number tag value:text"),
  DS: fieldNames("key_tag:number algorithm:number digest_type:number digest"),
  HTTPS: fieldNames("priority:number target value:rest"),
  NAPTR: fieldNames(
    "order:number preference:number flags:text service:text regex:text replacement",
  ),
  SRV: fieldNames("priority:number weight:number port:number target"),
  SSHFP: fieldNames("algorithm:number type:number fingerprint"),
  SVCB: fieldNames("priority:number target value:rest"),
  TLSA: fieldNames("usage:number selector:number matching_type:number certificate"),
  URI: fieldNames("priority:number weight:number target:text"),
};
/** Of types whose `priority` is a field of the record. */
const PRIORITY_OUTSIDE: ReadonlySet<string> = new Set(["MX", "URI"]);

/** The fields of a record that say this value, which is canonical. */
export function fromValue(type: string, value: string): Fields {
  const tokens = splitTokens(value);
  const texts = tokens.ok ? tokens.value : [value];
  if (type === "MX") return { priority: Number(texts[0]), content: texts[1] ?? "" };
  const fields = DATA_FIELDS[type];
  if (fields === undefined) return { content: value };
  const { priority, ...rest } = toNamedFields(fields, value);
  return PRIORITY_OUTSIDE.has(type)
    ? { priority, data: rest }
    : { data: { ...rest, ...(priority === undefined ? {} : { priority }) } };
}

/** Canonical rdata of a record; what cannot be read stays as it is. */
export function toValue(type: string, record: Fields): string {
  const data = fieldsOf(record["data"]);
  const fields = { ...data, priority: data["priority"] ?? record["priority"] };
  const text = fromNamedFields(DATA_FIELDS[type] ?? [], fields);
  return readRdata(type, text ?? textFromContent(type, record));
}

function textFromContent(type: string, record: Fields): string {
  const content = textOf(record["content"]) ?? "";
  if (type === "TXT") return content.startsWith('"') ? content : txtFromText(content);
  const hasPriority = record["priority"] !== undefined && record["priority"] !== null;
  const isShort =
    type === "MX" || type === "URI" || (type === "SRV" && !/^\S+\s+\S+\s+\S+\s+\S/.test(content));
  return hasPriority && isShort ? `${String(record["priority"])} ${content}` : content;
}
