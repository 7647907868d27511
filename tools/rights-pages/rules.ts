/** The rights of right-rows.ts as rules of RBAC, each resource once. Pure. */
import {
  LEASE_NAME,
  type RightPart,
  type RightRow,
} from "../../src/app/commands/run/right-rows.ts";

/** One resource, or some objects of it. */
export interface Rule {
  readonly group: string;
  /** `dnsentries/status`. */
  readonly resource: string;
  readonly isNamespaced: boolean;
  /** Empty = any. */
  readonly names: readonly string[];
  /** What grants verbs of it; in the order of the table. */
  readonly rows: readonly RightRow[];
}

/** Of one role, in the order of the table. */
export function rulesOf(rows: readonly RightRow[], part: RightPart): readonly Rule[] {
  const byResource = new Map<string, Rule>();
  for (const row of rows.filter((one) => one.part === part)) {
    const { kind, subresource, names } = row;
    const resource = subresource === null ? kind.plural : `${kind.plural}/${subresource}`;
    // Definitions have one set of verbs; what names them differs.
    const key = `${kind.group} ${resource} ${names.join(",")}`;
    const known = byResource.get(key)?.rows ?? [];
    const { group, namespaced: isNamespaced } = kind;
    byResource.set(key, { group, resource, isNamespaced, names, rows: [...known, row] });
  }
  return [...byResource.values()];
}

/** Each once. */
export function verbsOf({ rows }: Pick<Rule, "rows">): readonly string[] {
  return [...new Set(rows.flatMap(({ verbs }) => verbs))];
}

/** Of the whole table, whatever runs: without what others include, and names joined. */
export function wholeRules(rows: readonly RightRow[], part: RightPart): readonly Rule[] {
  const rules = rulesOf(rows, part);
  const isIncluded = (rule: Rule): boolean =>
    rules.some(
      (other) =>
        other !== rule &&
        other.names.length === 0 &&
        resourceOf(other) === resourceOf(rule) &&
        verbsOf(rule).every((verb) => verbsOf(other).includes(verb)),
    );
  const byVerbs = new Map<string, Rule>();
  for (const rule of rules.filter((one) => !isIncluded(one))) {
    const key = `${resourceOf(rule)} ${rule.names.length > 0} ${verbsOf(rule).join(",")}`;
    const known = byVerbs.get(key);
    const names = [...(known?.names ?? []), ...rule.names];
    byVerbs.set(key, { ...rule, names, rows: [...(known?.rows ?? []), ...rule.rows] });
  }
  return [...byVerbs.values()];
}

function resourceOf({ group, resource }: Rule): string {
  return `${group}/${resource}`;
}

/** What it is for: each reason once. */
export function reasonsOf({ rows }: Pick<Rule, "rows">): string {
  return [...new Set(rows.map(({ why }) => why))].join("; ");
}

/** With the name that the Lease has where nothing is said. */
export function plainNames({ names }: Pick<Rule, "names">): readonly string[] {
  return names.map((name) => (name === LEASE_NAME ? "zonekeeper" : name));
}
