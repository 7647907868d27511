/**
 * A Kubernetes-compatible API in one object: give it a Store and it answers HTTP requests. It opens
 * no sockets and no files. Left out, and said so: admission webhooks, RBAC, protobuf answers.
 */

import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpHandler, HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Random } from "@zonekeeper/base/ports/random";
import type { Store } from "@zonekeeper/base/ports/store";
import { CUSTOM_RESOURCE_DEFINITION, NAMESPACE } from "../objects/kinds.ts";
import type { KubeObject } from "../objects/kubernetes.ts";
import { LAST_APPLIED } from "./apply/last-applied.ts";
import type { BackgroundQueue } from "./background/background-queue.ts";
import { EventExpiry } from "./background/event-expiry.ts";
import { GarbageCollector } from "./background/garbage-collector.ts";
import { NamespaceSweeper } from "./background/namespace-sweeper.ts";
import { type Components, openComponents } from "./components.ts";
import { CustomKinds } from "./crd/custom-kinds.ts";
import { answerDiscovery } from "./documents/discovery.ts";
import { OpenApi } from "./documents/openapi.ts";
import { answerReview } from "./documents/reviews.ts";
import {
  ApiError,
  badRequest,
  methodNotAllowed,
  noSuchPath,
  notFound,
} from "./errors/api-error.ts";
import { authenticate, type NamedToken, openAnswer } from "./http/authentication.ts";
import { bodyOf, jsonResponse, refusal, tooLarge, withWarning } from "./http/body.ts";
import { textAt } from "./json/json.ts";
import { decodeObject } from "./objects/decode.ts";
import type { ServedKind, StoredObject } from "./objects/served-kind.ts";
import { ResourceReads, type ResourceRequest } from "./requests/resource-reads.ts";
import { ResourceWrites } from "./requests/resource-writes.ts";
import { pathSegments, resourceRoute } from "./requests/route.ts";
import { FIXED_NAMESPACES } from "./storage/object-writer.ts";

/** What a control plane needs. */
export interface ControlPlaneOptions {
  /** Kept open by the caller; keys begin with `control-plane/`. */
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Who may use the API; each may do everything. */
  readonly tokens: readonly NamedToken[];
  /** Installed at each start, as ordinary objects; empty = none. */
  readonly definitions: readonly KubeObject[];
}

/** The API. */
export class ControlPlane {
  /** UID of the namespace kube-system; the same for the life of the store. */
  readonly clusterId: string;
  readonly #options: ControlPlaneOptions;
  readonly #components: Components;
  readonly #openApi = new OpenApi();
  /** The work that follows from writes. */
  readonly #queues: readonly BackgroundQueue[];
  readonly #expiry: EventExpiry;
  readonly #stopping = new AbortController();
  readonly #actions: Readonly<Record<string, Action>>;

  private constructor(options: ControlPlaneOptions, components: Components) {
    const { clock, random, log } = options;
    this.#options = options;
    this.#components = components;
    const background = { ...components, clock, log };
    const custom = new CustomKinds(background);
    const collector = new GarbageCollector(background);
    const sweeper = new NamespaceSweeper(background);
    this.#queues = [custom.queue, collector.queue, sweeper.queue];
    this.#expiry = new EventExpiry(background);
    const stop = this.#stopping.signal;
    const reads = new ResourceReads({ ...background, random: () => random.next(), stop });
    this.#actions = actionTable(reads, new ResourceWrites({ ...background, reads }));
    this.clusterId = components.storage.get(NAMESPACE, "", "kube-system")?.metadata.uid ?? "";
  }

  /**
   * Loads the store and makes the default objects of a new one. Rejects with OperationError
   * `StoreCorrupt`.
   */
  static async open(options: ControlPlaneOptions): Promise<ControlPlane> {
    return new ControlPlane(options, await openComponents(options));
  }

  /** Answers one request. Never rejects for bad input. */
  readonly handler: HttpHandler = async (request) => {
    try {
      return await this.#answer(request);
    } catch (error) {
      if (error instanceof ApiError) return refusal(error);
      this.#options.log.error("request failed", { method: request.method, error: String(error) });
      // The cause may name files or values.
      const message = "Internal error occurred: see the log of the control plane";
      return refusal(new ApiError("InternalError", message));
    }
  };

  /** What a server answers that did not read a body because of its size. */
  readonly tooLarge = (): HttpResponse => refusal(tooLarge());

