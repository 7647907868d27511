/**
 * Templates of Go as trees (`text/template` of Go 1.26, `parse/parse.go`): fields, variables,
 * pipes, `if`, `with`, `range`. Templates inside of templates are refused. Pure.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { FUNCTIONS } from "./functions.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** What is worth a value. */
export type Operand =
  | { readonly type: "literal"; readonly value: string | number | boolean | null }
  | { readonly type: "dot" }
  | { readonly type: "variable"; readonly name: string }
  | { readonly type: "call"; readonly name: string }
  | { readonly type: "pipe"; readonly pipe: Pipe }
  | { readonly type: "fields"; readonly of: Operand; readonly names: readonly string[] };

/** Commands, each one with the value of the one before as its last argument. */
export interface Pipe {
  /** Operand and arguments of each; never empty. */
  readonly commands: readonly (readonly Operand[])[];
  /** Variables that get its value, without `$`; two of a `range`. */
  readonly variables: readonly string[];
  /** They get it anew: `=` in place of `:=`. */
  readonly isAssigned: boolean;
}

/** A part of a template. */
export type Node =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "print"; readonly pipe: Pipe }
  | { readonly type: "break" | "continue" }
  | {
      readonly type: "if" | "with" | "range";
      readonly pipe: Pipe;
      readonly body: readonly Node[];
      readonly otherwise: readonly Node[];
    };

/** Nested parentheses and blocks. */
const DEPTH_MAX = 50;

/** The error completes the sentence "the template cannot be read: …". */
export function parseTemplate(text: string): Result<readonly Node[]> {
  const tokens = tokensOf(text);
  if (!tokens.ok) return tokens;
  try {
    return ok(new Parser(tokens.value).template());
  } catch (error) {
    if (error instanceof TemplateFault) return fail(error.message);
    throw error;
  }
}

class TemplateFault extends Error {}

