/**
 * A Net that can lose the answer to one DNS UPDATE: the request arrives and takes effect, the
 * connection then ends without a byte of the answer. Everything else passes unchanged.
 */
import type { Net, TcpStream } from "@zonekeeper/base/ports/net";

/** Opcode of UPDATE, RFC 2136 §1.3. */
const UPDATE = 5;

/** Wraps `net`; `loseNextUpdate` arms it once, for connections opened before or after. */
export class LosingNet implements Net {
  readonly #net: Net;
  #armed = false;

  constructor(net: Net) {
    this.#net = net;
  }

  loseNextUpdate(): void {
    this.#armed = true;
  }

  async connectTcp(...args: Parameters<Net["connectTcp"]>): Promise<TcpStream> {
    return this.#watched(await this.#net.connectTcp(...args));
  }

  listenTcp(...args: Parameters<Net["listenTcp"]>): ReturnType<Net["listenTcp"]> {
    return this.#net.listenTcp(...args);
  }

  bindUdp(...args: Parameters<Net["bindUdp"]>): ReturnType<Net["bindUdp"]> {
    return this.#net.bindUdp(...args);
  }

  #watched(inner: TcpStream): TcpStream {
    let losing = false;
    return {
      remote: inner.remote,
      close: () => inner.close(),
      write: (bytes) => {
        if (this.#armed && isUpdate(bytes)) {
          this.#armed = false;
          losing = true;
        }
        return inner.write(bytes);
      },
      read: async (timeoutMs) => {
        // The answer comes only after the update took effect; waiting for it makes the loss exact.
        const bytes = await inner.read(timeoutMs);
        if (!losing) return bytes;
        inner.close();
        return null;
      },
    };
  }
}

/** A whole message with its two length bytes (RFC 1035 §4.2.2) stands in one write. */
function isUpdate(bytes: Uint8Array): boolean {
  return (((bytes[4] ?? 0) >> 3) & 15) === UPDATE;
}
