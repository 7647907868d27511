/** Parses RE2 expressions. What ECMAScript knows and RE2 does not (look-around, references to groups) is refused. */
import { anyOf, ignoringCase, not, POSIX_CLASSES, range } from "./classes.ts";
import { Cursor } from "./cursor.ts";
import { takeClass, takeEscaped } from "./escapes.ts";
import { type Assertion, type CodePointTest, type Node, RegexSyntaxError } from "./syntax.ts";

/** Groups in groups. */
const DEPTH_MAX = 200;
/** The largest count of `{n,m}` (RE2 has the same). */
const REPEAT_MAX = 1000;

/** What `(?i)` and the like switch. */
interface Flags {
  readonly ignoresCase: boolean;
  readonly isMultiline: boolean;
  readonly dotTakesAll: boolean;
}

/** The tree of an expression. Throws RegexSyntaxError. */
export function parseRe2(expression: string): Node {
  const parser = new Parser(expression);
  return parser.whole();
}

class Parser {
  readonly #expression: string;
  readonly #cursor: Cursor;
  #flags: Flags = { ignoresCase: false, isMultiline: false, dotTakesAll: false };
  #depth = 0;

  constructor(expression: string) {
    this.#expression = expression;
    this.#cursor = new Cursor(expression);
  }

  whole(): Node {
    const node = this.#choice();
    if (!this.#cursor.atEnd) throw new RegexSyntaxError("unexpected )", this.#expression);
    return node;
  }

  #choice(): Node {
    const items = [this.#sequence()];
    while (this.#cursor.takeIf("|")) items.push(this.#sequence());
    return items.length === 1 && items[0] !== undefined ? items[0] : { kind: "choice", items };
  }

  #sequence(): Node {
    const items: Node[] = [];
    while (!this.#cursor.atEnd && this.#cursor.next !== "|" && this.#cursor.next !== ")") {
      if (this.#cursor.takeIf("\\Q")) items.push(...this.#quoted());
      else items.push(this.#repeated());
    }
    return { kind: "sequence", items };
  }

  /** `\Q…\E` is taken letter by letter. */
  #quoted(): readonly Node[] {
    const items: Node[] = [];
    while (!this.#cursor.atEnd && !this.#cursor.takeIf("\\E"))
      items.push(this.#character(this.#cursor.take().codePointAt(0) ?? 0));
    return items;
  }

  /** One item with its count; whether it is greedy does not matter here. */
  #repeated(): Node {
    const item = this.#atom();
    const start = this.#cursor.position;
    const count = this.#count();
    if (count === null) return item;
    this.#cursor.takeIf("?");
    if (this.#count() !== null)
      throw new RegexSyntaxError("invalid nested repetition operator", this.#cursor.since(start));
    return { kind: "repeat", item, ...count };
  }

  #count(): { readonly min: number; readonly max: number | null } | null {
    if (this.#cursor.takeIf("*")) return { min: 0, max: null };
    if (this.#cursor.takeIf("+")) return { min: 1, max: null };
    if (this.#cursor.takeIf("?")) return { min: 0, max: 1 };
    return this.#cursor.next === "{" ? this.#counted() : null;
  }

  /** `{n}`, `{n,}`, `{n,m}`; anything else is a brace like any character. */
  #counted(): { readonly min: number; readonly max: number | null } | null {
    const start = this.#cursor.position;
    this.#cursor.take();
    const low = this.#cursor.takeWhile(/\d/);
    const hasComma = this.#cursor.takeIf(",");
    const high = hasComma ? this.#cursor.takeWhile(/\d/) : low;
    if (low === "" || !this.#cursor.takeIf("}")) {
      this.#cursor.back(start);
      return null;
    }
    const min = Number(low);
    const max = high === "" ? null : Number(high);
    if (min > REPEAT_MAX || (max !== null && (max > REPEAT_MAX || max < min)))
      throw new RegexSyntaxError("invalid repeat count", this.#cursor.since(start));
    return { min, max };
  }

  #atom(): Node {
    const character = this.#cursor.next;
    if (/[*+?]/.test(character))
      throw new RegexSyntaxError("missing argument to repetition operator", character);
    this.#cursor.take();
    if (character === "(") return this.#group();
    if (character === "[") return { kind: "character", test: this.#class() };
    if (character === "\\") return this.#escape();
    if (character === ".") return { kind: "character", test: this.#dot() };
    if (character === "^") return this.#edge("line-start", "text-start");
    if (character === "$") return this.#edge("line-end", "text-end");
    return this.#character(character.codePointAt(0) ?? 0);
  }

  #edge(line: Assertion, text: Assertion): Node {
    return { kind: "assertion", assertion: this.#flags.isMultiline ? line : text };
  }

  #dot(): CodePointTest {
    return this.#flags.dotTakesAll ? () => true : (codePoint) => codePoint !== 10;
  }

  #character(codePoint: number): Node {
    return { kind: "character", test: this.#cased(range(codePoint, codePoint)) };
  }

  #cased(test: CodePointTest): CodePointTest {
    return this.#flags.ignoresCase ? ignoringCase(test) : test;
  }

  #escape(): Node {
    const assertion = ASSERTIONS.get(this.#cursor.next);
    if (assertion !== undefined) {
      this.#cursor.take();
      return { kind: "assertion", assertion };
    }
    const known = takeClass(this.#cursor);
    if (known !== null) return { kind: "character", test: known };
    return this.#character(takeEscaped(this.#cursor));
  }

  /** Flags hold to the end of the group that they stand in. */
  #group(): Node {
    const before = this.#flags;
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX)
      throw new RegexSyntaxError("expression nests too deeply", this.#expression);
    const isOpen = this.#cursor.takeIf("?") ? this.#special() : true;
    if (!isOpen) {
      this.#depth -= 1;
      return { kind: "sequence", items: [] };
    }
    const node = this.#choice();
    if (!this.#cursor.takeIf(")"))
      throw new RegexSyntaxError("missing closing )", this.#expression);
    this.#flags = before;
    this.#depth -= 1;
    return node;
  }

  /** What follows `(?`. False = flags for the rest of the present group, and no group of its own. */
  #special(): boolean {
    const start = this.#cursor.position;
    if (this.#cursor.takeIf("P<") || this.#cursor.takeIf("<")) return this.#name(start);
    const letters = this.#cursor.takeWhile(/[imsU-]/);
    const end = this.#cursor.take();
    const parts = letters.split("-");
    const isClosed = end === ":" || (end === ")" && letters !== "");
    if (!isClosed || parts.length > 2 || parts[1] === "")
      throw new RegexSyntaxError(
        "invalid or unsupported Perl syntax",
        `(?${this.#cursor.since(start)}`,
      );
    this.#flags = withFlags(withFlags(this.#flags, parts[0] ?? "", true), parts[1] ?? "", false);
    return end === ":";
  }

  #name(start: number): boolean {
    const name = this.#cursor.takeWhile(/[A-Za-z0-9_]/);
    if (name !== "" && this.#cursor.takeIf(">")) return true;
    this.#cursor.take();
    throw new RegexSyntaxError(
      "invalid or unsupported Perl syntax",
      `(?${this.#cursor.since(start)}`,
    );
  }

  /** The cursor stands behind the opening bracket. */
  #class(): CodePointTest {
    const start = this.#cursor.position;
    const isNegated = this.#cursor.takeIf("^");
    const tests: CodePointTest[] = [];
    do {
      if (this.#cursor.atEnd)
        throw new RegexSyntaxError("missing closing ]", `[${this.#cursor.since(start)}`);
      tests.push(this.#classItem());
    } while (!this.#cursor.takeIf("]"));
    const test = this.#cased(anyOf(tests));
    return isNegated ? not(test) : test;
  }

  #classItem(): CodePointTest {
    const start = this.#cursor.position;
    const posix = this.#posix();
    if (posix !== null) return posix;
    if (this.#cursor.next === "\\") {
      this.#cursor.take();
      const known = takeClass(this.#cursor);
      if (known !== null) return known;
      this.#cursor.back(start);
    }
    const low = this.#classCharacter();
    const dash = this.#cursor.position;
    if (!this.#cursor.takeIf("-")) return range(low, low);
    if (this.#cursor.next === "]") {
      this.#cursor.back(dash);
      return range(low, low);
    }
    const high = this.#classCharacter();
    if (high < low)
      throw new RegexSyntaxError("invalid character class range", this.#cursor.since(start));
    return range(low, high);
  }

  #classCharacter(): number {
    const character = this.#cursor.take();
    return character === "\\" ? takeEscaped(this.#cursor) : (character.codePointAt(0) ?? 0);
  }

  /** `[:alpha:]`, `[:^alpha:]`. */
  #posix(): CodePointTest | null {
    const start = this.#cursor.position;
    if (!this.#cursor.takeIf("[:")) return null;
    const isNegated = this.#cursor.takeIf("^");
    const test = POSIX_CLASSES.get(this.#cursor.takeWhile(/[a-z]/));
    if (!this.#cursor.takeIf(":]")) {
      this.#cursor.back(start);
      return null;
    }
    if (test === undefined)
      throw new RegexSyntaxError("invalid character class range", this.#cursor.since(start));
    return isNegated ? not(test) : test;
  }
}

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ["A", "text-start"],
  ["z", "text-end"],
  ["b", "word-boundary"],
  ["B", "no-word-boundary"],
]);

/** `U` swaps greedy and lazy, which does not matter here. */
function withFlags(flags: Flags, letters: string, value: boolean): Flags {
  return {
    ignoresCase: letters.includes("i") ? value : flags.ignoresCase,
    isMultiline: letters.includes("m") ? value : flags.isMultiline,
    dotTakesAll: letters.includes("s") ? value : flags.dotTakesAll,
  };
}
