/**
 * The value of a JSON text; undefined = the text is not JSON. The parser's message, which quotes
 * the text, is dropped.
 */
export function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
