/** TCP and UDP. Reading is pulled, so that a slow reader holds the sender back. */

/** Where to connect or listen. */
export interface SocketAddress {
  /** An IP address, or a host name that the platform resolves. */
  readonly host: string;
  /** 0 to 65535; 0 when listening = a free one. */
  readonly port: number;
}

/** One TCP connection. Not for concurrent readers. */
export interface TcpStream {
  readonly remote: SocketAddress;
  /** The next bytes, or null at the end of the stream. Rejects with OperationError on a reset or after `timeoutMs` without bytes. */
  read(timeoutMs?: number): Promise<Uint8Array | null>;
  /** Resolves when the bytes are handed to the system. Rejects with OperationError on a broken connection. */
  write(bytes: Uint8Array): Promise<void>;
  /** Idempotent. Pending reads end with null. */
  close(): void;
}

/** One UDP datagram with its sender. */
export interface Datagram {
  readonly from: SocketAddress;
  readonly bytes: Uint8Array;
}

/** A bound UDP socket. */
export interface UdpSocket {
  readonly local: SocketAddress;
  send(to: SocketAddress, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** A listening TCP socket. */
export interface TcpListener {
  readonly local: SocketAddress;
  /** Stops listening and closes every open connection. */
  close(): Promise<void>;
}

/** The network. All failures are OperationErrors that name the address. */
export interface Net {
  connectTcp(to: SocketAddress, options: { readonly timeoutMs: number }): Promise<TcpStream>;
  listenTcp(at: SocketAddress, onConnection: (stream: TcpStream) => void): Promise<TcpListener>;
  bindUdp(at: SocketAddress, onDatagram: (datagram: Datagram) => void): Promise<UdpSocket>;
}
