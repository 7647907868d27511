/** How deep a YAML text nests, told from the words of yaml's Lexer (cst documentation of that package), which does not recurse. */

/** What stands before the first word of a line. */
const INDENT = /^[ \t]*[-?:]?$/;
/** Signs among the words that are no text: a document begins, a byte order mark. */
const SIGNS: readonly string[] = ["\u0002", "\ufeff"];
/** Before the text of a scalar. */
const SCALAR_NEXT = "\u001f";

/**
 * True when brackets nest, or lines begin, further in than `max`. The parser recurses, and Node is aborted where a regular
 * expression is compiled on the last of the stack; so the depth is looked at before. Stops reading at the first such word.
 */
export function nestsDeeper(words: Iterable<string>, max: number): boolean {
  let [open, indent, isIndent, isScalarNext] = [0, 0, true, false];
  for (const word of words) {
    const isText = isScalarNext;
    isScalarNext = word === SCALAR_NEXT;
    if (isText || SIGNS.includes(word)) continue;
    isIndent = word.endsWith("\n") || (isIndent && INDENT.test(word));
    indent = isIndent && !word.endsWith("\n") ? indent + word.length : 0;
    open += opening(word);
    if (open > max || indent > max) return true;
  }
  return false;
}

function opening(word: string): number {
  if (word === "[" || word === "{") return 1;
  return word === "]" || word === "}" ? -1 : 0;
}
