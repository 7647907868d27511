/** Decodes Punycode (RFC 3492), which the platform does in a Node module only. Pure. */

/** RFC 3492 §5: the parameters of IDNA. */
const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_CODE = 0x80;
const CODE_MAX = 0x10_ffff;
const DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789";
/** No name is longer. The work grows with the square of the length. */
const LENGTH_MAX = 253;

/** RFC 3492 §6.2, in lower case, without `xn--`; null = the text is no Punycode, or too long. */
export function fromPunycode(text: string): string | null {
  if (text.length > LENGTH_MAX) return null;
  const delimiter = text.lastIndexOf("-");
  const codes = Array.from(text.slice(0, Math.max(delimiter, 0)), (letter) => letter.charCodeAt(0));
  let rest = delimiter > 0 ? text.slice(delimiter + 1) : text;
  let [code, bias] = [INITIAL_CODE, INITIAL_BIAS];
  for (let position = 0; rest !== ""; position++) {
    const read = readDelta(rest, bias);
    const count = codes.length + 1;
    if (read === null) return null;
    bias = adapted(position === 0 ? read.delta / DAMP : read.delta / 2, count);
    code += Math.floor((position + read.delta) / count);
    position = (position + read.delta) % count;
    if (code > CODE_MAX) return null;
    codes.splice(position, 0, code);
    rest = read.rest;
  }
  return String.fromCodePoint(...codes);
}

interface ReadDelta {
  readonly delta: number;
  readonly rest: string;
}

/**
 * Reads one integer (RFC 3492 §3.3), whose digits have a weight that depends on the bias; null = it
 * does not end, or a character is not a digit.
 */
function readDelta(text: string, bias: number): ReadDelta | null {
  let [delta, weight] = [0, 1];
  for (const [index, letter] of [...text].entries()) {
    const digit = DIGITS.indexOf(letter);
    if (digit < 0) return null;
    delta += digit * weight;
    const threshold = Math.min(Math.max(BASE * (index + 1) - bias, T_MIN), T_MAX);
    if (digit < threshold) return { delta, rest: text.slice(index + 1) };
    weight *= BASE - threshold;
  }
  return null;
}

/** RFC 3492 §6.1. */
function adapted(damped: number, count: number): number {
  let delta = Math.floor(damped);
  delta += Math.floor(delta / count);
  let bias = 0;
  for (; delta > ((BASE - T_MIN) * T_MAX) / 2; bias += BASE)
    delta = Math.floor(delta / (BASE - T_MIN));
  return bias + Math.floor(((BASE - T_MIN + 1) * delta) / (delta + SKEW));
}
