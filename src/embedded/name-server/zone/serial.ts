/** SOA serials and their arithmetic (RFC 1982 with SERIAL_BITS = 32). Numbers only; no zones here. */

/** True when `a` comes after `b` (RFC 1982 §3.2). False for equal ones and for the undefined distance 2^31. */
export function isSerialAfter(a: number, b: number): boolean {
  const distance = (a - b) >>> 0;
  return distance > 0 && distance < 0x80000000;
}

/** The serial after `serial`. Zero is skipped: some servers take it as "unknown" (RFC 2136 §7.11). */
export function serialAfter(serial: number): number {
  const next = (serial + 1) >>> 0;
  return next === 0 ? 1 : next;
}
