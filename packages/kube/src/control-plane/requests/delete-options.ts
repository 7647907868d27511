/**
 * The options of a DELETE: from the body, or from the query when there is none. Checked as
 * apimachinery pkg/apis/meta/v1/validation (ValidateDeleteOptions) does.
 */
import {
  badRequest,
  type FieldError,
  invalidOptions,
  unsupported,
  wrong,
} from "../errors/api-error.ts";
import { bodyOf } from "../http/body.ts";
import { defined, isObject, type JsonObject, listAt, textAt, valueAt } from "../json/json.ts";
import type { DeleteOptions, Propagation } from "../objects/deletion.ts";
import { builtInSchema } from "../schema/schema-table.ts";
import { walkSchema } from "../schema/schema-validate.ts";
import { flag, wholeNumber } from "./list-options.ts";
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
    uid: preconditionOf(options, "uid"),
    resourceVersion: preconditionOf(options, "resourceVersion"),
    propagation: propagationOf(options),
    dryRun: listAt(options, "dryRun").length > 0,
  };
}

/** The body as an object; the query in its form where there is no body. */
function optionsOf(call: ResourceRequest): JsonObject {
  const body = bodyOf(call.request);
  if (body === undefined) return queryOptions(call.query);
  const kind = textAt(body, "kind") || "DeleteOptions";
  if (!isObject(body) || kind !== "DeleteOptions")
    throw badRequest("the body of a deletion is DeleteOptions or nothing");
  // What has another type is refused: it was meant to say something.
  const [fault] = walkSchema(builtInSchema("DeleteOptions"), body).errors;
  if (fault !== undefined) throw badRequest(`DeleteOptions: ${fault.detail}`);
  // With a body kube-apiserver ignores the query. A dry run of a deletion must never delete.
  return { ...body, dryRun: [...listAt(body, "dryRun"), ...call.query.getAll("dryRun")] };
}

/**
 * Names and values of apimachinery pkg/apis/meta/v1/conversion.go
 * (Convert_url_Values_To_v1_DeleteOptions).
 */
function queryOptions(query: URLSearchParams): JsonObject {
  wholeNumber(query, "gracePeriodSeconds");
  return defined({
    dryRun: query.getAll("dryRun"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    orphanDependents: flag(query.get("orphanDependents")) ?? undefined,
    preconditions: defined({
      uid: query.get("uid") || undefined,
      resourceVersion: query.get("resourceVersion") || undefined,
    }),
  });
}

/** Null = absent; the empty text is no uid of an object. */
function preconditionOf(options: JsonObject, field: string): string | null {
  const value = valueAt(options, "preconditions", field);
  return typeof value === "string" ? value : null;
}

function optionErrors(options: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const policy = valueAt(options, "propagationPolicy") ?? null;
  const field = "propagationPolicy";
  const isTwice = policy !== null && typeof valueAt(options, "orphanDependents") === "boolean";
  if (isTwice)
    errors.push(
      wrong(field, policy, "orphanDependents and deletionPropagation cannot be both set"),
    );
  if (policy !== null && !POLICIES.some((each) => each === policy))
    errors.push(unsupported(field, policy, [...POLICIES, "nil"]));
  const dryRun = listAt(options, "dryRun");
  if (dryRun.some((each) => each !== "All")) errors.push(unsupported("dryRun", dryRun, ["All"]));
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
