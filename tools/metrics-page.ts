/**
 * The page `docs/reference/metrics.md`, made from the table. Pure; tools/generate-metrics.ts writes
 * it.
 */
import { METRICS, type MetricDeclaration } from "../src/app/ports/metrics-table.ts";

/** Markdown that ends in a newline; equal for equal tables. */
export function metricsPage(): string {
  const rows = METRICS.map(row).join("\n");
  return `<!-- Generated from src/app/ports/metrics-table.ts by tools/generate-metrics.ts. Do not edit. -->
# Metrics

Served at \`/metrics\` in the Prometheus text format, besides the \`process_\` and \`nodejs_\` metrics of the platform.
Labels are bounded by configuration: no metric has a host name, and none the name of an object but of a DNSProvider.
Names that begin with \`external_dns_management_\` are those of Gardener's manager, with its labels.

| metric | kind | labels | meaning |
|---|---|---|---|
${rows}
`;
}

function row({ name, kind, labels, help }: MetricDeclaration): string {
  return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`;
}
