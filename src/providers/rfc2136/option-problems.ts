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

/** That a key is missing, and which key of the Secret was probably meant for it. */
export function missingText(secret: Readonly<Record<string, string>>, key: string): string {
  const similar = Object.keys(secret).find((other) => isSimilar(other, key));
  return similar === undefined ? "is missing" : `is missing (the Secret has ${similar})`;
}

/** One key is the other in another case. */
export function isSimilar(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
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
