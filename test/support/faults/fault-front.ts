/**
 * HTTPS on 127.0.0.1 in front of a real API server, with faults on demand: it passes requests on
 * and answers back, and breaks what it is told to break on the real socket. Watches are named,
 * because most faults are theirs.
 */
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, request as ask, createServer, type Server } from "node:https";
import type { Socket } from "node:net";
import { join } from "node:path";
import { provideReflectMetadata } from "../../../src/app/commands/process/certificates.ts";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";
import { OpenWatch } from "./open-watch.ts";

/** Where requests go. */
export interface Upstream {
  readonly url: string;
  readonly caFile: string;
}

/** What comes in place of the server's answer. */
export interface FalseAnswer {
  /** `hang`: nothing at all. `cut`: the server's answer until its middle, then a reset. */
  readonly instead: "hang" | "cut" | { readonly status: number; readonly body: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** How many requests it is for. */
  readonly times: number;
}

interface Rule extends FalseAnswer {
  readonly match: RegExp;
  left: number;
}

/** Listens until `close`; the port stays the same while it is down. */
export class FaultFront {
  /** `GET /path?query` of all requests, in order. */
  readonly asked: string[] = [];
  /** Most requests of one collection that were under way at once and were no watches. */
  listsAtOnceMax = 0;
  readonly caFile: string;
  readonly #folder: TempFolder;
  readonly #server: Server;
  readonly #watches = new Set<OpenWatch>();
  /** By the client's port: below TLS, because a TLS socket cannot send a RST. */
  readonly #sockets = new Map<number | undefined, Socket>();
  #upstream: { readonly url: string; readonly agent: Agent };
  #rules: Rule[] = [];
  #lists = 0;
  #port = 0;

  private constructor(folder: TempFolder, server: Server, upstream: Upstream) {
    this.#folder = folder;
    this.#server = server;
    this.caFile = join(folder.path, "ca.pem");
    this.#upstream = agentOf(upstream);
    server.on("connection", (socket: Socket) => {
      const { remotePort } = socket;
      this.#sockets.set(remotePort, socket);
      socket.once("close", () => this.#sockets.delete(remotePort));
    });
    server.on("request", (request, response) => void this.#serve(request, response));
  }

  /** Listens on a free port with a certificate of its own. */
  static async open(upstream: Upstream): Promise<FaultFront> {
    provideReflectMetadata();
    const issue = await import("../../../src/app/commands/process/issue-certificate.ts");
    const validity = { nowMs: Date.now(), days: 2 };
    const ca = await issue.issueAuthority(validity);
    const pair = await issue.issueServer(ca, { ...validity, hosts: ["127.0.0.1"] });
    const folder = makeTempFolder("fault-front");
    const server = createServer({ key: pair.key, cert: pair.certificate });
    const front = new FaultFront(folder, server, upstream);
    writeFileSync(front.caFile, ca.certificate);
    await front.up();
    return front;
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** The watches that are open now. */
  get watches(): readonly OpenWatch[] {
    return [...this.#watches];
  }

  /** Those among them whose request fits. */
  watchesOf(match: RegExp): readonly OpenWatch[] {
    return this.watches.filter(({ line }) => match.test(line));
  }

  /** Requests asked that fit. */
  countOf(match: RegExp): number {
    return this.asked.filter((line) => match.test(line)).length;
  }

  /** The next requests that fit are answered falsely. */
  answer(match: RegExp, falsely: FalseAnswer): void {
    this.#rules.push({ match, left: falsely.times, ...falsely });
  }

  /** All is as the server says again; watches that were broken stay so. */
  heal(): void {
    this.#rules = [];
  }

  /** From now on another server stands behind the same address. */
  leadTo(upstream: Upstream): void {
    this.#upstream.agent.destroy();
    this.#upstream = agentOf(upstream);
  }

  /** Resets every connection and refuses new ones. */
  async down(): Promise<void> {
    for (const watch of this.watches) watch.reset();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Listens again. */
  async up(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address !== null && typeof address !== "string") this.#port = address.port;
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.down();
    this.#upstream.agent.destroy();
    this.#folder.remove();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const line = `${request.method} ${request.url}`;
    this.asked.push(line);
    const rule = this.#rules.find(({ match, left }) => left > 0 && match.test(line));
    if (rule !== undefined) rule.left -= 1;
    if (rule?.instead === "hang") return;
    if (rule !== undefined && rule.instead !== "cut") {
      response.writeHead(rule.instead.status, rule.headers).end(rule.instead.body);
      return;
    }
    if (/[?&]limit=/.test(line)) this.#countList(response);
    try {
      const answer = await this.#passOn(request);
      if (/[?&]watch=true/.test(line)) this.#relay(line, answer, response);
      else await this.#copy(answer, response, rule !== undefined);
    } catch {
      response.destroy();
    }
  }

  #countList(response: ServerResponse): void {
    this.#lists += 1;
    this.listsAtOnceMax = Math.max(this.listsAtOnceMax, this.#lists);
    response.once("close", () => {
      this.#lists -= 1;
    });
  }

  #relay(line: string, answer: IncomingMessage, response: ServerResponse): void {
    const watch = new OpenWatch(line, { answer, response }, () => this.#reset(response));
    this.#watches.add(watch);
    response.once("close", () => this.#watches.delete(watch));
  }

  #passOn(request: IncomingMessage): Promise<IncomingMessage> {
    const { url, agent } = this.#upstream;
    const { host: _own, connection: _hop, ...headers } = request.headers;
    return new Promise((resolve, reject) => {
      const { method, url: path } = request;
      const onward = ask(url + (path ?? "/"), { method, headers, agent }, resolve);
      onward.on("error", reject);
      request.pipe(onward);
    });
  }

  async #copy(answer: IncomingMessage, response: ServerResponse, isCut: boolean): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer) chunks.push(chunk);
    const whole = Buffer.concat(chunks);
    response.writeHead(answer.statusCode ?? 502, {
      "content-type": answer.headers["content-type"] ?? "",
      "content-length": whole.length,
    });
    if (!isCut) {
      response.end(whole);
      return;
    }
    const half = whole.subarray(0, Math.ceil(whole.length / 2));
    await new Promise((resolve) => response.write(half, resolve));
    this.#reset(response);
  }

  #reset(response: ServerResponse): void {
    this.#sockets.get(response.socket?.remotePort)?.resetAndDestroy();
    response.destroy();
  }
}

function agentOf({ url, caFile }: Upstream): { readonly url: string; readonly agent: Agent } {
  return { url, agent: new Agent({ keepAlive: true, ca: readFileSync(caFile) }) };
}
