/**
 * Compiles the rules of definitions. The library is loaded when a definition with rules is met, and
 * stays.
 */
import { invariant } from "../../../../model/invariant.ts";
import type { FieldError } from "../../errors/api-error.ts";
import { forbidden, invalid, required, unsupported } from "../../errors/field-faults.ts";
import type { Schema, ValidationRule } from "../../schema/schema.ts";
import { NO_RULES, type RuleCompiler, type SchemaRules } from "../rule-compiler.ts";
import { type CelLibrary, loadCel } from "./library.ts";
import { CompiledRules } from "./rule-check.ts";
import { hasRules, RuleTreeBuilder } from "./rule-tree.ts";

/** What a definition with rules says somewhere. */
const KEYWORD = "x-kubernetes-validations";
/** Characters of a rule or message at most (apiextensions has the same for messages). */
const TEXT_MAX = 2048;
const RULE_MAX = 16_384;
const REASONS = [
  "FieldValueInvalid",
  "FieldValueForbidden",
  "FieldValueRequired",
  "FieldValueDuplicate",
];

/** The compiler. Only one load runs at a time. */
export class RuleEngine implements RuleCompiler {
  #library: CelLibrary | null = null;
  #loading: Promise<CelLibrary> | null = null;

  /** True once a definition with rules was met. */
  get isLoaded(): boolean {
    return this.#library !== null;
  }

  /** Must have resolved before a definition in this text is written or served. */
  async prepareFor(text: string): Promise<void> {
    if (this.#library !== null || !text.includes(KEYWORD)) return;
    this.#loading ??= loadCel();
    this.#library = await this.#loading;
  }

  rulesOf(schema: Schema): SchemaRules {
    if (!hasRules(schema)) return NO_RULES;
    const library = this.#loaded();
    const root = new RuleTreeBuilder(library).build(schema, "");
    return root === null ? NO_RULES : new CompiledRules(library, root);
  }

  errorsOf(schema: Schema, path: string): readonly FieldError[] {
    if (!hasRules(schema)) return [];
    const errors = textErrors(schema, path);
    if (errors.length > 0) return errors;
    const builder = new RuleTreeBuilder(this.#loaded());
    builder.build(schema, path);
    return builder.faults.map((fault) =>
      invalid(fault.path, fault.value, `compilation failed: ERROR: ${fault.message}`),
    );
  }

  #loaded(): CelLibrary {
    invariant(this.#library !== null, "rules are compiled before the CEL library was loaded");
    return this.#library;
  }
}

/** What is wrong with the rules besides their expressions (apiextensions validation.go). */
function textErrors(schema: Schema, path: string): readonly FieldError[] {
  const errors = (schema[KEYWORD] ?? []).flatMap((rule, index) =>
    ruleErrors(rule, `${path}.${KEYWORD}[${index}]`),
  );
  for (const [key, child] of Object.entries(schema.properties ?? {}))
    errors.push(...textErrors(child, `${path}.properties[${key}]`));
  const { items, additionalProperties } = schema;
  if (items !== undefined) errors.push(...textErrors(items, `${path}.items`));
  if (typeof additionalProperties === "object")
    errors.push(...textErrors(additionalProperties, `${path}.additionalProperties`));
  return errors;
}

function ruleErrors(rule: ValidationRule, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const { fieldPath, message, reason } = rule;
  if (rule.rule.trim() === "") errors.push(required(`${path}.rule`, "rule is not specified"));
  if (rule.rule.length > RULE_MAX)
    errors.push(forbidden(`${path}.rule`, `must not be longer than ${RULE_MAX} characters`));
  if (rule.rule.includes("\n") && message === undefined)
    errors.push(
      required(`${path}.message`, "message must be specified if rule contains line breaks"),
    );
  if (message !== undefined) errors.push(...messageErrors(message, `${path}.message`));
  if (reason !== undefined && !REASONS.includes(reason))
    errors.push(unsupported(`${path}.reason`, reason, REASONS));
  if (fieldPath !== undefined && !/^[.[]/.test(fieldPath))
    errors.push(
      invalid(`${path}.fieldPath`, fieldPath, "fieldPath must start with a dot or a bracket"),
    );
  return errors;
}

function messageErrors(message: string, field: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (message.trim() === "")
    errors.push(invalid(field, message, "message must be non-empty if specified"));
  if (message.includes("\n"))
    errors.push(invalid(field, message, "message must not contain line breaks"));
  if (message.length > TEXT_MAX)
    errors.push(invalid(field, "", `message must be no more than ${TEXT_MAX} characters`));
  return errors;
}
