/**
 * Rdata of APIs that have a named field for each part of it. Numbers may come as text. Pure; for
 * the conversions of providers only.
 */
import { formatText, splitTokens } from "@zonekeeper/dns/rdata/tokens";
import { stringBytes } from "@zonekeeper/dns/rdata/txt";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";

/** How a field is written: a number, a word, a text in quotes, or all words that are left. */
const KINDS = ["number", "word", "text", "rest"] as const;

/** Fields in the order of presentation. */
export type FieldNames = readonly (readonly [name: string, kind: (typeof KINDS)[number]])[];

/** `flags:number tag value:text`; a field without a kind is a word. */
export function fieldNames(text: string): FieldNames {
  return text.split(" ").map((field) => {
    const [name = "", kind = "word"] = field.split(":");
    return [name, KINDS.find((one) => one === kind) ?? "word"];
  });
}

/** The fields of canonical rdata. */
export function toNamedFields(form: FieldNames, value: string): Fields {
  const tokens = splitTokens(value);
  const texts = tokens.ok ? tokens.value : [value];
  const read = ([name, kind]: FieldNames[number], index: number) => {
    const text = texts[index] ?? "";
    if (kind === "number") return [name, Number(text)];
    if (kind === "rest") return [name, texts.slice(index).join(" ")];
    const bytes = kind === "text" ? stringBytes(text) : null;
    return [name, bytes?.ok ? new TextDecoder().decode(bytes.value) : text];
  };
  return Object.fromEntries(form.map(read));
}

/** Rdata as its fields say it, not canonical; null = a field is missing, or there are none. */
export function fromNamedFields(form: FieldNames, fields: Fields): string | null {
  const texts: string[] = [];
  for (const [name, kind] of form) {
    const value = fields[name];
    if (typeof value !== "string" && typeof value !== "number") return null;
    const text = String(value);
    texts.push(kind === "text" ? formatText(new TextEncoder().encode(text)) : text);
  }
  return texts.length === 0 ? null : texts.join(" ").trim();
}
