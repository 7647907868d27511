/**
 * NAPTR: a rule that rewrites a name or finds a service. RFC 3403 §4.1; the expression is RFC 3402
 * §3.2.
 */
import { byteAt } from "@zonekeeper/base/byte-at";
import type { RdataFormat } from "./rdata-format.ts";
import { characters, host, rowFormat, uint16 } from "./row-format.ts";
import { stringBytes } from "./txt.ts";

const BACKSLASH = 0x5c;
const LATIN = new TextDecoder("latin1");

/** RFC 3403 §4.1: flags are letters and digits; a regexp and a replacement exclude each other. */
function trouble(values: readonly string[]): string | null {
  const [, , flags = "", , quoted = "", replacement] = values;
  const string = stringBytes(quoted);
  const regexp = string.ok ? string.value : new Uint8Array(0);
  if (!/^"[A-Za-z0-9]*"$/.test(flags))
    return "the flags may hold only letters and digits, such as S, A, U or P";
  if (regexp.length === 0) return null;
  if (replacement !== ".") return "with a regexp the replacement must be . (only one may be given)";
  return isSubstitution(regexp)
    ? null
    : "the regexp must be <delimiter>expression<delimiter>replacement<delimiter>, such as !^.*$!sip:info@example.org!";
}

/**
 * RFC 3402 §3.2: three delimiters, the flag `i` at most behind the last, no reference to more
 * groups than exist.
 */
function isSubstitution(bytes: Uint8Array): boolean {
  const delimiter = byteAt(bytes, 0);
  if (bytes.includes(0) || /[0-9i\\]/.test(String.fromCharCode(delimiter))) return false;
  const fields = splitAtDelimiter(bytes, delimiter);
  const [expression, substitute, flags] = fields;
  if (fields.length !== 3 || expression === "" || (flags !== "" && flags !== "i")) return false;
  return highestReference(substitute ?? "") <= groupsIn(expression ?? "");
}

/**
 * The parts between delimiters that no backslash precedes, as Latin-1 text with the escapes left
 * in.
 */
function splitAtDelimiter(bytes: Uint8Array, delimiter: number): readonly string[] {
  const fields = [""];
  for (let index = 1; index < bytes.length; index += 1) {
    const byte = byteAt(bytes, index);
    if (byte === delimiter) {
      fields.push("");
      continue;
    }
    const taken = byte === BACKSLASH ? 2 : 1;
    const last = fields.pop() ?? "";
    fields.push(last + LATIN.decode(bytes.subarray(index, index + taken)));
    index += taken - 1;
  }
  return fields;
}

/** The largest n of `\n` (1 to 9). */
function highestReference(text: string): number {
  return Math.max(0, ...[...text.matchAll(/\\([1-9])/g)].map((match) => Number(match[1])));
}

function groupsIn(text: string): number {
  return text.replaceAll(/\\./gs, "").split("(").length - 1;
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
