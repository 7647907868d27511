/**
 * A Kubernetes-compatible API in one object: give it a Store and it answers HTTP requests. It opens no
 * sockets and no files. Left out, and said so: admission webhooks, RBAC, protobuf answers.
 */
import { NAMESPACE } from "../../model/kinds.ts";
import type { Clock } from "../../ports/clock.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "../../ports/http.ts";
import type { Log } from "../../ports/log.ts";
import type { Random } from "../../ports/random.ts";
import type { Store } from "../../ports/store.ts";
import { ApiError, methodNotAllowed, noSuchPath } from "./api-error.ts";
import { authenticate, type NamedToken } from "./authentication.ts";
import { bodyOf, jsonResponse, textResponse } from "./body.ts";
import { decodeObject } from "./decode.ts";
import { Discovery } from "./discovery.ts";
import { EventExpiry } from "./event-expiry.ts";
import { GarbageCollector } from "./garbage-collector.ts";
import { isObject, textAt } from "./json.ts";
import { SERVED_KINDS } from "./kinds/index.ts";
import { NamespaceSweeper } from "./namespace-sweeper.ts";
import { ObjectStorage } from "./object-storage.ts";
import { FIXED_NAMESPACES, ObjectWriter } from "./object-writer.ts";
import { OpenApi } from "./openapi.ts";
import { ResourceReads, type ResourceRequest } from "./resource-reads.ts";
import { ResourceWrites } from "./resource-writes.ts";
import { answerReview } from "./reviews.ts";
import { KindLookup, pathSegments, resourceRoute } from "./route.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";

/** What a control plane needs. */
export interface ControlPlaneOptions {
  /** Kept open by the caller; keys begin with `control-plane/`. */
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Who may use the API; each may do everything. */
  readonly tokens: readonly NamedToken[];
}

/** The API. */
export class ControlPlane {
  /** UID of the namespace kube-system; the same for the life of the store. */
  readonly clusterId: string;
  readonly #log: Log;
  readonly #tokens: readonly NamedToken[];
  readonly #kinds = new KindLookup(SERVED_KINDS);
  readonly #discovery = new Discovery(SERVED_KINDS);
  readonly #openApi = new OpenApi(SERVED_KINDS);
  readonly #storage: ObjectStorage;
  readonly #writer: ObjectWriter;
  readonly #reads: ResourceReads;
  readonly #writes: ResourceWrites;
  readonly #collector: GarbageCollector;
  readonly #sweeper: NamespaceSweeper;
  readonly #expiry: EventExpiry;
  readonly #stopping: AbortController;
  readonly #actions: Readonly<Record<string, Action>>;

