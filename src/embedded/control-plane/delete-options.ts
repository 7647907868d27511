/**
 * The options of a DELETE: from the body, or from the query when there is none. Checked as apimachinery
 * pkg/apis/meta/v1/validation (ValidateDeleteOptions) does.
 */
import { badRequest, type FieldError, invalidOptions } from "./api-error.ts";
import { bodyOf } from "./body.ts";
import type { DeleteOptions, Propagation } from "./deletion.ts";
import { isObject, type JsonObject, listAt, textAt, valueAt } from "./json.ts";
import { flag } from "./list-options.ts";
import type { ResourceRequest } from "./resource-reads.ts";

/** Options of a deletion, and whether it is only tried. */
export interface DeleteRequest extends DeleteOptions {
  readonly dryRun: boolean;
}

const POLICIES = ["Foreground", "Background", "Orphan"] as const;

/** Throws ApiError 400 for a body of another kind, 422 for options that contradict one another. */
export function deleteOptions(call: ResourceRequest): DeleteRequest {
  const options = optionsOf(call);
  const errors = optionErrors(options);
  if (errors.length > 0) throw invalidOptions("DeleteOptions.meta.k8s.io", errors);
  return {
    uid: textAt(options, "preconditions", "uid") || null,
    resourceVersion: textAt(options, "preconditions", "resourceVersion") || null,
    propagation: propagationOf(options),
    dryRun: [...listAt(options, "dryRun"), ...call.query.getAll("dryRun")].includes("All"),
  };
}

/** The body as an object; the query in its form where there is no body. */
function optionsOf(call: ResourceRequest): JsonObject {
  const body = bodyOf(call.request);
  if (body !== undefined) {
    const kind = textAt(body, "kind") || "DeleteOptions";
    if (!isObject(body) || kind !== "DeleteOptions")
      throw badRequest("the body of a deletion is DeleteOptions or nothing");
    return body;
  }
  const policy = call.query.get("propagationPolicy") ?? "";
  const orphans = flag(call.query.get("orphanDependents"));
  return {
    ...(policy === "" ? {} : { propagationPolicy: policy }),
    ...(orphans === null ? {} : { orphanDependents: orphans }),
  };
}

function optionErrors(options: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const policy = valueAt(options, "propagationPolicy") ?? "";
  const field = "propagationPolicy";
  if (policy !== "" && typeof valueAt(options, "orphanDependents") === "boolean")
    errors.push({
      field,
      reason: "FieldValueInvalid",
      value: policy,
      detail: "orphanDependents and deletionPropagation cannot be both set",
    });
  if (policy !== "" && !POLICIES.some((each) => each === policy))
    errors.push({
      field,
      reason: "FieldValueNotSupported",
      value: policy,
      detail: `supported values: ${[...POLICIES, "nil"].map((each) => `"${each}"`).join(", ")}`,
    });
  const dryRun = listAt(options, "dryRun");
  if (dryRun.some((each) => each !== "All"))
    errors.push({
      field: "dryRun",
      reason: "FieldValueNotSupported",
      value: dryRun,
      detail: 'supported values: "All"',
    });
  return errors;
}

/** `orphanDependents` is the old way to say Orphan (true) or Background (false). */
function propagationOf(options: JsonObject): Propagation | null {
  const policy = POLICIES.find((each) => each === options["propagationPolicy"]);
  if (policy !== undefined) return policy;
  const { orphanDependents } = options;
  if (typeof orphanDependents !== "boolean") return null;
  return orphanDependents ? "Orphan" : "Background";
}
