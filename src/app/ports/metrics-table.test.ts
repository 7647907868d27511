import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { metricsPage } from "../../../tools/metrics-page.ts";
import { EXTERNAL_DNS_METRICS } from "./external-dns-metrics-table.ts";
import { METRICS } from "./metrics-table.ts";

const METRIC =
  /"((?:zonekeeper|workqueue|controller_runtime|rest_client|leader_election|external_dns)_[a-z_]+)"/g;

/** Metric names in the program's text, outside of tests and the table. */
function mentioned(folder: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!entry.endsWith(".ts") || /test\.ts$|metrics-table\.ts$/.test(entry)) continue;
    for (const [, name = ""] of readFileSync(join(folder, entry), "utf8").matchAll(METRIC))
      names.add(name);
  }
  return names;
}

test("every metric that is used is declared, and every one that is declared is used", () => {
  const declared = [...METRICS, ...EXTERNAL_DNS_METRICS].map(({ name }) => name).sort();
  const used = new Set([...mentioned("src"), ...mentioned("packages")]);
  expect([...used].sort()).toEqual(declared);
});

test("docs/reference/metrics.md is the table's page", () => {
  expect(readFileSync("docs/reference/metrics.md", "utf8")).toBe(metricsPage());
});
