/**
 * What a template of Go makes of an object: a text of bounded length after a bounded number of
 * steps, or the reason why there is none. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { bounded, type CallContext, FUNCTIONS } from "./functions.ts";
import type { Node, Operand, Pipe } from "./parse.ts";
import {
  fieldIn,
  isTrue,
  keyIn,
  nameOf,
  rootOf,
  TemplateTrouble,
  textOfValue,
  type Value,
} from "./values.ts";

/** Parts and operands that are computed for one object. */
const STEPS_MAX = 20_000;

/** The error completes the sentence "the template … fails: …". */
export function evaluateTemplate(
  template: readonly Node[],
  object: KubeObject,
  context: CallContext,
): Result<string> {
  try {
    return ok(new Run(rootOf(object), context).text(template));
  } catch (error) {
    if (error instanceof TemplateTrouble) return fail(error.message);
    throw error;
  }
}

/** How a body ended. */
type Ending = "done" | "break" | "continue";

class Run {
  readonly #context: CallContext;
  readonly #root: Value;
  #output = "";
  #steps = 0;
  /** The innermost last; `$` is the object. */
  readonly #variables: { readonly name: string; value: Value }[];

  constructor(root: Value, context: CallContext) {
    this.#root = root;
    this.#context = context;
    this.#variables = [{ name: "", value: root }];
  }

  text(template: readonly Node[]): string {
    this.#nodes(template, this.#root);
    return this.#output;
  }

  #nodes(nodes: readonly Node[], dot: Value): Ending {
    const declared = this.#variables.length;
    let ending: Ending = "done";
    for (const node of nodes) {
      ending = this.#node(node, dot);
      if (ending !== "done") break;
    }
    this.#variables.length = declared;
    return ending;
  }

  #node(node: Node, dot: Value): Ending {
    this.#step();
    switch (node.type) {
      case "text":
        this.#print(node.text);
        return "done";
      case "print": {
        const value = this.#pipe(node.pipe, dot);
        if (node.pipe.variables.length === 0) this.#print(textOfValue(value));
        return "done";
      }
      case "break":
      case "continue":
        return node.type;
      case "if":
      case "with":
      case "range":
        return this.#block(node, dot);
    }
  }

  #block(node: Block, dot: Value): Ending {
    const declared = this.#variables.length;
    if (node.type === "range") return this.#range(node, dot);
    const value = this.#pipe(node.pipe, dot);
    const ending = isTrue(value)
      ? this.#nodes(node.body, node.type === "with" ? value : dot)
      : this.#nodes(node.otherwise, dot);
    this.#variables.length = declared;
    return ending;
  }

  #range({ pipe, body, otherwise }: Block, dot: Value): Ending {
    const { variables, ...bare } = pipe;
    const elements = elementsOf(this.#pipe({ ...bare, variables: [] }, dot));
    if (elements.length === 0) return this.#nodes(otherwise, dot);
    for (const [key, element] of elements) {
      const declared = this.#variables.length;
      const [first = "", second] = variables;
      if (variables.length > 0) this.#set(first, second === undefined ? element : key, pipe);
      if (second !== undefined) this.#set(second, element, pipe);
      const ending = this.#nodes(body, element);
      this.#variables.length = declared;
      if (ending === "break") break;
    }
    return "done";
  }

  #pipe({ commands, variables, isAssigned }: Pipe, dot: Value): Value {
    const value = commands.reduce(
      (before: Value | undefined, command) => this.#command(command, { before, dot }),
      undefined,
    );
    for (const name of variables) this.#set(name, value ?? null, { isAssigned });
    return value ?? null;
  }

  #set(name: string, value: Value, { isAssigned }: Pick<Pipe, "isAssigned">): void {
    const variable = this.#variables.findLast((one) => one.name === name);
    if (isAssigned && variable !== undefined) variable.value = value;
    else this.#variables.push({ name, value });
  }

  #command(
    command: readonly Operand[],
    { before, dot }: { readonly before: Value | undefined; readonly dot: Value },
  ): Value {
    const [first, ...others] = command;
    const piped = before === undefined ? [] : [before];
    if (first?.type === "call") return this.#call(first.name, others, { piped, dot });
    if (piped.length > 0) throw new TemplateTrouble("only a function takes a value by |");
    return first === undefined ? null : this.#operand(first, dot);
  }

  #call(
    name: string,
    operands: readonly Operand[],
    { piped, dot }: { readonly piped: readonly Value[]; readonly dot: Value },
  ): Value {
    const decides = name === "and" ? false : name === "or" ? true : null;
    const args: Value[] = [];
    for (const operand of operands) {
      const value = this.#operand(operand, dot);
      if (isTrue(value) === decides) return value;
      args.push(value);
    }
    const call = FUNCTIONS.get(name);
    if (call === undefined) throw new TemplateTrouble(`there is no function ${name}`);
    return call([...args, ...piped], this.#context);
  }

  #operand(operand: Operand, dot: Value): Value {
    this.#step();
    switch (operand.type) {
      case "literal":
        return operand.value;
      case "dot":
        return dot;
      case "variable":
        return this.#variables.findLast(({ name }) => name === operand.name)?.value ?? null;
      case "call":
        return this.#call(operand.name, [], { piped: [], dot });
      case "pipe":
        return this.#pipe(operand.pipe, dot);
      case "fields":
        return operand.names.reduce(fieldIn, this.#operand(operand.of, dot));
    }
  }

  #print(text: string): void {
    this.#output = bounded(this.#output + text);
  }

  #step(): void {
    this.#steps += 1;
    if (this.#steps > STEPS_MAX)
      throw new TemplateTrouble(`it takes more than ${STEPS_MAX} steps for this object`);
  }
}

type Block = Extract<Node, { readonly body: unknown }>;

/** Keys and elements, those of a map sorted by key. */
function elementsOf(value: Value): readonly (readonly [Value, Value])[] {
  if (value === null) return [];
  if (typeof value === "number" && Number.isInteger(value) && value <= STEPS_MAX)
    return Array.from({ length: Math.max(0, value) }, (_, at) => [at, at]);
  if (typeof value !== "object" || ("shape" in value && value.shape === "struct"))
    throw new TemplateTrouble(`range over a ${nameOf(value)}`);
  if (!("shape" in value)) return value.map((element, at) => [at, element]);
  return Object.keys(value.entries)
    .sort()
    .map((key) => [key, keyIn(value, key, "index")]);
}
