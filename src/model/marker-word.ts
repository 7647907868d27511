/**
 * Which owner and cluster ids a marker of each registry can carry, so that a wrong one is refused when the program starts
 * and never written so that it is read as another. Words only; the formats themselves are in ownership/.
 */

/** A registry that writes ids into texts of the zone; the others carry any id, or none. */
export type MarkerFormat = "txt" | "gardener" | "mesh";

/** Bytes of one character-string, RFC 1035 §3.3; every format keeps an id, and all but gardener the whole marker, in one. */
export const STRING_BYTES_MAX = 255;

/**
 * What separates or ends words there, beside the quote that ends the string: txt and mesh part their words by commas
 * (external-dns `endpoint/labels.go` @v0.22 splits at each and escapes none), gardener and mesh undo no `\`.
 */
const BARRED: Readonly<Record<MarkerFormat, string>> = {
  txt: '",',
  gardener: '"\\',
  mesh: '",\\',
};
const NAMES: ReadonlyMap<string, string> = new Map([
  ['"', "a quote"],
  [",", "a comma"],
  ["\\", "a backslash"],
]);

/** What the format cannot write of this text, such as `a comma`; null = it can. Length apart. */
export function barredIn(format: MarkerFormat, text: string): string | null {
  for (const character of text) {
    if (BARRED[format].includes(character)) return NAMES.get(character) ?? null;
    if (!/^[ -~]$/.test(character)) return "a character that is not printable ASCII";
  }
  return null;
}
