/**
 * Reading one byte, or another number, of a sequence. Total, so that no caller has to say what is
 * beyond the end.
 */

/** The number at `index`; 0 beyond the end. */
export function byteAt(bytes: ArrayLike<number>, index: number): number {
  return bytes[index] ?? 0;
}
