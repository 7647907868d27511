/**
 * Reads protobuf messages (encoding of proto2, as Kubernetes writes it) into JSON values along
 * message tables, and writes fields. Fields that a table does not know are skipped; lengths are
 * checked before anything is read.
 */
import { base64Text } from "@zonekeeper/base/bytes";
import { groupedBy } from "@zonekeeper/base/grouped-by";
import { invariant } from "@zonekeeper/base/invariant";
import { jsonIn } from "@zonekeeper/base/json-text";
import { badRequest } from "../errors/api-error.ts";

/** One field of a message. */
export interface Field {
  readonly number: number;
  readonly name: string;
  readonly form: "one" | "list" | "map";
  /** The type of the value, or of the items of a list or map. */
  readonly type: string;
  readonly keepsZero: boolean;
  readonly isInline: boolean;
}

/** One message. */
export interface MessageType {
  readonly fields: readonly Field[];
  readonly isChoice: boolean;
}

/** Messages by name; those of whole objects are named `apiVersion/kind`. */
export type Messages = ReadonlyMap<string, MessageType>;

/** One field as encoded on the wire. */
export interface RawField {
  readonly number: number;
  /** The number of a field of wire type 0; null for others. */
  readonly integer: number | null;
  /** The bytes of a field of wire type 1, 2 or 5; null for others. */
  readonly bytes: Uint8Array | null;
}

const DECODER = new TextDecoder("utf-8", { fatal: true });
const ENCODER = new TextEncoder();

/** Messages in messages: schemas nest, and each level of them takes two or three. */
const DEPTH_MAX = 128;

/** Reads the messages of a table. */
export class MessageReader {
  readonly #messages: Messages;

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  /** The message as its JSON value. Throws ApiError 400 for bytes that are no message. */
  read(bytes: Uint8Array, name: string, depth = 0): unknown {
    const message = this.#messages.get(name);
    invariant(message !== undefined, `no message is called ${name}`);
    if (depth > DEPTH_MAX) throw malformed();
    const found = groupedBy(rawFields(bytes), ({ number }) => number);
    const entries = message.fields.flatMap((field) =>
      this.#entries(field, found.get(field.number) ?? [], depth),
    );
    return message.isChoice ? entries[0]?.[1] : Object.fromEntries(entries);
  }

  /** What the field adds to the object of its message. */
  #entries(field: Field, raws: readonly RawField[], depth: number): readonly Entry[] {
    // A field that is no list may occur several times: the last one counts.
    const last = raws.at(-1);
    if (last === undefined) return [];
    const read = (raw: RawField): unknown => this.#value(field.type, raw, depth);
    if (field.form === "list") return [[field.name, raws.map(read)]];
    if (field.form === "map") {
      // An entry is a message { key = 1, value = 2 }.
      const entries = raws
        .map(bytesOf)
        .map((entry) => [textIn(bytesOf(part(entry, 1))), read(part(entry, 2))]);
      return [[field.name, Object.fromEntries(entries)]];
    }
    const value = read(last);
    if (field.isInline) return Object.entries(Object(value));
    const isZero = value === "" || value === 0 || value === false;
    return value === null || (isZero && !field.keepsZero) ? [] : [[field.name, value]];
  }

  #value(type: string, raw: RawField, depth: number): unknown {
    if (type === "int") return integerOf(raw);
    if (type === "bool") return integerOf(raw) !== 0;
    const bytes = bytesOf(raw);
    const scalar = BYTE_READERS[type];
    return scalar === undefined ? this.read(bytes, type, depth + 1) : scalar(bytes);
  }
}

type Entry = [string, unknown];

