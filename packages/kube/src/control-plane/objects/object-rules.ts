/**
 * How a created or changed object comes to be from what a client sent: the server's own metadata,
 * defaults, checks, generation. Pure but for the ids and the time that it is given.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Random } from "@zonekeeper/base/ports/random";
import { timeText } from "@zonekeeper/base/time-text";
import { CUSTOM_RESOURCE_DEFINITION } from "../../objects/kinds.ts";
import type { KindRef } from "../../objects/kubernetes.ts";
import {
  badRequest,
  conflict,
  type FieldError,
  forbidden,
  invalid,
  wrong,
} from "../errors/api-error.ts";
import { defined, equalJson, type JsonObject, textAt, without } from "../json/json.ts";
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from "./deletion.ts";
import { checkMetadata, generatedName, metaOf, sameContent } from "./metadata.ts";
import type { AdmitContext, Meta, ServedKind, StoredObject } from "./served-kind.ts";

/** The sources of time, ids and the values of other objects. */
export interface RuleContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly isTaken: (value: string) => boolean;
}

/** The object to keep for a create. Throws ApiError 400 or 422. */
export function newObject(
  kind: ServedKind,
  input: StoredObject,
  context: RuleContext,
): StoredObject {
  const { metadata } = input;
  if ((metadata.resourceVersion ?? "") !== "")
    throw badRequest("resourceVersion should not be set on objects to be created");
  const next = (): number => context.random.next();
  const prefix = String(metadata["generateName"] ?? "");
  const name = metadata.name === "" && prefix !== "" ? generatedName(prefix, next) : metadata.name;
  const fresh: Meta = {
    ...metaOf({ metadata: without(metadata, ...DELETION_FIELDS, "resourceVersion") }),
    name,
    uid: context.random.uuid(),
    creationTimestamp: timeText(context.clock.nowMs()),
    ...(kind.generation === "counted" ? { generation: 1 } : {}),
  };
  const isDropped = kind.hasStatus && !kind.createsStatus;
  const content = isDropped ? withFields(input, { status: undefined }) : input;
  const object = kind.admit({ ...content, metadata: fresh }, null, toolsOf(context));
  throwIfAny(kind.ref, name, [
    ...checkMetadata(object.metadata, kind.nameRule),
    ...checkFinalizerNames(kind, object.metadata),
    ...kind.check(object, null),
  ]);
  return object;
}

/** What part of an object a request changes. */
export type ChangedPart = "main" | "status";

/**
 * The object to keep instead of `current`; `current` itself when nothing changes. Throws ApiError
 * 409 when `input` was made from another version, 422 when the result breaks a rule.
 */
export function changedObject(
  change: { readonly kind: ServedKind; readonly input: StoredObject; readonly part: ChangedPart },
  current: StoredObject,
  context: RuleContext,
): StoredObject {
  const { kind, input, part } = change;
  checkAddress(input.metadata, current.metadata);
  checkLock(kind.ref, input.metadata, current.metadata);
  const combined =
    part === "status" ? withStatusOf(current, input) : withMainOf(kind, current, input);
  const admitted = kind.admit(combined, current, toolsOf(context));
  throwIfAny(kind.ref, current.metadata.name, [
    ...checkMetadata(admitted.metadata, kind.nameRule),
    ...checkUid(input.metadata, current.metadata),
    ...checkFinalizers(admitted.metadata, current.metadata),
    ...checkFinalizerNames(kind, admitted.metadata),
    ...kind.check(admitted, current),
  ]);
  if (sameContent(admitted, current)) return current;
  if (kind.generation === "none") return admitted;
  // Without a status subresource, the status counts as part of the spec.
  const apart = kind.hasStatus ? ["metadata", "status"] : ["metadata"];
  if (equalJson(without(admitted, ...apart), without(current, ...apart))) return admitted;
  const generation = (current.metadata.generation ?? 0) + 1;
  return { ...admitted, metadata: { ...admitted.metadata, generation } };
}

const DELETION_FIELDS = ["deletionTimestamp", "deletionGracePeriodSeconds"] as const;

/** What the rules of a kind may ask. */
export function toolsOf(context: RuleContext): AdmitContext {
  const { isTaken } = context;
  return { isTaken, random: () => context.random.next(), now: timeText(context.clock.nowMs()) };
}

/** A write of the status changes nothing of the metadata but the record of owners. */
function withStatusOf(current: StoredObject, input: StoredObject): StoredObject {
  const { managedFields } = input.metadata;
  const metadata = metaOf({ metadata: defined({ ...current.metadata, managedFields }) });
  return withFields({ ...current, metadata }, { status: input["status"] });
}

