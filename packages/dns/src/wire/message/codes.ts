/**
 * Numbers of classes, opcodes and response codes (RFC 6895 §2, §3.2). Mnemonics to numbers, and
 * back.
 */
import type { DnsClass, Opcode, Rcode } from "./message.ts";

const CLASSES: readonly (readonly [number, DnsClass])[] = [
  [1, "IN"],
  [3, "CH"],
  [254, "NONE"],
  [255, "ANY"],
];
const OPCODES: readonly (readonly [number, Opcode])[] = [
  [0, "QUERY"],
  [4, "NOTIFY"],
  [5, "UPDATE"],
];
const RCODES: readonly (readonly [number, Rcode])[] = [
  [0, "NOERROR"],
  [1, "FORMERR"],
  [2, "SERVFAIL"],
  [3, "NXDOMAIN"],
  [4, "NOTIMP"],
  [5, "REFUSED"],
  [6, "YXDOMAIN"],
  [7, "YXRRSET"],
  [8, "NXRRSET"],
  [9, "NOTAUTH"],
  [10, "NOTZONE"],
  [16, "BADVERS"],
];
/** RFC 8945 §3: in the error field of TSIG 16 means BADSIG, not BADVERS. */
const TSIG_ERRORS: readonly (readonly [number, Rcode])[] = [
  ...RCODES.filter(([number]) => number < 16),
  [16, "BADSIG"],
  [17, "BADKEY"],
  [18, "BADTIME"],
  [22, "BADTRUNC"],
];

function mnemonicOf<T>(table: readonly (readonly [number, T])[], number: number): T | undefined {
  return table.find((entry) => entry[0] === number)?.[1];
}

function numberOf<T>(
  table: readonly (readonly [number, T])[],
  mnemonic: T,
  prefix: string,
): number | null {
  const known = table.find((entry) => entry[1] === mnemonic);
  if (known !== undefined) return known[0];
  const digits = String(mnemonic).slice(prefix.length);
  return String(mnemonic).startsWith(prefix) && /^\d{1,5}$/.test(digits) ? Number(digits) : null;
}

/** 16 bits to a class. */
export function classOfNumber(number: number): DnsClass {
  return mnemonicOf(CLASSES, number) ?? `CLASS${number}`;
}

/** Null = no class. */
export function numberOfClass(mnemonic: DnsClass): number | null {
  return numberOf(CLASSES, mnemonic, "CLASS");
}

/** 4 bits to an opcode. */
export function opcodeOfNumber(number: number): Opcode {
  return mnemonicOf(OPCODES, number) ?? `OPCODE${number}`;
}

/** Null = no opcode. */
export function numberOfOpcode(mnemonic: Opcode): number | null {
  return numberOf(OPCODES, mnemonic, "OPCODE");
}

/** 12 bits of header and OPT to a response code. */
export function rcodeOfNumber(number: number): Rcode {
  return mnemonicOf(RCODES, number) ?? `RCODE${number}`;
}

/** Null = no code of a message (TSIG's errors are none). */
export function numberOfRcode(mnemonic: Rcode): number | null {
  return numberOf(RCODES, mnemonic, "RCODE");
}

/** The error field of a TSIG record as a mnemonic. */
export function tsigErrorOfNumber(number: number): Rcode {
  return mnemonicOf(TSIG_ERRORS, number) ?? `RCODE${number}`;
}

/** Null = no TSIG error. */
export function numberOfTsigError(mnemonic: Rcode): number | null {
  return numberOf(TSIG_ERRORS, mnemonic, "RCODE");
}
