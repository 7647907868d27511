/**
 * A small stateful Kubernetes API as an HttpHandler, with switches for faults that the embedded
 * control plane, being honest, does not have: silence, resets, garbage, lost history, versions that
 * go back. For tests only.
 */
import type { HttpRequest, HttpResponse } from "@zonekeeper/base/ports/http";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { apiVersionOf } from "@zonekeeper/kube/objects/kubernetes";
import { jsonResponse, statusBody, statusResponse } from "../clients/handler-client.ts";
import { PushStream } from "./push-stream.ts";

/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

interface Stored {
  readonly kind: KindRef;
  readonly body: Json;
}

interface LoggedEvent {
  readonly revision: number;
  readonly type: string;
  readonly stored: Stored;
}

interface OpenWatch {
  readonly kind: KindRef;
  readonly namespace: string | null;
  readonly stream: PushStream;
}

interface Target {
  readonly kind: KindRef;
  readonly namespace: string | null;
  readonly name: string | null;
  readonly subresource: string | null;
  readonly query: URLSearchParams;
}

/** The server. Every kind given is served; objects live in memory. */
export class FakeApiServer {
  /** Answer `sendInitialEvents` (Kubernetes 1.32, 1.34 and later); else 422 as 1.33 does. */
  streamsLists = true;
  /** New watches accept and then say nothing. */
  silent = false;
  /** Resource versions carry this prefix, so that they have no order. */
  versionPrefix = "";
  readonly #served: KindRef[];
  readonly #objects = new Map<string, Stored>();
  #log: LoggedEvent[] = [];
  readonly #watches = new Set<OpenWatch>();
  #revision = 100;
  #compacted = 0;
  #uids = 0;

  constructor(served: readonly KindRef[]) {
    this.#served = [...served];
  }

  /** The whole server as one function. */
  readonly handler = async (request: HttpRequest): Promise<HttpResponse> => {
    const url = new URL(request.path, "http://fake");
    const discovery = this.#discovery(url.pathname);
    if (discovery !== null) return discovery;
    const target = this.#target(url);
    if (target === null) return statusResponse(404, "NotFound");
    if (request.method !== "GET") return this.#write(request, target);
    if (target.name !== null) return this.#read(target);
    return target.query.get("watch") === "true" ? this.#watch(request, target) : this.#list(target);
  };

  /** Creates or replaces an object directly, as another client would. Its body as stored. */
  put(kind: KindRef, namespace: string, body: Json & { readonly name: string }): Json {
    const { name, ...fields } = body;
    const key = keyOf(kind, namespace, name);
    const before = this.#objects.get(key);
    const metadata = {
      ...record(fields["metadata"]),
      ...(before === undefined ? {} : { uid: record(before.body["metadata"])["uid"] }),
      name,
      ...(kind.namespaced ? { namespace } : {}),
    };
    return this.#store(kind, { ...fields, metadata }, before === undefined ? "ADDED" : "MODIFIED");
  }

  /** Deletes an object directly. */
  remove(kind: KindRef, namespace: string, name: string): void {
    const stored = this.#objects.get(keyOf(kind, namespace, name));
    if (stored === undefined) throw new Error(`no ${name}`);
    this.#objects.delete(keyOf(kind, namespace, name));
    this.#record("DELETED", kind, stored.body);
  }

