/**
 * A Net whose only server is a function: each request's bytes go in, and what the function does
 * comes out. Tests only.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Net, TcpStream } from "@zonekeeper/base/ports/net";
import { frameMessage, TcpFrames } from "@zonekeeper/dns/wire/framing/tcp-frames";

/** What a script may do with one request. */
export interface Exchange {
  /** Counts connections from 1. */
  readonly connection: number;
  readonly request: Uint8Array;
  /** Sends a message, framed. */
  reply(message: Uint8Array): void;
  /** Sends raw bytes. */
  raw(bytes: Uint8Array): void;
  /** Ends the connection from the server's side. */
  hangUp(): void;
}

/** Plays one server; every address leads to it. */
export class ScriptedServer implements Net {
  connections = 0;
  isDown = false;
  readonly requests: Uint8Array[] = [];
  readonly #script: (exchange: Exchange) => void;
  #streams: ServerStream[] = [];

  constructor(script: (exchange: Exchange) => void) {
    this.#script = script;
  }

  async connectTcp(): Promise<TcpStream> {
    if (this.isDown) throw broken("connection refused");
    this.connections += 1;
    const connection = this.connections;
    const stream: ServerStream = new ServerStream((request) => {
      this.requests.push(request);
      this.#script({
        connection,
        request,
        reply: (message) => stream.deliver(frameMessage(message)),
        raw: (bytes) => stream.deliver(bytes),
        hangUp: () => stream.close(),
      });
    });
    this.#streams.push(stream);
    return stream;
  }

  /** Ends every open connection, as an idle server does. */
  hangUpAll(): void {
    for (const stream of this.#streams) stream.close();
    this.#streams = [];
  }

  listenTcp(): Promise<never> {
    throw new Error("not scripted");
  }

  bindUdp(): Promise<never> {
    throw new Error("not scripted");
  }
}

function broken(message: string): OperationError {
  return new OperationError({ code: "ConnectFailed", message, retry: "backoff" });
}

class ServerStream implements TcpStream {
  readonly remote = { host: "192.0.2.53", port: 53 };
  readonly #frames = new TcpFrames();
  readonly #onRequest: (request: Uint8Array) => void;
  readonly #inbox: Uint8Array[] = [];
  #isOver = false;
  #wake: (() => void) | null = null;

  constructor(onRequest: (request: Uint8Array) => void) {
    this.#onRequest = onRequest;
  }

  async read(): Promise<Uint8Array | null> {
    while (this.#inbox.length === 0 && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    return this.#inbox.shift() ?? null;
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#isOver) throw broken("connection reset");
    this.#frames.push(bytes);
    for (let next = this.#frames.take(); next !== null; next = this.#frames.take())
      this.#onRequest(next);
  }

  deliver(bytes: Uint8Array): void {
    this.#inbox.push(bytes);
    this.#wake?.();
  }

  close(): void {
    this.#isOver = true;
    this.#wake?.();
  }
}
