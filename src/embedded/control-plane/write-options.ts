/**
 * The options of a write as the query gives them: dry run, field validation, field manager. Checked before anything is read.
 * Kubernetes apis/meta/v1/validation (ValidateCreateOptions, ValidatePatchOptions).
 */
import type { HttpHeaders } from "../../ports/http.ts";
import { badRequest, noSuchPath } from "./api-error.ts";
import { wrongOption } from "./apply/apply-errors.ts";
import type { Manager } from "./apply/managed-fields.ts";
import { bodyFaults } from "./body.ts";
import type { FieldValidation, Reading } from "./decode.ts";
import type { WriteTarget } from "./object-writer.ts";
import { unknownOperationFields } from "./patches.ts";
import type { ResourceRequest } from "./resource-reads.ts";

/** Characters of a manager's name. */
export const MANAGER_MAX = 128;

/** Which object a request writes to, whether it is only tried, and who does it. */
export function writeTarget(call: ResourceRequest, name: string): WriteTarget {
  const { kind, namespace } = call.route;
  return { kind, namespace, name, dryRun: isDryRun(call), by: managerOf(call) };
}

function isDryRun(call: ResourceRequest): boolean {
  const values = call.query.getAll("dryRun").filter((value) => value !== "");
  if (values.some((value) => value !== "All"))
    throw badRequest(`dryRun: Unsupported value: supported values: "All"`);
  return values.length > 0;
}

/** Kubernetes 1.27 and newer warn unless told otherwise. */
export function fieldValidation(call: ResourceRequest): FieldValidation {
  const value = call.query.get("fieldValidation") ?? "";
  if (value === "Strict" || value === "Ignore") return value;
  if (value === "" || value === "Warn") return "Warn";
  throw badRequest(
    `fieldValidation: Unsupported value: ${JSON.stringify(value)}: supported values: "Ignore", "Strict", "Warn"`,
  );
}

/** How the body of a create or replace is read. */
export function bodyReading(call: ResourceRequest): Reading {
  const rule = fieldValidation(call);
  return { rule, faults: rule === "Ignore" ? [] : bodyFaults(call.request), isPatched: false };
}

/** How an object that a patch made is read: the patch itself may have faults too. */
export function patchReading(call: ResourceRequest, patch: unknown): Reading {
  const { rule, faults } = bodyReading(call);
  if (rule === "Ignore" || !Array.isArray(patch)) return { rule, faults, isPatched: true };
  const own = [...faults, ...unknownOperationFields(patch)];
  return { rule, faults: own.map((fault) => `json patch ${fault}`), isPatched: true };
}

/** Throws 404 for subresources that are not served. */
export function writtenPart(call: ResourceRequest): "main" | "status" {
  const { subresource, kind } = call.route;
  if (subresource === null) return "main";
  if (subresource === "status" && kind.hasStatus) return "status";
  throw noSuchPath();
}

/** The manager that the query names, else the program that the user agent names. Throws ApiError 422. */
export function managerOf(call: ResourceRequest): Manager {
  const name = call.query.get("fieldManager") ?? "";
  if (name.length > MANAGER_MAX || UNPRINTABLE.test(name))
    throw wrongOption(
      "fieldManager",
      "Invalid",
      `must be at most ${MANAGER_MAX} printable characters`,
    );
  const subresource = call.route.subresource ?? "";
  return { name: name === "" ? programName(call.request.headers) : name, subresource };
}

const UNPRINTABLE = /[^\P{C}]/u;

/** What stands before the first slash of the user agent (apiserver pkg/endpoints/handlers: managerOrUserAgent). */
function programName(headers: HttpHeaders): string {
  const [program = ""] = (headers["user-agent"] ?? "").split("/");
  return program.replaceAll(/[^\P{C}]/gu, "").slice(0, MANAGER_MAX);
}

/** The manager of an apply, which has to be named. Throws ApiError 422. */
export function applierOf(call: ResourceRequest): Manager {
  if ((call.query.get("fieldManager") ?? "") === "")
    throw wrongOption("fieldManager", "Required", "is required for apply patch");
  return managerOf(call);
}

/** Only an apply may be forced. Throws ApiError 422. */
export function checkNotForced(call: ResourceRequest): void {
  if (call.query.has("force"))
    throw wrongOption("force", "Forbidden", "may not be specified for non-apply patch");
}
