/**
 * DNSKEY: a public key of a zone. RFC 4034 §2.1 (fields; the protocol is always 3), §2.2 (text).
 */
import { fail, ok, type Result } from "../result.ts";
import { byteField, parseBase64, parseNumbers, wordField } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { ALGORITHM_FIELD } from "./security-algorithm.ts";
import { splitWords } from "./words.ts";

const PROTOCOL = 3;
const FIELDS = [wordField("the flags"), byteField("the protocol"), ALGORITHM_FIELD];

function parse(text: string): Result<string> {
  const words = splitWords(text);
  if (!words.ok) return words;
  if (words.value.length < 4) return fail("write 4 values: flags 3 algorithm public-key");
  const numbers = parseNumbers(words.value, FIELDS);
  if (!numbers.ok) return numbers;
  if (numbers.value[1] !== PROTOCOL) return fail("the protocol must be 3, which stands for DNSSEC");
  const publicKey = parseBase64(words.value.slice(3), "the public key");
  return publicKey.ok ? ok([...numbers.value, publicKey.value].join(" ")) : publicKey;
}

/** Type 48. */
export const DNSKEY: RdataFormat = { type: "DNSKEY", parse };
