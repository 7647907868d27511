/**
 * Inspects a parsed rule: which fields it names, how deep its loops nest, and which words have to
 * be replaced before the library gets it. The library types `self` as dynamic; this file checks
 * along the schema that each field exists.
 */
import type { ASTNode } from "@marcbachmann/cel-js";
import type { Schema } from "../../schema/schema.ts";
import { RE2_MATCHES } from "./functions.ts";
import { celNames, knownProperties } from "./values.ts";

/** A part of the source to be replaced before the library gets it. */
export interface Replacement {
  /** `from` lies between these positions of the source. */
  readonly after: number;
  readonly before: number;
  readonly from: string;
  readonly to: string;
}

/** What was found. */
export interface Inspection {
  /** Loops in loops. */
  readonly nesting: number;
  /** Items of the largest literal list or map. */
  readonly literals: number;
  readonly usesOldSelf: boolean;
  readonly replacements: readonly Replacement[];
  /** Literal patterns of `matches`. */
  readonly patterns: readonly string[];
  /** Words about fields that the schema does not have. */
  readonly faults: readonly string[];
}

/** The schema of each variable; null = it is not known. */
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
  readonly replacements: Replacement[] = [];
  readonly patterns: string[] = [];
  readonly faults: string[] = [];

  /** The schema of what the node evaluates to; null = not known. */
  visit(node: ASTNode, scope: Scope, depth: number): Schema | null {
    if (node.op === "id") {
      if (node.args === "oldSelf") this.usesOldSelf = true;
      return scope.get(node.args) ?? null;
    }
    if (node.op === "." || node.op === ".?")
      return this.#field(this.visit(node.args[0], scope, depth), node.args[1]);
    if (node.op === "[]" || node.op === "[?]") return this.#item(node.args, scope, depth);
    if (node.op === "rcall") return this.#call(node.args, scope, depth);
    if (node.op === "call") this.#notePresence(node, node.args);
    if (node.op === "list" || node.op === "map")
      this.literals = Math.max(this.literals, node.args.length);
    return this.#all(operands(node), scope, depth);
  }

  #all(nodes: readonly ASTNode[], scope: Scope, depth: number): null {
    for (const node of nodes) this.visit(node, scope, depth);
    return null;
  }

  /** Fields of objects whose fields are all known. */
  #field(object: Schema | null, name: string): Schema | null {
    if (object?.type !== "object" || object.additionalProperties !== undefined) return null;
    const known = Object.entries(knownProperties(object));
    const found = known.find(([key]) => celNames(key).includes(name));
    if (found === undefined) this.faults.push(`undefined field '${name}'`);
    return found?.[1] ?? null;
  }

  #item(args: readonly [ASTNode, ASTNode], scope: Scope, depth: number): Schema | null {
    const of = this.visit(args[0], scope, depth);
    this.visit(args[1], scope, depth);

    if (of?.type === "array") return of.items ?? null;
    const values = of?.additionalProperties;
    return typeof values === "object" ? values : null;
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
      // Keys of a map are texts.
      const items = of?.type === "array" ? (of.items ?? null) : null;
      this.#all(rest, new Map([...scope, [first.args, items]]), depth + 1);
      return name === "filter" ? of : null;
    }
    if (name === "matches" && first !== undefined) {
      // The library's own `matches` is ECMAScript's and may take for ever: calls go to RE2.
      const between = { after: receiver.end, before: first.start };
      this.replacements.push({ ...between, from: "matches", to: RE2_MATCHES });
      if (first.op === "value" && typeof first.args === "string") this.patterns.push(first.args);
    }
    return this.#all(args, scope, depth);
  }

  /** The library's `has` takes paths only: `has(a[0].b)` becomes `(a[0].?b).hasValue()`. */
  #notePresence(call: ASTNode, [name, args]: readonly [string, readonly ASTNode[]]): void {
    const [field] = args;
    if (name !== "has" || field?.op !== "." || isPath(field)) return;
    this.replacements.push(
      { after: call.start, before: field.start, from: "has", to: "" },
      { after: field.args[0].end, before: field.end, from: ".", to: ".?" },
      { after: call.end - 1, before: call.end, from: ")", to: ").hasValue()" },
    );
  }
}

/** True for a variable, and for a field of a path. */
function isPath(node: ASTNode): boolean {
  return node.op === "." || node.op === ".?" ? isPath(node.args[0]) : node.op === "id";
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
