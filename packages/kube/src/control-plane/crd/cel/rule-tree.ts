/**
 * Compiles the rules of a schema, node by node. Nodes without rules at or below them are left out.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import { type FieldError, wrong } from "../../errors/api-error.ts";
import type { Schema, ValidationRule } from "../../schema/schema.ts";
import { type CompiledExpression, compile } from "./rule.ts";

/** A rule that can be evaluated. */
export interface CompiledRule {
  readonly source: ValidationRule;
  readonly expression: CompiledExpression;
  /** Null = the message is fixed. */
  readonly message: CompiledExpression | null;
  /** True = it is about a change, and there has to be a value before. */
  readonly isTransition: boolean;
}

/** A node with rules at it or below it. */
export interface RuleNode {
  readonly schema: Schema;
  readonly rules: readonly CompiledRule[];
  readonly properties: ReadonlyMap<string, RuleNode>;
  readonly items: RuleNode | null;
  readonly values: RuleNode | null;
}

/** A node and its path while a tree is built. */
interface SchemaPosition {
  readonly schema: Schema;
  readonly path: string;
  readonly isRoot: boolean;
  /** False = items have no counterpart in the previous object. */
  readonly isCorrelatable: boolean;
}

/** The rules of a schema, whose field is `path`. */
export function ruleTree(
  schema: Schema,
  path: string,
): {
  /** Null = the schema has no rules. */
  readonly root: RuleNode | null;
  /** Rules that do not compile. Empty = all do. */
  readonly errors: readonly FieldError[];
} {
  const builder = new TreeBuilder();
  const root = builder.node({ schema, path, isRoot: true, isCorrelatable: true });
  return { root, errors: builder.errors };
}

class TreeBuilder {
  readonly errors: FieldError[] = [];

  node(position: SchemaPosition): RuleNode | null {
    const { schema, path } = position;
    const rules = (schema["x-kubernetes-validations"] ?? []).flatMap((rule, index) =>
      this.#rule(rule, `${path}.x-kubernetes-validations[${index}]`, position),
    );
    const below = { isRoot: false, isCorrelatable: position.isCorrelatable };
    const properties = new Map<string, RuleNode>();
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      const node = this.node({ ...below, schema: child, path: `${path}.properties[${key}]` });
      if (node !== null) properties.set(key, node);
    }
    const items = this.#items(position);
    const { additionalProperties } = schema;
    const values =
      typeof additionalProperties === "object"
        ? this.node({
            ...below,
            schema: additionalProperties,
            path: `${path}.additionalProperties`,
          })
        : null;
    const isEmpty = rules.length === 0 && properties.size === 0;
    if (isEmpty && items === null && values === null) return null;
    return { schema, rules, properties, items, values };
  }

  /** Items of a list are the same as before only where keys say so. */
  #items({ schema, path, isCorrelatable }: SchemaPosition): RuleNode | null {
    if (schema.items === undefined) return null;
    return this.node({
      schema: schema.items,
      path: `${path}.items`,
      isRoot: false,
      isCorrelatable: isCorrelatable && schema["x-kubernetes-list-type"] === "map",
    });
  }

  #rule(source: ValidationRule, path: string, position: SchemaPosition): readonly CompiledRule[] {
    const context = {
      schema: position.schema,
      isRoot: position.isRoot,
      optionalOldSelf: source.optionalOldSelf === true,
    };
    const attempt = <T>(field: string, value: unknown, make: () => T): T | null => {
      try {
        return make();
      } catch (error) {
        this.#fault(`${path}.${field}`, value, messageOf(error).split("\n")[0] ?? "");
        return null;
      }
    };
    const expression = attempt("rule", source.rule, () => compile(source.rule, "bool", context));
    const text = source.messageExpression ?? "";
    const message =
      text === ""
        ? null
        : attempt("messageExpression", text, () => compile(text, "string", context));
    if (expression === null) return [];
    const { usesOldSelf } = expression.inspection;
    if (usesOldSelf && !position.isCorrelatable)
      this.#fault(`${path}.rule`, source.rule, UNCORRELATABLE);
    return [{ source, expression, message, isTransition: usesOldSelf && !context.optionalOldSelf }];
  }

  #fault(path: string, value: unknown, message: string): void {
    this.errors.push(wrong(path, value, `compilation failed: ERROR: ${message}`));
  }
}

const UNCORRELATABLE = "oldSelf cannot be used on the uncorrelatable portion of the schema";
