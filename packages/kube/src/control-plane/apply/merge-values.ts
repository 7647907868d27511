/**
 * Puts an applied configuration over the present object, and takes fields out of an object, by the
 * rules of the schema. Inputs are not changed. Follows structured-merge-diff typed/merge.go and
 * typed/remove.go.
 */
import { isObject } from "../json/json.ts";
import type { Schema } from "../schema/schema.ts";
import type { FieldSet, PathElement } from "./field-set.ts";
import { hasNothing } from "./field-walk.ts";
import { childrenOf, itemElement, type MergeRule, mergeRule } from "./merge-rule.ts";

/**
 * The present value with all fields of the configuration; other fields stay.
 */
export function mergeConfiguration(schema: Schema, current: unknown, config: unknown): unknown {
  if (config === undefined) return current;
  const rule = mergeRule(schema, config);
  if (rule.as === "map" && isObject(current) && isObject(config)) {
    const known = childrenOf(rule, current);
    const merged = [...childrenOf(rule, config)].map(
      ([element, child]) =>
        [
          element.slice(2),
          mergeConfiguration(child.schema, known.get(element)?.value, child.value),
        ] as const,
    );
    return { ...current, ...Object.fromEntries(merged) };
  }
  if (rule.as === "items" && Array.isArray(current) && Array.isArray(config))
    return mergeItems(rule, current, config);
  return config;
}

/**
 * Items of the configuration keep its order; items that only the object has stay before the next
 * common item.
 */
function mergeItems(
  rule: MergeRule & { readonly as: "items" },
  current: readonly unknown[],
  config: readonly unknown[],
): readonly unknown[] {
  const wanted = childrenOf(rule, config);
  const known = childrenOf(rule, current);
  const elements = current.map((item) => itemElement(rule, item));
  const ends = commonEnds([...wanted.keys()], elements);
  const result: unknown[] = [];
  let taken = 0;
  const takeTo = (end: number): void => {
    for (; taken < end; taken += 1)
      if (!wanted.has(elements[taken] ?? "")) result.push(current[taken]);
  };
  for (const [index, [element, item]] of [...wanted].entries()) {
    takeTo(ends[index] ?? elements.length);
    result.push(mergeConfiguration(rule.items, known.get(element)?.value, item.value));
  }
  takeTo(elements.length);
  return result;
}

/**
 * For each desired element: the index, in the present list, of the next element that both lists
 * have; the length of the list = none.
 */
function commonEnds(
  wanted: readonly PathElement[],
  present: readonly PathElement[],
): readonly number[] {
  const indexes = new Map([...present.entries()].reverse().map(([index, each]) => [each, index]));
  const ends: number[] = [];
  let next = present.length;
  for (const element of wanted.toReversed()) {
    next = indexes.get(element) ?? next;
    ends.push(next);
  }
  return ends.reverse();
}

/**
 * The value without the fields of the set. A container that is empty afterwards goes too; undefined
 * = all of it went.
 */
export function withoutFields(schema: Schema, value: unknown, fields: FieldSet): unknown {
  if (fields.children.size === 0 || hasNothing(value)) return value;
  const rule = mergeRule(schema, value);
  if (rule.as === "map" && isObject(value)) {
    const kept = Object.entries(value)
      .map(([name, child]) => [name, keptChild(rule, `f:${name}`, child, fields)] as const)
      .filter(([, child]) => child !== undefined);
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  }
  if (rule.as === "items" && Array.isArray(value)) {
    const kept = value
      .map((child: unknown) => keptChild(rule, itemElement(rule, child), child, fields))
      .filter((child) => child !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  return value;
}

function keptChild(
  rule: MergeRule,
  element: PathElement,
  child: unknown,
  fields: FieldSet,
): unknown {
  const below = fields.children.get(element);
  if (below === undefined) return child;
  if (below.isMember) return undefined;
  const known = childrenOf(rule, { [element.slice(2)]: child }).get(element);
  return withoutFields(rule.as === "items" ? rule.items : (known?.schema ?? {}), child, below);
}
