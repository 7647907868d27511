/**
 * Whether the name and namespace of an object are those of the path that it is written to. The path
 * decides; the object may repeat it but not contradict it. apiserver pkg/endpoints/handlers
 * (checkName), pkg/registry/rest/meta.go.
 */
import { badRequest } from "../errors/api-error.ts";
import { type JsonObject, textAt } from "../json/json.ts";

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
