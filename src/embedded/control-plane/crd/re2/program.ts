/**
 * A compiled RE2 expression. Matching follows all alternatives at once (Thompson 1968; Cox, "Regular Expression
 * Matching: the Virtual Machine Approach"), so that its time is the product of both lengths at most, whatever the
 * expression: a pattern of a user cannot hang the server.
 */
import { parseRe2 } from "./parse.ts";
import {
  type Assertion,
  type CodePointTest,
  isWordCharacter,
  type Node,
  RegexSyntaxError,
} from "./syntax.ts";

/** Instructions of a program at most; counts multiply them. */
const INSTRUCTIONS_MAX = 10_000;
/** Instructions that one match may visit: some tenths of a second. */
const VISITS_MAX = 5_000_000;

type Instruction =
  | { readonly kind: "character"; readonly test: CodePointTest }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  /** Goes on at each of the addresses. */
  | { readonly kind: "split"; readonly to: number[] }
  | { readonly kind: "match" };

/** An expression that can be matched. */
export class Re2 {
  readonly #program: readonly Instruction[];

  /** Throws RegexSyntaxError, also for an expression that is too large. */
  constructor(expression: string) {
    const compiler = new Compiler(expression);
    compiler.emit(parseRe2(expression));
    compiler.add({ kind: "match" });
    this.#program = compiler.program;
  }

  /** True when the expression matches somewhere in the text; null = the text is too long to find out. */
  test(text: string): boolean | null {
    const points = Array.from(text, (each) => each.codePointAt(0) ?? 0);
    // The turn at which each instruction was reached last.
    const turns = new Int32Array(this.#program.length).fill(-1);
    let places: number[] = [];
    let visits = 0;
    for (let at = 0; at <= points.length; at += 1) {
      places.push(0);
      const reached = this.#follow(places, turns, { points, at });
      if (reached === null) return true;
      visits += reached.length;
      if (visits > VISITS_MAX) return null;
      places = this.#step(reached, points[at]);
    }
    return false;
  }

  /** All instructions that are reached without taking a character; null = a match is among them. Empties `waiting`. */
  #follow(waiting: number[], turns: Int32Array, place: Place): readonly number[] | null {
    const reached: number[] = [];
    for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
      const instruction = this.#program[address];
      if (instruction === undefined || turns[address] === place.at) continue;
      turns[address] = place.at;
      reached.push(address);
      if (instruction.kind === "match") return null;
      if (instruction.kind === "split") for (const to of instruction.to) waiting.push(to);
      if (instruction.kind === "assertion" && holds(instruction.assertion, place))
        waiting.push(address + 1);
    }
    return reached;
  }

  #step(reached: readonly number[], codePoint: number | undefined): number[] {
    const next: number[] = [];
    if (codePoint === undefined) return next;
    for (const address of reached) {
      const instruction = this.#program[address];
      if (instruction?.kind === "character" && instruction.test(codePoint)) next.push(address + 1);
    }
    return next;
  }
}

/** Between two code points of a text. */
interface Place {
  readonly points: readonly number[];
  readonly at: number;
}

class Compiler {
  readonly program: Instruction[] = [];
  readonly #expression: string;

  constructor(expression: string) {
    this.#expression = expression;
  }

  add(instruction: Instruction): void {
    if (this.program.length >= INSTRUCTIONS_MAX)
      throw new RegexSyntaxError("expression too large", this.#expression);
    this.program.push(instruction);
  }

  emit(node: Node): void {
    if (node.kind === "character" || node.kind === "assertion") this.add(node);
    else if (node.kind === "sequence") for (const item of node.items) this.emit(item);
    else if (node.kind === "choice") this.#choice(node.items);
    else this.#repeat(node);
  }

  /** Each alternative ends with a jump behind the last. */
  #choice(items: readonly Node[]): void {
    const starts: number[] = [];
    const ends: number[][] = [];
    this.add({ kind: "split", to: starts });
    for (const item of items) {
      starts.push(this.program.length);
      this.emit(item);
      const end: number[] = [];
      ends.push(end);
      this.add({ kind: "split", to: end });
    }
    for (const end of ends) end.push(this.program.length);
  }

  /** `x{2,4}` is `xx(x(x)?)?`; `x{2,}` is `xxx*`. */
  #repeat(node: Extract<Node, { kind: "repeat" }>): void {
    for (let count = 0; count < node.min; count += 1) this.emit(node.item);
    if (node.max === null) {
      const start = this.program.length;
      const to = [start + 1];
      this.add({ kind: "split", to });
      this.emit(node.item);
      this.add({ kind: "split", to: [start] });
      to.push(this.program.length);
      return;
    }
    const skips: number[][] = [];
    for (let count = node.min; count < node.max; count += 1) {
      const to = [this.program.length + 1];
      skips.push(to);
      this.add({ kind: "split", to });
      this.emit(node.item);
    }
    for (const to of skips) to.push(this.program.length);
  }
}

function holds(assertion: Assertion, { points, at }: Place): boolean {
  switch (assertion) {
    case "text-start":
      return at === 0;
    case "text-end":
      return at === points.length;
    case "line-start":
      return at === 0 || points[at - 1] === 10;
    case "line-end":
      return at === points.length || points[at] === 10;
    case "word-boundary":
      return isWordAt(points, at - 1) !== isWordAt(points, at);
    case "no-word-boundary":
      return isWordAt(points, at - 1) === isWordAt(points, at);
  }
}

const isWordAt = (points: readonly number[], at: number): boolean =>
  isWordCharacter(points[at] ?? -1);