/** All fields in the order of the wire. */
export function rawFields(bytes: Uint8Array): readonly RawField[] {
  const fields: RawField[] = [];
  const reader = new Reader(bytes);
  while (!reader.atEnd) fields.push(reader.field());
  return fields;
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
    const number = Math.floor(key / 8);
    switch (key % 8) {
      case 0:
        return { number, integer: this.#varint(), bytes: null };
      case 1:
        return { number, integer: null, bytes: this.#take(8) };
      case 2:
        return { number, integer: null, bytes: this.#take(this.#varint()) };
      case 5:
        return { number, integer: null, bytes: this.#take(4) };
      default:
        throw malformed();
    }
  }

  /** A signed number of at most ten bytes. Few are long, and those pay for bigints. */
  #varint(): number {
    let value = 0;
    let long = 0n;
    for (let index = 0; index < 10; index += 1) {
      const byte = this.#bytes[this.#offset];
      if (byte === undefined) throw malformed();
      this.#offset += 1;
      if (index < 7) value += (byte & 127) * 128 ** index;
      else long |= BigInt(byte & 127) << BigInt(7 * index);
      if (byte < 128) return index < 7 ? value : Number(BigInt.asIntN(64, long | BigInt(value)));
    }
    throw malformed();
  }

  /** The next bytes, without copying; a length beyond the end is malformed. */
  #take(length: number): Uint8Array {
    const end = this.#offset + length;
    if (length < 0 || end > this.#bytes.length) throw malformed();
    const taken = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return taken;
  }
}

/** The value of a varint field; anything else is malformed. */
function integerOf(raw: RawField): number {
  if (raw.integer === null) throw malformed();
  return raw.integer;
}

/** The content of a length-delimited field; anything else is malformed. */
function bytesOf(raw: RawField): Uint8Array {
  if (raw.bytes === null) throw malformed();
  return raw.bytes;
}

function textIn(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw malformed();
  }
}

/** The last field of the number; without one, the zero of its type. */
function part(bytes: Uint8Array, number: number): RawField {
  const last = rawFields(bytes).findLast((raw) => raw.number === number);
  return last ?? { number, integer: 0, bytes: new Uint8Array() };
}

/** Seconds of the years that RFC 3339 can say: 1 to 9999. */
const SECONDS_MIN = -62_135_596_800;
const SECONDS_MAX = 253_402_300_799;

/** Time { seconds = 1, nanos = 2 }; null = the zero time, which has neither. */
function timeOf(bytes: Uint8Array, digits: number): string | null {
  if (bytes.length === 0) return null;
  const seconds = integerOf(part(bytes, 1));
  const nanos = integerOf(part(bytes, 2));
  if (seconds < SECONDS_MIN || seconds > SECONDS_MAX || nanos < 0 || nanos >= 1e9)
    throw malformed();
  const fraction = digits === 0 ? "" : `.${String(nanos).padStart(9, "0").slice(0, digits)}`;
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction}Z`;
}

/** IntOrString { type = 1 (0 integer, 1 text), intVal = 2, strVal = 3 }. */
function intOrText(bytes: Uint8Array): number | string {
  const isText = integerOf(part(bytes, 1)) === 1;
  return isText ? textIn(bytesOf(part(bytes, 3))) : integerOf(part(bytes, 2));
}

/** JSON in the message { raw = 1 }; null where nothing is in it. */
function jsonOf(bytes: Uint8Array): unknown {
  const text = textIn(bytesOf(part(bytes, 1)));
  if (text === "") return null;
  const value = jsonIn(text);
  if (value === undefined) throw malformed();
  return value;
}

function numberOf(bytes: Uint8Array): number {
  if (bytes.length !== 8) throw malformed();
  return new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0, true);
}

/** How fields that are bytes on the wire are read. */
const BYTE_READERS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  text: textIn,
  byte: base64Text,
  number: numberOf,
  time: (bytes) => timeOf(bytes, 0),
  "micro-time": (bytes) => timeOf(bytes, 6),
  "int-or-string": intOrText,
  // Quantity { string = 1 }.
  quantity: (bytes) => textIn(bytesOf(part(bytes, 1))),
  json: jsonOf,
};

function malformed(): Error {
  return badRequest("the body of the request is not valid protobuf");
}

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
