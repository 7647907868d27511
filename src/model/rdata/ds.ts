/**
 * DS: the digest of a child zone's key. RFC 4034 §5.1 (fields), §5.3 (text); digests RFC 4509, RFC
 * 5933, RFC 6605.
 */
import { fail, ok, type Result } from "../result.ts";
import { byteField, digestTrouble, parseHex, parseNumbers, wordField } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { ALGORITHM_FIELD } from "./security-algorithm.ts";
import { splitWords } from "./words.ts";

const FIELDS = [wordField("the key tag"), ALGORITHM_FIELD, byteField("the digest type")];
/** SHA-1, SHA-256, GOST, SHA-384. */
const DIGEST_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 20],
  [2, 32],
  [3, 32],
  [4, 48],
]);

function parse(text: string): Result<string> {
  const words = splitWords(text);
  if (!words.ok) return words;
  if (words.value.length < 4) return fail("write 4 values: key-tag algorithm digest-type digest");
  const numbers = parseNumbers(words.value, FIELDS);
  if (!numbers.ok) return numbers;
  const hex = parseHex(words.value.slice(3), "the digest");
  if (!hex.ok) return hex;
  const trouble = digestTrouble(hex.value, DIGEST_BYTES.get(numbers.value[2] ?? 0));
  return trouble === null ? ok([...numbers.value, hex.value].join(" ")) : fail(trouble);
}

/** Type 43. */
export const DS: RdataFormat = { type: "DS", parse };
