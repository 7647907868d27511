/**
 * Reads bytes that a stranger sent. The first trouble sticks: every later read gives zeros and empty values, so that
 * callers check `trouble` once at the end and in their loops. Never throws, never loops without bound (RFC 1035 §4.1.4).
 */
import { type DnsName, LABEL_BYTES_MAX, trustedDnsName } from "../../model/dns-name.ts";
import { labelText } from "../../model/rdata/name-text.ts";

const NAME_WIRE_BYTES_MAX = 255;
/** First byte of a pointer, RFC 1035 §4.1.4. */
const POINTER = 0xc0;
/** A length byte that RFC 1035 §4.1.4 reserves; stands for a missing one. */
const RESERVED_LABEL = 0x80;
const NOTHING = new Uint8Array(0);

/** A cursor over one message. */
export class WireReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 0;
  #trouble: string | null = null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Next byte to be read, from the start of the message. */
  get offset(): number {
    return this.#offset;
  }

  /** What was wrong first; null = nothing so far. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Bytes that are left. */
  get left(): number {
    return this.#bytes.length - this.#offset;
  }

  /** Marks the message as malformed; only the first reason is kept. */
  fail(reason: string): void {
    this.#trouble ??= `${reason} (at byte ${this.#offset})`;
    this.#offset = this.#bytes.length;
  }

  /** A second cursor at the same place, for looking ahead; its trouble is its own. */
  fork(): WireReader {
    const other = new WireReader(this.#bytes);
    other.#offset = this.#offset;
    return other;
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

  /** Goes to an absolute offset, forwards only. */
  skipTo(offset: number): void {
    if (offset < this.#offset || offset > this.#bytes.length) this.fail("a length is wrong");
    else this.#offset = offset;
  }

  /** A name, compressed or not. Pointers lead strictly backwards, so that every chain ends. */
  name(): DnsName {
    const labels: string[] = [];
    let wireBytes = 1;
    let position = this.#offset;
    let lowest = this.#offset;
    let end: number | null = null;
    for (;;) {
      const length = this.#bytes[position] ?? RESERVED_LABEL;
      if (length >= POINTER) {
        end ??= position + 2;
        position = ((length & 0x3f) << 8) | (this.#bytes[position + 1] ?? 0xffff);
        if (position >= lowest) return this.#badName("a compression pointer leads not backwards");
        lowest = position;
      } else if (length === 0) break;
      else {
        wireBytes += length + 1;
        const trouble = this.#labelTrouble(position, length, wireBytes);
        if (trouble !== null) return this.#badName(trouble);
        labels.push(labelText(this.#bytes.subarray(position + 1, position + 1 + length)));
        position += length + 1;
      }
    }
    this.#offset = end ?? position + 1;
    return trustedDnsName(labels.join("."));
  }

  #labelTrouble(position: number, length: number, wireBytes: number): string | null {
    if (length > LABEL_BYTES_MAX) return "a name ends too early or holds a reserved label type";
    if (wireBytes > NAME_WIRE_BYTES_MAX) return "a name is longer than 255 bytes";
    if (position + 1 + length > this.#bytes.length) return "a label runs over the end";
    return null;
  }

  #badName(reason: string): DnsName {
    this.fail(reason);
    return trustedDnsName("");
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
