/** YAML files of the operator: parsed in bounded time and depth, every fault with its place. */
import { type Document, Lexer, LineCounter, parseDocument } from "yaml";

/** What is wrong, and where (from 1). */
export interface YamlFault {
  readonly line: number;
  readonly column: number;
  /** As yaml has them, e.g. `BAD_INDENT`, and `TOO_DEEP` and `COMPLEX_KEY`. */
  readonly code: string;
  /** The parser's words quote the text: not for files with credentials. */
  readonly message: string;
}

/** A file's document; worth nothing when there are faults. */
export interface YamlFile {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly faults: readonly YamlFault[];
}

/**
 * Never throws. Aliases are resolved by the caller's `toJS`, which throws for one that leads
 * nowhere or too far.
 */
export function parseYamlFile(text: string): YamlFile {
  const isTooDeep = nestsTooDeep(new Lexer().lex(text));
  const lines = new LineCounter();
  const document = parseDocument(isTooDeep ? "" : text, {
    lineCounter: lines,
    prettyErrors: false,
    // The parser compares each key with each other one.
    uniqueKeys: false,
    // Warnings would go to the terminal with what stands in the file, credentials too.
    logLevel: "error",
  });
  const faultAt = (offset: number, code: string, message: string): YamlFault => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column, code, message };
  };
  const faults = document.errors.map(({ pos, code, message }) => faultAt(pos[0], code, message));
  const { repeated, complex } = keyFaults(document.contents);
  for (const { range } of repeated)
    faults.push(faultAt(range?.[0] ?? 0, "DUPLICATE_KEY", "has a key twice"));
  for (const { range } of complex)
    faults.push(faultAt(range?.[0] ?? 0, "COMPLEX_KEY", "has a key that is no plain value"));
  if (isTooDeep)
    faults.push({ line: 1, column: 1, code: "TOO_DEEP", message: "nests too deep to be read" });
  return { document, lines, faults };
}

/** Levels of nesting, and columns before the first word of a line, that a text may have. */
const NESTING_MAX = 500;
/** Tokens before the first word of a line. */
const INDENT = /^[ \t]*[-?:]?$/;
/** Tokens without text: the beginning of a document, a byte order mark. */
const SIGNS: readonly string[] = ["\u0002", "\ufeff"];
/** Tokens after which the next key may begin. */
const BETWEEN: readonly string[] = [",", "[", "]", "{", "}"];
/** An anchor or a tag. */
const PROPERTY = /^[&!]/;
/** This many anchors and tags count as one level of nesting. */
const PROPERTIES_A_LEVEL = 10;
/** The token before the text of a scalar. */
const SCALAR_NEXT = "\u001f";

/**
 * True when a text nests too deep for the parser. The parser recurses, and Node aborts where a
 * regular expression is compiled at the end of the stack; so the tokens of yaml's Lexer, which does
 * not recurse, are looked at before (cst documentation of that package). Each of these is limited
 * to NESTING_MAX: open brackets, columns of indentation, keys one behind the other in a line,
 * brackets that close nothing, and a tenth of the anchors and tags. Reads no further than needed.
 */
export function nestsTooDeep(tokens: Iterable<string>): boolean {
  const depth = new Depth();
  let isText = false;
  for (const token of tokens) {
    if (!isText && !SIGNS.includes(token) && depth.after(token) > NESTING_MAX) return true;
    isText = token === SCALAR_NEXT;
  }
  return false;
}

/** How deep the tokens so far nest. */
class Depth {
  #open = 0;
  #indent = 0;
  #colons = 0;
  /** Brackets that close nothing: each is an error, and errors are slow. */
  #tooMany = 0;
  /** Anchors and tags. A node may have one of each; more are errors, and errors are slow. */
  #properties = 0;
  #isIndent = true;

  after(token: string): number {
    const isEnd = token.endsWith("\n");
    this.#isIndent = isEnd || (this.#isIndent && INDENT.test(token));
    this.#indent = this.#isIndent && !isEnd ? this.#indent + token.length : 0;
    if (isEnd || BETWEEN.includes(token)) this.#colons = 0;
    else if (token === ":") this.#colons += 1;
    const closes = token === "]" || token === "}";
    const open = this.#open + (token === "[" || token === "{" ? 1 : closes ? -1 : 0);
    if (open < 0) this.#tooMany += 1;
    this.#open = Math.max(0, open);
    if (PROPERTY.test(token)) this.#properties += 1;
    const properties = Math.floor(this.#properties / PROPERTIES_A_LEVEL);
    return Math.max(this.#open, this.#indent, this.#colons, this.#tooMany, properties);
  }
}

/** A node where a map has a key. */
export interface YamlKey {
  /** Of a scalar. */
  readonly value?: unknown;
  /** Where it begins and ends in the text. */
  readonly range?: readonly number[] | null;
}

/** What is wrong with keys. Keys of a map come before those of the maps in it. */
export interface KeyFaults {
  /** Keys that their map has already. */
  readonly repeated: readonly YamlKey[];
  /**
   * Maps, lists and aliases as keys. As keys of JavaScript objects they would be texts, in which
   * each level is written out again.
   */
  readonly complex: readonly YamlKey[];
}

/** Looks at every map below a node. Recurses as deep as the nodes nest. */
export function keyFaults(node: unknown): KeyFaults {
  const faults = { repeated: [], complex: [] };
  collectFaults(node, faults);
  return faults;
}

function collectFaults(node: unknown, faults: { repeated: YamlKey[]; complex: YamlKey[] }): void {
  if (!isCollection(node)) return;
  const seen = new Set<unknown>();
  for (const item of node.items) {
    if (!isPair(item)) continue;
    const { key } = item;
    if (!isScalar(key)) {
      if (isObject(key)) faults.complex.push(key);
    } else if (seen.has(key.value)) faults.repeated.push(key);
    else seen.add(key.value);
  }
  for (const item of node.items) collectFaults(isPair(item) ? item.value : item, faults);
}

const isObject = (node: unknown): node is object => typeof node === "object" && node !== null;

function isCollection(node: unknown): node is { readonly items: readonly unknown[] } {
  return isObject(node) && "items" in node && Array.isArray(node.items);
}

function isPair(node: unknown): node is { readonly key: unknown; readonly value: unknown } {
  return isObject(node) && "key" in node && "value" in node;
}

function isScalar(node: unknown): node is YamlKey {
  return isObject(node) && "value" in node;
}
