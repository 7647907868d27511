/**
 * Looks at a parsed rule: which fields it names, how deep its loops nest, and where it calls
 * `matches`. The library types `self` as dynamic; this file checks along the schema that each field
 * exists.
 */
import type { ASTNode } from "@marcbachmann/cel-js";
import type { Schema } from "../../schema/schema.ts";
import { escapedName, knownProperties } from "./values.ts";

/** A call of `matches`: the position of its name, and its pattern if that is a literal. */
export interface MatchesCall {
  /** The name lies between these positions of the source. */
  readonly after: number;
  readonly before: number;
  readonly pattern: string | null;
}

/** What was found. */
export interface Inspection {
  /** Loops in loops. */
  readonly nesting: number;
  /** Items of the largest literal list or map. */
  readonly literals: number;
  readonly usesOldSelf: boolean;
  readonly matches: readonly MatchesCall[];
  /** Words about fields that the schema does not have. */
  readonly faults: readonly string[];
}

/** Variables and what is known of them; null = nothing. */
type Scope = ReadonlyMap<string, Schema | null>;

/** Functions that go over a list or map with a variable. */
const LOOPS = ["all", "exists", "exists_one", "map", "filter"];

/** Inspects an expression over `self`, and over `oldSelf` when that is no optional. */
export function inspect(ast: ASTNode, self: Schema, hasPlainOldSelf: boolean): Inspection {
  const inspector = new Inspector();
  const scope = new Map<string, Schema | null>([["self", self]]);
  scope.set("oldSelf", hasPlainOldSelf ? self : null);
  inspector.visit(ast, scope, 0);
  return inspector;
}

class Inspector implements Inspection {
  nesting = 0;
  literals = 1;
  usesOldSelf = false;
  readonly matches: MatchesCall[] = [];
  readonly faults: string[] = [];

  /** The schema of what the node evaluates to; null = not known. */
  visit(node: ASTNode, scope: Scope, depth: number): Schema | null {
    if (node.op === "id") return this.#variable(node.args, scope);
    if (node.op === "." || node.op === ".?")
      return this.#field(this.visit(node.args[0], scope, depth), node.args[1]);
    if (node.op === "[]" || node.op === "[?]") return this.#item(node.args, scope, depth);
    if (node.op === "rcall") return this.#call(node.args, scope, depth);
    if (node.op === "list" || node.op === "map")
      this.literals = Math.max(this.literals, node.args.length);
    return this.#all(operands(node), scope, depth);
  }

  #variable(name: string, scope: Scope): Schema | null {
    if (name === "oldSelf") this.usesOldSelf = true;
    return scope.get(name) ?? null;
  }

  #all(nodes: readonly ASTNode[], scope: Scope, depth: number): null {
    for (const node of nodes) this.visit(node, scope, depth);
    return null;
  }

  /** Fields of objects whose fields are all known. */
  #field(object: Schema | null, name: string): Schema | null {
    if (object?.type !== "object" || object.additionalProperties !== undefined) return null;
    const known = Object.entries(knownProperties(object));
    const found = known.find(([key]) => escapedName(key) === name);
    if (found === undefined) this.faults.push(`undefined field '${name}'`);
    return found?.[1] ?? null;
  }

  #item(args: readonly [ASTNode, ASTNode], scope: Scope, depth: number): Schema | null {
    const of = this.visit(args[0], scope, depth);
    this.visit(args[1], scope, depth);
    return valueSchema(of);
  }

  #call(
    [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
    scope: Scope,
    depth: number,
  ): Schema | null {
    const of = this.visit(receiver, scope, depth);
    const [first, ...rest] = args;
    if (LOOPS.includes(name) && first?.op === "id") {
      this.nesting = Math.max(this.nesting, depth + 1);
      this.#all(rest, new Map([...scope, [first.args, itemSchema(of)]]), depth + 1);
      return name === "filter" ? of : null;
    }
    if (name === "matches" && first !== undefined) this.#noteMatches(receiver, first);
    return this.#all(args, scope, depth);
  }

  #noteMatches(receiver: ASTNode, pattern: ASTNode): void {
    const isLiteral = pattern.op === "value" && typeof pattern.args === "string";
    this.matches.push({
      after: receiver.end,
      before: pattern.start,
      pattern: isLiteral ? pattern.args : null,
    });
  }
}

/** The operands of a node, whatever its operator. */
function operands(node: ASTNode): readonly ASTNode[] {
  if (node.op === "call") return node.args[1];
  if (node.op === "map") return node.args.flat();
  if (node.op === "!_" || node.op === "-_") return [node.args];
  const args: readonly unknown[] = Array.isArray(node.args) ? node.args : [];
  return args.filter(isNode);
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value;

/** The schema of the items of a list; keys of a map are texts. */
function itemSchema(of: Schema | null): Schema | null {
  return of?.type === "array" ? (of.items ?? null) : null;
}

function valueSchema(of: Schema | null): Schema | null {
  if (of?.type === "array") return of.items ?? null;
  const values = of?.additionalProperties;
  return typeof values === "object" ? values : null;
}
