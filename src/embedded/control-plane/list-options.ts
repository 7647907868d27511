/**
 * Which options of a list or watch go together. Checked before anything is read.
 * Kubernetes apimachinery pkg/apis/meta/internalversion/validation (ValidateListOptions) and
 * apiserver pkg/storage/etcd3 (continue and resourceVersion).
 */
import { badRequest, type FieldError, invalidOptions } from "./api-error.ts";

const MATCH = "resourceVersionMatch";
const MATCHES = ["Exact", "NotOlderThan"];

/** Throws ApiError 422, and 400 for a continued list with a version of its own. */
export function checkListOptions(query: URLSearchParams, isWatch: boolean): void {
  const isStreamed = query.has("sendInitialEvents");
  const errors = isStreamed ? [] : matchErrors(query, isWatch);
  if (errors.length > 0) throw invalidOptions("ListOptions.meta.k8s.io", errors);
  const version = query.get("resourceVersion") ?? "";
  if (!isWatch && (query.get("continue") ?? "") !== "" && version !== "" && version !== "0")
    throw badRequest("specifying resource version is not allowed when using continue");
}

function matchErrors(query: URLSearchParams, isWatch: boolean): readonly FieldError[] {
  const match = query.get(MATCH) ?? "";
  if (match === "") return [];
  const version = query.get("resourceVersion") ?? "";
  const rules: readonly (readonly [isBroken: boolean, error: FieldError])[] = [
    [isWatch, forbidden("resourceVersionMatch is forbidden for watch")],
    [
      version === "",
      forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"),
    ],
    [
      Boolean(query.get("continue")),
      forbidden("resourceVersionMatch is forbidden when continue is provided"),
    ],
    [!MATCHES.includes(match), unsupported(match)],
    [
      match === "Exact" && version === "0",
      forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    ],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, error]) => error);
}

const unsupported = (match: string): FieldError => ({
  field: MATCH,
  reason: "FieldValueNotSupported",
  value: match,
  detail: `supported values: ${MATCHES.map((each) => JSON.stringify(each)).join(", ")}`,
});

const forbidden = (detail: string): FieldError => ({
  field: MATCH,
  reason: "FieldValueForbidden",
  detail,
});
