/** The Net port over node:net and node:dgram. Every failure is an OperationError that names the address. */
import { createSocket, type Socket as DgramSocket } from "node:dgram";
import { createServer, connect as dial, isIPv6, type Server, type Socket } from "node:net";
import { OperationError } from "../../model/operation-error.ts";
import type {
  Datagram,
  Net,
  SocketAddress,
  TcpListener,
  TcpStream,
  UdpSocket,
} from "../../ports/net.ts";
import { networkError, timeoutError } from "./system-error.ts";
import { NodeTcpStream } from "./tcp-stream.ts";

/** A DNS over UDP answer must not be lost to a small kernel buffer under a burst of queries. */
const UDP_RECEIVE_BUFFER_BYTES = 1024 * 1024;

/** Real sockets. */
export class RealNet implements Net {
  connectTcp(to: SocketAddress, options: { readonly timeoutMs: number }): Promise<TcpStream> {
    return new Promise((resolve, reject) => {
      const socket = dial({ host: to.host, port: to.port, allowHalfOpen: true, noDelay: true });
      const timer = setTimeout(() => {
        socket.destroy();
        reject(timeoutError("ConnectTimeout", to, options.timeoutMs));
      }, options.timeoutMs);
      const failed = (error: Error): void => {
        clearTimeout(timer);
        reject(networkError("connect", to, error));
      };
      socket.once("error", failed);
      socket.once("connect", () => {
        clearTimeout(timer);
        const stream = new NodeTcpStream(socket);
        socket.off("error", failed);
        resolve(stream);
      });
    });
  }

  async listenTcp(
    at: SocketAddress,
    onConnection: (stream: TcpStream) => void,
  ): Promise<TcpListener> {
    const open = new Set<NodeTcpStream>();
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
      const stream = new NodeTcpStream(socket);
      open.add(stream);
      socket.once("close", () => open.delete(stream));
      onConnection(stream);
    });
    const local = await listening(server, at);
    return { local, close: () => closeServer(server, open) };
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
        growReceiveBuffer(socket);
        resolve(udpSocket(socket));
      });
    });
  }
}

function growReceiveBuffer(socket: DgramSocket): void {
  try {
    socket.setRecvBufferSize(UDP_RECEIVE_BUFFER_BYTES);
  } catch {
    // The system's limit is smaller: its default stays.
  }
}

function udpSocket(socket: DgramSocket): UdpSocket {
  const { address, port } = socket.address();
  let closed: Promise<void> | null = null;
  return {
    local: { host: address, port },
    send: (to, bytes) =>
      new Promise((resolve, reject) => {
        if (closed !== null) {
          reject(closedError(to));
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

function closedError(to: SocketAddress): OperationError {
  return new OperationError({
    code: "ConnectionLost",
    message: `send ${to.host}:${to.port}: the socket is closed`,
    retry: "never",
  });
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

function closeServer(server: Server, open: ReadonlySet<NodeTcpStream>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const stream of open) stream.destroy();
  });
}
