/**
 * Writes to one cluster, rate limited. It retries nothing: the caller handles failures. A lost
 * answer is reported as `UnknownOutcome`.
 */
import { retryable } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { type Rate, TokenBucket } from "@zonekeeper/base/timing/token-bucket";
import {
  apiVersionOf,
  FIELD_MANAGER,
  type KindRef,
  type KubeObject,
  kindText,
  refOf,
} from "../../objects/kubernetes.ts";
import type { ClusterWriter, DeletePreconditions, ObjectRef } from "../../ports/cluster-writer.ts";
import type { ApiClient, ApiRequest } from "../requests/api-client.ts";
import { ApiError } from "../requests/api-error.ts";
import { resourcePath } from "../requests/api-path.ts";
import { decodeAnswer } from "../watch/decode-object.ts";
import { listAll } from "../watch/list-pages.ts";

/** What the writer works with. */
export interface ApiClusterWriterOptions {
  readonly clusterId: string;
  readonly client: ApiClient;
  readonly clock: Clock;
  /**
   * Default: 20 requests per second, bursts of 30, as controller-runtime has it. Null = no limit.
   */
  readonly rate?: Rate | null;
  /** Name in `metadata.managedFields`; default `zonekeeper`. */
  readonly fieldManager?: string;
}

const RATE: Rate = { perSecond: 20, burst: 30 };
const MERGE_PATCH = "application/merge-patch+json";

/** The ClusterWriter of an API server. Safe for concurrent use. */
export class ApiClusterWriter implements ClusterWriter {
  readonly clusterId: string;
  readonly #client: ApiClient;
  readonly #bucket: TokenBucket | null;
  readonly #fieldManager: string;

  constructor(options: ApiClusterWriterOptions) {
    this.clusterId = options.clusterId;
    this.#client = options.client;
    const rate = options.rate === undefined ? RATE : options.rate;
    this.#bucket = rate === null ? null : new TokenBucket(options.clock, rate);
    this.#fieldManager = options.fieldManager ?? FIELD_MANAGER;
  }

  async read(ref: ObjectRef): Promise<KubeObject | null> {
    try {
      return await this.#request(ref, { method: "GET", path: pathOf(ref) });
    } catch (error) {
      if (isObjectNotFound(error)) return null;
      throw error;
    }
  }

  async readAll(kind: KindRef, namespace?: string): Promise<readonly KubeObject[]> {
    await this.#bucket?.take();
    const where = namespace === undefined ? {} : { namespace };
    const { signal } = new AbortController();
    const question = { client: this.#client, kind, ...where, notOlderThan: null, signal };
    return (await listAll(question)).objects;
  }

  create(kind: KindRef, object: KubeObject): Promise<KubeObject> {
    const ref = refOf(kind, object);
    const namespace = ref.namespace;
    const path = resourcePath(kind, { namespace, query: this.#query() });
    return this.#request(ref, { method: "POST", path, body: complete(kind, object) });
  }

  update(kind: KindRef, object: KubeObject): Promise<KubeObject> {
    const ref = refOf(kind, object);
    const path = pathOf(ref, { query: this.#query() });
    return this.#request(ref, { method: "PUT", path, body: complete(kind, object) });
  }

  patch(ref: ObjectRef, patch: Readonly<Record<string, unknown>>): Promise<KubeObject> {
    const path = pathOf(ref, { query: this.#query() });
    return this.#request(ref, { method: "PATCH", path, body: patch, contentType: MERGE_PATCH });
  }

  patchStatus(ref: ObjectRef, patch: Readonly<Record<string, unknown>>): Promise<KubeObject> {
    const path = pathOf(ref, { subresource: "status", query: this.#query() });
    return this.#request(ref, { method: "PATCH", path, body: patch, contentType: MERGE_PATCH });
  }

  async remove(ref: ObjectRef, preconditions: DeletePreconditions = {}): Promise<void> {
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy: "Background",
      preconditions,
    };
    try {
      await this.#send(ref, { method: "DELETE", path: pathOf(ref), body });
    } catch (error) {
      if (!isObjectNotFound(error)) throw error;
    }
  }

  #query(): Readonly<Record<string, string>> {
    return { fieldManager: this.#fieldManager };
  }

  async #request(ref: ObjectRef, request: Partly): Promise<KubeObject> {
    const answer = await this.#send(ref, request);
    try {
      return decodeAnswer(ref.kind, answer);
    } catch (cause) {
      if (request.method === "GET") throw cause;
      throw retryable(
        "UnknownOutcome",
        `${request.method} ${subjectOf(ref)}: the server's answer is no object`,
        cause,
      );
    }
  }

  async #send(ref: ObjectRef, request: Partly): Promise<unknown> {
    await this.#bucket?.take();
    return this.#client.json({ ...request, subject: subjectOf(ref), kind: ref.kind });
  }
}

type Partly = Pick<ApiRequest, "method" | "path" | "body" | "contentType">;

/**
 * True when the API itself reports that the object does not exist; a 404 of a proxy, or of a kind
 * that is not served, is no proof.
 */
function isObjectNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === "NotFound" && error.isStatus;
}

function pathOf(
  ref: ObjectRef,
  options: {
    readonly subresource?: string;
    readonly query?: Readonly<Record<string, string>>;
  } = {},
): string {
  return resourcePath(ref.kind, { namespace: ref.namespace, name: ref.name, ...options });
}

function subjectOf(ref: ObjectRef): string {
  const where = ref.namespace === "" ? ref.name : `${ref.namespace}/${ref.name}`;
  return `${kindText(ref.kind)} ${where}`;
}

function complete(kind: KindRef, object: KubeObject): KubeObject {
  return { ...object, apiVersion: apiVersionOf(kind), kind: kind.kind };
}
