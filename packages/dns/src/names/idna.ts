/**
 * International names (UTS #46, non-transitional), converted by the platform's `URL` label by
 * label. `URL` never gets a whole name: it would undo `%62`, cut at `/`, `?` and `#`, and read
 * numbers as IPv4 addresses (WHATWG URL, "host parsing"). Pure.
 */
import { fromPunycode } from "./punycode.ts";

/** Of the longest name, with its root (RFC 1035 §3.1): a longer text is not looked at. */
const LABELS_MAX = 128;
/** UTS #46 §4.5: these stand for a dot. */
const DOTS = /[.\u3002\uff0e\uff61]/;
const ASCII = /^\p{ASCII}*$/u;
/**
 * ASCII that a label with characters beyond ASCII must not hold: `_`, `*` and escapes have no
 * meaning there.
 */
const STRANGE_ASCII = /[^a-z0-9\u0080-\u{10ffff}-]/iu;
const A_LABEL_PREFIX = "xn--";
/** Put behind a label, so that the platform does not read a number as an IPv4 address. */
const TAIL = ".invalid";
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** Scripts that people write together (Unicode TS #39 §5.1), each with digits and hyphens. */
const SAFE_LABELS: readonly RegExp[] = [
  /^[\p{Script=Latin}\d-]+$/u,
  /^[\p{Script=Greek}\d-]+$/u,
  /^[\p{Script=Cyrillic}\d-]+$/u,
  /^[\p{Script=Hebrew}\d-]+$/u,
  /^[\p{Script=Arabic}\d-]+$/u,
  /^[\p{Script=Thai}\d-]+$/u,
  /^[\p{Script=Devanagari}\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\d-]+$/u,
  /^[\p{Script=Han}\p{Script=Bopomofo}\d-]+$/u,
];

/** True when every character is ASCII, also for the empty text. */
export function isAscii(text: string): boolean {
  return ASCII.test(text);
}

/**
 * The name with A-labels. Null when a label has no A-label, or begins with `xn--` and is not an
 * A-label (RFC 5890 §2.3.2.1). Labels of plain ASCII stay as they are: `_`, `*`, `/` and escapes
 * too. Of lengths only the number of labels is checked.
 */
export function toAscii(text: string): string | null {
  const texts = text.split(DOTS);
  if (texts.length > LABELS_MAX) return null;
  const labels = texts.map((each) => (isAscii(each) ? asciiLabel(each) : aLabel(each)));
  return labels.includes(null) ? null : labels.join(".");
}

/** An A-label must come back from its U-label: `xn--abc-` would be `abc`, `xn--` nothing. */
function asciiLabel(label: string): string | null {
  const folded = label.toLowerCase();
  if (!folded.startsWith(A_LABEL_PREFIX)) return label;
  const unicode = uLabel(folded);
  return !isAscii(unicode) && aLabel(unicode) === folded ? folded : null;
}

/**
 * The A-label of a U-label; null = it is not a valid U-label. A label that maps to ASCII, such as
 * one in fullwidth letters, comes out as ASCII.
 */
function aLabel(label: string): string | null {
  if (STRANGE_ASCII.test(label)) return null;
  const url = `http://${label}${TAIL}`;
  const ascii = URL.canParse(url) ? new URL(url).hostname : "";
  if (!ascii.endsWith(TAIL)) return null;
  const converted = ascii.slice(0, -TAIL.length);
  if (!/^[a-z0-9-]+$/.test(converted)) return null;
  return isSoundUnicode(uLabel(converted)) ? converted : null;
}

/**
 * The U-label of an A-label. Any other label, and one with malformed Punycode, comes back
 * unchanged.
 */
function uLabel(label: string): string {
  return label.startsWith(A_LABEL_PREFIX)
    ? (fromPunycode(label.slice(A_LABEL_PREFIX.length)) ?? label)
    : label;
}

/**
 * Checks RFC 5891 §4.2.3.1 (hyphens) and RFC 5893 §2 rule 1 (direction), which the platform leaves
 * to its callers.
 */
function isSoundUnicode(label: string): boolean {
  if (/^-|-$|^..--/u.test(label)) return false;
  return !RIGHT_TO_LEFT.test(label) || RIGHT_TO_LEFT.test([...label][0] ?? "");
}

/** The name with U-labels, whatever their letters, for patterns to match; never for people. */
export function withUnicodeLabels(name: string): string {
  return name.split(".").map(uLabel).join(".");
}

/**
 * The name as people write it, for showing beside the name itself; null when that is the same, or
 * when a label mixes scripts and so might be taken for another name (RFC 5890 §4.4).
 */
export function toUnicode(name: string): string | null {
  const labels = name.split(".").map((label) => {
    if (!label.startsWith(A_LABEL_PREFIX)) return label;
    const unicode = uLabel(label);
    const isSafe = aLabel(unicode) === label && SAFE_LABELS.some((safe) => safe.test(unicode));
    return isSafe ? unicode : null;
  });
  const text = labels.includes(null) ? name : labels.join(".");
  return text === name ? null : text;
}
