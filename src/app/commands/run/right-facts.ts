/**
 * Facts about a configuration of `run` that decide which rights it needs. Each fact is written once
 * for the program and once, as an expression of Helm over `.Values.configuration`, for the chart.
 * Pure.
 */
import { fieldName } from "../../../config/option.ts";
import type { RunConfig } from "../../../config/run-config.ts";

/** The clusters by what they are for (docs/architecture.md#clusters), and that of the Lease. */
export const LOGICAL_CLUSTERS = ["source", "target", "provider", "lease"] as const;
/** One of them. */
export type LogicalCluster = (typeof LOGICAL_CLUSTERS)[number];

/** A fact: yes or no. */
interface FactRow {
  readonly of: (config: RunConfig) => boolean;
  /** Expression over `$c`, the configuration in the values of the chart. */
  readonly chart: string;
  /** For people: the option that makes it true. */
  readonly text: string;
}

/** True when the flag is given. */
function flag(name: string): string {
  return `(eq (toString $c.${fieldName(name)}) "true")`;
}

/** True when the option has a value. */
function given(...names: readonly string[]): string {
  const fields = names.map((name) => `$c.${fieldName(name)}`);
  return fields.length === 1
    ? `(not (empty ${fields[0]}))`
    : `(not (empty (or ${fields.join(" ")})))`;
}

/** All facts. */
export const FACTS = {
  dryRun: { of: ({ publish }) => publish.dryRun, chart: flag("dry-run"), text: "--dry-run" },
  omitLease: { of: ({ lease }) => lease === null, chart: flag("omit-lease"), text: "--omit-lease" },
  data: { of: ({ data }) => data !== null, chart: given("data"), text: "--data" },
  configMapRegistry: {
    of: ({ registry }) => registry.format === "configmap",
    chart: `(eq (toString $c.registry) "configmap")`,
    text: "--registry configmap",
  },
  webhook: {
    of: ({ webhook }) => webhook !== null,
    chart: given("webhook-address"),
    text: "--webhook-address",
  },
  clustersNamespace: {
    of: ({ further }) => further.namespace !== null,
    chart: given("clusters-namespace"),
    text: "--clusters-namespace",
  },
  omitStatusAnnotation: {
    of: ({ publish }) => !publish.statusAnnotation,
    chart: flag("omit-status-annotation"),
    text: "--omit-status-annotation",
  },
  apiUsers: { of: ({ page }) => page.takesUsers, chart: flag("api-users"), text: "--api-users" },
  imports: { of: ({ imports }) => imports.length > 0, chart: given("import"), text: "--import" },
  sourceId: {
    of: ({ source }) => source.id !== null,
    chart: given("kubeconfig.id"),
    text: "--kubeconfig.id",
  },
  targetId: {
    of: ({ target }) => target.id !== null || target.kubeconfig === null,
    chart: `(or (empty $c.target) ${given("target.id")})`,
    text: "--target.id",
  },
  providersId: {
    of: ({ providers }) => providers.id !== null || providers.kubeconfig === null,
    chart: `(or (empty $c.providers) ${given("providers.id")})`,
    text: "--providers.id",
  },
  foreignDefinitions: {
    of: ({ source, target, providers }) =>
      !source.deploysDefinitions ||
      (target.kubeconfig === null && !target.deploysDefinitions) ||
      ((target.kubeconfig ?? providers.kubeconfig) === null && !providers.deploysDefinitions),
    chart: joined("or", [
      flag("kubeconfig.disable-deploy-crds"),
      `(and (empty $c.target) ${flag("target.disable-deploy-crds")})`,
      `(and (empty (or $c.target $c.providers)) ${flag("providers.disable-deploy-crds")})`,
    ]),
    text: "--kubeconfig.disable-deploy-crds",
  },
} as const satisfies Readonly<Record<string, FactRow>>;

/** Name of a fact. */
export type Fact = keyof typeof FACTS;

/** A condition: all of `all` hold, none of `not`, and one of `chosen` is enabled. */
export interface When {
  /** True if one of these names is in `--controllers`. Absent = any. */
  readonly chosen?: readonly string[];
  /** Each of these is true. */
  readonly all?: readonly Fact[];
  /** None of these is true. */
  readonly not?: readonly Fact[];
}

/** Whether the condition holds for the configuration. */
export function holds({ chosen, all = [], not = [] }: When, config: RunConfig): boolean {
  return (
    (chosen === undefined || chosen.some((name) => config.controllers.has(name))) &&
    all.every((fact) => FACTS[fact].of(config)) &&
    !not.some((fact) => FACTS[fact].of(config))
  );
}

/**
 * The cluster that is used for this purpose: without a kubeconfig of its own it falls back to
 * another.
 */
export function actualCluster(cluster: LogicalCluster, config: RunConfig): LogicalCluster {
  if (cluster === "provider" && config.providers.kubeconfig === null)
    return actualCluster("target", config);
  return cluster === "target" && config.target.kubeconfig === null ? "source" : cluster;
}

/** `(or a b)`; one alone is itself. */
export function joined(by: "or" | "and", texts: readonly string[]): string {
  return texts.length === 1 ? (texts[0] ?? "") : `(${by} ${texts.join(" ")})`;
}
