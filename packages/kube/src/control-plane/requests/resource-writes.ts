/**
 * POST, PUT, PATCH and DELETE of resources: turns requests into writes and their outcomes into
 * answers.
 */

import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpResponse } from "@zonekeeper/base/ports/http";
import { timeText } from "@zonekeeper/base/time-text";
import { NAMESPACE } from "../../objects/kinds.ts";
import { mergePatch } from "../../objects/object-fields.ts";
import { applied } from "../apply/apply-request.ts";
import {
  badRequest,
  invalid,
  methodNotAllowed,
  unsupportedMediaType,
  versionRequired,
  wrong,
} from "../errors/api-error.ts";
import { bodyOf, jsonResponse, mediaType } from "../http/body.ts";
import { isObject } from "../json/json.ts";
import { type Decoded, decodeObject } from "../objects/decode.ts";
import { METADATA_SCHEMA } from "../objects/metadata.ts";
import { checkAddressOf, checkNameOf, checkNamespaceOf } from "../objects/object-rules.ts";
import type { ServedKind, StoredObject } from "../objects/served-kind.ts";
import { jsonPatch } from "../patch/patches.ts";
import { strategicMerge } from "../patch/strategic-merge.ts";
import type { ObjectStorage } from "../storage/object-storage.ts";
import type { ObjectWriter } from "../storage/object-writer.ts";
import { throwFirst } from "../storage/remove-objects.ts";
import { deleteOptions } from "./delete-options.ts";
import { formsOf, type ResourceReads, type ResourceRequest } from "./resource-reads.ts";
import {
  applierOf,
  checkNotForced,
  fieldValidation,
  writeTarget,
  writtenPart,
} from "./write-options.ts";

/** What writes are answered with. */
export interface ResourceWritesOptions {
  readonly writer: ObjectWriter;
  readonly reads: ResourceReads;
  readonly storage: ObjectStorage;
  readonly clock: Clock;
}

/** Answers writes. All methods reject with ApiError. */
export class ResourceWrites {
  readonly #options: ResourceWritesOptions;

  constructor(options: ResourceWritesOptions) {
    this.#options = options;
  }

  /** POST to a collection. */
  async create(call: ResourceRequest): Promise<HttpResponse> {
    const { kind, namespace } = call.route;
    const { object, warnings } = decodeObject(kind, bodyOf(call.request), fieldValidation(call));
    if (kind.ref.namespaced && namespace === "") throw methodNotAllowed();
    checkNamespaceOf(object, namespace);
    const target = writeTarget(call, object.metadata.name);
    const created = await this.#options.writer.create(target, object);
    return this.#answer(call, 201, { object: created, warnings });
  }

