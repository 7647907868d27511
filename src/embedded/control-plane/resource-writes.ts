/** POST, PUT, PATCH and DELETE of resources: turns requests into writes and their outcomes into answers. */
import type { HttpResponse } from "../../ports/http.ts";
import { negotiateForm } from "./accept.ts";
import {
  ApiError,
  badRequest,
  methodNotAllowed,
  noSuchPath,
  unsupportedMediaType,
  versionRequired,
} from "./api-error.ts";
import { bodyOf, jsonResponse, mediaType } from "./body.ts";
import { type Decoded, decodeObject, type FieldValidation } from "./decode.ts";
import { isObject, type JsonObject, textAt, valueAt } from "./json.ts";
import { METADATA_SCHEMA } from "./metadata.ts";
import { ObjectForms } from "./object-forms.ts";
import type { ObjectStorage } from "./object-storage.ts";
import type { DeleteOptions, ObjectWriter, Propagation, WriteTarget } from "./object-writer.ts";
import { jsonPatch, mergePatch } from "./patches.ts";
import type { ResourceReads, ResourceRequest } from "./resource-reads.ts";
import type { ServedKind, StoredObject } from "./served-kind.ts";
import { strategicMerge } from "./strategic-merge.ts";

/** Answers writes. All methods reject with ApiError. */
export class ResourceWrites {
  readonly #writer: ObjectWriter;
  readonly #reads: ResourceReads;
  readonly #storage: ObjectStorage;
  readonly #nowMs: () => number;

  constructor(options: {
    readonly writer: ObjectWriter;
    readonly reads: ResourceReads;
    readonly storage: ObjectStorage;
    readonly nowMs: () => number;
  }) {
    this.#writer = options.writer;
    this.#reads = options.reads;
    this.#storage = options.storage;
    this.#nowMs = options.nowMs;
  }

  /** POST to a collection. */
  async create(call: ResourceRequest): Promise<HttpResponse> {
    const { kind, namespace } = call.route;
    const { object, warnings } = decodeObject(kind, bodyOf(call.request), validation(call));
    if (kind.ref.namespaced && namespace === "") throw methodNotAllowed();
    checkNamespaceOf(object, namespace);
    const created = await this.#writer.create(target(call, object.metadata.name), object);
    return this.#answer(call, 201, { object: created, warnings });
  }

