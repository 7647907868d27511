/**
 * What fakes of vendors' APIs share: an HTTP server on loopback that notes calls and goes wrong as
 * tests say. What is answered is a fake's own.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

/** What goes wrong with the next call. */
export type ApiFault =
  /** The call is refused; nothing was done. */
  | {
      readonly is: "refused";
      readonly status: number;
      /** As it is sent: JSON, or anything else. */
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection breaks before or after the call takes effect. */
  | { readonly is: "cut-before" | "cut-after" }
  /** The answer ends in the middle. */
  | { readonly is: "half" }
  /** So it does, and its length says that this is all. */
  | { readonly is: "shortened" };

/** A call as the fake reads it. */
export interface FakeCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the fake answers. */
export interface FakeAnswer {
  readonly status: number;
  /** Sent as JSON; absent = `text`. */
  readonly body?: unknown;
  /** Sent as it is; absent = no body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What was asked of the fake. */
export interface SeenCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** PEM of a server's certificate and its key. */
export interface TlsPair {
  readonly certificate: string;
  readonly key: string;
  /** Whom clients must be vouched for by; absent = they show no certificate. */
  readonly clientCa?: string;
}

/** A fake as conformance breaks it. */
export interface BreakableFake extends Pick<FakeApi, "breakNext" | "takeCalls"> {
  /** Good answers have another form from now on; the fake keeps its state. */
  rewrite?(as: (answer: FakeAnswer) => FakeAnswer): void;
  /** Method and path of calls that change a zone, and of those that list its records. */
  readonly writes: RegExp;
  readonly listings: RegExp;
  /**
   * The credentials of open sessions expire; sessions that are opened from now have new ones.
   * Answers the secrets that expired.
   */
  renewCredentials(): readonly string[];
}

/** A running fake; `answer` decides. */
export abstract class FakeApi {
  readonly #calls: SeenCall[] = [];
  readonly #faults: { readonly at: RegExp; readonly fault: ApiFault }[] = [];
  readonly #server: Server;
  #rewrite: (answer: FakeAnswer) => FakeAnswer = (answer) => answer;
  /** In front of it, where clients insist on TLS. */
  #front: NetServer | null = null;

  constructor() {
    this.#server = createServer((request, response) => {
      void this.#serve(request, response);
    });
    // A loaded machine leaves connections idle for longer than the 5 s of Node.
    this.#server.keepAliveTimeout = 60_000;
  }

  /** `http://127.0.0.1:port`, or https. */
  async start(tls: TlsPair | null = null): Promise<string> {
    if (tls !== null)
      this.#front = createTlsServer(frontOf(tls), (socket) => {
        this.#server.emit("connection", socket);
      });
    const server = this.#front ?? this.#server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    return `${tls === null ? "http" : "https"}://127.0.0.1:${port}`;
  }

  /** The next call whose method and path fit fails so. */
  breakNext(at: RegExp, fault: ApiFault): void {
    this.#faults.push({ at, fault });
  }

  /** The next call that fits is answered so; what is no text is sent as JSON. */
  answerNext(at: RegExp, status: number, given: unknown): void {
    const body = typeof given === "string" ? given : JSON.stringify(given);
    this.breakNext(at, { is: "refused", status, body });
  }

  /** The next call that fits is one too many; `afterSeconds`: null = for how long is not said. */
  throttleNext(at: RegExp, body: string, afterSeconds: number | null): void {
    const headers = afterSeconds === null ? {} : { "retry-after": String(afterSeconds) };
    this.breakNext(at, { is: "refused", status: 429, body, headers });
  }

  /** Calls since the last question. */
  takeCalls(): readonly SeenCall[] {
    return this.#calls.splice(0);
  }

  /** See `BreakableFake`. */
  breakable(
    calls: Pick<BreakableFake, "writes" | "listings">,
    renewCredentials: BreakableFake["renewCredentials"],
  ): BreakableFake {
    return {
      ...calls,
      breakNext: (at, fault) => this.breakNext(at, fault),
      takeCalls: () => this.takeCalls(),
      rewrite: (as) => {
        this.#rewrite = as;
      },
      renewCredentials,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    const server = this.#front ?? this.#server;
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  protected abstract answer(call: FakeCall): FakeAnswer;

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    const { method = "", url = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    this.#calls.push({ method, path: url, body });
    const index = this.#faults.findIndex(({ at }) => at.test(`${method} ${url}`));
    const fault = index < 0 ? undefined : this.#faults.splice(index, 1)[0]?.fault;
    if (fault?.is === "cut-before") return void request.socket.destroy();
    if (fault?.is === "refused") {
      response.writeHead(fault.status, { ...fault.headers });
      return void response.end(fault.body);
    }
    const answer = this.answer({ method, url: new URL(url, "http://fake"), headers, body });
    if (fault?.is === "cut-after") return void request.socket.destroy();
    send(response, answer.status < 300 ? this.#rewrite(answer) : answer, fault);
  }
}

function frontOf({ certificate: cert, key, clientCa: ca }: TlsPair): TlsOptions {
  const asksClients = { ca, requestCert: true, rejectUnauthorized: true };
  return { cert, key, ...(ca === undefined ? {} : asksClients) };
}

function send(response: ServerResponse, answer: FakeAnswer, fault: ApiFault | undefined): void {
  const isJson = answer.body !== undefined;
  const text = isJson ? JSON.stringify(answer.body) : (answer.text ?? "");
  const contentType = isJson ? { "content-type": "application/json" } : {};
  const headers = { ...contentType, ...answer.headers };
  if (fault?.is !== "half") {
    response.writeHead(answer.status, headers);
    return void response.end(fault === undefined ? text : text.slice(0, text.length / 2));
  }
  response.writeHead(answer.status, { ...headers, "content-length": Buffer.byteLength(text) });
  response.write(text.slice(0, text.length / 2));
  setTimeout(() => response.socket?.destroy(), 10);
}
