/**
 * The subresource `scale` of custom kinds: an autoscaling/v1 Scale made of three fields of the
 * object (apiextensions-apiserver pkg/registry/customresource/etcd.go, `ScaleREST`).
 */
import type { HttpResponse } from "../../../ports/http.ts";
import { ApiError, badRequest, notFound, unsupportedMediaType } from "../errors/api-error.ts";
import { bodyOf, jsonResponse, mediaType } from "../http/body.ts";
import { isObject, type JsonObject, textAt, valueAt } from "../json/json.ts";
import { parseJsonPath } from "../objects/json-path.ts";
import type { ScalePaths, ServedKind, StoredObject } from "../objects/served-kind.ts";
import { jsonPatch, mergePatch } from "../patch/patches.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import type { ObjectWriter } from "../storage/object-writer.ts";
import type { ResourceRequest } from "./resource-reads.ts";
import { writeTarget } from "./write-options.ts";

/** Answers requests of `/scale`. All methods throw or reject with ApiError. */
export class ScaleRequests {
  readonly #storage: ObjectStorage;
  readonly #writer: ObjectWriter;

  constructor(options: { readonly storage: ObjectStorage; readonly writer: ObjectWriter }) {
    this.#storage = options.storage;
    this.#writer = options.writer;
  }

  /** GET. */
  get(call: ResourceRequest): HttpResponse {
    const { kind, namespace, name } = call.route;
    const object = this.#storage.get(kind.ref, namespace, name ?? "");
    if (object === null) throw notFound(kind.ref, name ?? "");
    return jsonResponse(200, scaleOf(kind, kind.present(object)));
  }

  /** PUT. */
  replace(call: ResourceRequest): Promise<HttpResponse> {
    const body = bodyOf(call.request);
    return this.#change(call, () => body);
  }

  /** PATCH by merge or JSON patch. */
  patch(call: ResourceRequest): Promise<HttpResponse> {
    const body = bodyOf(call.request);
    const type = mediaType(call.request.headers);
    if (type === "application/json-patch+json")
      return this.#change(call, (scale) => jsonPatch(scale, body));
    if (type !== "application/merge-patch+json")
      throw unsupportedMediaType(
        "the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json",
      );
    return this.#change(call, (scale) => mergePatch(scale, body));
  }

  async #change(
    call: ResourceRequest,
    make: (scale: JsonObject) => unknown,
  ): Promise<HttpResponse> {
    const { kind, name } = call.route;
    const changed = await this.#writer.change({
      ...writeTarget(call, name ?? ""),
      part: "main",
      apply: (current) => withScale(kind, current, make(changeableScale(kind, current))),
    });
    return jsonResponse(200, scaleOf(kind, kind.present(changed)));
  }
}

/**
 * The Scale of an object. Throws ApiError 500 when the object has no number of replicas, as
 * kube-apiserver does.
 */
function scaleOf(kind: ServedKind, object: StoredObject): JsonObject {
  const paths = pathsOf(kind);
  const replicas = numberAt(object, paths.specReplicasPath);
  if (replicas === null)
    throw new ApiError({
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: ${missing(paths)}`,
      details: { causes: [{ message: missing(paths) }] },
    });
  return madeScale(object, paths, replicas);
}

const missing = ({ specReplicasPath }: ScalePaths): string =>
  `the spec replicas field "${specReplicasPath}" does not exist`;

/**
 * What a change begins with: an object without a number is about to get its first
 * (customresource/etcd.go).
 */
function changeableScale(kind: ServedKind, object: StoredObject): JsonObject {
  const paths = pathsOf(kind);
  return madeScale(object, paths, numberAt(object, paths.specReplicasPath) ?? 0);
}

function madeScale(object: StoredObject, paths: ScalePaths, replicas: number): JsonObject {
  const selector = paths.labelSelectorPath;
  const text = selector === null ? "" : textAt(object, ...stepsOf(selector));
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: { replicas },
    status: {
      replicas: numberAt(object, paths.statusReplicasPath) ?? 0,
      ...(text === "" ? {} : { selector: text }),
    },
  };
}

/** The object with the replicas of a Scale; a version in it has to be the present one. */
function withScale(kind: ServedKind, object: StoredObject, scale: unknown): StoredObject {
  if (!isObject(scale) || textAt(scale, "kind") !== "Scale")
    throw badRequest("the body of the request must be a Scale of autoscaling/v1");
  const replicas = valueAt(scale, "spec", "replicas") ?? 0;
  if (!Number.isInteger(replicas) || Number(replicas) < 0)
    throw badRequest("spec.replicas: must be a whole number of 0 or more");
  const version = textAt(scale, "metadata", "resourceVersion");
  const { apiVersion, kind: name } = object;
  const metadata = {
    ...object.metadata,
    ...(version === "" ? {} : { resourceVersion: version }),
  };
  const changed = withValueAt(object, stepsOf(pathsOf(kind).specReplicasPath), replicas);
  return { ...changed, apiVersion, kind: name, metadata };
}

function pathsOf(kind: ServedKind): ScalePaths {
  if (kind.scale === null) throw notFound(kind.ref, "scale");
  return kind.scale;
}

const stepsOf = (path: string): readonly string[] => parseJsonPath(path) ?? [];

function numberAt(object: StoredObject, path: string): number | null {
  const found = valueAt(object, ...stepsOf(path));
  return typeof found === "number" ? found : null;
}

/** A copy with one field set; objects on the way are made. */
function withValueAt(value: unknown, path: readonly string[], wanted: unknown): JsonObject {
  const [step, ...rest] = path;
  const base = isObject(value) ? value : {};
  if (step === undefined) return base;
  return { ...base, [step]: rest.length === 0 ? wanted : withValueAt(base[step], rest, wanted) };
}
