/**
 * One TCP connection as the pulled TcpStream of ports/net.ts. Bytes stay in the socket's buffer
 * until they are read, so that a slow reader holds the sender back.
 */
import type { Socket } from "node:net";
import { retryable } from "@zonekeeper/base/operation-error";
import type { SocketAddress, TcpStream } from "@zonekeeper/base/ports/net";
import { networkError, timeoutError } from "./system-error.ts";

/** Wraps a connected socket that was made with `allowHalfOpen` and has no data listener. */
export class NodeTcpStream implements TcpStream {
  readonly remote: SocketAddress;
  readonly #socket: Socket;
  #failure: unknown = null;
  #over = false;
  #wake: (() => void) | null = null;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.remote = { host: socket.remoteAddress ?? "", port: socket.remotePort ?? 0 };
    const wake = (): void => this.#wake?.();
    socket.on("readable", wake);
    socket.once("end", () => this.#finish());
    socket.once("close", () => this.#finish());
    socket.on("error", (error) => {
      this.#failure ??= error;
      this.#finish();
    });
  }

  async read(timeoutMs?: number): Promise<Uint8Array | null> {
    for (;;) {
      const chunk: unknown = this.#socket.destroyed ? null : this.#socket.read();
      if (chunk instanceof Uint8Array) return chunk;
      if (this.#failure !== null) throw networkError("read", this.remote, this.#failure);
      if (this.#over || this.#socket.destroyed) return null;
      await this.#readable(timeoutMs);
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#socket.destroyed) {
        const { host, port } = this.remote;
        const closed = retryable(
          "ConnectionLost",
          `write ${host}:${port}: the connection is closed`,
        );
        reject(networkError("write", this.remote, this.#failure ?? closed));
        return;
      }
      this.#socket.write(bytes, (error) => {
        if (error) reject(networkError("write", this.remote, error));
        else resolve();
      });
    });
  }

  /** Bytes that were written before are still delivered. */
  close(): void {
    this.#finish();
    this.#socket.destroySoon();
  }

  /** Ends the connection without delivering what is buffered. */
  destroy(): void {
    this.#finish();
    this.#socket.destroy();
  }

  #finish(): void {
    this.#over = true;
    this.#wake?.();
  }

  #readable(timeoutMs: number | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        timeoutMs === undefined
          ? null
          : setTimeout(() => {
              this.#wake = null;
              reject(timeoutError("ReadTimeout", this.remote, timeoutMs));
            }, timeoutMs);
      this.#wake = () => {
        this.#wake = null;
        if (timer !== null) clearTimeout(timer);
        resolve();
      };
    });
  }
}
