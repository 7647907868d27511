/**
 * DNSSEC algorithms, which DS and DNSKEY text may name (RFC 4034 §2.2, §5.3, Appendix A.1; IANA
 * registry 2024).
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseUnsigned } from "./integer-text.ts";
import type { NumberField } from "./numbers.ts";

const ALGORITHMS: ReadonlyMap<string, number> = new Map([
  ["RSAMD5", 1],
  ["DH", 2],
  ["DSA", 3],
  ["RSASHA1", 5],
  ["DSA-NSEC3-SHA1", 6],
  ["RSASHA1-NSEC3-SHA1", 7],
  ["RSASHA256", 8],
  ["RSASHA512", 10],
  ["ECC-GOST", 12],
  ["ECDSAP256SHA256", 13],
  ["ECDSAP384SHA384", 14],
  ["ED25519", 15],
  ["ED448", 16],
  ["INDIRECT", 252],
  ["PRIVATEDNS", 253],
  ["PRIVATEOID", 254],
]);

/** An algorithm, given as number or mnemonic in any case. */
export const ALGORITHM_FIELD: NumberField = {
  name: "the algorithm",
  max: 255,
  parse: parseAlgorithm,
};

function parseAlgorithm(token: string): Result<number> {
  const known = ALGORITHMS.get(token.toUpperCase());
  if (known !== undefined) return ok(known);
  return /^\d/.test(token)
    ? parseUnsigned(token, 255, "the algorithm")
    : fail(
        `"${token}" is no algorithm; write a number from 0 to 255 or a name such as ECDSAP256SHA256`,
      );
}
