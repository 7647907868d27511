/**
 * What an apply is refused with. Words as Kubernetes has them: apimachinery
 * pkg/util/managedfields/internal/conflict.go, apis/meta/v1/validation (ValidatePatchOptions) and
 * structured-merge-diff typed/validate.go.
 */
import { groupedBy } from "@zonekeeper/base/grouped-by";
import type { KindRef } from "../../objects/kubernetes.ts";
import { ApiError } from "../errors/api-error.ts";
import { type PathElement, pathText } from "./field-set.ts";
import type { ManagedEntry } from "./managed-fields.ts";

/** One field that another manager owns with another value. */
export interface Conflict {
  readonly owner: ManagedEntry;
  readonly path: readonly PathElement[];
}

/** 409 with a cause for each field. */
export function applyConflict(conflicts: readonly Conflict[]): ApiError {
  const causes = conflicts.map(({ owner, path }) => ({
    reason: "FieldManagerConflict",
    message: `conflict with ${managerText(owner)}`,
    field: pathText(path),
  }));
  return new ApiError("Conflict", conflictMessage(conflicts), { causes });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only, ...others] = conflicts;
  if (only !== undefined && others.length === 0)
    return `Apply failed with 1 conflict: conflict with ${managerText(only.owner)}: ${pathText(only.path)}`;
  const lines = [...groupedBy(conflicts, ({ owner }) => managerText(owner))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([manager, own]) => [
      `conflicts with ${manager}:`,
      ...own.map(({ path }) => `- ${pathText(path)}`),
    ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join("\n")}`;
}

function managerText({ manager, operation, apiVersion }: ManagedEntry): string {
  const part = manager.subresource === "" ? "" : ` with subresource "${manager.subresource}"`;
  const version = operation === "Update" ? ` using ${apiVersion}` : "";
  return `${JSON.stringify(manager.name)}${part}${version}`;
}

/** 500 without reason, as Kubernetes answers a configuration that does not fit its schema. */
export function notOfType(ref: KindRef, name: string, faults: readonly string[]): ApiError {
  const what = faults.length === 1 ? (faults[0] ?? "") : `errors:\n  ${faults.join("\n  ")}`;
  const type = `${ref.group}/${ref.version}, Kind=${ref.kind}`;
  return new ApiError("", `failed to create typed patch object (${name}; ${type}): ${what}`);
}
