/**
 * DS: the digest of a child zone's key. RFC 4034 §5.1 (fields), §5.3 (text); digests RFC 4509, RFC
 * 5933, RFC 6605.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { digestTrouble, parseHex, parseNumbers, uint8Field, uint16Field } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { ALGORITHM_FIELD } from "./security-algorithm.ts";
import { splitTokens } from "./tokens.ts";

const FIELDS = [uint16Field("the key tag"), ALGORITHM_FIELD, uint8Field("the digest type")];
/** SHA-1, SHA-256, GOST, SHA-384. */
const DIGEST_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
]);

function parse(text: string): Result<string> {
  const tokens = splitTokens(text);
  if (!tokens.ok) return tokens;
  if (tokens.value.length < 4) return fail("write 4 values: key-tag algorithm digest-type digest");
  const numbers = parseNumbers(tokens.value, FIELDS);
  if (!numbers.ok) return numbers;
  const hex = parseHex(tokens.value.slice(3), "the digest");
  if (!hex.ok) return hex;
  const trouble = digestTrouble(hex.value, DIGEST_BYTES.get(numbers.value[2] ?? 0));
  return trouble === null ? ok([...numbers.value, hex.value].join(" ")) : fail(trouble);
}

/** Type 43. */
export const DS: RdataFormat = { type: "DS", parse };