  /** Stored objects of a kind, by name. */
  objects(kind: KindRef): readonly Json[] {
    return [...this.#objects.values()].filter((s) => s.kind === kind).map((s) => s.body);
  }

  /** Sends a bookmark to every open watch. */
  bookmark(): void {
    for (const { kind, stream } of this.#watches) stream.push(line("BOOKMARK", this.#mark(kind)));
  }

  /** Sends bytes to every open watch, whatever they are. */
  sendRaw(text: string): void {
    for (const { stream } of this.#watches) stream.push(text);
  }

  /** The lines that event log holds after `revision`, to be sent again. */
  replayLines(count: number): readonly string[] {
    return this.#log.slice(-count).map((e) => line(e.type, e.stored.body));
  }

  /** Ends all watches: with an error as a reset, else as a server that closes properly. */
  endWatches(error?: Error): void {
    for (const { stream } of [...this.#watches]) stream.end(error);
    this.#watches.clear();
  }

  /** Number of watches that are open. */
  get openWatches(): number {
    return this.#watches.size;
  }

  /** Forgets the history, so that older versions get 410. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#log = [];
  }

  /**
   * Events are kept from open watches: what happens now is seen only in lists and by later watches.
   */
  isolateWatches(): void {
    this.#watches.clear();
  }

  /** Serves a kind, or not any more. */
  serve(kind: KindRef, served: boolean): void {
    const at = this.#served.indexOf(kind);
    if (at >= 0) this.#served.splice(at, 1);
    if (served) this.#served.push(kind);
  }

  /** Moves the version counter; back is what a restored backup or a lagging replica looks like. */
  moveRevision(by: number): void {
    this.#revision += by;
  }

  #store(kind: KindRef, body: Json, type: string): Json {
    this.#revision += 1;
    const metadata = record(body["metadata"]);
    const stored = {
      ...body,
      apiVersion: apiVersionOf(kind),
      kind: kind.kind,
      metadata: {
        creationTimestamp: "2026-01-01T00:00:00Z",
        uid: `uid-${++this.#uids}`,
        ...metadata,
        resourceVersion: this.#version(),
      },
    };
    this.#objects.set(keyOf(kind, text(metadata["namespace"]), text(metadata["name"])), {
      kind,
      body: stored,
    });
    this.#announce(type, { kind, body: stored });
    return stored;
  }

  #record(type: string, kind: KindRef, body: Json): void {
    this.#revision += 1;
    const metadata = { ...record(body["metadata"]), resourceVersion: this.#version() };
    this.#announce(type, { kind, body: { ...body, metadata } });
  }

  #announce(type: string, stored: Stored): void {
    this.#log.push({ revision: this.#revision, type, stored });
    for (const watch of this.#watches) {
      if (sees(watch, stored)) watch.stream.push(line(type, stored.body));
    }
  }

  #version(revision = this.#revision): string {
    return `${this.versionPrefix}${revision}`;
  }

  #mark(kind: KindRef, annotations: Json = {}): Json {
    return {
      kind: kind.kind,
      apiVersion: apiVersionOf(kind),
      metadata: { resourceVersion: this.#version(), annotations },
    };
  }

