/**
 * Builds a message byte by byte, with name compression (RFC 1035 §4.1.4) and roll-back to a length,
 * which truncation on record set borders needs. Grows as needed up to 64 KiB and a little; the
 * caller checks whether the message fits.
 */
import { type DnsName, NAME_BYTES_MAX, parentOf } from "../../names/dns-name.ts";
import { nameLabels, PLAIN_NAME } from "../../rdata/name-text.ts";

/** Highest offset that a 14-bit pointer reaches. */
const POINTER_MAX = 0x3fff;
/** A growing buffer for one message. */
export class WireWriter {
  #bytes = new Uint8Array(512);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  /** Offsets of names already written, by text. */
  readonly #offsets = new Map<string, number>();

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  u8(value: number): void {
    const at = this.#grow(1);
    this.#view.setUint8(at, value);
  }

  u16(value: number): void {
    const at = this.#grow(2);
    this.#view.setUint16(at, value);
  }

  u32(value: number): void {
    const at = this.#grow(4);
    this.#view.setUint32(at, value);
  }

  /** 48 bits; TSIG's time (RFC 8945 §4.2). */
  u48(value: number): void {
    this.u16(Math.floor(value / 2 ** 32));
    this.u32(value % 2 ** 32);
  }

  bytes(values: Uint8Array): void {
    const start = this.#grow(values.length);
    this.#bytes.set(values, start);
  }

  /** The characters of `text` from `start` up to `end`, each below U+0100, as one byte each. */
  latin1(text: string, start: number, end: number): void {
    const at = this.#grow(end - start) - start;
    for (let index = start; index < end; index += 1)
      this.#bytes[at + index] = text.charCodeAt(index);
  }

  /** Overwrites two bytes at `offset`, e.g. a length that is known only now. */
  patchU16(offset: number, value: number): void {
    this.#view.setUint16(offset, value);
  }

  /**
   * A name; with `compress` a suffix that was written before becomes a pointer. False = the text is
   * no possible name (nothing was written).
   */
  name(name: DnsName, compress: boolean): boolean {
    if (name === "") {
      this.u8(0);
      return true;
    }
    return PLAIN_NAME.test(name) && name.length <= NAME_BYTES_MAX
      ? this.#plainName(name, compress)
      : this.#escapedName(name, compress);
  }

  /** The frequent case: every character is one byte of a label. */
  #plainName(name: DnsName, compress: boolean): boolean {
    for (let start = 0; start < name.length; ) {
      const rest = start === 0 ? name : name.slice(start);
      if (this.#writePointer(rest, compress)) return true;
      const dot = name.indexOf(".", start);
      const end = dot < 0 ? name.length : dot;
      this.u8(end - start);
      this.latin1(name, start, end);
      start = end + 1;
    }
    this.u8(0);
    return true;
  }

  #escapedName(name: DnsName, compress: boolean): boolean {
    const labels = nameLabels(name);
    if (!labels.ok) return false;
    let rest: DnsName | null = name;
    for (const label of labels.value) {
      if (rest !== null && this.#writePointer(rest, compress)) return true;
      this.u8(label.length);
      this.bytes(label);
      rest = rest === null ? null : parentOf(rest);
    }
    this.u8(0);
    return true;
  }

  /**
   * Writes a pointer to `suffix` if it may and can; else remembers the position at which `suffix`
   * is about to be written.
   */
  #writePointer(suffix: string, compress: boolean): boolean {
    const known = this.#offsets.get(suffix);
    if (known !== undefined && compress) {
      this.u16(0xc000 | known);
      return true;
    }
    if (known === undefined && this.#length <= POINTER_MAX) this.#offsets.set(suffix, this.#length);
    return false;
  }

  /**
   * Goes back to an earlier `length` and forgets names behind it, so that no pointer leads there.
   */
  rollBack(length: number): void {
    this.#length = length;
    for (const [name, offset] of this.#offsets) if (offset >= length) this.#offsets.delete(name);
  }

  /** A copy of the bytes written so far. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #grow(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    this.#length = needed;
    return start;
  }
}
