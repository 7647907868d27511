/** Writes protobuf fields (proto2 encoding, wire types 0, 1 and 2). Knows no messages. */

const ENCODER = new TextEncoder();

/** Bytes of one or more encoded fields; parts are joined once, at the end. */
export type Encoded = readonly (Uint8Array | readonly number[])[];

/** A text field; empty text is omitted. */
export function textField(number: number, value: string | undefined): Encoded {
  if (value === undefined || value === "") return [];
  const bytes = ENCODER.encode(value);
  return [varint(key(number, 2)), varint(bytes.length), bytes];
}

/** A message field; written even when it is empty. */
export function messageField(number: number, content: Encoded): Encoded {
  return [varint(key(number, 2)), varint(sizeOf(content)), ...content];
}

/** A whole number ≥ 0; `undefined` is omitted. */
export function integerField(number: number, value: number | undefined): Encoded {
  return value === undefined ? [] : [varint(key(number, 0)), varint(value)];
}

/** A double; `undefined` is omitted. */
export function doubleField(number: number, value: number | undefined): Encoded {
  if (value === undefined) return [];
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return [varint(key(number, 1)), bytes];
}

const key = (number: number, wireType: number): number => number * 8 + wireType;

function sizeOf(content: Encoded): number {
  return content.reduce((sum, part) => sum + part.length, 0);
}

function varint(value: number): readonly number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}
