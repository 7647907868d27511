/** YAML files of the operator: parsed in bounded time and depth, every fault with its place. */
import { type Document, Lexer, LineCounter, parseDocument } from "yaml";
import { keyFaults, nestsTooDeep } from "./yaml-nodes.ts";

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
