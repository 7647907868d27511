/**
 * Plain HTTPS requests to an API server with one user's token, for tests that look at answers as
 * they come.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";

/** Who calls. */
export interface CallerOptions {
  readonly caFile: string;
  /** Null = nobody. */
  readonly token: string | null;
}

/** One request. */
export interface CallerRequest {
  readonly method: string;
  /** With query. */
  readonly path: string;
  /** Lower-case names; `authorization` here wins. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Cut the connection after so many lines; what came by then is the answer. */
  readonly lines?: number;
  /** Cut it, too, when nothing came for so long; default 60 000. */
  readonly silenceMs?: number;
}

/** One answer. */
export interface CallerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

const SILENCE_MS = 60_000;
const CONFLICT = 409;
const PATCH_TRIES_MAX = 5;

/** Keeps its connections until `close`. */
export class HttpsCaller {
  readonly #origin: string;
  readonly #agent: Agent;
  readonly #token: string | null;

  private constructor(origin: string, agent: Agent, token: string | null) {
    this.#origin = origin;
    this.#agent = agent;
    this.#token = token;
  }

  /** Reads the certificate; asks nothing yet. */
  static open(origin: string, options: CallerOptions): HttpsCaller {
    const agent = new Agent({ keepAlive: true, ca: readFileSync(options.caFile) });
    return new HttpsCaller(origin, agent, options.token);
  }

  /** The whole answer. Rejects when no answer comes. */
  call(wanted: CallerRequest): Promise<CallerAnswer> {
    const authorization = this.#token === null ? {} : { authorization: `Bearer ${this.#token}` };
    // Said always: node sends the body of a DELETE without any length otherwise.
    const length = wanted.body === undefined ? 0 : Buffer.byteLength(wanted.body);
    const sized = length === 0 ? {} : { "content-length": length };
    const headers = { ...authorization, ...sized, ...wanted.headers };
    return new Promise((resolve, reject) => {
      const { method, path } = wanted;
      const options = { method, path, headers, agent: this.#agent };
      const sent = request(this.#origin, options, (response) => {
        collect(response, wanted).then(resolve, reject);
      });
      sent.on("error", reject);
      sent.end(wanted.body);
    });
  }

  /** A JSON request that must succeed; returns the parsed answer. */
  async json(method: string, path: string, body?: unknown): Promise<unknown> {
    return parsed({ method, path }, await this.#sendJson(method, path, body));
  }

  /**
   * A merge patch that must succeed. It is sent again after 409, which a kube-apiserver under load
   * answers when another client's write came between its read and its own write.
   */
  async patch(path: string, body: unknown): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#sendJson("PATCH", path, body, "application/merge-patch+json");
      if (answer.status !== CONFLICT || tries === PATCH_TRIES_MAX)
        return parsed({ method: "PATCH", path }, answer);
    }
  }

  #sendJson(
    method: string,
    path: string,
    body?: unknown,
    type = "application/json",
  ): Promise<CallerAnswer> {
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { "content-type": type, accept: "application/json" };
    return this.call({ method, path, headers, ...text });
  }

  /** The status of a GET, 0 when nobody answers. */
  async status(path: string): Promise<number> {
    try {
      return (await this.call({ method: "GET", path })).status;
    } catch {
      return 0;
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(asked: CallerRequest, { status, bytes }: CallerAnswer): unknown {
  const answer = Buffer.from(bytes).toString("utf8");
  if (status >= 300) throw new Error(`${asked.method} ${asked.path} answered ${status}: ${answer}`);
  return JSON.parse(answer);
}

function collect(response: IncomingMessage, wanted: CallerRequest): Promise<CallerAnswer> {
  const { lines = Number.POSITIVE_INFINITY, silenceMs = SILENCE_MS } = wanted;
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const done = (): void => {
      clearTimeout(timer);
      response.destroy();
      const entries = Object.entries(response.headers);
      resolve({
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(entries.map(([name, value]) => [name, String(value)])),
        bytes: Buffer.concat(chunks),
      });
    };
    const timer = setTimeout(done, silenceMs);
    let left = lines;
    response.on("data", (chunk: Uint8Array) => {
      chunks.push(chunk);
      timer.refresh();
      left -= chunk.filter((byte) => byte === NEWLINE).length;
      if (left <= 0) done();
    });
    response.on("end", done);
    response.on("error", reject);
  });
}

const NEWLINE = 10;
