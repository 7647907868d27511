/**
 * The plain text of an ownership marker, byte for byte as external-dns writes and reads it
 * (external-dns `registry/txt`, `endpoint/labels.go` @v0.22). Encrypted texts: marker-codec.ts.
 */
import { compareText } from "@zonekeeper/base/compare-text";

/** Labels without the `external-dns/` prefix. */
export type MarkerLabels = Readonly<Record<string, string>>;

/** Bytes of one character-string, RFC 1035 §3.3; a marker is never split (Z-13). */
export const MARKER_BYTES_MAX = 255;

const PLAIN_STRING = /^"[^"\\]*"$/;
const HERITAGE = "heritage=external-dns";
const LABEL_PREFIX = "external-dns/";

/**
 * Canonical TXT rdata with one quoted character-string: heritage first, then the labels by key in
 * byte order. Null when a key or value holds what the format cannot carry (a comma, a quote, or a
 * character outside printable ASCII).
 */
export function formatMarker(labels: MarkerLabels): string | null {
  const text = markerText(labels);
  return text === null ? null : `"${text.replaceAll("\\", "\\\\")}"`;
}

/** The marker text of these labels without quotes and escapes; null as in `formatMarker`. */
export function markerText(labels: MarkerLabels): string | null {
  const tokens = Object.entries(labels)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => `${LABEL_PREFIX}${key}=${value}`);
  if (tokens.some((token) => !/^[ !#-+\--~]*$/.test(token))) return null;
  return [HERITAGE, ...tokens].join(",");
}

/** Bytes of the text on the wire, without quotes and escapes. */
export function markerBytes(rdata: string): number {
  return textInRdata(rdata).length;
}

/**
 * The labels of a text without quotes and escapes, or null when it is not a marker. Blanks are
 * kept, tokens without `=` are ignored, a heritage that is not external-dns disqualifies at any
 * position, keys of other prefixes are dropped.
 */
export function parseMarkerText(text: string): MarkerLabels | null {
  const labels: [string, string][] = [];
  let heritage = false;
  for (const token of withoutOuterQuotes(text).split(",")) {
    const at = token.indexOf("=");
    const key = token.slice(0, Math.max(at, 0));
    const value = token.slice(at + 1);
    if (key === "heritage") {
      if (value !== "external-dns") return null;
      heritage = true;
    } else if (key.startsWith("external-dns")) {
      labels.push([key.replace(LABEL_PREFIX, ""), value]);
    }
  }
  return heritage ? Object.fromEntries(labels) : null;
}

/** Without a pattern: `"+$` would take quadratic time for a long run of quotes. */
function withoutOuterQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '"') start += 1;
  while (end > start && text[end - 1] === '"') end -= 1;
  return text.slice(start, end);
}

/**
 * A character-string from its quote on; without a quote at its end it goes to the end of the text,
 * or each quote in it would be tried as a beginning, which takes quadratic time.
 */
const STRING = /"((?:\\[\s\S]|[^"\\])*)(?:(")|\\?$)/g;

/**
 * The text of all character-strings of a TXT rdata, joined; escapes undone (RFC 1035 §5.1). Linear
 * in its length.
 */
export function textInRdata(rdata: string): string {
  // Nearly every text is one string without escapes.
  if (PLAIN_STRING.test(rdata)) return rdata.slice(1, -1);
  return stringsOf(rdata).join("");
}

/**
 * The text of each character-string of a TXT rdata, escapes undone; a text without quotes is one.
 * Never empty.
 */
export function stringsOf(rdata: string): readonly string[] {
  const strings: string[] = [];
  for (const [, text = "", quote] of rdata.matchAll(STRING))
    if (quote !== undefined) strings.push(text);
  if (strings.length === 0) strings.push(rdata);
  return strings.map((one) => one.replace(/\\(\d{3}|[\s\S])/g, unescaped));
}

function unescaped(_: string, escaped: string): string {
  return /^\d{3}$/.test(escaped) ? String.fromCharCode(Number(escaped)) : escaped;
}