  /** PUT of an object or its status. */
  async replace(call: ResourceRequest): Promise<HttpResponse> {
    const { kind, namespace } = call.route;
    const { object, warnings } = decodeObject(kind, bodyOf(call.request), fieldValidation(call));
    const name = call.route.name ?? "";
    checkNamespaceOf(object, namespace);
    checkNameOf(object, name);
    const own = kind.ref.namespaced ? { namespace } : {};
    const named = { ...object, metadata: { ...object.metadata, name, ...own } };
    const changed = await this.#options.writer.change({
      ...writeTarget(call, name),
      part: writtenPart(call),
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
    const name = call.route.name ?? "";
    const type = mediaType(call.request.headers);
    if (type === APPLY_TYPE) return this.#apply(call);
    checkNotForced(call);
    const merge = patchOf(kind, type);
    const body = bodyOf(call.request);
    let warnings: readonly string[] = [];
    const changed = await this.#options.writer.change({
      ...writeTarget(call, name),
      part: writtenPart(call),
      apply: (current) => {
        const decoded = decodeObject(kind, merge(current, body), fieldValidation(call), true);
        checkUid(kind, decoded.object, current);
        checkAddressOf(decoded.object, { namespace: call.route.namespace, name });
        warnings = decoded.warnings;
        checkVersioned(kind, decoded.object, current);
        return decoded.object;
      },
    });
    return this.#answer(call, 200, { object: changed, warnings });
  }

  /** PATCH by server-side apply: 201 when it creates. */
  async #apply(call: ResourceRequest): Promise<HttpResponse> {
    const { kind, namespace, name } = call.route;
    const author = { ...applierOf(call), time: timeText(this.#options.clock.nowMs()) };
    const force = ["", "1", "true"].includes(call.query.get("force") ?? "false");
    const body = bodyOf(call.request);
    const validation = fieldValidation(call);
    const request = { kind, namespace, name: name ?? "", author, force, validation };
    let warnings: readonly string[] = [];
    const { by: _recorded, ...target } = writeTarget(call, request.name);
    const { object, created } = await this.#options.writer.apply({
      ...target,
      part: writtenPart(call),
      apply: (current) => {
        const decoded = applied(request, current, body);
        warnings = decoded.warnings;
        return decoded.object;
      },
    });
    return this.#answer(call, created ? 201 : 200, { object, warnings });
  }

  /** DELETE of an object. */
  async remove(call: ResourceRequest): Promise<HttpResponse> {
    const { kind } = call.route;
    const name = call.route.name ?? "";
    const options = deleteOptions(call);
    const target = { ...writeTarget(call, name), dryRun: options.dryRun };
    const { object, removed } = await this.#options.writer.remove(target, options);
    if (!removed || kind.deletionShows !== "status")
      return this.#answer(call, 200, { object, warnings: [] });
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
    if (kind.ref.namespaced ? namespace === "" : kind.ref === NAMESPACE) throw methodNotAllowed();
    const selector = this.#options.reads.selector(call);
    const objects = this.#options.storage.list(kind.kept, namespace).filter(selector);
    const options = deleteOptions(call);
    const gone = objects.map(({ metadata: { name, namespace: own = "" } }) => {
      const target = { ...writeTarget(call, name), namespace: own, dryRun: options.dryRun };
      return this.#options.writer.remove(target, options);
    });
    throwFirst(await Promise.allSettled(gone), [404]);
    const forms = formsOf(call, this.#options.clock);
    const meta = { resourceVersion: String(this.#options.storage.revision) };
    return jsonResponse(200, forms.many(objects, meta));
  }

  #answer(call: ResourceRequest, status: number, { object, warnings }: Decoded): HttpResponse {
    const forms = formsOf(call, this.#options.clock);
    return jsonResponse(status, forms.one(object), { warnings });
  }
}

/** The answer to a deletion that is done. */
const STATUS_SUCCESS = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };

/** Media type of server-side apply; JSON is YAML. */
const APPLY_TYPE = "application/apply-patch+yaml";

/** Makes the wanted object from the present one and the body. Throws ApiError. */
type Merge = (current: StoredObject, patch: unknown) => unknown;

/**
 * Which patches a kind takes: strategic merge needs the merge keys that only built-in kinds have.
 */
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
  const accepted = ["application/json-patch+json", "application/merge-patch+json"];
  if (!kind.custom) accepted.push("application/strategic-merge-patch+json");
  accepted.push(APPLY_TYPE);
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`,
    // Built-in kinds are refused by the router of kube-apiserver, whose refusals have details;
    // custom ones by their handler.
    ...(kind.custom ? [] : [{}]),
  );
}

/** Both merges take objects only; a list or text would replace the whole. */
function objectPatch(merge: Merge): Merge {
  return (current, patch) => {
    if (!isObject(patch)) throw badRequest("the patch must be one object");
    return merge(current, patch);
  };
}

/**
 * Some kinds are never replaced blindly, nor by a patch that takes the version away. Another uid is
 * reported first.
 */
function checkVersioned(kind: ServedKind, wanted: StoredObject, current: StoredObject): void {
  const { resourceVersion = "", uid } = wanted.metadata;
  const isSame = uid === undefined || uid === "" || uid === current.metadata.uid;
  if (!kind.unconditionalUpdate && resourceVersion === "" && isSame)
    throw versionRequired(kind.ref, current.metadata.name);
}

/**
 * A patch may not change the uid, which is no precondition there as it is in a PUT. Another version
 * is reported first.
 */
function checkUid(kind: ServedKind, wanted: StoredObject, current: StoredObject): void {
  const { uid = "", resourceVersion = "" } = wanted.metadata;
  const isStale = !["", current.metadata.resourceVersion].includes(resourceVersion);
  if (isStale || uid === "" || uid === current.metadata.uid) return;
  const error = wrong("metadata.uid", uid, "field is immutable");
  throw invalid(kind.ref, current.metadata.name, [error]);
}
