/**
 * The text of deploy/chart/templates/_rights.tpl: rules of RBAC with conditions on
 * `.Values.configuration`, so that a rendered chart grants what the program needs with that
 * configuration, and no more. Pure.
 */
import { joined } from "../../src/app/commands/run/right-facts.ts";
import {
  LEASE_NAME,
  READ,
  type RightPart,
  type RightRow,
} from "../../src/app/commands/run/right-rows.ts";
import { SOURCES } from "../../src/sources/index.ts";
import type { SourceRow } from "../../src/sources/source.ts";
import { CHART_VARIABLES, chartExpression } from "./conditions.ts";
import { type Rule, rulesOf } from "./rules.ts";

interface Block {
  readonly name: string;
  readonly doc: string;
  readonly part: RightPart;
  /** Which of its rules, besides; `chart`: and when. */
  readonly only?: { readonly of: (rule: Rule) => boolean; readonly chart: string };
}

const NAMESPACED = (rule: Rule): boolean => rule.isNamespaced;
const BLOCKS: readonly Block[] = [
  {
    name: "clusterRules",
    doc: "Of a ClusterRole that is bound in the whole cluster.",
    part: "cluster",
  },
  {
    name: "namespaceRules",
    doc: "Of a Role in configuration.namespace; empty where that is not set.",
    part: "cluster",
    only: { of: NAMESPACED, chart: "(not $everywhere)" },
  },
  {
    name: "secretRules",
    doc: "Of a Role in each namespace with DNSProviders, or of a ClusterRole.",
    part: "secrets",
  },
  {
    name: "leaseRules",
    doc: "Of a Role in the namespace of the Lease: configuration.leaseNamespace, else that of the release.",
    part: "lease",
  },
  {
    name: "clustersRules",
    doc: "Of a Role in configuration.clustersNamespace.",
    part: "clusters",
  },
  {
    name: "webhookRules",
    doc: "Of a Role in configuration.webhookNamespace.",
    part: "webhook",
  },
];

/** Ends in a newline. */
export function chartRules(
  rows: readonly RightRow[],
  sources: readonly SourceRow[] = SOURCES,
): string {
  const head = `{{- /* Generated from src/app/commands/run/right-rows.ts by tools/generate-rights.ts. Do not edit. Each define is a list of
rules, or nothing where there are none. */ -}}
`;
  return `${head}${controllers(sources)}${BLOCKS.map((block) => blockText(block, rows)).join("")}`;
}

/** A list or a text with commas; `all` as `--controllers` means it. */
function controllers(sources: readonly SourceRow[]): string {
  const byDefault = sources.filter((row) => row.isDefault && row.publishes !== "itself");
  const all = ["compound", ...byDefault.map(({ name }) => name)].map((name) => `"${name}"`);
  return `
{{- define "zonekeeper.rights.controllers" -}}
{{- $given := (.Values.configuration | default dict).controllers | default "all" -}}
{{- $names := list -}}
{{- range (kindIs "slice" $given | ternary $given (splitList "," (toString $given))) -}}
{{- $name := trim (toString .) -}}
{{- if eq $name "all" -}}{{- $names = concat $names (list ${all.join(" ")}) -}}
{{- else -}}{{- $names = append $names $name -}}{{- end -}}
{{- end -}}
{{- uniq $names | toJson -}}
{{- end -}}
`;
}

function blockText(block: Block, all: readonly RightRow[]): string {
  const { name, doc, part, only } = block;
  const rules = rulesOf(all, part).filter((rule) => only?.of(rule) !== false);
  const texts = rules.map((rule, index) => ruleText(rule, { index, rules, block }));
  return `
{{- /* ${doc} */ -}}
{{- define "zonekeeper.${name}" -}}
{{- $c := .Values.configuration | default dict -}}
{{- $controllers := include "zonekeeper.rights.controllers" . | fromJsonArray -}}
${VARIABLES}${texts.join("")}{{- end -}}
`;
}

const VARIABLES = Object.entries(CHART_VARIABLES)
  .map(([name, expression]) => `{{- $${name} := ${expression} -}}\n`)
  .join("");

interface RuleContext {
  readonly index: number;
  readonly rules: readonly Rule[];
  readonly block: Block;
}

function ruleText(rule: Rule, { index, rules, block }: RuleContext): string {
  const verbs = `$v${index}`;
  const rows = sameButChosen(rule.rows);
  const given = rows.flatMap((row) => verbLines(row, verbs, extraOf(rule, block)));
  const whole = rules.findIndex(
    ({ group, resource, names }) =>
      names.length === 0 && group === rule.group && resource === rule.resource,
  );
  const less =
    rule.names.length > 0 && whole >= 0 && whole < index
      ? `{{- range $verb := $v${whole} }}{{ ${verbs} = without ${verbs} $verb }}{{ end -}}\n`
      : "";
  return `{{- ${verbs} := list -}}
${given.join("")}${less}{{- with uniq ${verbs} }}
- apiGroups: ["${rule.group}"]
  resources: ["${rule.resource}"]
${namesLine(rule)}  verbs: {{ toJson . }}
{{- end -}}
`;
}

/** One for those that differ in who has chosen them. */
function sameButChosen(rows: readonly RightRow[]): readonly RightRow[] {
  const byRest = new Map<string, RightRow>();
  for (const row of rows) {
    const { chosen, ...rest } = row.when;
    const key = JSON.stringify([row.cluster, row.verbs, rest, chosen === undefined]);
    const known = byRest.get(key);
    const all = [...new Set([...(known?.when.chosen ?? []), ...(chosen ?? [])])];
    const when = chosen === undefined ? rest : { ...rest, chosen: all };
    byRest.set(key, { ...row, when });
  }
  return [...byRest.values()];
}

/** What is namespaced goes into a Role where one namespace is looked at. */
function extraOf({ isNamespaced }: Rule, { name, only }: Block): readonly string[] {
  if (only !== undefined) return [only.chart];
  return name === "clusterRules" && isNamespaced ? ["$everywhere"] : [];
}

function verbLines(
  { cluster, when, verbs: all }: RightRow,
  verbs: string,
  extra: readonly string[],
): readonly string[] {
  const expressions = [`$${cluster}`, ...extra, ...chartExpression(when)];
  const line = (some: readonly string[], further: readonly string[]): readonly string[] => {
    if (some.length === 0) return [];
    const listed = some.map((verb) => `"${verb}"`).join(" ");
    const condition = joined("and", [...expressions, ...further]).replace(/^\((.*)\)$/, "$1");
    return [`{{- if ${condition} }}{{ ${verbs} = concat ${verbs} (list ${listed}) }}{{ end -}}\n`];
  };
  const reads = all.filter((verb) => READ.includes(verb));
  const writes = all.filter((verb) => !READ.includes(verb));
  return [...line(reads, []), ...line(writes, ["$writes"])];
}

function namesLine({ names }: Rule): string {
  if (names.length === 0) return "";
  const texts = names.map((name) =>
    name === LEASE_NAME ? '{{ $c.leaseName | default "zonekeeper" | toJson }}' : `"${name}"`,
  );
  return `  resourceNames: [${texts.join(", ")}]\n`;
}
