/** Clauses of the rules of proofs/reader-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

export const READER_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "--exclude-domains takes this very name",
    clause: "exclusion-takes-the-name",
    breaks: /^an excluded name is published/,
  },
  {
    drops: "--exclude-domains takes no name below a plain one",
    clause: "plain-exclusion-takes-no-subdomain",
    to: "const parents = new Set(domains.map((one) => (isWildcard(one) ? parentOf(one) : one)));",
    breaks: /^a name excludes those below it/,
  },
  {
    drops: "--exclude-domains: a wildcard takes names below it",
    clause: "exclusion-wildcard-one-label",
    breaks: /^a wildcard excludes no name below it/,
  },
  {
    drops: "--exclude-domains: a wildcard takes names one label below",
    clause: "exclusion-wildcard-one-label",
    to: '![...parents].some((parent) => name.endsWith("." + parent))',
    breaks: /^a wildcard excludes names two labels below it/,
  },
  {
    drops: "--exclude-domains: a wildcard does not take its parent",
    clause: "exclusion-takes-the-name",
    to: "$& && !parents.has(name)",
    breaks: /^a wildcard excludes (its parent|names two labels)/,
  },
  {
    drops: "Z-25 entries of another reader are its own",
    clause: "entries-of-other-reader-stay",
    to: "return entries;",
    breaks: /^an entry of another reader is deleted/,
  },
  {
    drops: "Z-25 an entry without a mark is of the reader of its class",
    clause: "unmarked-entry-is-of-its-class",
    to: '"red"',
    breaks: /^an entry without a mark is deleted/,
  },
  {
    drops: "Z-25 an entry that was taken into another class is of the reader of its former one",
    clause: "former-class-has-entry",
    breaks: /^an entry that was taken into our class/,
  },
  {
    drops: "Z-25 an object of ours brings its entries along",
    clause: "object-brings-its-entries",
    breaks: /^entries of an object that came stay/,
  },
  {
    drops: "Z-25 a reader deletes entries of an object that left",
    clause: "entries-of-other-reader-stay",
    to: "return [];",
    breaks: /^an entry stays that was made before/,
  },
];
