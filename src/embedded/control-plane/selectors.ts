/** Label and field selectors: parsed once for a request, matched against objects. Pure. */
import { badRequest } from "./api-error.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";

/** Decides whether an object is selected. */
export type Selector = (object: StoredObject) => boolean;

/** Selects everything. */
export const EVERYTHING: Selector = () => true;

/** Characters of a selector at most. */
const SELECTOR_MAX = 4096;

/** `a=b,c!=d,e in (f,g),h notin (i),j,!k`. Empty = everything. Throws ApiError 400. */
export function parseLabelSelector(text: string): Selector {
  if (text.trim() === "") return EVERYTHING;
  if (text.length > SELECTOR_MAX) throw badRequest("the label selector is too long");
  const rules = splitOutside(text).map((part) => labelRule(part.trim()));
  return (object) => rules.every((rule) => rule(object.metadata.labels ?? {}));
}

type LabelRule = (labels: Readonly<Record<string, string>>) => boolean;

function labelRule(text: string): LabelRule {
  const rule = setRule(text) ?? equalityRule(text) ?? existenceRule(text);
  if (rule === null) throw badRequest(`unable to parse requirement: found '${text}'`);
  return rule;
}

function setRule(text: string): LabelRule | null {
  const [, key = "", operator, list = ""] = /^(\S+)\s+(in|notin)\s+\(([^()]*)\)$/.exec(text) ?? [];
  if (operator === undefined) return null;
  const values = new Set<string | undefined>(list.split(",").map((value) => value.trim()));
  const isIn: LabelRule = (labels) => values.has(labels[key]);
  return operator === "in" ? isIn : (labels) => !isIn(labels);
}

function equalityRule(text: string): LabelRule | null {
  const [, key = "", operator, value = ""] =
    /^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$/.exec(text) ?? [];
  if (operator === undefined) return null;
  return operator === "!=" ? (labels) => labels[key] !== value : (labels) => labels[key] === value;
}

function existenceRule(text: string): LabelRule | null {
  const [, not, key = ""] = /^(!?)\s*([^=!\s(),]+)$/.exec(text) ?? [];
  if (not === undefined) return null;
  return (labels) => Object.hasOwn(labels, key) === (not === "");
}

/** Splits at commas that are not inside brackets. */
function splitOutside(text: string): readonly string[] {
  return text.match(/(?:[^,()]|\([^()]*\))+/g) ?? [];
}

/** `metadata.name=x,type!=y`. Empty = everything. Throws ApiError 400 for fields that the kind does not offer. */
export function parseFieldSelector(kind: ServedKind, text: string): Selector {
  if (text.trim() === "") return EVERYTHING;
  if (text.length > SELECTOR_MAX) throw badRequest("the field selector is too long");
  const rules = text.split(",").map((part) => fieldRule(kind, part.trim()));
  return (object) => rules.every((rule) => rule(object));
}

function fieldRule(kind: ServedKind, text: string): Selector {
  const match = /^([^=!]+?)\s*(==|=|!=)\s*(.*)$/.exec(text);
  if (match === null)
    throw badRequest(`invalid field selector: '${text}' is not of the form field=value`);
  const [, field = "", operator, value = ""] = match;
  const read = fieldReader(kind, field);
  if (read === null)
    throw badRequest(
      `field label not supported: ${field}; "${kind.ref.kind}" has no such selector`,
    );
  return operator === "!="
    ? (object) => read(object) !== value
    : (object) => read(object) === value;
}

function fieldReader(kind: ServedKind, field: string): ((object: StoredObject) => string) | null {
  if (field === "metadata.name") return (object) => object.metadata.name;
  if (field === "metadata.namespace") return (object) => object.metadata.namespace ?? "";
  return Object.hasOwn(kind.selectable, field) ? (kind.selectable[field] ?? null) : null;
}

/** Both selectors. */
export function both(a: Selector, b: Selector): Selector {
  if (a === EVERYTHING) return b;
  if (b === EVERYTHING) return a;
  return (object) => a(object) && b(object);
}
