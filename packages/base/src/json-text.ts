/** The value of a JSON text; undefined where the text is none. Its trouble is never quoted. */
export function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
