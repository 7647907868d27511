/**
 * DNSKEY: a public key of a zone. RFC 4034 §2.1 (fields; the protocol is always 3), §2.2 (text).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseBase64, parseNumbers, uint8Field, uint16Field } from "./numbers.ts";
import type { RdataFormat } from "./rdata-format.ts";
import { ALGORITHM_FIELD } from "./security-algorithm.ts";
import { splitTokens } from "./tokens.ts";

const PROTOCOL = 3;
const FIELDS = [uint16Field("the flags"), uint8Field("the protocol"), ALGORITHM_FIELD];

function parse(text: string): Result<string> {
  const tokens = splitTokens(text);
  if (!tokens.ok) return tokens;
  if (tokens.value.length < 4) return fail("write 4 values: flags 3 algorithm public-key");
  const numbers = parseNumbers(tokens.value, FIELDS);
  if (!numbers.ok) return numbers;
  if (numbers.value[1] !== PROTOCOL) return fail("the protocol must be 3, which stands for DNSSEC");
  const publicKey = parseBase64(tokens.value.slice(3), "the public key");
  return publicKey.ok ? ok([...numbers.value, publicKey.value].join(" ")) : publicKey;
}

/** Type 48. */
export const DNSKEY: RdataFormat = { type: "DNSKEY", parse };
