/**
 * A control plane on a memory store and a virtual clock, spoken to without sockets. For tests only.
 */

import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { Store } from "@zonekeeper/base/ports/store";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { ControlPlane } from "@zonekeeper/kube/control-plane/control-plane";
import { type JsonObject, objectAt } from "@zonekeeper/kube/control-plane/json/json";
import { embeddedDefinitions } from "../../../src/app/commands/run/definitions.ts";
import { MemoryLog, SeededRandom } from "../ports/test-ports.ts";
import { VirtualClock } from "../ports/virtual-clock.ts";

/** The token of the user `admin`. */
export const ADMIN_TOKEN = "admin-token-0123456789";
/** Path of DNSEntries in the namespace default. */
export const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";
/** Path of the core API in the namespace default. */
export const CORE = "/api/v1/namespaces/default";

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly text: string;
  /** The body as JSON; an empty object when it is none. */
  readonly body: JsonObject;
}

/** A watch that is being read. */
export interface OpenWatch {
  readonly status: number;
  /**
   * The next event; throws when none comes though everything has settled. Null = the stream has
   * ended.
   */
  next(): Promise<{ readonly type: string; readonly object: JsonObject } | null>;
  /** The client goes away. */
  close(): Promise<void>;
}

/** Where an API begins. */
export interface TestApiOptions {
  readonly store?: Store;
  readonly seed?: number;
  readonly clock?: VirtualClock;
}

/** One control plane and a client of it. */
export class TestApi {
  readonly plane: ControlPlane;
  readonly clock: VirtualClock;
  readonly #log: MemoryLog;

  private constructor(plane: ControlPlane, clock: VirtualClock, log: MemoryLog) {
    this.plane = plane;
    this.clock = clock;
    this.#log = log;
  }

  static async open(options: TestApiOptions = {}): Promise<TestApi> {
    const clock = options.clock ?? new VirtualClock();
    const log = new MemoryLog();
    const plane = await ControlPlane.open({
      store: options.store ?? new MemoryStore(),
      clock,
      random: new SeededRandom(options.seed ?? 1),
      log,
      definitions: embeddedDefinitions(),
      tokens: [
        { name: "admin", token: ADMIN_TOKEN },
        { name: "zonekeeper", token: "controller-token-0123456789" },
      ],
    });
    return new TestApi(plane, clock, log);
  }

  /** Everything that was logged. */
  get logText(): string {
    return JSON.stringify(this.#log.lines);
  }

  /** One request with the admin's token. `body` is sent as JSON unless it is bytes. */
  async request(
    method: string,
    path: string,
    options: { readonly body?: unknown; readonly headers?: HttpHeaders } = {},
  ): Promise<Answer> {
    const { body } = options;
    const response = await this.plane.handler({
      method,
      path,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...options.headers },
      body: body === undefined ? null : bytesOf(body),
      signal: new AbortController().signal,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
    const value: unknown = isJson && text !== "" ? JSON.parse(text) : {};
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: objectAt({ value }, "value"),
    };
  }

  get(path: string, headers: HttpHeaders = {}): Promise<Answer> {
    return this.request("GET", path, { headers });
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.request("POST", path, { body });
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.request("PUT", path, { body });
  }

  /** A merge patch unless `type` says another: `json-patch+json`, `strategic-merge-patch+json`. */
  patch(path: string, body: unknown, type = "merge-patch+json"): Promise<Answer> {
    return this.request("PATCH", path, {
      body,
      headers: { "content-type": `application/${type}` },
    });
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.request("DELETE", path, body === undefined ? {} : { body });
  }

  /** The object after a request that has to succeed. */
  async made(answer: Promise<Answer>): Promise<JsonObject> {
    const { status, body, text } = await answer;
    if (status >= 300) throw new Error(`answered ${status}: ${text}`);
    return body;
  }

  async watch(path: string, headers: HttpHeaders = {}): Promise<OpenWatch> {
    const gone = new AbortController();
    const response = await this.plane.handler({
      method: "GET",
      path,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
      body: null,
      signal: gone.signal,
    });
    const lines = linesOf(response.body);
    let waiting: Promise<IteratorResult<string>> | null = null;
    return {
      status: response.status,
      next: async () => {
        waiting ??= lines.next();
        const settled = this.clock.settle().then(() => null);
        const result = await Promise.race([waiting, settled]);
        if (result === null) throw new Error("no event came");
        waiting = null;
        if (result.done === true) return null;
        const event: unknown = JSON.parse(result.value);
        return {
          type: String(objectAt({ event }, "event")["type"]),
          object: objectAt(event, "object"),
        };
      },
      close: async () => {
        gone.abort();
        await this.clock.settle();
      },
    };
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of body) {
    const pieces = (rest + Buffer.from(chunk).toString("utf8")).split("\n");
    rest = pieces.pop() ?? "";
    yield* pieces;
  }
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}

/** A DNSEntry as a user writes it. */
export function entry(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { name },
    spec: { dnsName: `${name}.example.org`, targets: ["192.0.2.1"], ...spec },
  };
}

/** A Service of type LoadBalancer as a user writes it. */
export function service(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { type: "LoadBalancer", ports: [{ port: 80 }], ...spec },
  };
}
