/**
 * deploy/alerts: rules and dashboard name metrics that exist, each alert has a chapter of the
 * runbooks (whose commands test/tidy/documented-commands.test.ts reads). What the rules mean is
 * judged by promtool (test/real/alerts.test.ts).
 */
import { readFileSync } from "node:fs";
import { collectDefaultMetrics, Registry } from "prom-client";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { METRICS } from "../../src/app/ports/metrics-table.ts";

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string }[];
}
interface Variable {
  readonly name: string;
  readonly definition?: string;
}

const text = (path: string): string => readFileSync(path, "utf8");
const RULES: readonly Rule[] = parse(text("deploy/alerts/rules.yaml")).groups.flatMap(
  ({ rules }: { readonly rules: readonly Rule[] }) => rules,
);
const DASHBOARD: {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly Variable[] };
} = JSON.parse(text("deploy/alerts/dashboard.json"));
const RUNBOOKS = text("docs/guides/runbooks.md");

/** Metrics that a scrape has, with the labels of each; null = of the platform. */
function known(): ReadonlyMap<string, readonly string[] | null> {
  const names = new Map<string, readonly string[] | null>();
  for (const { name, kind, labels } of METRICS) {
    const endings = kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
    for (const ending of endings)
      names.set(`${name}${ending}`, ending === "_bucket" ? [...labels, "le"] : labels);
  }
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const { name } of register.getMetricsAsArray()) names.set(name, null);
  return names;
}

const KNOWN = known();
/** Labels that a scrape adds, and the series that Prometheus makes of alerts. */
const SCRAPED = ["job", "instance", "namespace", "pod", "cluster"];

/** Metrics in an expression, with the labels that it asks of each. */
function asked(expr: string): readonly { readonly name: string; readonly labels: string[] }[] {
  return [...expr.matchAll(/\b([a-z]+_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].flatMap((match) => {
    const [, name = "", selector = ""] = match;
    if (/^(?:histogram_quantile|label_values|group_left|min_over_time)$/.test(name)) return [];
    return [{ name, labels: [...selector.matchAll(/(\w+)\s*[=!]/g)].map(([, one = ""]) => one) }];
  });
}

function wrong(expr: string): readonly string[] {
  return asked(expr).flatMap(({ name, labels }) => {
    const own = KNOWN.get(name);
    if (own === undefined) return [`${name} does not exist`];
    const strange = labels.filter((one) => ![...SCRAPED, ...(own ?? [])].includes(one));
    return strange.map((label) => `${name} has no label ${label}`);
  });
}

const QUERIES = DASHBOARD.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
);

test("each query of the dashboard, and each rule, names metrics and labels that exist", () => {
  expect(QUERIES.length).toBeGreaterThan(20);
  for (const { title, expr } of QUERIES) {
    expect(asked(expr).length, title).toBeGreaterThan(0);
    expect(wrong(expr), title).toEqual([]);
  }
  for (const { name, definition } of DASHBOARD.templating.list)
    if (definition !== undefined) expect(wrong(definition), name).toEqual([]);
  for (const { alert, expr } of RULES) expect(wrong(expr), alert).toEqual([]);
});

test("a metric or a label that does not exist is found", () => {
  expect(wrong('rate(zonekeeper_gone_total{job="a"}[5m])')).toEqual([
    "zonekeeper_gone_total does not exist",
  ]);
  expect(wrong('zonekeeper_zone_ready{host="a"}')).toEqual([
    "zonekeeper_zone_ready has no label host",
  ]);
  expect(wrong("rate(zonekeeper_answer_seconds[5m])")).toHaveLength(1);
});

test("each panel has a unit and a description, and its data source is a variable", () => {
  const panels = DASHBOARD.panels.filter(({ type }) => type !== "row");
  for (const { title, description, fieldConfig } of panels) {
    expect(description ?? "", title).not.toBe("");
    expect(fieldConfig?.defaults.unit ?? "", title).not.toBe("");
  }
  const sources = text("deploy/alerts/dashboard.json").match(/"uid": "[^"]*"/g) ?? [];
  expect(sources.map((uid) => uid.replace("$", ""))).toEqual(
    expect.arrayContaining(['"uid": "{datasource}"']),
  );
  expect(new Set(sources).size, "and the dashboard's own").toBe(2);
  const names = DASHBOARD.templating.list.map(({ name }) => name);
  expect(names).toEqual(["datasource", "job", "instance", "zone"]);
});

test("each alert is few, says what it is about, and has a chapter of the runbooks", () => {
  const alerts = RULES.map(({ alert }) => alert);
  expect(alerts.length).toBeLessThanOrEqual(12);
  for (const { alert, for: held, labels, annotations } of RULES) {
    expect(["critical", "warning"], alert).toContain(labels.severity);
    expect(held, alert).toMatch(/^\d+[mh]$/);
    expect(annotations["description"], alert).toMatch(
      /\{\{ \$(?:labels\.(?:zone|name|kind|subject)|value)/,
    );
    expect(annotations["runbook_url"], alert).toBe(
      `docs/guides/runbooks.md#${alert.toLowerCase()}`,
    );
  }
  const chapters = [...RUNBOOKS.matchAll(/^## (\S+)$/gm)].map(([, title = ""]) => title);
  expect(chapters).toEqual(alerts);
});

test("each chapter says what is meant, safe, at risk, to be typed, and whom to call", () => {
  for (const chapter of RUNBOOKS.split(/^## /m).slice(1))
    for (const part of ["**Means**", "**Safe**", "**At risk**", "```", "**Escalate**"])
      expect(chapter, chapter.slice(0, 40)).toContain(part);
});

test("the chart has the same rules and dashboard", () => {
  for (const file of ["rules.yaml", "dashboard.json"])
    expect(text(`deploy/chart/files/${file}`), "npm run generate").toBe(
      text(`deploy/alerts/${file}`),
    );
});
