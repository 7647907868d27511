/** Writes protobuf fields (proto2 encoding, wire type 2). Knows no messages. */

const ENCODER = new TextEncoder();

/** Bytes of one or more encoded fields; parts are joined once, at the end. */
export type Encoded = readonly (Uint8Array | readonly number[])[];

/** A text field; empty text is omitted. */
export function textField(number: number, value: string | undefined): Encoded {
  if (value === undefined || value === "") return [];
  return messageField(number, [ENCODER.encode(value)]);
}

/** A message field; written even when it is empty. */
export function messageField(number: number, content: Encoded): Encoded {
  const size = content.reduce((sum, part) => sum + part.length, 0);
  return [varint(number * 8 + 2), varint(size), ...content];
}

/** Seven bits in each byte, the lowest first; all bytes but the last have their highest bit set. */
function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varint(Math.floor(value / 128))];
}
