/**
 * The page `docs/reference/metrics.md`, made from the table. Pure; tools/generate-metrics.ts writes
 * it.
 */
import { EXTERNAL_DNS_METRICS } from "../src/app/ports/external-dns-metrics-table.ts";
import { METRICS, type MetricDeclaration } from "../src/app/ports/metrics-table.ts";

/** Markdown that ends in a newline; equal for equal tables. */
export function metricsPage(): string {
  const rows = METRICS.map(row).join("\n");
  const ofExternalDns = EXTERNAL_DNS_METRICS.map(row).join("\n");
  return `<!-- Generated from src/app/ports/metrics-table.ts by tools/generate-metrics.ts. Do not edit. -->
# Metrics

Served at \`/metrics\` in the Prometheus text format, besides the \`process_\` and \`nodejs_\` metrics of the platform.
Labels are bounded by configuration: no metric has a host name, and none the name of an object but of a DNSProvider.
Names that begin with \`external_dns_management_\` are those of Gardener's manager, with its labels.

| metric | kind | labels | meaning |
|---|---|---|---|
${rows}

## Of external-dns

With \`--dialect external-dns\` these are there besides, so that its dashboards and alerts go on. Those of its provider cache, its webhook and its HTTP client are not, and none of single steps of a source.

| metric | kind | labels | meaning |
|---|---|---|---|
${ofExternalDns}
`;
}

function row({ name, kind, labels, help }: MetricDeclaration): string {
  return `| \`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(", ")} | ${help} |`;
}
