/** A client that opens TCP connections as fast as they close and sends something on each. */
import { connect, type Socket } from "node:net";

/** Connections at once; more than any server of ours takes from one address. */
const AT_ONCE = 400;

/** Floods a port of this host until `stop`. */
export class Flood {
  readonly #port: number;
  readonly #bytes: Uint8Array;
  readonly #open = new Set<Socket>();
  #isOver = false;
  /** Connections that were opened. */
  opened = 0;

  constructor(port: number, bytes: Uint8Array) {
    this.#port = port;
    this.#bytes = bytes;
    for (let count = 0; count < AT_ONCE; count++) this.#next();
  }

  stop(): void {
    this.#isOver = true;
    for (const socket of this.#open) socket.destroy();
  }

  #next(): void {
    if (this.#isOver) return;
    const socket = connect({ host: "127.0.0.1", port: this.#port });
    this.#open.add(socket);
    socket.on("connect", () => {
      this.opened += 1;
      socket.write(this.#bytes);
    });
    socket.on("error", () => {});
    socket.resume().once("close", () => {
      this.#open.delete(socket);
      // Not at once: a port that refuses would leave this process no time for anything else.
      setTimeout(() => this.#next(), 5);
    });
  }
}
