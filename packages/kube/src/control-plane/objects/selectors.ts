/** Label and field selectors: parsed once for a request, matched against objects. Pure. */
import { labelRules } from "../../objects/label-rules.ts";
import { badRequest } from "../errors/api-error.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";

/** Decides whether an object is selected. */
export type Selector = (object: StoredObject) => boolean;

/** Selects everything. */
export const EVERYTHING: Selector = () => true;

/** Characters of a selector at most. */
const SELECTOR_MAX = 4096;

/** See label-rules.ts. Empty = everything. Throws ApiError 400. */
export function parseLabelSelector(text: string): Selector {
  if (text.length > SELECTOR_MAX) throw badRequest("the label selector is too long");
  const rules = labelRules(text);
  if (!rules.ok) throw badRequest(rules.error);
  if (rules.value.length === 0) return EVERYTHING;
  return (object) => rules.value.every((rule) => rule(object.metadata.labels ?? {}));
}

/**
 * `metadata.name=x,type!=y`; empty terms count for nothing, and `\\`, `\,` and `\=` mean the
 * character after the backslash (apimachinery pkg/fields/selector.go). Empty = everything. Throws
 * ApiError 400, also for fields that the kind does not offer.
 */
export function parseFieldSelector(kind: ServedKind, text: string): Selector {
  if (text.length > SELECTOR_MAX) throw badRequest("the field selector is too long");
  const conditions = (text.match(/(?:\\[\s\S]|[^,\\]|\\$)+/g) ?? []).map((term) =>
    fieldRule(kind, term),
  );
  if (conditions.length === 0) return EVERYTHING;
  return (object) => conditions.every((rule) => rule(object));
}

function fieldRule(kind: ServedKind, text: string): Selector {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(text);
  if (match === null)
    throw badRequest(`invalid selector: '${text}'; can't understand it as field=value`);
  const [, field = "", operator, escaped = ""] = match;
  // A value without its escapes. Throws ApiError 400 for other ones, and for signs that need one.
  if (!/^(?:\\[\\,=]|[^\\,=])*$/.test(escaped))
    throw badRequest(
      `invalid field selector: in '${escaped}' a comma, = or backslash is not escaped`,
    );
  const value = escaped.replace(/\\(.)/g, "$1");
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
