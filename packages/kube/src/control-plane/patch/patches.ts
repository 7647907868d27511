/** JSON patch (RFC 6902) of whole objects. Inputs are not changed. */
import { ApiError, badRequest } from "../errors/api-error.ts";
import { DEPTH_MAX, isDeeperThan, isObject, type JsonObject } from "../json/json.ts";
import { JsonLocation, PointerError } from "../json/json-pointer.ts";

/** Operations of one JSON patch (Kubernetes has the same limit). */
const OPERATIONS_MAX = 10_000;
/**
 * Characters that `copy` and `move` may touch; without a limit a short patch could double an object
 * for ever.
 */
const COPIED_MAX = 3 * 1024 * 1024;

/**
 * The result of a JSON patch. Throws ApiError 400 for what is no patch, 413 for one that is too
 * long, 422 when an operation fails.
 */
export function jsonPatch(current: JsonObject, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest("a JSON patch is a list of operations");
  if (patch.length > OPERATIONS_MAX)
    throw new ApiError(
      "RequestEntityTooLarge",
      `Request entity too large: The allowed maximum operations in a JSON patch is ${OPERATIONS_MAX}, got ${patch.length}`,
    );
  const root = { object: structuredClone(current) };
  const patching: Patching = { root, copied: 0 };
  for (const value of patch) {
    const operation = operationOf(value);
    try {
      carryOut(patching, operation);
    } catch (error) {
      if (!(error instanceof PointerError)) throw error;
      // The present value is not shown: it may be secret.
      throw rejected();
    }
  }
  return root.object;
}

interface Patching {
  readonly root: { readonly object: unknown };
  /** Characters that were copied so far. */
  copied: number;
}

/** An operation of RFC 6902 §4 whose paths begin at the root of the object. */
type Operation =
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly path: string; readonly from: string }
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown };

/**
 * Throws ApiError or PointerError when it cannot be done; the document may be half changed then.
 */
function carryOut(patching: Patching, operation: Operation): void {
  const { root } = patching;
  switch (operation.op) {
    case "remove":
      new JsonLocation(root, operation.path).remove();
      return;
    case "test":
      if (!new JsonLocation(root, operation.path).holds(operation.value)) throw rejected();
      return;
    case "add":
    case "replace":
      checkDepth(operation, operation.value);
      new JsonLocation(root, operation.path)[operation.op](structuredClone(operation.value));
      return;
    case "copy":
    case "move":
      transfer(patching, operation);
  }
}

/** `copy` and `move`. */
function transfer(patching: Patching, operation: Operation & { readonly from: string }): void {
  const from = new JsonLocation(patching.root, operation.from);
  const { value } = from;
  checkDepth(operation, value);
  patching.copied += JSON.stringify(value).length;
  if (patching.copied > COPIED_MAX) throw rejected(": the copies of the patch are too large");
  if (operation.op === "move") from.remove();
  const added: unknown = operation.op === "move" ? value : structuredClone(value);
  new JsonLocation(patching.root, operation.path).add(added);
}

/** The operation, checked for its form. */
function operationOf(value: unknown): Operation {
  if (!isObject(value)) throw badRequest("an operation of a JSON patch is an object");
  const path = pathOf(value, "path");
  const { op } = value;
  if (op === "remove") return { op, path };
  if (op === "move" || op === "copy") return { op, path, from: pathOf(value, "from") };
  if (op === "add" || op === "replace" || op === "test") {
    if (value["value"] === undefined) throw badRequest(`the operation ${op} needs a value`);
    return { op, path, value: value["value"] };
  }
  throw rejected();
}

function pathOf(operation: JsonObject, field: "path" | "from"): string {
  const path = operation[field];
  if (typeof path !== "string" || (path !== "" && !path.startsWith("/")))
    throw badRequest(`${field} of an operation must begin with /`);
  if (path.split("/").includes("__proto__")) throw badRequest("__proto__ is no field");
  return `/object${path}`;
}

/**
 * What an operation puts in must not make the object deeper than a body may be: `copy` could double
 * its depth.
 */
function checkDepth({ op, path }: Operation, value: unknown): void {
  const left = DEPTH_MAX - path.split("/").length;
  if (isDeeperThan(value, Math.max(0, left)))
    throw rejected(`: ${op} makes the object more than ${DEPTH_MAX} levels deep`);
}

function rejected(why = ""): ApiError {
  return new ApiError(
    "Invalid",
    `the server rejected our request due to an error in our request${why}`,
  );
}
