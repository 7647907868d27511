/**
 * The Net port over node:net and node:dgram. Every failure is an OperationError that names the
 * address. Bytes of a connection stay in the socket's buffer until they are read, so that a slow
 * reader holds the sender back.
 */
import { createSocket, type Socket as DgramSocket } from "node:dgram";
import { createServer, connect as dial, isIPv6, type Server, type Socket } from "node:net";
import { permanent, retryable } from "@zonekeeper/base/operation-error";
import type {
  ConnectOptions,
  Datagram,
  Net,
  SocketAddress,
  TcpListener,
  TcpStream,
  TlsServerOptions,
  UdpSocket,
} from "@zonekeeper/base/ports/net";
import { isRefusedLiteral, lookupFor, NotDialled } from "./guarded-lookup.ts";
import { networkError, timeoutError } from "./system-error.ts";
import { alpnTrouble, createTlsServer, dialTls } from "./tls-sockets.ts";

/** A DNS over UDP answer must not be lost to a small kernel buffer under a burst of queries. */
const UDP_RECEIVE_BUFFER_BYTES = 1024 * 1024;

/** Real sockets. */
export class RealNet implements Net {
  connectTcp(to: SocketAddress, options: ConnectOptions): Promise<TcpStream> {
    const { timeoutMs, tls, mayDial } = options;
    return new Promise((resolve, reject) => {
      if (isRefusedLiteral(to.host, mayDial)) throw networkError("connect", to, new NotDialled());
      const { host, port } = to;
      const socket =
        tls === undefined
          ? dial({ host, port, ...HALF_OPEN, ...lookupFor(mayDial) })
          : dialTls(to, tls, mayDial);
      const cancel = afterMs(timeoutMs, () => {
        socket.destroy();
        reject(timeoutError("ConnectTimeout", to, timeoutMs));
      });
      const failed = (error: Error): void => {
        cancel();
        reject(networkError("connect", to, error));
      };
      socket.once("error", failed);
      socket.once(tls === undefined ? "connect" : "secureConnect", () => {
        cancel();
        const stream = new NodeTcpStream(socket);
        socket.off("error", failed);
        const trouble = tls === undefined ? null : alpnTrouble(socket, to, tls.alpn);
        if (trouble === null) resolve(stream);
        else {
          stream.destroy();
          reject(trouble);
        }
      });
    });
  }

  async listenTcp(
    at: SocketAddress,
    onConnection: (stream: TcpStream) => void,
    tls?: TlsServerOptions,
  ): Promise<TcpListener> {
    const open = new Set<Socket>();
    const server = tls === undefined ? createServer(HALF_OPEN) : createTlsServer(tls);
    // Of a TLS server too: what is in its handshake is closed with the rest.
    server.on("connection", (socket: Socket) => {
      open.add(socket);
      socket.once("close", () => open.delete(socket));
    });
    server.on(tls === undefined ? "connection" : "secureConnection", (socket: Socket) =>
      onConnection(new NodeTcpStream(socket)),
    );
    const local = await listening(server, at);
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      });
    return { local, close };
  }

  bindUdp(at: SocketAddress, onDatagram: (datagram: Datagram) => void): Promise<UdpSocket> {
    return new Promise((resolve, reject) => {
      const socket = createSocket({ type: isIPv6(at.host) ? "udp6" : "udp4" });
      const failed = (error: Error): void => {
        socket.close();
        reject(networkError("listen", at, error));
      };
      socket.once("error", failed);
      socket.on("message", (bytes, from) =>
        onDatagram({ from: { host: from.address, port: from.port }, bytes }),
      );
      socket.bind(at.port, at.host, () => {
        socket.off("error", failed);
        // ICMP refusals of earlier answers surface here; the peer is gone, which is its own affair.
        socket.on("error", () => {});
        try {
          socket.setRecvBufferSize(UDP_RECEIVE_BUFFER_BYTES);
        } catch {
          // The system's limit is smaller: its default stays.
        }
        resolve(udpSocket(socket));
      });
    });
  }
}

/**
 * Calls back after so long, and after what has arrived by then was looked at: Node runs timers
 * before it looks at sockets, so a busy process would miss a connection that is there. Answers what
 * cancels it.
 */
function afterMs(ms: number, onOver: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    immediate = setImmediate(onOver);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

function udpSocket(socket: DgramSocket): UdpSocket {
  const { address, port } = socket.address();
  let closed: Promise<void> | null = null;
  return {
    local: { host: address, port },
    send: (to, bytes) =>
      new Promise((resolve, reject) => {
        if (closed !== null) {
          const message = `send ${to.host}:${to.port}: the socket is closed`;
          reject(permanent("ConnectionLost", message));
          return;
        }
        socket.send(bytes, to.port, to.host, (error) => {
          if (error) reject(networkError("send", to, error));
          else resolve();
        });
      }),
    close: () => {
      closed ??= new Promise((resolve) => socket.close(() => resolve()));
      return closed;
    },
  };
}

function listening(server: Server, at: SocketAddress): Promise<SocketAddress> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(networkError("listen", at, error)));
    server.listen({ host: at.host, port: at.port }, () => {
      const bound = server.address();
      if (bound === null || typeof bound === "string") return;
      resolve({ host: bound.address, port: bound.port });
    });
  });
}

/** Of every socket: the end of what the peer sends is not the end of what it reads. */
const HALF_OPEN = { allowHalfOpen: true, noDelay: true } as const;

/** Wraps a connected socket that was made with `allowHalfOpen` and has no data listener. */
class NodeTcpStream implements TcpStream {
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