  private constructor(
    options: ControlPlaneOptions,
    parts: { readonly storage: ObjectStorage; readonly writer: ObjectWriter },
  ) {
    const { clock, random } = options;
    this.#log = options.log;
    this.#tokens = options.tokens;
    this.#storage = parts.storage;
    this.#writer = parts.writer;
    this.#stopping = new AbortController();
    this.#reads = new ResourceReads({
      storage: parts.storage,
      clock,
      random: () => random.next(),
      stop: this.#stopping.signal,
    });
    this.#writes = new ResourceWrites({
      ...parts,
      reads: this.#reads,
      nowMs: () => clock.nowMs(),
    });
    const background = { ...parts, kinds: this.#kinds, clock };
    this.#collector = new GarbageCollector(background);
    this.#sweeper = new NamespaceSweeper({ ...background, kinds: SERVED_KINDS });
    this.#expiry = new EventExpiry({ ...parts, clock, log: options.log });
    this.#actions = actionTable(this.#reads, this.#writes);
    this.clusterId = parts.storage.get(NAMESPACE, "", "kube-system")?.metadata.uid ?? "";
  }

  /** Loads the store and makes the default namespaces in a new one. Rejects with OperationError `StoreCorrupt`. */
  static async open(options: ControlPlaneOptions): Promise<ControlPlane> {
    const kinds = SERVED_KINDS.map((kind) => kind.ref);
    const storage = ObjectStorage.open({ store: options.store, kinds });
    const writer = new ObjectWriter({ ...options, storage, kinds: SERVED_KINDS });
    for (const name of FIXED_NAMESPACES) await makeNamespace(storage, writer, name);
    return new ControlPlane(options, { storage, writer });
  }

  /** Answers one request. Never rejects for bad input. */
  readonly handler: HttpHandler = async (request) => {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof ApiError) return refusal(error);
      this.#log.error("request failed", { method: request.method, error: String(error) });
      return refusal(internalError());
    }
  };

  /** True when there is no object but the default namespaces. */
  isEmpty(): boolean {
    return SERVED_KINDS.every((kind) => {
      const objects = this.#storage.list(kind.ref);
      const isNamespace = kind.ref === NAMESPACE;
      return objects.every(
        (object) => isNamespace && FIXED_NAMESPACES.includes(object.metadata.name),
      );
    });
  }

  /**
   * Creates an object as the first `kubectl apply` does, in its own namespace or `default`. Rejects with ApiError
   * for a kind that is not served, a wrong object, or one that is there already (reason `AlreadyExists`).
   */
  async applyManifest(manifest: unknown): Promise<StoredObject> {
    const kind = this.#kindOf(manifest);
    const { object } = decodeObject(kind, manifest, "Strict");
    const namespace = kind.ref.namespaced ? (object.metadata.namespace ?? "default") : "";
    const { name } = object.metadata;
    const applied = withLastApplied(object, manifest);
    const by = { name: "kubectl-client-side-apply", subresource: "" };
    return this.#writer.create({ kind, namespace, name, dryRun: false, by }, applied);
  }

  /** Resolves when everything that follows from the writes so far is done: garbage and namespaces are gone. */
  async settled(): Promise<void> {
    const queues = [this.#collector.queue, this.#sweeper.queue];
    do {
      await this.#storage.settled();
      for (const queue of queues) await queue.settled();
    } while (!queues.every((queue) => queue.isIdle) || !this.#storage.isSettled);
  }

  /** Ends all watches and background work, and waits for writes that were accepted. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#expiry.stop();
    this.#collector.queue.stop();
    this.#sweeper.queue.stop();
    await this.settled();
  }

  #kindOf(manifest: unknown): ServedKind {
    const apiVersion = textAt(manifest, "apiVersion");
    const name = textAt(manifest, "kind");
    const kind = this.#kinds.byType(apiVersion, name);
    if (kind !== null) return kind;
    throw new ApiError({
      code: 400,
      reason: "BadRequest",
      message: `no matches for kind "${name}" in version "${apiVersion}"`,
    });
  }

  async #answer(request: HttpRequest): Promise<HttpResponse> {
    const [path = "", search = ""] = splitQuery(request.path);
    const segments = pathSegments(path);
    if (segments === null) throw noSuchPath();
    const open = openAnswer(segments);
    if (open !== null) return open;
    const user = authenticate(request.headers, this.#tokens);
    if (user === null) throw unauthorized();
    const known = this.#document(segments, request);
    if (known !== null) return known;
    if (request.method === "POST") {
      const review = answerReview(segments, bodyOf(request), user);
      if (review !== null) return jsonResponse(201, review);
    }
    const route = resourceRoute(segments, this.#kinds);
    if (route === null) throw noSuchPath();
    return this.#resource({ route, query: new URLSearchParams(search), request });
  }

  #document(segments: readonly string[], request: HttpRequest): HttpResponse | null {
    if (request.method !== "GET") return null;
    return (
      this.#discovery.answer(segments, request.headers["accept"]) ??
      this.#openApi.answer(segments, request)
    );
  }

  async #resource(call: ResourceRequest): Promise<HttpResponse> {
    const { name, subresource, kind } = call.route;
    if (subresource !== null && !(subresource === "status" && kind.hasStatus)) throw noSuchPath();
    const part = subresource ?? (name === null ? "collection" : "object");
    const action = this.#actions[`${call.request.method} ${part}`];
    if (action === undefined) throw methodNotAllowed();
    return action(call);
  }
}

type Action = (call: ResourceRequest) => HttpResponse | Promise<HttpResponse>;

/** What is done for a method on a collection, an object or its status. */
function actionTable(reads: ResourceReads, writes: ResourceWrites): Record<string, Action> {
  const read: Action = (call) => reads.answer(call);
  const replace: Action = (call) => writes.replace(call);
  const patch: Action = (call) => writes.patch(call);
  return {
    "GET collection": read,
    "GET object": read,
    "GET status": read,
    "POST collection": (call) => writes.create(call),
    "PUT object": replace,
    "PUT status": replace,
    "PATCH object": patch,
    "PATCH status": patch,
    "DELETE object": (call) => writes.remove(call),
    "DELETE collection": (call) => writes.removeAll(call),
  };
}

/** Idempotent: on every start but the first it finds the namespace. */
async function makeNamespace(
  storage: ObjectStorage,
  writer: ObjectWriter,
  name: string,
): Promise<void> {
  if (storage.get(NAMESPACE, "", name) !== null) return;
  const kind = SERVED_KINDS.find((each) => each.ref === NAMESPACE);
  if (kind === undefined) throw new TypeError("Namespace is not served");
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await writer.create({ kind, namespace: "", name, dryRun: false }, object);
}

/** What kubectl compares the next `apply` with. Not for Secrets: it would show their data a second time. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

function withLastApplied(object: StoredObject, manifest: unknown): StoredObject {
  if (object.kind === "Secret") return object;
  const text = `${JSON.stringify(manifest)}\n`;
  const annotations = { ...object.metadata.annotations, [LAST_APPLIED]: text };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Path and query; the query without its question mark. */
function splitQuery(path: string): readonly [string, string] {
  const question = path.indexOf("?");
  return question < 0 ? [path, ""] : [path.slice(0, question), path.slice(question + 1)];
}

/** Says what is spoken (the minor version of Kubernetes) and who speaks. */
const VERSION = {
  major: "1",
  minor: "32",
  gitVersion: "v1.32.0+zonekeeper",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "typescript",
  platform: "embedded",
};

/** What is answered without a token. */
function openAnswer(segments: readonly string[]): HttpResponse | null {
  const [first, second] = segments;
  if (second !== undefined) return null;
  if (first === "version") return jsonResponse(200, VERSION);
  if (first === "healthz" || first === "livez" || first === "readyz")
    return textResponse(200, "ok");
  return null;
}

/** The Status as a response; tells clients when to come back where the error says so. */
function refusal(error: ApiError): HttpResponse {
  const seconds = isObject(error.details) ? error.details["retryAfterSeconds"] : undefined;
  const headers: Record<string, string> =
    typeof seconds === "number" ? { "retry-after": String(seconds) } : {};
  return jsonResponse(error.code, error.toStatus(), { headers });
}

/** 401. Says nothing about what was wrong with the credentials. */
function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: "Unauthorized", message: "Unauthorized" });
}

/** 500. The cause goes to the log only: it may name files or values. */
function internalError(): ApiError {
  return new ApiError({
    code: 500,
    reason: "InternalError",
    message: "Internal error occurred: see the log of the control plane",
  });
}
