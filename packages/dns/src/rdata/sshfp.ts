/**
 * SSHFP: the fingerprint of a host's SSH key. RFC 4255 §3.1 (fields), §3.2 (text); SHA-256 is RFC
 * 6594 §4.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { digestTrouble, parseHex, parseNumbers, uint8Field } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { splitTokens } from "./tokens.ts";

const FIELDS = [uint8Field("the algorithm"), uint8Field("the fingerprint type")];
/** SHA-1, SHA-256. */
const DIGEST_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
]);

function parse(text: string): Result<string> {
  const tokens = splitTokens(text);
  if (!tokens.ok) return tokens;
  if (tokens.value.length < 3)
    return fail("write 3 values: algorithm fingerprint-type fingerprint");
  const numbers = parseNumbers(tokens.value, FIELDS);
  if (!numbers.ok) return numbers;
  const hex = parseHex(tokens.value.slice(2), "the fingerprint");
  if (!hex.ok) return hex;
  const trouble = digestTrouble(hex.value, DIGEST_BYTES.get(numbers.value[1] ?? 0));
  return trouble === null ? ok([...numbers.value, hex.value].join(" ")) : fail(trouble);
}

/** Type 44. */
export const SSHFP: RdataFormat = { type: "SSHFP", parse };
