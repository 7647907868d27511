/**
 * Cuts a zone file into entries and tokens (RFC 1035 §5.1): parentheses, quotes, comments, escapes.
 * Knows no directives, names or types. A mistake invalidates one entry only; an unclosed
 * parenthesis one line only.
 */
import type { TextPosition, ZoneFileLimits } from "./zone-file-limits.ts";

/** A token as written: quotes and escapes are still there. */
export interface Token extends TextPosition {
  readonly text: string;
}

/** One entry with at least one token, or what is wrong with it. */
export type Entry =
  | {
      readonly is: "tokens";
      readonly tokens: readonly Token[];
      /**
       * The line began with a space or tab: it has the owner of the entry before (RFC 1035 §5.1).
       */
      readonly startsBlank: boolean;
    }
  | { readonly is: "trouble"; readonly position: TextPosition; readonly message: string };

const STOPS: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n", ";", "(", ")"]);

/** Nested parentheses have no meaning; more than this are a forgotten closing parenthesis. */
const PARENTHESES_MAX = 16;

/**
 * Reads entries one after the other. Each step is linear in its entry, save after an unclosed
 * parenthesis.
 */
export class ZoneLexer {
  readonly #text: string;
  readonly #entryCharactersMax: number;
  #position = 0;
  #line = 1;
  #lineStart = 0;
  // The entry under way.
  #tokens: Token[] = [];
  #trouble: { readonly position: TextPosition; readonly message: string } | null = null;
  #open: { readonly position: TextPosition; readonly nextLine: number }[] = [];

  constructor(text: string, limits: Pick<ZoneFileLimits, "entryCharactersMax">) {
    this.#text = text;
    this.#entryCharactersMax = limits.entryCharactersMax;
  }

  /** The next entry; null = the file has ended. */
  next(): Entry | null {
    while (this.#position < this.#text.length) {
      const entry = this.#entry();
      if (entry !== null) return entry;
    }
    return null;
  }

  /** One line, or more in parentheses; null when it is empty. */
  #entry(): Entry | null {
    const start = this.#position;
    const startsBlank = this.#text[start] === " " || this.#text[start] === "\t";
    this.#tokens = [];
    this.#trouble = null;
    this.#open = [];
    while (!this.#step()) {
      const isTooLong = this.#position - start > this.#entryCharactersMax;
      const isTooDeep = this.#open.length > PARENTHESES_MAX;
      if (!isTooLong && !isTooDeep && this.#position < this.#text.length) continue;
      const unclosed = this.#unclosed();
      if (unclosed !== null) return unclosed;
      if (isTooLong) this.#skipTooLong();
      break;
    }
    const trouble = this.#firstTrouble();
    if (trouble !== null) return trouble;
    return this.#tokens.length === 0 ? null : { is: "tokens", tokens: this.#tokens, startsBlank };
  }

  #firstTrouble(): Entry | null {
    return this.#trouble === null ? null : { is: "trouble", ...this.#trouble };
  }

  /** Reads one token or sign; true = the entry ends here. */
  #step(): boolean {
    const character = this.#text[this.#position];
    switch (character) {
      case undefined:
        return true;
      case "\n":
        return this.#newLine();
      case " ":
      case "\t":
      case "\r":
        this.#position += 1;
        return false;
      case ";":
        this.#position = this.#lineEnd();
        return false;
      case "(":
      case ")":
        this.#parenthesis(character);
        return false;
      default:
        this.#token();
        return false;
    }
  }

  #newLine(): boolean {
    this.#position += 1;
    this.#line += 1;
    this.#lineStart = this.#position;
    return this.#open.length === 0;
  }

  #parenthesis(sign: "(" | ")"): void {
    const position = this.#textPosition();
    this.#position += 1;
    if (sign === "(") this.#open.push({ position, nextLine: this.#lineEnd() });
    else if (this.#open.pop() === undefined)
      this.#fail(position, "a parenthesis is closed that was not opened; remove it or write \\)");
  }

  /** A token ends at a space or sign; one that begins with a quote ends with its closing quote. */
  #token(): void {
    const position = this.#textPosition();
    const start = this.#position;
    const isQuoted = this.#text[start] === '"';
    while (this.#position < this.#text.length) {
      const character = this.#text[this.#position] ?? "";
      if (character === '"') {
        if (!this.#quoted()) return;
        if (isQuoted) break;
      } else if (STOPS.has(character)) break;
      else this.#character(character);
    }
    this.#tokens.push({ ...position, text: this.#text.slice(start, this.#position) });
  }

  /**
   * A quoted part, which may begin inside a token (`alpn="h2"`); false = the line ends before it
   * does.
   */
  #quoted(): boolean {
    const position = this.#textPosition();
    this.#position += 1;
    for (;;) {
      const character = this.#text[this.#position];
      if (character === undefined || character === "\n") {
        this.#fail(position, "a quoted string is not closed on its line; add the missing quote");
        return false;
      }
      if (character !== '"') this.#character(character);
      else {
        this.#position += 1;
        return true;
      }
    }
  }

  /** Moves over one character; over two after a backslash, but never over the end of the line. */
  #character(character: string): void {
    this.#position += 1;
    if (character !== "\\") return;
    const next = this.#text[this.#position];
    if (next === undefined || next === "\n")
      this.#fail(this.#textPosition(), "a backslash is at the end of the line; remove it");
    else this.#position += 1;
  }

  /**
   * After an unclosed parenthesis reading goes on with the next line, so that no other line is
   * lost.
   */
  #unclosed(): Entry | null {
    const [first] = this.#open;
    if (first === undefined) return null;
    this.#line = first.position.line;
    this.#position = first.nextLine;
    if (this.#position < this.#text.length) this.#newLine();
    this.#open = [];
    const message = "a parenthesis is opened and never closed; add the missing )";
    return { is: "trouble", position: first.position, message };
  }

  #skipTooLong(): void {
    this.#fail(
      this.#textPosition(),
      `an entry has more than ${this.#entryCharactersMax} characters; no record is that long`,
    );
    this.#position = this.#lineEnd();
    this.#step();
  }

  #textPosition(): TextPosition {
    return { line: this.#line, column: this.#position - this.#lineStart + 1 };
  }

  /** Index of the end of this line. */
  #lineEnd(): number {
    const end = this.#text.indexOf("\n", this.#position);
    return end < 0 ? this.#text.length : end;
  }

  /** Only the first mistake of an entry is kept. */
  #fail(position: TextPosition, message: string): void {
    this.#trouble ??= { position, message };
  }
}
