/**
 * NAPTR: a rule that rewrites a name or finds a service. RFC 3403 §4.1; the expression is RFC 3402
 * §3.2.
 */
import type { RdataFormat } from "./rdata-format.ts";
import { characters, host, rowFormat, uint16 } from "./row-format.ts";
import { stringBytes } from "./txt.ts";

const LATIN = new TextDecoder("latin1");

/** RFC 3403 §4.1: flags are letters and digits; a regexp and a replacement exclude each other. */
function trouble(values: readonly string[]): string | null {
  const [, , flags = "", , quoted = "", replacement] = values;
  const string = stringBytes(quoted);
  const regexp = string.ok ? LATIN.decode(string.value) : "";
  if (!/^"[A-Za-z0-9]*"$/.test(flags))
    return "the flags may hold only letters and digits, such as S, A, U or P";
  if (regexp === "") return null;
  if (replacement !== ".") return "with a regexp the replacement must be . (only one may be given)";
  return isSubstitution(regexp)
    ? null
    : "the regexp must be <delimiter>expression<delimiter>replacement<delimiter>, such as !^.*$!sip:info@example.org!";
}

/**
 * RFC 3402 §3.2: three delimiters, the flag `i` at most behind the last, no reference to more
 * groups than exist.
 */
function isSubstitution(text: string): boolean {
  const delimiter = text.charAt(0);
  if (text.includes("\0") || /[0-9i\\]/.test(delimiter)) return false;
  const fields = splitAtDelimiter(text.slice(1), delimiter);
  const [expression = "", substitute = "", flags] = fields;
  if (fields.length !== 3 || expression === "" || (flags !== "" && flags !== "i")) return false;
  const groups = expression.replaceAll(/\\./gs, "").split("(").length - 1;
  return [...substitute.matchAll(/\\([1-9])/g)].every(([, group]) => Number(group) <= groups);
}

/** The parts between delimiters that no backslash precedes, with the escapes left in. */
function splitAtDelimiter(text: string, delimiter: string): readonly string[] {
  const fields = [""];
  for (const character of text.match(/\\?./gs) ?? []) {
    if (character === delimiter) fields.push("");
    else fields.push((fields.pop() ?? "") + character);
  }
  return fields;
}

/** Type 35. */
export const NAPTR: RdataFormat = rowFormat(
  "NAPTR",
  [
    ...["order", "preference"].map(uint16),
    ...["flags", "services", "regexp"].map(characters),
    host("replacement"),
  ],
  trouble,
);