  /** PUT of an object or its status. */
  async replace(call: ResourceRequest): Promise<HttpResponse> {
    const { object, warnings } = decodeObject(
      call.route.kind,
      bodyOf(call.request),
      validation(call),
    );
    const name = call.route.name ?? "";
    checkNamespaceOf(object, call.route.namespace);
    if (object.metadata.name !== "" && object.metadata.name !== name)
      throw badRequest(
        `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
      );
    const { kind, namespace } = call.route;
    const own = kind.ref.namespaced ? { namespace } : {};
    const named = { ...object, metadata: { ...object.metadata, name, ...own } };
    const changed = await this.#writer.change({
      ...target(call, name),
      part: partOf(call),
      apply: (current) => {
        checkVersioned(kind, named, current);
        return named;
      },
    });
    return this.#answer(call, 200, { object: changed, warnings });
  }

  /** PATCH of an object or its status. */
  async patch(call: ResourceRequest): Promise<HttpResponse> {
    const { kind } = call.route;
    const type = mediaType(call.request.headers);
    const body = bodyOf(call.request);
    const merge = patchOf(kind, type);
    let warnings: readonly string[] = [];
    const changed = await this.#writer.change({
      ...target(call, call.route.name ?? ""),
      part: partOf(call),
      apply: (current) => {
        const decoded: Decoded = decodeObject(kind, merge(current, body), validation(call));
        warnings = decoded.warnings;
        checkVersioned(kind, decoded.object, current);
        return decoded.object;
      },
    });
    return this.#answer(call, 200, { object: changed, warnings });
  }

  /** DELETE of an object. */
  async remove(call: ResourceRequest): Promise<HttpResponse> {
    const { kind } = call.route;
    const name = call.route.name ?? "";
    const options = deleteOptions(call);
    const { object, removed } = await this.#writer.remove(target(call, name), options);
    if (!removed) return this.#answer(call, 200, { object, warnings: [] });
    const details = {
      name,
      ...(kind.ref.group === "" ? {} : { group: kind.ref.group }),
      kind: kind.ref.plural,
      uid: object.metadata.uid,
    };
    return jsonResponse(200, { ...STATUS_SUCCESS, details });
  }

  /** DELETE of a collection; objects that go meanwhile are no error. */
  async removeAll(call: ResourceRequest): Promise<HttpResponse> {
    const { kind, namespace } = call.route;
    // As in Kubernetes: never all namespaces, nor the objects of all namespaces, in one request.
    if (namespace === "") throw methodNotAllowed();
    const selector = this.#reads.selector(call);
    const objects = this.#storage.list(kind.ref, namespace).filter(selector);
    const options = deleteOptions(call);
    const gone = await Promise.allSettled(
      objects.map(({ metadata }) =>
        this.#writer.remove(
          { ...target(call, metadata.name), namespace: metadata.namespace ?? "" },
          options,
        ),
      ),
    );
    for (const each of gone)
      if (each.status === "rejected" && !isNotFound(each.reason)) throw toError(each.reason);
    const forms = this.#forms(call);
    const meta = { resourceVersion: String(this.#storage.revision) };
    return jsonResponse(200, forms.many(objects, meta));
  }

  #forms(call: ResourceRequest): ObjectForms {
    const form = negotiateForm(call.request.headers["accept"], call.query.get("includeObject"));
    return new ObjectForms(call.route.kind, form, this.#nowMs);
  }

  #answer(call: ResourceRequest, status: number, outcome: Decoded): HttpResponse {
    const { object, warnings } = outcome;
    return jsonResponse(status, this.#forms(call).one(object), { warnings });
  }
}

/** The answer to a deletion that is done. */
const STATUS_SUCCESS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };

/** Which object a request writes to, and whether it is only tried. */
function target(call: ResourceRequest, name: string): WriteTarget {
  const values = call.query.getAll("dryRun").filter((value) => value !== "");
  if (values.some((value) => value !== "All"))
    throw badRequest(`dryRun: Unsupported value: supported values: "All"`);
  const { kind, namespace } = call.route;
  return { kind, namespace, name, dryRun: values.length > 0 };
}

/** Kubernetes 1.27 and newer warn unless told otherwise. */
function validation(call: ResourceRequest): FieldValidation {
  const value = call.query.get("fieldValidation") ?? "";
  if (value === "Strict" || value === "Ignore") return value;
  if (value === "" || value === "Warn") return "Warn";
  throw badRequest(
    `fieldValidation: Unsupported value: ${JSON.stringify(value)}: supported values: "Ignore", "Strict", "Warn"`,
  );
}

/** Throws 404 for subresources that are not served. */
function partOf(call: ResourceRequest): "main" | "status" {
  const { subresource, kind } = call.route;
  if (subresource === null) return "main";
  if (subresource === "status" && kind.hasStatus) return "status";
  throw noSuchPath();
}

/** Makes the wanted object from the present one and the body. Throws ApiError. */
type Merge = (current: StoredObject, patch: unknown) => unknown;

/** Which patches a kind takes: strategic merge needs the merge keys that only built-in kinds have. */
function patchOf(kind: ServedKind, type: string): Merge {
  if (type === "application/merge-patch+json") return objectPatch(mergePatch);
  if (type === "application/json-patch+json") return jsonPatch;
  if (type === "application/strategic-merge-patch+json" && !kind.custom) {
    const schema = {
      ...kind.schema,
      properties: { ...kind.schema.properties, metadata: METADATA_SCHEMA },
    };
    return objectPatch((current, patch) => strategicMerge(schema, current, patch));
  }
  if (type === "application/apply-patch+yaml")
    throw unsupportedMediaType(
      "server-side apply is not served by the embedded control plane; use client-side apply",
    );
  const accepted = ["application/json-patch+json", "application/merge-patch+json"];
  if (!kind.custom) accepted.push("application/strategic-merge-patch+json");
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
  );
}

/** Both merges take objects only; a list or text would replace the whole. */
function objectPatch(merge: Merge): Merge {
  return (current, patch) => {
    if (!isObject(patch)) throw badRequest("the patch must be one object");
    return merge(current, patch);
  };
}

/** Some kinds are never replaced blindly, nor by a patch that takes the version away. Another uid is told first. */
function checkVersioned(kind: ServedKind, wanted: StoredObject, current: StoredObject): void {
  const { resourceVersion = "", uid } = wanted.metadata;
  const isSame = uid === undefined || uid === "" || uid === current.metadata.uid;
  if (!kind.unconditionalUpdate && resourceVersion === "" && isSame)
    throw versionRequired(kind.ref, current.metadata.name);
}

/** The path decides; the body may repeat it but not contradict it. */
function checkNamespaceOf(object: StoredObject, namespace: string): void {
  const own = object.metadata.namespace ?? "";
  if (own !== "" && own !== namespace)
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
}

/** Options come in the body, propagation also in the query. */
function deleteOptions(call: ResourceRequest): DeleteOptions {
  const body = bodyOf(call.request);
  const options: JsonObject = isObject(body) ? body : {};
  const policy = textAt(options, "propagationPolicy") || call.query.get("propagationPolicy");
  const orphans = valueAt(options, "orphanDependents") === true;
  return {
    uid: textAt(options, "preconditions", "uid") || null,
    resourceVersion: textAt(options, "preconditions", "resourceVersion") || null,
    propagation: propagation(policy ?? "", orphans),
  };
}

/** `orphanDependents` is the old way to say Orphan. */
function propagation(policy: string, orphans: boolean): Propagation {
  if (policy === "Foreground" || policy === "Orphan") return policy;
  if (policy !== "" && policy !== "Background")
    throw badRequest(
      `propagationPolicy: Unsupported value: ${JSON.stringify(policy)}: supported values: "Background", "Foreground", "Orphan"`,
    );
  return orphans ? "Orphan" : "Background";
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.code === 404;

/** Promise rejections are untyped. */
function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