  #read(target: Target): HttpResponse {
    const stored = this.#objects.get(keyOf(target.kind, target.namespace ?? "", target.name ?? ""));
    return stored === undefined ? statusResponse(404, "NotFound") : jsonResponse(200, stored.body);
  }

  #list(target: Target): HttpResponse {
    const all = [...this.#objects.values()].filter((stored) => sees(target, stored));
    const start = Number(target.query.get("continue") ?? 0);
    const limit = Number(target.query.get("limit") ?? all.length);
    const items = all.slice(start, start + limit).map(({ body }) => {
      const { apiVersion: _a, kind: _k, ...bare } = body;
      return bare;
    });
    const more = start + limit < all.length ? { continue: String(start + limit) } : {};
    return jsonResponse(200, {
      kind: `${target.kind.kind}List`,
      apiVersion: apiVersionOf(target.kind),
      metadata: { resourceVersion: this.#version(), ...more },
      items,
    });
  }

  #watch(request: HttpRequest, target: Target): HttpResponse {
    const initial = target.query.get("sendInitialEvents") === "true";
    if (initial && !this.streamsLists) return statusResponse(422, "Invalid");
    const stream = new PushStream(request.signal);
    const watch = { kind: target.kind, namespace: target.namespace, stream };
    const response = { status: 200, headers: {}, body: stream };
    if (this.silent) return response;
    if (initial) this.#streamList(watch);
    else {
      const from = Number(
        (target.query.get("resourceVersion") ?? "").slice(this.versionPrefix.length),
      );
      if (from < this.#compacted) {
        stream.push(`${JSON.stringify({ type: "ERROR", object: statusBody(410, "Expired") })}\n`);
        stream.end();
        return response;
      }
      for (const { revision, type, stored } of this.#log) {
        if (revision > from && sees(watch, stored)) stream.push(line(type, stored.body));
      }
    }
    this.#watches.add(watch);
    request.signal.addEventListener("abort", () => this.#watches.delete(watch), { once: true });
    return response;
  }

  #streamList(watch: OpenWatch): void {
    for (const stored of this.#objects.values()) {
      if (sees(watch, stored)) watch.stream.push(line("ADDED", stored.body));
    }
    const end = { "k8s.io/initial-events-end": "true" };
    watch.stream.push(line("BOOKMARK", this.#mark(watch.kind, end)));
  }

  #write(request: HttpRequest, target: Target): HttpResponse {
    const body = request.body === null ? {} : parse(request.body);
    if (request.method === "POST") return this.#create(target, body);
    const key = keyOf(target.kind, target.namespace ?? "", target.name ?? "");
    const stored = this.#objects.get(key);
    if (stored === undefined) return statusResponse(404, "NotFound");
    const metadata = record(stored.body["metadata"]);
    if (request.method === "DELETE") return this.#delete(key, stored, body);
    const wanted = record(body["metadata"])["resourceVersion"];
    if (wanted !== undefined && wanted !== metadata["resourceVersion"]) {
      return statusResponse(409, "Conflict");
    }
    const next = request.method === "PUT" ? body : merge(stored.body, body);
    const kept =
      target.subresource === "status" ? { ...stored.body, status: next["status"] } : next;
    const named = { ...record(kept["metadata"]), uid: metadata["uid"] };
    return jsonResponse(200, this.#store(target.kind, { ...kept, metadata: named }, "MODIFIED"));
  }

  #create(target: Target, body: Json): HttpResponse {
    const metadata = record(body["metadata"]);
    const key = keyOf(target.kind, target.namespace ?? "", text(metadata["name"]));
    if (this.#objects.has(key)) return statusResponse(409, "AlreadyExists");
    const named = target.namespace === null ? {} : { namespace: target.namespace };
    const whole = { ...body, metadata: { ...metadata, ...named } };
    return jsonResponse(201, this.#store(target.kind, whole, "ADDED"));
  }

  #delete(key: string, stored: Stored, body: Json): HttpResponse {
    const metadata = record(stored.body["metadata"]);
    for (const [field, wanted] of Object.entries(record(body["preconditions"]))) {
      if (metadata[field] !== wanted) return statusResponse(409, "Conflict");
    }
    this.#objects.delete(key);
    this.#record("DELETED", stored.kind, stored.body);
    return jsonResponse(200, { kind: "Status", status: "Success" });
  }

  #target(url: URL): Target | null {
    for (const kind of this.#served) {
      const root =
        kind.group === "" ? `/api/${kind.version}/` : `/apis/${kind.group}/${kind.version}/`;
      if (!url.pathname.startsWith(root)) continue;
      const pieces = url.pathname.slice(root.length).split("/").map(decodeURIComponent);
      const namespace =
        pieces[0] === "namespaces" && pieces.length > 2 ? (pieces[1] ?? null) : null;
      const rest = namespace === null ? pieces : pieces.slice(2);
      if (rest[0] !== kind.plural) continue;
      const [, name = null, subresource = null] = rest;
      return { kind, namespace, name, subresource, query: url.searchParams };
    }
    return null;
  }

  #discovery(path: string): HttpResponse | null {
    const core = path === "/api";
    if (core || path === "/apis") return jsonResponse(200, this.#groups(core));
    const match = /^\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path);
    if (match === null) return null;
    const [, group = "", version] = match;
    const kinds = this.#served.filter((k) => k.group === group && k.version === version);
    if (kinds.length === 0) return statusResponse(404, "NotFound");
    const resources = kinds.map((k) => ({
      name: k.plural,
      kind: k.kind,
      namespaced: k.namespaced,
    }));
    return jsonResponse(200, { kind: "APIResourceList", resources });
  }

  #groups(core: boolean): Json {
    const kinds = this.#served.filter((k) => (k.group === "") === core);
    const groups = new Set(kinds.map((k) => k.group));
    if (core) return { kind: "APIVersions", versions: ["v1"] };
    const plain = (name: string) => ({ name, versions: versionsOf(kinds, name) });
    return { kind: "APIGroupList", groups: [...groups].map(plain) };
  }
}

function versionsOf(kinds: readonly KindRef[], group: string): readonly { version: string }[] {
  const versions = new Set(kinds.filter((k) => k.group === group).map((k) => k.version));
  return [...versions].map((version) => ({ version }));
}

function sees(
  who: { readonly kind: KindRef; readonly namespace: string | null },
  stored: Stored,
): boolean {
  if (who.kind !== stored.kind) return false;
  return who.namespace === null || record(stored.body["metadata"])["namespace"] === who.namespace;
}

function keyOf(kind: KindRef, namespace: string, name: string): string {
  return `${kind.plural}.${kind.group}/${kind.namespaced ? namespace : ""}/${name}`;
}

function line(type: string, object: Json): string {
  return `${JSON.stringify({ type, object })}\n`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function record(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function parse(bytes: Uint8Array): Json {
  return record(JSON.parse(new TextDecoder().decode(bytes)));
}

/** RFC 7396. */
function merge(into: Json, patch: Json): Json {
  const merged: Record<string, unknown> = { ...into };
  for (const [key, value] of Object.entries(patch)) {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (value === null) delete merged[key];
    else merged[key] = isObject ? merge(record(merged[key]), record(value)) : value;
  }
  return merged;
}
