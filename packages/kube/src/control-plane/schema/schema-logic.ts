/**
 * `allOf`, `anyOf`, `oneOf` and `not` of a schema node, with the messages of k8s.io/kube-openapi
 * pkg/validation/errors. Pure.
 */
import type { FieldError } from "../errors/api-error.ts";
import type { Schema } from "./schema.ts";

/** Validates the same value against another node. */
type Check = (schema: Schema) => readonly FieldError[];

/**
 * Field errors of all combinations of a node; where none of several fits, those of the nearest one
 * are listed too.
 */
export function combinationErrors(
  schema: Schema,
  path: string,
  check: Check,
): readonly FieldError[] {
  const { allOf, anyOf, oneOf, not } = schema;
  return [
    ...(allOf === undefined ? [] : allErrors(allOf, path, check)),
    ...(anyOf === undefined ? [] : anyErrors(anyOf, path, check)),
    ...(oneOf === undefined ? [] : oneErrors(oneOf, path, check)),
    ...(not !== undefined && check(not).length === 0
      ? [combined(path, "must not validate the schema (not)")]
      : []),
  ];
}

function allErrors(schemas: readonly Schema[], path: string, check: Check): readonly FieldError[] {
  const failed = schemas.flatMap(check);
  if (failed.length === 0) return [];
  return [combined(path, "must validate all the schemas (allOf)"), ...failed];
}

function anyErrors(schemas: readonly Schema[], path: string, check: Check): readonly FieldError[] {
  const results = schemas.map(check);
  if (results.some((errors) => errors.length === 0)) return [];
  return [combined(path, "must validate at least one schema (anyOf)"), ...fewest(results)];
}

function oneErrors(schemas: readonly Schema[], path: string, check: Check): readonly FieldError[] {
  const results = schemas.map(check);
  const valid = results.filter((errors) => errors.length === 0).length;
  if (valid === 1) return [];
  const what = "must validate one and only one schema (oneOf).";
  if (valid > 1) return [combined(path, `${what} Found ${valid} valid alternatives`)];
  return [combined(path, `${what} Found none valid`), ...fewest(results)];
}

function fewest(results: readonly (readonly FieldError[])[]): readonly FieldError[] {
  return results.reduce((best, errors) => (errors.length < best.length ? errors : best));
}

function combined(path: string, what: string): FieldError {
  const field = path === "" ? "<nil>" : path;
  return { field, reason: "FieldValueInvalid", value: "", detail: `"${path}" ${what}` };
}
