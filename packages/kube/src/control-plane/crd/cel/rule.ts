/** One rule of `x-kubernetes-validations`, compiled for its node of the schema. */
import { Re2 } from "../../../objects/re2.ts";
import type { Schema, SchemaType } from "../../schema/schema.ts";
import { type Inspection, inspect } from "./inspect.ts";
import { CEL } from "./library.ts";
import { knownProperties } from "./values.ts";

/** Loops in loops that a rule may have: more cannot be afforded on any data. */
const NESTING_MAX = 3;
/** Steps that one evaluation may take: some tenths of a second. */
const STEPS_MAX = 1_000_000;

/** A compiled expression. */
export interface CompiledExpression {
  readonly inspection: Inspection;
  readonly evaluate: (variables: Readonly<Record<string, unknown>>) => unknown;
}

/** What an expression is compiled for. */
export interface CompileContext {
  readonly schema: Schema;
  readonly isRoot: boolean;
  /** True = `oldSelf` is an optional. */
  readonly optionalOldSelf: boolean;
}

/**
 * The compiled expression. Throws Error for an expression that does not compile; `type` is the type
 * of its value.
 */
export function compile(
  expression: string,
  type: "bool" | "string",
  { schema: declared, isRoot, optionalOldSelf }: CompileContext,
): CompiledExpression {
  // The root has what every object has.
  const whole = { ...declared, "x-kubernetes-embedded-resource": true };
  const schema = isRoot ? { ...declared, properties: knownProperties(whole) } : declared;
  const self = celType(schema);
  const environment = CEL.clone().registerVariable("self", self);
  environment.registerVariable("oldSelf", optionalOldSelf ? "optional" : self);
  const inspection = inspect(environment.parse(expression).ast, schema, !optionalOldSelf);
  const { faults, nesting, patterns } = inspection;
  const [fault] = faults;
  if (fault !== undefined) throw new Error(fault);
  if (nesting > NESTING_MAX)
    throw new Error(`loops nest deeper than ${NESTING_MAX}: the cost of the rule has no bound`);
  for (const pattern of patterns) new Re2(pattern);
  const parsed = environment.parse(rewritten(expression, inspection));
  const checked = parsed.check();
  if (!checked.valid) throw checked.error ?? new Error("the expression is not valid");
  if (checked.type !== type && checked.type !== "dyn")
    throw new Error(`must evaluate to a ${type}`);
  return { inspection, evaluate: (variables): unknown => parsed({ ...variables }) };
}

/**
 * Steps that an evaluation may take at worst; infinite = more than is afforded. `largest` = items
 * of the largest collection.
 */
export function stepsOf({ nesting, literals }: Inspection, largest: number): number {
  const steps = Math.max(largest, literals) ** nesting;
  return steps > STEPS_MAX ? Number.POSITIVE_INFINITY : steps;
}

/** The message of an error without the source excerpt that the library adds. */
export function faultText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split("\n")[0] ?? "").replace(/^No such key/, "no such key");
}

/**
 * Types that the library can check; where null or something else is possible it finds out when it
 * evaluates.
 */
function celType({ format, nullable, type }: Schema): string {
  if (nullable === true || format !== undefined || type === undefined) return "dyn";
  return CEL_TYPES[type];
}

const CEL_TYPES: Readonly<Record<SchemaType, string>> = {
  string: "string",
  integer: "int",
  number: "double",
  boolean: "bool",
  array: "list",
  object: "dyn",
};

/** The expression as the library needs it. */
function rewritten(expression: string, { replacements }: Inspection): string {
  let text = expression;
  for (const { after, before, from, to } of [...replacements].sort((a, b) => b.after - a.after)) {
    const at = text.slice(after, before).lastIndexOf(from);
    if (at >= 0) text = text.slice(0, after + at) + to + text.slice(after + at + from.length);
  }
  return text;
}
