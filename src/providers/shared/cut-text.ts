/**
 * Texts for back ends that keep no character-strings of their own (RFC 1035 §3.3.14): the strings
 * are joined, and cut anew where the back end cuts them. Pure.
 */
import { formatTxt, parseTxtStrings } from "@zonekeeper/dns/rdata/txt";

/**
 * What is between the quotes of each string, escapes included, at most `charactersMax` of it. An
 * escape is never cut in two, so that a piece before the last may be shorter. Null = no TXT rdata.
 */
export function cutText(rdata: string, charactersMax: number): readonly string[] | null {
  const strings = parseTxtStrings(rdata);
  if (!strings.ok) return null;
  const joined = Uint8Array.from(strings.value.flatMap((bytes) => [...bytes]));
  return cutCharacters(charactersOf(formatTxt([joined]).slice(1, -1)), charactersMax);
}

/** TXT rdata cut anew; what is none stays as it is. */
export function recutText(rdata: string, charactersMax: number): string {
  const pieces = cutText(rdata, charactersMax);
  return pieces === null ? rdata : quotedPieces(pieces);
}

/** TXT rdata of these strings, whose escapes count. */
export function quotedPieces(pieces: readonly string[]): string {
  return pieces.map((piece) => `"${piece}"`).join(" ");
}

/** The characters of `charactersOf` as strings of at most `charactersMax` each. */
export function cutCharacters(
  characters: readonly string[],
  charactersMax: number,
): readonly string[] {
  const pieces = [""];
  for (const character of characters) {
    const last = pieces.at(-1) ?? "";
    if (last.length + character.length > charactersMax) pieces.push(character);
    else pieces[pieces.length - 1] = last + character;
  }
  return pieces;
}

/** Each character, or escape of one. */
export function charactersOf(text: string): readonly string[] {
  return text.match(/\\\d{3}|\\.|[^\\]/gsu) ?? [];
}
