/** Layouts of external-dns's TXT names for tests. */
import type { NameTemplate } from "../../../src/ownership/txt/name-template.ts";

/** A layout with these affixes; an empty wildcard = none is replaced. */
export function nameTemplate(prefix: string, suffix = "", wildcard = ""): NameTemplate {
  return { prefix, suffix, wildcard };
}
