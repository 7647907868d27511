/**
 * Record types that are rows of fields, and those that are one name: RFC 1035 §3.3, RFC 2782, RFC
 * 4034, RFC 4255, RFC 6672, RFC 6698, RFC 7553, RFC 8659.
 */
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { parseRdataName } from "./name-text.ts";
import type { RdataFormat } from "./rdata-format.ts";
import {
  base64,
  type Field,
  hex,
  host,
  type RowTrouble,
  rowFormat,
  text,
  uint8,
  uint16,
} from "./row-format.ts";

const oneName = (type: string): RdataFormat => ({
  type,
  parse: (name) => parseRdataName(name.trim()),
});

/** DNSSEC algorithms that text may name, RFC 4034 §2.2 and Appendix A.1 (IANA registry 2024). */
const ALGORITHMS: Readonly<Record<string, number>> = {
  ...{ RSAMD5: 1, DH: 2, DSA: 3, RSASHA1: 5, "DSA-NSEC3-SHA1": 6, "RSASHA1-NSEC3-SHA1": 7 },
  ...{ RSASHA256: 8, RSASHA512: 10, "ECC-GOST": 12, ECDSAP256SHA256: 13, ECDSAP384SHA384: 14 },
  ...{ ED25519: 15, ED448: 16, INDIRECT: 252, PRIVATEDNS: 253, PRIVATEOID: 254 },
};

const ALGORITHM: Field = { shown: "algorithm", parse: parseAlgorithm };

function parseAlgorithm(token: string): Result<string> {
  const name = token.toUpperCase();
  if (Object.hasOwn(ALGORITHMS, name)) return ok(String(ALGORITHMS[name]));
  if (/^\d/.test(token)) return uint8("algorithm").parse(token);
  return fail(
    `"${token}" is no algorithm; write a number from 0 to 255 or a name such as ECDSAP256SHA256`,
  );
}

/** RFC 8659 §4.1: letters and digits, at least one; the length is one byte. The case is kept. */
const TAG: Field = {
  shown: "tag",
  parse: (token) =>
    /^[A-Za-z0-9]{1,255}$/.test(token)
      ? ok(token)
      : fail("the tag must hold letters and digits only, such as issue, issuewild or iodef"),
};

/**
 * Checks the length of the last field, a digest, by the digest type in the field before it. The
 * digest of a type that is not listed may have any length.
 */
const digestOf =
  (bytesOf: Readonly<Record<string, number>>): RowTrouble =>
  (values) => {
    const [kind = "", digest = ""] = values.slice(-2);
    const bytes = bytesOf[kind] ?? digest.length / 2;
    if (digest.length === 2 * bytes) return null;
    return `the digest has ${digest.length / 2} bytes; this type of digest has ${bytes} (${2 * bytes} hex digits)`;
  };

/** One entry a type. */
export const ROW_TYPES: readonly RdataFormat[] = [
  // RFC 1035 §3.3.1, §3.3.11, §3.3.12; RFC 6672 §2.1
  ...["CNAME", "NS", "PTR", "DNAME"].map(oneName),
  // RFC 1035 §3.3.9; `0 .` = takes no mail, RFC 7505 §3
  rowFormat("MX", [uint16("preference"), host("exchange")]),
  // RFC 2782; target `.` = the service is not available
  rowFormat("SRV", [uint16("priority"), uint16("weight"), uint16("port"), host("target")]),
  // RFC 8659 §4.1, §4.1.1
  rowFormat("CAA", [uint8("flags"), TAG, text("value")]),
  // RFC 7553 §4.1 to §4.6; the target is always quoted
  rowFormat("URI", [uint16("priority"), uint16("weight"), text("target")], ([, , target]) =>
    target === '""' ? 'the target is empty; write a URI such as "https://www.example.org/"' : null,
  ),
  // RFC 6698 §2.1, §2.2: SHA-256, SHA-512; matching type 0 is the whole certificate
  rowFormat(
    "TLSA",
    [uint8("usage"), uint8("selector"), uint8("matching type"), hex("certificate data")],
    digestOf({ 1: 32, 2: 64 }),
  ),
  // RFC 4255 §3.1, §3.2; RFC 6594 §4: SHA-1, SHA-256
  rowFormat(
    "SSHFP",
    [uint8("algorithm"), uint8("fingerprint type"), hex("fingerprint")],
    digestOf({ 1: 20, 2: 32 }),
  ),
  // RFC 4034 §5.1, §5.3; RFC 4509, RFC 5933, RFC 6605: SHA-1, SHA-256, GOST, SHA-384
  rowFormat(
    "DS",
    [uint16("key tag"), ALGORITHM, uint8("digest type"), hex("digest")],
    digestOf({ 1: 20, 2: 32, 3: 32, 4: 48 }),
  ),
  // RFC 4034 §2.1, §2.2
  rowFormat(
    "DNSKEY",
    [uint16("flags"), uint8("protocol"), ALGORITHM, base64("public key")],
    ([, protocol]) => (protocol === "3" ? null : "the protocol must be 3, which stands for DNSSEC"),
  ),
];
