/**
 * Reads protobuf messages (encoding of proto2, as Kubernetes writes it) into JSON values along
 * field tables. Fields that a table does not know are skipped; lengths are checked before anything
 * is read.
 */
import { badRequest } from "../errors/api-error.ts";

/** How a field is read. `message` needs `fields`. */
export type FieldType =
  | "text"
  | "bytes"
  | "integer"
  | "boolean"
  | "time"
  | "int-or-text"
  | "text-map"
  | "bytes-map"
  | "message";

/** One field of a message. */
export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly repeated?: true;
  /** True = zero values are kept (pointers in Go); else they mean absent. */
  readonly keepsZero?: true;
  /** True = in JSON the fields of the message are fields of the parent. */
  readonly inline?: true;
  readonly fields?: FieldTable;
}

/** Fields by number. */
export type FieldTable = Readonly<Record<number, Field>>;

/** One field as encoded on the wire. */
export interface RawField {
  readonly number: number;
  /** Of wire type 0; null for others. */
  readonly integer: bigint | null;
  /** Of wire type 2; null for others. */
  readonly bytes: Uint8Array | null;
}

/** Messages in messages. */
const DEPTH_MAX = 32;

/** The message as a JSON object. Throws ApiError 400 for bytes that are no message. */
export function readMessage(
  bytes: Uint8Array,
  table: FieldTable,
  depth = 0,
): Record<string, unknown> {
  if (depth > DEPTH_MAX) throw malformed();
  const result: Record<string, unknown> = {};
  for (const raw of rawFields(bytes)) {
    const field = table[raw.number];
    if (field === undefined) continue;
    const value = fieldValue(raw, field, depth);
    if (field.inline === true) Object.assign(result, value);
    else if (field.repeated === true) append(result, field.name, value);
    else if (field.type.endsWith("-map")) mergeMap(result, field.name, value);
    else if (field.keepsZero === true || !isZero(value)) result[field.name] = value;
  }
  return result;
}

/** All fields in the order of the wire. */
export function rawFields(bytes: Uint8Array): readonly RawField[] {
  const fields: RawField[] = [];
  const reader = new Reader(bytes);
  while (!reader.atEnd) fields.push(reader.field());
  return fields;
}

function fieldValue(raw: RawField, field: Field, depth: number): unknown {
  if (field.type === "integer") return Number(BigInt.asIntN(64, integerOf(raw)));
  if (field.type === "boolean") return integerOf(raw) !== 0n;
  const bytes = bytesOf(raw);
  if (field.type === "message") return readMessage(bytes, field.fields ?? {}, depth + 1);
  return BYTE_READERS[field.type](bytes);
}

class Reader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  field(): RawField {
    const key = this.#varint();
    const number = Number(key >> 3n);
    switch (Number(key & 7n)) {
      case 0:
        return { number, integer: this.#varint(), bytes: null };
      case 1:
        return { number, integer: null, bytes: this.#take(8) };
      case 2:
        return { number, integer: null, bytes: this.#take(Number(this.#varint())) };
      case 5:
        return { number, integer: null, bytes: this.#take(4) };
      default:
        throw malformed();
    }
  }

  /** At most ten bytes: 64 bits. */
  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) throw malformed();
      this.#offset += 1;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw malformed();
  }

  /** The next bytes, without copying; a length beyond the end is malformed. */
  #take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.#bytes.length) throw malformed();
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }
}

/** The value of a varint field; anything else is malformed. */
function integerOf(raw: RawField): bigint {
  if (raw.integer === null) throw malformed();
  return raw.integer;
}

/** The content of a length-delimited field; anything else is malformed. */
function bytesOf(raw: RawField): Uint8Array {
  if (raw.bytes === null) throw malformed();
  return raw.bytes;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw malformed();
  }
}

function base64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** Time { seconds = 1, nanos = 2 }; null = the zero time. */
function timeOf(bytes: Uint8Array): string | null {
  const seconds = rawFields(bytes).find((raw) => raw.number === 1)?.integer ?? 0n;
  const unix = Number(BigInt.asIntN(64, seconds));
  if (unix <= 0 || unix > 253_402_300_799) return null;
  return new Date(unix * 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

/** IntOrString { type = 1 (0 integer, 1 text), intVal = 2, strVal = 3 }. */
function intOrText(bytes: Uint8Array): number | string {
  const fields = rawFields(bytes);
  const isText = fields.find((raw) => raw.number === 1)?.integer === 1n;
  if (isText) return textOf(fields.find((raw) => raw.number === 3)?.bytes ?? new Uint8Array());
  const value = fields.find((raw) => raw.number === 2)?.integer ?? 0n;
  return Number(BigInt.asIntN(64, value));
}

/** An entry { key = 1, value = 2 } as an object with one key. */
function mapEntry(bytes: Uint8Array, read: (bytes: Uint8Array) => string): Record<string, string> {
  const fields = rawFields(bytes);
  const part = (number: number): Uint8Array =>
    fields.find((raw) => raw.number === number)?.bytes ?? new Uint8Array();
  return Object.fromEntries([[textOf(part(1)), read(part(2))]]);
}

/** How fields that are bytes on the wire are read. */
const BYTE_READERS = {
  text: textOf,
  bytes: base64,
  time: timeOf,
  "int-or-text": intOrText,
  "text-map": (bytes: Uint8Array) => mapEntry(bytes, textOf),
  "bytes-map": (bytes: Uint8Array) => mapEntry(bytes, base64),
} as const;

/** Repeated fields come one by one. */
function append(result: Record<string, unknown>, name: string, value: unknown): void {
  const known = result[name];
  result[name] = Array.isArray(known) ? [...known, value] : [value];
}

/** Map entries come one by one; a later one of the same key wins. */
function mergeMap(result: Record<string, unknown>, name: string, entry: unknown): void {
  const known = result[name];
  result[name] = {
    ...(typeof known === "object" ? known : {}),
    ...(typeof entry === "object" ? entry : {}),
  };
}

const isZero = (value: unknown): boolean =>
  value === "" || value === 0 || value === false || value === null;

function malformed(): Error {
  return badRequest("the body of the request is not valid protobuf");
}
