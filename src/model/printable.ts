/**
 * Words for people that may hold what others wrote into a zone: a marker's owner, a text at a
 * server, an answer. A terminal obeys control characters, and a bidirectional mark lets a text read
 * as another one. What code compares is never changed by this.
 */

/**
 * C0, DEL, C1, bidirectional marks, line and paragraph separators, and what has no width (UAX #9
 * §2, Unicode §23.1).
 */
const UNSHOWN = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\u200b\u2060\ufeff]/gu;

/**
 * The text with each such character as `\u001b`; one line stays one. A text without any is itself,
 * as is one shown before.
 */
export function printable(text: string): string {
  return text.replace(UNSHOWN, escaped);
}

/**
 * At most `charactersMax` of the text. It ends with a whole word: half a key would not be known for
 * one, and not be hidden.
 */
export function shortened(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text;
  return `${text.slice(0, charactersMax).replace(/\S*$/, "")}…`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Quoted for a POSIX shell where it has to be. */
export function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
