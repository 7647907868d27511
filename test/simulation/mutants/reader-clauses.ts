/** Clauses of the rules of proofs/reader-rules.ts, each with its loss. Data only. */
import type { RuleMutant } from "./cluster-rules-clauses.ts";

const DOMAINS = "src/sources/shared/excluded-domains.ts";
const CLASSES = "src/source-controllers/entries/source-class.ts";

export const READER_CLAUSES: readonly RuleMutant[] = [
  {
    drops: "--exclude-domains takes this very name",
    file: DOMAINS,
    from: "!names.has(name) &&",
    to: "",
    breaks: /^an excluded name is published/,
  },
  {
    drops: "--exclude-domains takes no name below a plain one",
    file: DOMAINS,
    from: "domains.filter(isWildcard).map(parentOf)",
    to: "domains.map((one) => (isWildcard(one) ? parentOf(one) : one))",
    breaks: /^a name excludes those below it/,
  },
  {
    drops: "--exclude-domains: a wildcard takes names below it",
    file: DOMAINS,
    from: " && !parents.has(parentOf(name))",
    to: "",
    breaks: /^a wildcard excludes no name below it/,
  },
  {
    drops: "--exclude-domains: a wildcard takes names one label below",
    file: DOMAINS,
    from: "!parents.has(parentOf(name))",
    to: '![...parents].some((parent) => name.endsWith("." + parent))',
    breaks: /^a wildcard excludes names two labels below it/,
  },
  {
    drops: "--exclude-domains: a wildcard does not take its parent",
    file: DOMAINS,
    from: "!names.has(name)",
    to: "!names.has(name) && !parents.has(name)",
    breaks: /^a wildcard excludes (its parent|names two labels)/,
  },
  {
    drops: "Z-25 entries of another reader are its own",
    file: CLASSES,
    from: "entries.filter((entry) => classes.includes(sourceClassOf(entry)))",
    to: "entries",
    breaks: /^an entry of another reader is deleted/,
  },
  {
    drops: "Z-25 an entry without a mark is of the reader of its class",
    file: CLASSES,
    from: "?? classOf(entry)",
    to: '?? "red"',
    breaks: /^an entry without a mark is deleted/,
  },
  {
    drops: "Z-25 an entry that was taken into another class is of the reader of its former one",
    file: CLASSES,
    from: "?? formerClassOf(entry) ",
    to: "",
    breaks: /^an entry that was taken into our class/,
  },
  {
    drops: "Z-25 an object of ours brings its entries along",
    file: CLASSES,
    from: "if (isOfClass(object, classes)) return entries;",
    to: "",
    breaks: /^entries of an object that came stay/,
  },
  {
    drops: "Z-25 a reader deletes entries of an object that left",
    file: CLASSES,
    from: "entries.filter((entry) => classes.includes(sourceClassOf(entry)))",
    to: "[]",
    breaks: /^an entry stays that was made before/,
  },
];
