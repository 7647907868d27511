/** TLSA: which certificate or key a TLS server shows. RFC 6698 §2.1 (fields), §2.2 (text). */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { digestTrouble, parseHex, parseNumbers, uint8Field } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { splitTokens } from "./tokens.ts";

const FIELDS = [
  uint8Field("the usage"),
  uint8Field("the selector"),
  uint8Field("the matching type"),
];
/** RFC 6698 §2.1.3: SHA-256, SHA-512; type 0 is the whole certificate. */
const DIGEST_BYTES: ReadonlyMap<number, number> = new Map([
  [1, 32],
  [2, 64],
]);

function parse(text: string): Result<string> {
  const tokens = splitTokens(text);
  if (!tokens.ok) return tokens;
  if (tokens.value.length < 4) return fail("write 4 values: usage selector matching-type hex-data");
  const numbers = parseNumbers(tokens.value, FIELDS);
  if (!numbers.ok) return numbers;
  const hex = parseHex(tokens.value.slice(3), "the certificate data");
  if (!hex.ok) return hex;
  const trouble = digestTrouble(hex.value, DIGEST_BYTES.get(numbers.value[2] ?? 0));
  return trouble === null ? ok([...numbers.value, hex.value].join(" ")) : fail(trouble);
}

/** Type 52. */
export const TLSA: RdataFormat = { type: "TLSA", parse };