  /** True when there is nothing but the default namespaces and the definitions that it installs. */
  isEmpty(): boolean {
    const installed = this.#options.definitions.map(({ metadata }) => metadata.name);
    return this.#components.kinds.distinct.every(({ ref }) =>
      this.#components.storage.list(ref).every((object) => {
        if (ref === NAMESPACE) return FIXED_NAMESPACES.includes(object.metadata.name);
        return ref === CUSTOM_RESOURCE_DEFINITION && installed.includes(object.metadata.name);
      }),
    );
  }

  /**
   * Creates an object as the first `kubectl apply` does, in its own namespace or `default`. Rejects
   * with ApiError for a kind that is not served, a wrong object, or one that is there already
   * (reason `AlreadyExists`).
   */
  async applyManifest(manifest: unknown): Promise<StoredObject> {
    const kind = this.#kindOf(manifest);
    const { object } = decodeObject(kind, manifest, "Strict");
    const namespace = kind.ref.namespaced ? (object.metadata.namespace ?? "default") : "";
    const { name } = object.metadata;
    // kubectl compares the next `apply` with it; of a Secret it would show the data once more.
    const last = { [LAST_APPLIED]: `${JSON.stringify(manifest)}\n` };
    const annotations = { ...object.metadata.annotations, ...last };
    const annotated = { ...object, metadata: { ...object.metadata, annotations } };
    const applied = object.kind === "Secret" ? object : annotated;
    const by = { name: "kubectl-client-side-apply", subresource: "" };
    return this.#components.writer.create({ kind, namespace, name, dryRun: false, by }, applied);
  }

  /**
   * Resolves when everything that follows from the writes so far is done: garbage and namespaces
   * are gone.
   */
  async settled(): Promise<void> {
    const { storage } = this.#components;
    do {
      await storage.settled();
      for (const queue of this.#queues) await queue.settled();
    } while (!this.#queues.every((queue) => queue.isIdle) || !storage.isSettled);
  }

  /** Ends all watches and background work, and waits for writes that were accepted. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#expiry.stop();
    for (const queue of this.#queues) queue.stop();
    await this.settled();
  }

  #kindOf(manifest: unknown): ServedKind {
    const apiVersion = textAt(manifest, "apiVersion");
    const name = textAt(manifest, "kind");
    const kind = this.#components.kinds.byType(apiVersion, name);
    if (kind !== null) return kind;
    throw badRequest(`no matches for kind "${name}" in version "${apiVersion}"`);
  }

  async #answer(request: HttpRequest): Promise<HttpResponse> {
    const [, path = "", search = ""] = /^([^?]*)\??(.*)$/s.exec(request.path) ?? [];
    const segments = pathSegments(path);
    if (segments === null) throw badRequest("the path is not valid percent-encoding");
    const open = openAnswer(segments);
    if (open !== null) return open;
    const userOf = (headers: HttpRequest["headers"]): string | null =>
      authenticate(headers, this.#options.tokens);
    const user = userOf(request.headers);
    if (user === null) throw new ApiError("Unauthorized", "Unauthorized");
    const { kinds } = this.#components;
    if (request.method === "GET") {
      const { headers } = request;
      const document =
        answerDiscovery(kinds.kinds, segments, headers) ??
        this.#openApi.answer(kinds.kinds, segments, headers);
      if (document !== null) return document;
    }
    if (request.method === "POST") {
      const review = answerReview(
        segments,
        () => bodyOf(request),
        user,
        (token) => userOf({ authorization: `Bearer ${token}` }),
      );
      if (review !== null) return jsonResponse(201, review);
    }
    const route = resourceRoute(segments, kinds);
    if (route === null) throw noSuchPath();
    return this.#resource({ route, query: new URLSearchParams(search), request });
  }

  async #resource(call: ResourceRequest): Promise<HttpResponse> {
    const { name, subresource, kind } = call.route;
    // For custom objects the message of apiextensions-apiserver
    // (pkg/apiserver/customresource_handler.go).
    if (subresource !== null && (subresource !== "status" || !kind.hasStatus))
      throw kind.custom ? notFound(kind.ref, name ?? "") : noSuchPath();
    const part = subresource ?? (name === null ? "collection" : "object");
    const action = this.#actions[`${call.request.method} ${part}`];
    if (action === undefined) throw methodNotAllowed();
    const answer = await action(call);
    return kind.deprecation === null ? answer : withWarning(answer, kind.deprecation);
  }
}

type Action = (call: ResourceRequest) => HttpResponse | Promise<HttpResponse>;

/** The action for a method on a collection, an object or its status. */
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
