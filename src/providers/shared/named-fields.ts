/**
 * Rdata of APIs that have a named field for each part of it. Numbers may come as text. Pure; for
 * the conversions of providers only.
 */
import { formatText, splitTokens } from "@zonekeeper/dns/rdata/tokens";
import { stringBytes } from "@zonekeeper/dns/rdata/txt";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";

/** How a field is written: a number, a word, a text in quotes, or all words that are left. */
export type FieldKind = "number" | "word" | "text" | "rest";

/** Fields in the order of presentation. */
export type FieldNames = readonly (readonly [name: string, kind: FieldKind])[];

/** The fields of canonical rdata. */
export function toNamedFields(form: FieldNames, value: string): Fields {
  const tokens = splitTokens(value);
  const texts = tokens.ok ? tokens.value : [value];
  return Object.fromEntries(form.map(([name, kind], index) => [name, fieldOf(kind, texts, index)]));
}

function fieldOf(kind: FieldKind, texts: readonly string[], index: number): unknown {
  const text = texts[index] ?? "";
  if (kind === "number") return Number(text);
  if (kind === "rest") return texts.slice(index).join(" ");
  if (kind === "word") return text;
  const bytes = stringBytes(text);
  return bytes.ok ? new TextDecoder().decode(bytes.value) : text;
}

/** Rdata as its fields say it, not canonical; null = a field is missing, or there are none. */
export function fromNamedFields(form: FieldNames, fields: Fields): string | null {
  const texts: string[] = [];
  for (const [name, kind] of form) {
    const value = fields[name];
    if (typeof value !== "string" && typeof value !== "number") return null;
    texts.push(kind === "text" ? quoted(String(value)) : String(value));
  }
  return texts.length === 0 ? null : texts.join(" ").trim();
}

function quoted(text: string): string {
  return formatText(new TextEncoder().encode(text));
}
