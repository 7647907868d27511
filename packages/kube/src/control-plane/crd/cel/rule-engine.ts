/**
 * Compiles the rules of definitions. The library is loaded when a definition with rules is met, and
 * stays.
 */
import { invariant } from "@zonekeeper/base/invariant";
import type { FieldError } from "../../errors/api-error.ts";
import { wrong } from "../../errors/field-errors.ts";
import type { ServedKind } from "../../objects/served-kind.ts";
import type { Schema } from "../../schema/schema.ts";
import { type CelLibrary, loadCel } from "./library.ts";
import { ruleCheck } from "./rule-check.ts";
import { RuleTreeBuilder } from "./rule-tree.ts";

/** The keyword of rules. */
const KEYWORD = "x-kubernetes-validations";
/** The compiler. Only one load runs at a time. */
export class RuleEngine {
  #library: CelLibrary | null = null;
  #loading: Promise<CelLibrary> | null = null;

  /** Must have resolved before a definition in this text is written or served. */
  async prepareFor(text: string): Promise<void> {
    if (this.#library !== null || !text.includes(KEYWORD)) return;
    this.#loading ??= loadCel();
    this.#library = await this.#loading;
  }

  /**
   * The check of the rules of a schema that `errorsOf` finds nothing wrong with: field errors of
   * rules that do not hold.
   */
  rulesOf(schema: Schema): ServedKind["check"] {
    if (!hasRules(schema)) return () => [];
    const library = this.#loaded();
    const root = new RuleTreeBuilder(library).build(schema, "");
    return root === null ? () => [] : ruleCheck(library, root);
  }

  /** Errors of the rules of a schema, whose field is `path`. Empty = they compile. */
  errorsOf(schema: Schema, path: string): readonly FieldError[] {
    if (!hasRules(schema)) return [];
    const builder = new RuleTreeBuilder(this.#loaded());
    builder.build(schema, path);
    return builder.faults.map((fault) =>
      wrong(fault.path, fault.value, `compilation failed: ERROR: ${fault.message}`),
    );
  }

  #loaded(): CelLibrary {
    invariant(this.#library !== null, "rules are compiled before the CEL library was loaded");
    return this.#library;
  }
}

/** False = it has none for certain, so that the library need not be there. */
const hasRules = (schema: Schema): boolean => JSON.stringify(schema).includes(KEYWORD);
