/**
 * Checks an object against the rules of its schema. Values before are found as Kubernetes
 * correlates them: fields and values of maps by name, items of map lists by their keys, others not
 * at all. What one object may cost is bounded.
 */
import { Optional } from "@marcbachmann/cel-js";
import type { FieldError, FieldReason } from "../../errors/api-error.ts";
import { isObject, valueAt } from "../../json/json.ts";
import type { ServedKind } from "../../objects/served-kind.ts";
import type { Schema, ValidationRule } from "../../schema/schema.ts";
import { canonicalJson, keysOf, typeName } from "../../schema/schema-validate.ts";
import { faultText, stepsOf } from "./rule.ts";
import { type CompiledRule, type RuleNode, ruleTree } from "./rule-tree.ts";
import { CelValues } from "./values.ts";

/** Steps that all rules of one object may take: some seconds at worst. */
const STEPS_MAX = 3_000_000;
/** Characters of a message at most (apiextensions `ValidationRule.messageExpression`). */
const MESSAGE_MAX = 5120;

/** A value with the one before it, if there is one. */
interface Pair {
  readonly value: unknown;
  /** Undefined = there was none, or the items cannot be matched. */
  readonly old: unknown;
  readonly path: string;
}

/** The check of the rules of one schema, which all compile. */
export function ruleCheck(schema: Schema): ServedKind["check"] {
  const { root } = ruleTree(schema, "");
  if (root === null) return () => [];
  const whole = { ...root, schema: { ...schema, "x-kubernetes-embedded-resource": true } };
  return (object, previous) => {
    const run = new Run();
    run.visit(whole, { value: object, old: previous ?? undefined, path: "" });
    return run.errors;
  };
}

class Run {
  readonly errors: FieldError[] = [];
  #steps = 0;

  /** Stops as soon as the budget is spent. */
  visit(node: RuleNode, pair: Pair): void {
    if (this.#steps > STEPS_MAX) return;
    if (node.rules.length > 0) this.#rules(node, pair);
    this.#fields(node, pair);
    if (node.items !== null) this.#items(node, node.items, pair);
  }

  #fields(node: RuleNode, { value, old, path }: Pair): void {
    if (!isObject(value)) return;
    for (const [key, child] of Object.entries(value)) {
      const below = node.properties.get(key) ?? node.values;
      const childPath = path === "" ? key : `${path}.${key}`;
      if (below !== null)
        this.visit(below, { value: child, old: valueAt(old, key), path: childPath });
    }
  }

  /** Items of a map list are those before that have the same keys. */
  #items({ schema }: RuleNode, below: RuleNode, { value, old, path }: Pair): void {
    if (!Array.isArray(value)) return;
    const before = schema["x-kubernetes-list-type"] === "map" && Array.isArray(old) ? old : [];
    const idOf = (item: unknown): string =>
      canonicalJson(
        isObject(item) ? keysOf(item, schema["x-kubernetes-list-map-keys"] ?? []) : null,
      );
    const partners = new Map<string, unknown>(before.map((item: unknown) => [idOf(item), item]));
    for (const [index, item] of value.entries())
      this.visit(below, { value: item, old: partners.get(idOf(item)), path: `${path}[${index}]` });
  }

  #rules(node: RuleNode, pair: Pair): void {
    const values = new CelValues();
    const self = values.of(node.schema, pair.value);
    const old = pair.old === undefined ? undefined : values.of(node.schema, pair.old);
    for (const rule of node.rules) {
      if (rule.isTransition && old === undefined) continue;
      this.#steps += stepsOf(rule.expression.inspection, values.largest);
      if (this.#steps > STEPS_MAX) {
        this.errors.push(broken(pair, OUT_OF_BUDGET));
        return;
      }
      const oldSelf = rule.source.optionalOldSelf === true ? Optional.of(old) : old;
      this.#rule(rule, pair, { self, oldSelf });
    }
  }

  #rule(rule: CompiledRule, pair: Pair, variables: Readonly<Record<string, unknown>>): void {
    try {
      if (rule.expression.evaluate(variables) === true) return;
      this.errors.push(broken(pair, messageOf(rule, variables), rule.source));
    } catch (error) {
      const what = rule.source.message ?? rule.source.rule.trim();
      const text = `${faultText(error)} evaluating rule: ${what}`;
      this.errors.push(broken(pair, text, rule.source));
    }
  }
}

/** The expression decides; where it fails or gives no usable text, the fixed message. */
function messageOf(rule: CompiledRule, variables: Readonly<Record<string, unknown>>): string {
  const fixed = rule.source.message ?? `failed rule: ${rule.source.rule.trim()}`;
  if (rule.message === null) return fixed;
  try {
    const text = rule.message.evaluate(variables);
    const isUsable = typeof text === "string" && text.trim() !== "" && !text.includes("\n");
    return isUsable && text.length <= MESSAGE_MAX ? text : fixed;
  } catch {
    return fixed;
  }
}

const REASONS: readonly FieldReason[] = [
  "FieldValueInvalid",
  "FieldValueForbidden",
  "FieldValueRequired",
  "FieldValueDuplicate",
];

/** The error of a rule, or of the check itself, at the value or at the rule's `fieldPath` below. */
function broken({ path, value }: Pair, detail: string, rule?: ValidationRule): FieldError {
  const { fieldPath = "", reason } = rule ?? {};
  const field = path === "" ? fieldPath.replace(/^\./, "") : `${path}${fieldPath}`;
  return {
    field: field || "<nil>",
    reason: REASONS.find((each) => each === reason) ?? "FieldValueInvalid",
    value: typeName(value),
    detail,
  };
}

const OUT_OF_BUDGET =
  "validation failed due to running out of cost budget, no further validation rules will be run";