/** Words that begin an action, and are no functions. */
const BLOCKS = ["if", "with", "range"] as const;
const NESTED: ReadonlySet<string> = new Set(["define", "template", "block"]);
const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["nil", null],
]);

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #loops = 0;
  /** Variables that are declared, the innermost last. */
  readonly #scope: string[] = [""];

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  template(): readonly Node[] {
    const nodes = this.#nodes();
    if (this.#peek() !== undefined) throw this.#unexpected("no block is open");
    return nodes;
  }

  /** Up to `else`, `end` or the end of the template. */
  #nodes(): readonly Node[] {
    const nodes: Node[] = [];
    const declared = this.#scope.length;
    for (;;) {
      const token = this.#peek();
      if (token === undefined || this.#isName("else") || this.#isName("end")) break;
      nodes.push(this.#node(token));
    }
    this.#scope.length = declared;
    return nodes;
  }

  #node(token: Token): Node {
    if (token.type === "text") {
      this.#at += 1;
      return { type: "text", text: token.text };
    }
    for (const block of BLOCKS) if (this.#isName(block)) return this.#block(block);
    for (const type of ["break", "continue"] as const) {
      if (!this.#isName(type)) continue;
      this.#at += 1;
      if (this.#loops === 0) throw this.#unexpected("it stands in no range");
      this.#end();
      return { type };
    }
    if (token.type === "name" && NESTED.has(token.text))
      throw this.#unexpected("templates inside of templates are not supported");
    const pipe = this.#pipe(1);
    this.#end();
    return { type: "print", pipe };
  }

  #block(type: (typeof BLOCKS)[number]): Node {
    this.#deeper();
    this.#at += 1;
    const declared = this.#scope.length;
    const pipe = this.#pipe(type === "range" ? 2 : 1);
    this.#end();
    if (type === "range") this.#loops += 1;
    const body = this.#nodes();
    if (type === "range") this.#loops -= 1;
    const otherwise = this.#isName("else") ? this.#otherwise() : this.#close();
    this.#scope.length = declared;
    this.#depth -= 1;
    return { type, pipe, body, otherwise };
  }

  #otherwise(): readonly Node[] {
    this.#at += 1;
    for (const block of ["if", "with"] as const)
      if (this.#isName(block)) return [this.#block(block)];
    this.#end();
    const nodes = this.#nodes();
    this.#close();
    return nodes;
  }

  #close(): readonly Node[] {
    if (!this.#isName("end")) throw this.#unexpected('a block has no "{{end}}"');
    this.#at += 1;
    this.#end();
    return [];
  }

  #pipe(variablesMax: number): Pipe {
    this.#deeper();
    const { variables, isAssigned } = this.#declaration(variablesMax);
    const commands = [this.#command()];
    while (this.#takeSign("|")) commands.push(this.#command());
    if (!isAssigned) this.#scope.push(...variables);
    this.#depth -= 1;
    return { commands, variables, isAssigned };
  }

  #declaration(variablesMax: number): Pick<Pipe, "variables" | "isAssigned"> {
    const start = this.#at;
    const variables: string[] = [];
    while (this.#peek()?.type === "variable" && variables.length < variablesMax) {
      variables.push(this.#peek()?.text ?? "");
      this.#at += 1;
      if (!this.#takeSign(",")) break;
    }
    if (variables.length > 0 && this.#takeSign(":=")) return { variables, isAssigned: false };
    if (variables.length > 0 && this.#takeSign("=")) {
      const unknown = variables.find((one) => !this.#scope.includes(one));
      if (unknown !== undefined) throw this.#unexpected(`$${unknown} is not declared`);
      return { variables, isAssigned: true };
    }
    this.#at = start;
    return { variables: [], isAssigned: false };
  }

  #command(): readonly Operand[] {
    const operands: Operand[] = [];
    for (;;) {
      const token = this.#peek();
      if (token === undefined || token.type === "end" || token.type === "text") break;
      if (token.type === "sign" && token.text !== "(") break;
      if (operands.length > 0 && !token.isApart) throw this.#unexpected("a blank is missing");
      operands.push(this.#operand(token));
    }
    if (operands.length === 0) throw this.#unexpected("a value is missing");
    const [first, ...others] = operands;
    if (others.length > 0 && first?.type !== "call")
      throw this.#unexpected("only a function takes arguments");
    return operands;
  }

  #operand(token: Token): Operand {
    this.#at += 1;
    const operand = this.#simple(token);
    const names: string[] = [];
    for (let next = this.#peek(); next?.type === "field" && !next.isApart; next = this.#peek()) {
      names.push(next.text);
      this.#at += 1;
    }
    if (names.length === 0) return operand;
    if (operand.type === "fields") return { ...operand, names: [...operand.names, ...names] };
    if (operand.type === "literal") throw this.#unexpected("a constant has no fields");
    return { type: "fields", of: operand, names };
  }

  #simple({ type, text }: Token): Operand {
    switch (type) {
      case "dot":
        return { type: "dot" };
      case "field":
        return { type: "fields", of: { type: "dot" }, names: [text] };
      case "variable":
        if (!this.#scope.includes(text)) throw this.#unexpected(`$${text} is not declared`);
        return { type: "variable", name: text };
      case "string":
        return { type: "literal", value: text };
      case "number":
        return { type: "literal", value: Number(text) };
      case "sign": {
        const pipe = this.#pipe(0);
        if (!this.#takeSign(")")) throw this.#unexpected('")" is missing');
        return { type: "pipe", pipe };
      }
      case "name":
        return this.#named(text);
      case "end":
      case "text":
        throw this.#unexpected("a value is missing");
    }
  }

  #named(text: string): Operand {
    const constant = CONSTANTS.get(text);
    if (constant !== undefined) return { type: "literal", value: constant };
    if (!FUNCTIONS.has(text))
      throw this.#unexpected(`there is no function ${text}; there are ${NAMES}`);
    return { type: "call", name: text };
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  /** At the begin of an action alone. */
  #isName(name: string): boolean {
    const token = this.#peek();
    return token?.type === "name" && token.text === name;
  }

  #takeSign(sign: string): boolean {
    const token = this.#peek();
    const isIt = token?.type === "sign" && token.text === sign;
    if (isIt) this.#at += 1;
    return isIt;
  }

  #end(): void {
    if (this.#peek()?.type !== "end") throw this.#unexpected('"}}" is missing before it');
    this.#at += 1;
  }

  #deeper(): void {
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw this.#unexpected(`more than ${DEPTH_MAX} are nested`);
  }

  #unexpected(message: string): TemplateFault {
    const token = this.#peek() ?? this.#tokens.at(-1);
    const where = token === undefined ? "" : ` at character ${token.at + 1}`;
    return new TemplateFault(`${message}${where}`);
  }
}

const NAMES = [...FUNCTIONS.keys()].join(", ");
