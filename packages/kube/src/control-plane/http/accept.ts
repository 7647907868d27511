/**
 * Chooses the form of an answer from the Accept header (RFC 9110 §12.5.1, Kubernetes "Resource
 * representations").
 */
import { ApiError } from "../errors/api-error.ts";
import type { Form } from "../objects/object-forms.ts";

/** One media range with its parameters, in the order in which the client names them. */
export interface MediaRange {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The ranges of an Accept header; `*` when there is none. */
export function parseAccept(header: string | undefined): readonly MediaRange[] {
  if (header === undefined || header.trim() === "") return [{ type: "*/*", parameters: {} }];
  return header.split(",").map((part) => {
    const [type = "", ...rest] = part.split(";").map((each) => each.trim());
    const parameters = Object.fromEntries(
      rest.map((each) => {
        const equals = each.indexOf("=");
        return equals < 0 ? [each, ""] : [each.slice(0, equals), each.slice(equals + 1)];
      }),
    );
    return { type: type.toLowerCase(), parameters };
  });
}

/** Ranges that plain JSON satisfies; parameters are checked separately. */
const JSON_TYPES = ["application/json", "application/*", "*/*"];

/** True when the range takes plain JSON. */
export function takesJson(range: MediaRange): boolean {
  return JSON_TYPES.includes(range.type);
}

/**
 * The first form that the client names and that is served. Throws ApiError 406 when there is none.
 */
export function negotiateForm(header: string | undefined, include: string | null): Form {
  const ranges = parseAccept(header);
  for (const range of ranges) {
    const form = takesJson(range) ? formOf(range, include) : null;
    if (form !== null) return form;
  }
  // Types that no path has are refused by the router of kube-apiserver; its refusals have details.
  throw new ApiError(
    "NotAcceptable",
    "only the following media types are accepted: application/json, application/json;as=Table;v=v1;g=meta.k8s.io, application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    ranges.some(takesJson) ? undefined : {},
  );
}

/** Null = the range names a form or version that is not served; the next range is tried. */
function formOf(range: MediaRange, include: string | null): Form | null {
  const { as, g, v } = range.parameters;
  if (as === undefined) return { as: "object" };
  if (g !== "meta.k8s.io" || (v !== "v1" && v !== "v1beta1")) return null;
  // Anything unknown counts as the default, as in Kubernetes.
  if (as === "Table")
    return {
      as: "table",
      version: v,
      include: include === "None" || include === "Object" ? include : "Metadata",
    };
  if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList")
    return { as: "metadata", version: v };
  return null;
}
