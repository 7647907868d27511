/**
 * The CEL library, loaded when the first rule is met: most control planes never need it. Knows
 * nothing of schemas.
 */
import type { ASTNode, Environment, Optional } from "@marcbachmann/cel-js";
import { registerFunctions } from "./functions.ts";
import { registerFormats } from "./named-formats.ts";

/** Limits of one expression: parsing is bounded by them. */
const LIMITS = {
  maxAstNodes: 5_000,
  maxDepth: 100,
  maxListElements: 500,
  maxMapEntries: 500,
  maxCallArguments: 16,
};

/** The parts of the library that rules need. */
export interface CelLibrary {
  readonly base: Environment;
  readonly optional: typeof Optional;
}

/** A parsed expression. */
export interface Parsed {
  readonly ast: ASTNode;
  check(): { readonly valid: boolean; readonly type?: string; readonly error?: Error };
  evaluate(variables: Readonly<Record<string, unknown>>): unknown;
}

/** Loads the library and adds the functions of Kubernetes. */
export async function loadCel(): Promise<CelLibrary> {
  const { Environment: Cel, Optional: optional } = await import("@marcbachmann/cel-js");
  const base = new Cel({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: LIMITS,
  });
  registerFunctions(base);
  registerFormats(base, optional);
  return { base, optional };
}

/**
 * Parses an expression over the variables with their types. Throws Error with the library's words.
 */
export function parseCel(
  { base }: CelLibrary,
  expression: string,
  types: Readonly<Record<string, string>>,
): Parsed {
  const environment = base.clone();
  for (const [name, type] of Object.entries(types)) environment.registerVariable(name, type);
  const parsed = environment.parse(expression);
  return {
    ast: parsed.ast,
    check: () => parsed.check(),
    evaluate: (variables): unknown => parsed({ ...variables }),
  };
}
