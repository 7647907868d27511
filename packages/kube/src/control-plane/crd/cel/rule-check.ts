/**
 * Checks an object against the rules of its schema. Values before are found as Kubernetes
 * correlates them: fields and values of maps by name, items of map lists by their keys, others not
 * at all. What one object may cost is bounded.
 */
import type { FieldError, FieldReason } from "../../errors/api-error.ts";
import { isObject, textAt, valueAt } from "../../json/json.ts";
import type { ServedKind } from "../../objects/served-kind.ts";
import type { Schema } from "../../schema/schema.ts";
import { canonicalJson, keysOf } from "../../schema/schema-lists.ts";
import { typeName } from "../../schema/schema-validate.ts";
import type { CelLibrary } from "./library.ts";
import { defaultMessage, faultText, stepsOf } from "./rule.ts";
import type { CompiledRule, RuleNode } from "./rule-tree.ts";
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

/** The check of the rules of one schema. */
export function ruleCheck(library: CelLibrary, root: RuleNode): ServedKind["check"] {
  const schema = { ...root.schema, "x-kubernetes-embedded-resource": true };
  return (object, previous) => {
    const run = new Run(library);
    run.visit({ ...root, schema }, { value: object, old: previous ?? undefined, path: "" });
    return run.errors;
  };
}

class Run {
  readonly errors: FieldError[] = [];
  readonly #library: CelLibrary;
  #steps = 0;

  constructor(library: CelLibrary) {
    this.#library = library;
  }

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

  #items(node: RuleNode, below: RuleNode, { value, old, path }: Pair): void {
    if (!Array.isArray(value)) return;
    const partners = partnersOf(node.schema, old);
    for (const [index, item] of value.entries())
      this.visit(below, {
        value: item,
        old: partners.get(identityOf(node.schema, item)),
        path: `${path}[${index}]`,
      });
  }

  #rules(node: RuleNode, pair: Pair): void {
    const values = new CelValues((text) => this.#duration(text));
    const self = values.of(node.schema, pair.value);
    const old = pair.old === undefined ? undefined : values.of(node.schema, pair.old);
    for (const rule of node.rules) {
      if (rule.isTransition && old === undefined) continue;
      this.#steps +=
        stepsOf(rule.expression.inspection, values.largest) ?? Number.POSITIVE_INFINITY;
      if (this.#steps > STEPS_MAX) {
        this.errors.push(outOfBudget(pair));
        return;
      }
      const { optional } = this.#library;
      const oldSelf = rule.source.optionalOldSelf === true ? optional.of(old) : old;
      this.#rule(rule, pair, { self, oldSelf });
    }
  }

  #rule(rule: CompiledRule, pair: Pair, variables: Readonly<Record<string, unknown>>): void {
    try {
      if (rule.expression.evaluate(variables) === true) return;
      this.errors.push(broken(rule, pair, messageOf(rule, variables)));
    } catch (error) {
      const what = rule.source.message ?? rule.source.rule.trim();
      const text = `${faultText(error)} evaluating rule: ${what}`;
      this.errors.push(broken(rule, pair, text));
    }
  }

  /** A text that is no duration stays a text: the schema checks the format. */
  #duration(text: string): unknown {
    try {
      return this.#library.base.evaluate(`duration(${JSON.stringify(text)})`);
    } catch {
      return text;
    }
  }
}

/** The expression decides; where it fails or gives no usable text, the fixed message. */
function messageOf(rule: CompiledRule, variables: Readonly<Record<string, unknown>>): string {
  const fixed = rule.source.message ?? defaultMessage(rule.source);
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

function broken(rule: CompiledRule, { path, value }: Pair, detail: string): FieldError {
  const { fieldPath = "", reason } = rule.source;
  const joined = path === "" ? fieldPath.replace(/^\./, "") : `${path}${fieldPath}`;
  return {
    field: joined === "" ? "<nil>" : joined,
    reason: REASONS.find((each) => each === reason) ?? "FieldValueInvalid",
    value: typeName(value),
    detail,
  };
}

function outOfBudget({ path, value }: Pair): FieldError {
  return {
    field: path === "" ? "<nil>" : path,
    reason: "FieldValueInvalid",
    value: typeName(value),
    detail:
      "validation failed due to running out of cost budget, no further validation rules will be run",
  };
}

/** Items of a map list before, by their keys. */
function partnersOf(schema: Schema, old: unknown): ReadonlyMap<string, unknown> {
  if (!Array.isArray(old) || schema["x-kubernetes-list-type"] !== "map") return new Map();
  return new Map(old.map((item: unknown) => [identityOf(schema, item), item]));
}

function identityOf(schema: Schema, item: unknown): string {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  return isObject(item) ? canonicalJson(keysOf(item, keys)) : textAt({ item }, "item");
}
