/** The two numbers of SOA rdata that a server works with (RFC 1035 §3.3.13). Text in, text out; nothing is looked up. */

/** Parts of SOA rdata. */
export interface Soa {
  readonly serial: number;
  /** Seconds for which a negative answer may be kept, with the record's own TTL as its bound (RFC 2308 §5). */
  readonly minimumSeconds: number;
}

const SOA_FIELDS = 7;
const SERIAL_FIELD = 2;
const MINIMUM_FIELD = 6;

/** Reads canonical presentation rdata; null when it is not SOA rdata. */
export function parseSoa(rdata: string): Soa | null {
  const fields = rdata.split(" ");
  const numbers = fields.slice(SERIAL_FIELD).map(Number);
  const sound = numbers.every((n) => Number.isInteger(n) && n >= 0 && n <= 0xffffffff);
  if (fields.length !== SOA_FIELDS || !sound) return null;
  return {
    serial: Number(fields[SERIAL_FIELD]),
    minimumSeconds: Number(fields[MINIMUM_FIELD]),
  };
}

/** The same rdata with another serial. */
export function withSerial(rdata: string, serial: number): string {
  return rdata
    .split(" ")
    .map((field, index) => (index === SERIAL_FIELD ? String(serial) : field))
    .join(" ");
}
