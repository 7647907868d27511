/**
 * The rules of a schema by node; nodes without rules below them are left out.
 */
import type { Schema, ValidationRule } from "../../schema/schema.ts";
import type { CelLibrary } from "./library.ts";
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

/** A rule that does not compile, with the field that is wrong. */
export interface RuleFault {
  readonly path: string;
  readonly value: unknown;
  readonly message: string;
}

/** A node and its path while a tree is built. */
interface SchemaPosition {
  readonly schema: Schema;
  readonly path: string;
  readonly isRoot: boolean;
  /** False = items have no counterpart in the previous object. */
  readonly isCorrelatable: boolean;
}

/** Builds the tree of a schema and gathers what does not compile. */
export class RuleTreeBuilder {
  readonly #library: CelLibrary;
  readonly faults: RuleFault[] = [];

  constructor(library: CelLibrary) {
    this.#library = library;
  }

  /** Null = the schema has no rules. */
  build(schema: Schema, path: string): RuleNode | null {
    return this.#node({ schema, path, isRoot: true, isCorrelatable: true });
  }

  #node(position: SchemaPosition): RuleNode | null {
    const { schema, path } = position;
    const rules = (schema["x-kubernetes-validations"] ?? []).flatMap((rule, index) =>
      this.#rule(rule, `${path}.x-kubernetes-validations[${index}]`, position),
    );
    const below = { isRoot: false, isCorrelatable: position.isCorrelatable };
    const properties = new Map<string, RuleNode>();
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      const node = this.#node({ ...below, schema: child, path: `${path}.properties[${key}]` });
      if (node !== null) properties.set(key, node);
    }
    const items = this.#items(position);
    const { additionalProperties } = schema;
    const values =
      typeof additionalProperties === "object"
        ? this.#node({
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
    return this.#node({
      schema: schema.items,
      path: `${path}.items`,
      isRoot: false,
      isCorrelatable: isCorrelatable && schema["x-kubernetes-list-type"] === "map",
    });
  }

  #rule(source: ValidationRule, path: string, position: SchemaPosition): readonly CompiledRule[] {
    const context = {
      library: this.#library,
      schema: position.schema,
      isRoot: position.isRoot,
      optionalOldSelf: source.optionalOldSelf === true,
    };
    const attempt = <T>(field: string, value: unknown, make: () => T): T | null => {
      try {
        return make();
      } catch (error) {
        const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
        this.faults.push({ path: `${path}.${field}`, value, message });
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
      this.faults.push({
        path: `${path}.rule`,
        value: source.rule,
        message: "oldSelf cannot be used on the uncorrelatable portion of the schema",
      });
    return [{ source, expression, message, isTransition: usesOldSelf && !context.optionalOldSelf }];
  }
}
