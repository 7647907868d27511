/** The text of docs/reference/rights.md: each rule with why, and what happens without it. Pure. */
import type { RightRow } from "../../src/app/commands/run/right-rows.ts";
import { whenText } from "./conditions.ts";
import { ROLE_FILES, type RoleFile } from "./roles.ts";
import { plainNames, type Rule, verbsOf, wholeRules } from "./rules.ts";

const HEADINGS: Readonly<Record<RoleFile["part"], string>> = {
  cluster: "In the cluster",
  secrets: "Secrets",
  clusters: "In the namespace of the Secrets of further clusters",
  lease: "In the namespace of the Lease",
  webhook: "In the namespace of the webhook",
};
const TEXTS: Readonly<Record<RoleFile["part"], string>> = {
  cluster: `With \`--namespace\`, what has a namespace is needed in that one only: bind the ClusterRole there with a RoleBinding, and the rules of
\`namespaces\`, \`customresourcedefinitions\` and \`dnsowners\` with a ClusterRoleBinding.`,
  secrets: `Secrets are read in the whole cluster where the program may, else in each namespace that has a DNSProvider of its classes. Nothing is to
be switched: the program asks. A DNSProvider whose namespace has no Role is not Ready (\`SecretUnreadable\`), and its message has the two
commands that give it; within about ten seconds it goes on. Where a right is taken away, an account that is open goes on with the
credentials that it has, and no record goes.`,
  clusters: `Only with \`--clusters-namespace\`. A right to Secrets cannot be restricted to a label, so the program reads all Secrets of that namespace:
have nothing else there. In further clusters themselves it reads what the sources above read, and writes Events where it may.`,
  lease:
    "Names limit what is changed where names are fixed; `create` cannot be limited by name. Nothing is deleted there: a ConfigMap that is not used any more is emptied.",
  webhook: "Only with `--webhook-address`.",
};

/** Markdown that ends in a newline. */
export function rightsPage(rows: readonly RightRow[]): string {
  return `<!-- Generated from src/app/commands/run/right-rows.ts by tools/generate-rights.ts. Do not edit. -->
# Rights

What \`zonekeeper run\` asks of its clusters, for a security review. \`deploy/rbac/\` and the chart have these rules; the chart renders those
alone that the configuration needs. \`zonekeeper check\` and \`/readyz\` name what is missing, with the command that gives it. A missing right
removes no record: what may not be read is not known, and what is not known is not deleted ([Z-1](../safety.md#z-1)). With \`--dry-run\` only
\`get\`, \`list\` and \`watch\` are needed. *Needed* \`restore\` or \`optional\`: the program does without.

${ROLE_FILES.map((file) => section(file, rows)).join("\n")}`;
}

function section({ part, path, kind, name }: RoleFile, rows: readonly RightRow[]): string {
  const rules = wholeRules(rows, part);
  return `## ${HEADINGS[part]}

${TEXTS[part]}
[${path}](../../${path}): ${kind} \`${name}\`.

| resource | verbs | what for | when | without it |
|---|---|---|---|---|
${rules.flatMap(linesOf).join("\n")}
`;
}

/** Rows of one rule that say the same but for verbs or conditions are one line. */
function linesOf(rule: Rule): readonly string[] {
  const reasons = new Map<string, RightRow[]>();
  for (const row of rule.rows) {
    const key = `${row.why} ${row.without} ${row.for}`;
    reasons.set(key, [...(reasons.get(key) ?? []), row]);
  }
  return [...reasons.values()].map((rows) => lineOf(rule, rows));
}

function lineOf(rule: Rule, rows: readonly RightRow[]): string {
  const [first] = rows;
  const group = rule.group === "" ? "" : ` (${rule.group})`;
  const names = plainNames(rule);
  const named = names.length === 0 ? "" : `: ${names.join(", ")}`;
  const when = [...new Set(rows.map((row) => whenText(row.when)))].join("; or ");
  const needed = first === undefined || first.for === "run" ? "" : ` (${first.for})`;
  const cells = [
    `\`${rule.resource}\`${group}${named}`,
    verbsOf({ rows }).join(", "),
    first?.why ?? "",
    `${when}${needed}`,
    first?.without ?? "",
  ];
  return `| ${cells.join(" | ")} |`;
}
