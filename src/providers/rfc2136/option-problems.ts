/**
 * Problems with the settings of an rfc2136 account. They name the key or field and never its value.
 */
import type { Problem } from "../../model/problem.ts";

/** About a key of the Secret. */
export function secretProblem(key: string, trouble: string, remedy: string): Problem {
  return {
    code: "InvalidProviderSecret",
    subject: key,
    message: `the key ${key} of the Secret ${trouble}: ${remedy}`,
    field: `data.${key}`,
  };
}

/** About a field of `providerConfig`. */
export function configProblem(field: string, trouble: string): Problem {
  return {
    code: "InvalidProviderConfig",
    subject: field,
    message: `the field ${field} of providerConfig ${trouble}`,
    field: `spec.providerConfig.${field}`,
  };
}