function withMainOf(kind: ServedKind, current: StoredObject, input: StoredObject): StoredObject {
  const { metadata } = current;
  const kept = {
    uid: metadata.uid,
    creationTimestamp: metadata.creationTimestamp,
    generation: metadata.generation,
    resourceVersion: metadata.resourceVersion,
    deletionTimestamp: metadata.deletionTimestamp,
    deletionGracePeriodSeconds: metadata["deletionGracePeriodSeconds"],
  };
  const next = metaOf({ metadata: defined({ ...input.metadata, ...kept }) });
  const changed = { ...input, metadata: next };
  return kind.hasStatus ? withFields(changed, { status: current["status"] }) : changed;
}

/** A copy with the fields set; `undefined` removes one. */
function withFields(object: StoredObject, fields: JsonObject): StoredObject {
  const { apiVersion, kind, metadata } = object;
  return { ...defined({ ...object, ...fields }), apiVersion, kind, metadata };
}

/** A patch cannot rename or move. Throws ApiError 400. */
function checkAddress(input: Meta, current: Meta): void {
  if (input.name !== current.name)
    throw badRequest(
      `the name of the object (${input.name}) does not match the name on the URL (${current.name})`,
    );
  if (input.namespace !== current.namespace)
    throw badRequest(
      `the namespace of the object (${input.namespace ?? ""}) does not match the namespace on the request (${current.namespace ?? ""})`,
    );
}

/**
 * The uid stays as it was; an empty one was already filled in. The creation timestamp is no error,
 * it is put back silently (apiserver pkg/registry/rest/update.go BeforeUpdate).
 */
function checkUid({ uid }: Meta, current: Meta): readonly FieldError[] {
  if (uid === undefined || uid === current.uid) return [];
  return [wrong("metadata.uid", uid, "field is immutable")];
}

function checkLock(kind: KindRef, input: Meta, current: Meta): void {
  const version = input.resourceVersion ?? "";
  if (version !== "" && version !== current.resourceVersion)
    throw conflict(
      kind,
      current.name,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  if (input.uid !== undefined && input.uid !== "" && input.uid !== current.uid)
    throw conflict(
      kind,
      current.name,
      `Precondition failed: UID in precondition: ${input.uid}, UID in object meta: ${current.uid ?? ""}`,
    );
}

/** Finalizers without a domain are Kubernetes' own. */
const STANDARD_FINALIZERS = ["kubernetes", FOREGROUND_FINALIZER, ORPHAN_FINALIZER];

/**
 * Kinds of Kubernetes itself ask for a domain (core/validation validateKubeFinalizerName);
 * extensions do not.
 */
function checkFinalizerNames(kind: ServedKind, meta: Meta): readonly FieldError[] {
  if (kind.custom || kind.ref === CUSTOM_RESOURCE_DEFINITION) return [];
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  return [...(meta.finalizers ?? []).entries()]
    .filter(([, value]) => !value.includes("/") && !STANDARD_FINALIZERS.includes(value))
    .map(([index, value]) => wrong(`metadata.finalizers[${index}]`, value, detail));
}

function checkFinalizers(next: Meta, current: Meta): readonly FieldError[] {
  if (current.deletionTimestamp === undefined) return [];
  const known = new Set(current.finalizers ?? []);
  const added = (next.finalizers ?? []).filter((each) => !known.has(each));
  if (added.length === 0) return [];
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${JSON.stringify(added)}`;
  return [forbidden("metadata.finalizers", detail)];
}

function throwIfAny(kind: KindRef, name: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalid(kind, name, errors);
}

/** Where an object is written to. */
export interface Address {
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

/** Throws ApiError 400. An object without namespace is in that of the path. */
export function checkNamespaceOf(object: JsonObject, namespace: string): void {
  const own = textAt(object, "metadata", "namespace");
  if (own !== "" && own !== namespace)
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
}

/** Throws ApiError 400. An object without name is the one of the path. */
export function checkNameOf(object: JsonObject, name: string): void {
  const own = textAt(object, "metadata", "name");
  if (own !== "" && own !== name)
    throw badRequest(
      `the name of the object (${own}) does not match the name on the URL (${name})`,
    );
}

/** Throws ApiError 400 for an object that has come about by a patch: it has to have the name. */
export function checkAddressOf(object: JsonObject, address: Address): void {
  checkNamespaceOf(object, address.namespace);
  if (textAt(object, "metadata", "name") === "")
    throw badRequest(
      `the name of the object (${address.name} based on URL) was undeterminable: name must be provided`,
    );
  checkNameOf(object, address.name);
}
