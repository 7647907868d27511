/**
 * The options of a write as the query gives them: dry run, field validation, field manager. Checked
 * before anything is read. Kubernetes apis/meta/v1/validation (ValidateCreateOptions,
 * ValidatePatchOptions).
 */
import type { HttpHeaders } from "@zonekeeper/base/ports/http";
import type { Manager } from "../apply/managed-fields.ts";
import {
  type ApiError,
  type FieldError,
  forbidden,
  invalidOptions,
  missing,
  noSuchPath,
  unsupported,
  wrong,
} from "../errors/api-error.ts";
import type { FieldValidation } from "../objects/decode.ts";
import type { WriteTarget } from "../storage/object-writer.ts";
import type { ResourceRequest } from "./resource-reads.ts";

/** Characters of a manager's name. */
export const MANAGER_MAX = 128;

/** Which object a request writes to, whether it is only tried, and who does it. */
export function writeTarget(call: ResourceRequest, name: string): WriteTarget {
  const { kind, namespace } = call.route;
  const dryRun = call.query.getAll("dryRun").filter((value) => value !== "");
  if (dryRun.some((value) => value !== "All")) throw notSupported(call, "dryRun", ["All"]);
  return { kind, namespace, name, dryRun: dryRun.length > 0, by: managerOf(call) };
}

/** Kubernetes 1.27 and newer warn by default. */
export function fieldValidation(call: ResourceRequest): FieldValidation {
  const value = call.query.get("fieldValidation") ?? "";
  if (value === "Strict" || value === "Ignore") return value;
  if (value === "" || value === "Warn") return "Warn";
  throw notSupported(call, "fieldValidation", ["Ignore", "Strict", "Warn"]);
}

/** 422 (apimachinery pkg/apis/meta/v1/validation ValidateDryRun, ValidateFieldValidation). */
function notSupported(call: ResourceRequest, field: string, values: readonly string[]): ApiError {
  const error = unsupported(field, call.query.get(field), values);
  return invalidOptions(optionsOf(call), [error]);
}

const PATCH_OPTIONS = "PatchOptions.meta.k8s.io";
const OPTIONS: Readonly<Record<string, string>> = {
  POST: "CreateOptions.meta.k8s.io",
  PUT: "UpdateOptions.meta.k8s.io",
  DELETE: "DeleteOptions.meta.k8s.io",
};

/** What the options of a request are called. */
const optionsOf = (call: ResourceRequest): string => OPTIONS[call.request.method] ?? PATCH_OPTIONS;

/** Throws 404 for subresources that are not served. */
export function writtenPart(call: ResourceRequest): "main" | "status" {
  const { subresource, kind } = call.route;
  if (subresource === null) return "main";
  if (subresource === "status" && kind.hasStatus) return "status";
  throw noSuchPath();
}

/**
 * The manager that the query names, else the program that the user agent names. Throws ApiError
 * 422.
 */
export function managerOf(call: ResourceRequest): Manager {
  const name = call.query.get("fieldManager") ?? "";
  checkManager(call, name);
  const subresource = call.route.subresource ?? "";
  return { name: name === "" ? programName(call.request.headers) : name, subresource };
}

/** Length and characters (ValidateFieldManager). */
function checkManager(call: ResourceRequest, name: string): void {
  const field = "fieldManager";
  const errors: FieldError[] = [];
  const tooLong = `may not be more than ${MANAGER_MAX} bytes`;
  if (name.length > MANAGER_MAX)
    errors.push({ field, reason: "FieldValueTooLong", detail: tooLong });
  const unprintable = "should only contain printable characters";
  if (name !== printable(name)) errors.push(wrong(field, name.slice(0, MANAGER_MAX), unprintable));
  if (errors.length > 0) throw invalidOptions(optionsOf(call), errors);
}

const printable = (text: string): string => text.replaceAll(/\p{C}/gu, "");

/**
 * The manager of a client that sends no name (apiserver fieldmanager/buildmanagerinfo.go).
 */
const NAMELESS = "unknown";

/**
 * The user agent up to its first slash (apiserver pkg/endpoints/handlers:
 * managerOrUserAgent).
 */
function programName(headers: HttpHeaders): string {
  const [program = ""] = (headers["user-agent"] ?? "").split("/");
  return printable(program).slice(0, MANAGER_MAX) || NAMELESS;
}

/** The manager of an apply, which has to be named. Throws ApiError 422. */
export function applierOf(call: ResourceRequest): Manager {
  if ((call.query.get("fieldManager") ?? "") === "")
    throw invalidOptions(PATCH_OPTIONS, [missing("fieldManager", "is required for apply patch")]);
  return managerOf(call);
}

/** Only an apply may be forced. Throws ApiError 422. */
export function checkNotForced(call: ResourceRequest): void {
  if (call.query.has("force"))
    throw invalidOptions(PATCH_OPTIONS, [
      forbidden("force", "may not be specified for non-apply patch"),
    ]);
}
