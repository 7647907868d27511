/**
 * Reads untrusted bytes. The first trouble sticks: every later read gives zeros and empty values,
 * so that callers check `trouble` once at the end and in their loops. Never throws, never loops
 * without bound (RFC 1035 §4.1.4).
 */
import { type DnsName, LABEL_BYTES_MAX, trustedDnsName } from "../../names/dns-name.ts";
import { labelText } from "../../rdata/name-text.ts";

const NAME_WIRE_BYTES_MAX = 255;
/** First byte of a pointer, RFC 1035 §4.1.4. */
const POINTER = 0xc0;
/** A length byte that RFC 1035 §4.1.4 reserves; used when the length byte is missing. */
const RESERVED_LABEL = 0x80;
/** A chain that is longer was not made by a server; a name has at most 127 labels. */
const POINTERS_MAX = 128;
const NOTHING = new Uint8Array(0);

interface ReadName {
  readonly text: string;
  /** Length without compression, the root's byte included. */
  readonly wireBytes: number;
  /** Offset behind it. */
  readonly end: number;
}

/** A cursor over one message. */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;
  #trouble: string | null = null;
  /**
   * Names that pointers led to, by offset. Kept because most names of a message end in one of a
   * few.
   */
  readonly #names = new Map<number, ReadName>();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Next byte to be read, from the start of the message. */
  get offset(): number {
    return this.#offset;
  }

  /** The first fault; null = none so far. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Bytes still to be read. */
  get left(): number {
    return this.#bytes.length - this.#offset;
  }

  /** Marks the message as malformed; only the first reason is kept. */
  fail(reason: string): void {
    this.#trouble ??= `${reason} (at byte ${this.#offset})`;
    this.#offset = this.#bytes.length;
  }

  u8(): number {
    return this.#has(1) ? this.#view.getUint8(this.#advance(1)) : 0;
  }

  u16(): number {
    return this.#has(2) ? this.#view.getUint16(this.#advance(2)) : 0;
  }

  u32(): number {
    return this.#has(4) ? this.#view.getUint32(this.#advance(4)) : 0;
  }

  /** 48 bits, exact in a double; TSIG's time (RFC 8945 §4.2). */
  u48(): number {
    return this.u16() * 2 ** 32 + this.u32();
  }

  /** A view of the next `count` bytes; empty after trouble. */
  take(count: number): Uint8Array {
    if (!this.#has(count)) return NOTHING;
    const start = this.#advance(count);
    return this.#bytes.subarray(start, start + count);
  }

  /**
   * A name, compressed or not. Pointers lead strictly backwards and a chain has at most 128 of
   * them.
   */
  name(): DnsName {
    const read = this.#nameAt(this.#offset, 0);
    if (read === null) return trustedDnsName("");
    this.#offset = read.end;
    return trustedDnsName(read.text);
  }

  /**
   * The labels of a name that must not be compressed (RFC 9460 §2.2), case kept; a pointer is
   * trouble.
   */
  plainLabels(): readonly Uint8Array[] {
    const labels: Uint8Array[] = [];
    let wireBytes = 1;
    for (let length = this.u8(); length > 0; length = this.u8()) {
      wireBytes += length + 1;
      if (length > LABEL_BYTES_MAX)
        this.fail("a name is compressed or holds a reserved label type");
      else if (wireBytes > NAME_WIRE_BYTES_MAX) this.fail("a name is longer than 255 bytes");
      else labels.push(this.take(length));
    }
    return labels;
  }

  /** Skips a name without following a pointer. */
  skipName(): void {
    let length = this.u8();
    while (length > 0 && length <= LABEL_BYTES_MAX) {
      this.take(length);
      length = this.u8();
    }
    if (length >= POINTER) this.take(1);
    else if (length > 0) this.fail("a name holds a reserved label type");
  }

  /**
   * The type of the record that begins here, without moving; 0 when there is none. A fault in it is
   * not recorded.
   */
  peekRecordType(): number {
    const offset = this.#offset;
    const trouble = this.#trouble;
    this.skipName();
    const type = this.u16();
    this.#offset = offset;
    this.#trouble = trouble;
    return type;
  }

  #nameAt(start: number, hops: number): ReadName | null {
    let text = "";
    let wireBytes = 1;
    let position = start;
    for (;;) {
      const length = this.#bytes[position] ?? RESERVED_LABEL;
      if (length === 0) return { text, wireBytes, end: position + 1 };
      if (length >= POINTER) {
        const suffix = this.#nameBehindPointer(position, start, hops);
        if (suffix === null) return null;
        const total = wireBytes + suffix.wireBytes - 1;
        if (total > NAME_WIRE_BYTES_MAX) return this.#badName("a name is longer than 255 bytes");
        const dot = text === "" || suffix.text === "" ? "" : ".";
        return { text: text + dot + suffix.text, wireBytes: total, end: position + 2 };
      }
      wireBytes += length + 1;
      if (length > LABEL_BYTES_MAX)
        return this.#badName("a name ends too early or holds a reserved label type");
      if (wireBytes > NAME_WIRE_BYTES_MAX) return this.#badName("a name is longer than 255 bytes");
      if (position + 1 + length > this.#bytes.length)
        return this.#badName("a label runs over the end");
      const label = labelText(this.#bytes.subarray(position + 1, position + 1 + length));
      text = text === "" ? label : `${text}.${label}`;
      position += length + 1;
    }
  }

  /** The name to which the pointer at `position` leads, in a name that began at `start`. */
  #nameBehindPointer(position: number, start: number, hops: number): ReadName | null {
    if (position + 2 > this.#bytes.length) return this.#badName("a pointer runs over the end");
    const target = this.#view.getUint16(position) & 0x3fff;
    if (target >= start) return this.#badName("a compression pointer does not lead backwards");
    if (hops >= POINTERS_MAX) return this.#badName("a name follows too many pointers");
    const name = this.#names.get(target) ?? this.#nameAt(target, hops + 1);
    if (name !== null) this.#names.set(target, name);
    return name;
  }

  #badName(reason: string): null {
    this.fail(reason);
    return null;
  }

  #has(count: number): boolean {
    if (this.#trouble !== null) return false;
    if (count <= this.left) return true;
    this.fail("the message ends too early");
    return false;
  }

  #advance(count: number): number {
    const start = this.#offset;
    this.#offset += count;
    return start;
  }
}
