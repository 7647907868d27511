/**
 * Server-side apply of one configuration to one object: checks its kind and name, merges it
 * with the present object and decodes the result. Knows neither storage nor HTTP.
 */
import { badRequest, conflict } from "../errors/api-error.ts";
import { isObject, type JsonObject, textAt, valueAt } from "../json/json.ts";
import { type Decoded, decodeObject, type FieldValidation } from "../objects/decode.ts";
import { checkAddressOf } from "../objects/object-address.ts";
import type { ServedKind, StoredObject } from "../objects/served-kind.ts";
import { isOfKind, notOfType, wrongType } from "./apply-errors.ts";
import { configurationFaults } from "./check-configuration.ts";
import { applyConfiguration, type FieldAuthor } from "./field-manager.ts";
import { withLastApplied } from "./last-applied.ts";
import { wholeSchema } from "./merge-rule.ts";

/** One apply. */
export interface ApplyCall {
  readonly kind: ServedKind;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
  readonly author: FieldAuthor;
  readonly force: boolean;
  readonly validation: FieldValidation;
}

/**
 * The object after the apply with its record of owners; `current` null = it is created. Throws
 * ApiError.
 */
export function applied(call: ApplyCall, current: StoredObject | null, body: unknown): Decoded {
  const config = checkedConfiguration(call, body);
  const { kind, author, force } = call;
  const result = applyConfiguration(kind, { live: current, config, author, force });
  checkAddress(call, result, current);
  return decodeObject(kind, withLastApplied(result, config, author), call.validation);
}

/**
 * Throws 400 for what is no configuration of the kind, 500 for what does not fit its schema, as
 * Kubernetes does.
 */
function checkedConfiguration(call: ApplyCall, body: unknown): JsonObject {
  if (!isObject(body)) throw badRequest("error decoding YAML: the body must be one object");
  const { kind, namespace, name } = call;
  const [apiVersion, type] = [textAt(body, "apiVersion"), textAt(body, "kind")];
  if (!isOfKind(kind.ref, apiVersion, type)) throw wrongType(apiVersion, type);
  const managedFields = valueAt(body, "metadata", "managedFields");
  if (managedFields !== undefined && managedFields !== null)
    throw badRequest("metadata.managedFields must be nil");
  const faults = configurationFaults(wholeSchema(kind), body);
  const shown = kind.ref.namespaced ? `${namespace}/${name}` : `/${name}`;
  if (faults.length > 0) throw notOfType(kind.ref, shown, faults);
  return body;
}

/**
 * Name and namespace of the result are those of the path; an object that is not there has no uid to
 * be meant.
 */
function checkAddress(call: ApplyCall, result: JsonObject, current: StoredObject | null): void {
  const uid = textAt(result, "metadata", "uid");
  if (current === null && uid !== "")
    throw conflict(
      call.kind.ref,
      call.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  checkAddressOf(result, call);
}
