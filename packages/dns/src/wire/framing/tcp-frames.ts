/**
 * Messages over TCP: two bytes of length before each (RFC 1035 §4.2.2, RFC 7766 §8). No sockets
 * here.
 */
import { joinedBytes } from "@zonekeeper/base/bytes";
import { invariant } from "@zonekeeper/base/invariant";
import { MESSAGE_BYTES_MAX } from "../message/message.ts";

/** Puts the length in front. */
export function frameMessage(message: Uint8Array): Uint8Array {
  invariant(message.length <= MESSAGE_BYTES_MAX, "a message over TCP has at most 65535 bytes");
  const framed = new Uint8Array(message.length + 2);
  new DataView(framed.buffer).setUint16(0, message.length);
  framed.set(message, 2);
  return framed;
}

/**
 * Cuts a byte stream into messages. Holds at most one unfinished message and what was pushed last.
 */
export class TcpFrames {
  #chunks: Uint8Array[] = [];
  #size = 0;

  /** Bytes that wait for the rest of their message. */
  get pendingBytes(): number {
    return this.#size;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }

  /** The next whole message, or null when more bytes are needed. */
  take(): Uint8Array | null {
    if (this.#size < 2) return null;
    // No chunk is empty: the two bytes of length are in the first two.
    const heads = this.#chunks.slice(0, 2).map((chunk) => chunk.subarray(0, 2));
    const [high = 0, low = 0] = joinedBytes(heads);
    const length = (high << 8) | low;
    if (this.#size < length + 2) return null;
    const [first] = this.#chunks;
    const isOne = first !== undefined && this.#chunks.length === 1;
    const all = isOne ? first : joinedBytes(this.#chunks);
    const message = new Uint8Array(all.subarray(2, length + 2));
    const rest = all.subarray(length + 2);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    return message;
  }
}
