/** TLSA: which certificate or key a TLS server shows. RFC 6698 §2.1 (fields), §2.2 (text). */
import { fail, ok, type Result } from "../result.ts";
import { byteField, digestTrouble, parseHex, parseNumbers } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { splitWords } from "./words.ts";

const FIELDS = [byteField("the usage"), byteField("the selector"), byteField("the matching type")];
/** RFC 6698 §2.1.3: SHA-256, SHA-512; type 0 is the whole certificate. */
const DIGEST_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 64],
]);

function parse(text: string): Result<string> {
  const words = splitWords(text);
  if (!words.ok) return words;
  if (words.value.length < 4) return fail("write 4 values: usage selector matching-type hex-data");
  const numbers = parseNumbers(words.value, FIELDS);
  if (!numbers.ok) return numbers;
  const hex = parseHex(words.value.slice(3), "the certificate data");
  if (!hex.ok) return hex;
  const trouble = digestTrouble(hex.value, DIGEST_BYTES.get(numbers.value[2] ?? 0));
  return trouble === null ? ok([...numbers.value, hex.value].join(" ")) : fail(trouble);
}

/** Type 52. */
export const TLSA: RdataFormat = { type: "TLSA", parse };
