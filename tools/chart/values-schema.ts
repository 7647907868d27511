/**
 * The schema of the chart's values: what deploy/chart/values.yaml has, and one key of
 * `configuration` for each option of `run`. Pure; tools/generate-chart.ts writes it.
 */
import { GARDENER_OPTIONS } from "../../src/config/gardener-options.ts";
import { fieldName, type Option, type OptionType, type PlugIns } from "../../src/config/option.ts";
import { optionsOf } from "../../src/config/options-table.ts";
import { configurationKeys, MANAGED } from "./configuration-keys.ts";

/** A part of JSON Schema draft 7. */
export interface Schema {
  readonly [key: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const TEXT: Schema = { type: "string" };
const FLAG: Schema = { type: "boolean" };
const OPEN: Schema = { type: "object" };
const OBJECTS: Schema = { type: "array", items: { type: "object" } };
const LABELS: Schema = { type: "object", additionalProperties: { type: "string" } };
const NAMES: Schema = { type: "array", items: { type: "string", minLength: 1 } };
const DURATION = "^(0|([0-9]{1,9}(ms|s|m|h))+)$";

const described = (description: string, schema: Schema): Schema => ({ description, ...schema });
const map = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: "object",
  properties,
});

const KUBECONFIG = map({ secretName: TEXT, key: TEXT });
const MONITOR = map({ enabled: FLAG, interval: TEXT, labels: LABELS });

const PLUGIN: Schema = {
  type: "object",
  required: ["name", "path", "volume"],
  additionalProperties: false,
  properties: {
    name: { type: "string", pattern: "^[a-z0-9]([-a-z0-9]{0,48}[a-z0-9])?$" },
    path: { type: "string", pattern: "^[^/]" },
    volume: { type: "object", minProperties: 1 },
    options: OPEN,
    rules: OBJECTS,
  },
};

/** Everything but `configuration`; values.yaml has the same keys, and says what each is for. */
const VALUES: Readonly<Record<string, Schema>> = {
  nameOverride: TEXT,
  fullnameOverride: TEXT,
  imageRegistry: TEXT,
  image: map({
    repository: { type: "string", minLength: 1 },
    tag: TEXT,
    digest: { type: "string", pattern: "^(sha256:[0-9a-f]{64})?$" },
    pullPolicy: { enum: ["Always", "IfNotPresent", "Never"] },
  }),
  imagePullSecrets: OBJECTS,
  replicaCount: { type: "integer", minimum: 0 },
  kubeconfigs: map({
    source: KUBECONFIG,
    target: KUBECONFIG,
    providers: KUBECONFIG,
    coordination: KUBECONFIG,
  }),
  crds: map({ install: FLAG }),
  rbac: map({ create: FLAG, clusterWideSecrets: FLAG, secretNamespaces: NAMES }),
  serviceAccount: map({ create: FLAG, name: TEXT, annotations: LABELS }),
  api: map({ enabled: FLAG, existingSecret: TEXT, createSecret: FLAG }),
  metrics: map({
    service: map({ enabled: FLAG, annotations: LABELS }),
    serviceMonitor: MONITOR,
    podMonitor: MONITOR,
    prometheusRule: map({ enabled: FLAG, labels: LABELS, runbookUrl: TEXT }),
    dashboard: map({ enabled: FLAG, labels: LABELS }),
  }),
  networkPolicy: map({ enabled: FLAG, metricsFrom: OBJECTS, apiFrom: OBJECTS, egress: OBJECTS }),
  podDisruptionBudget: map({
    enabled: FLAG,
    maxUnavailable: { type: ["integer", "string"] },
  }),
  resources: OPEN,
  podAnnotations: LABELS,
  podLabels: LABELS,
  priorityClassName: TEXT,
  nodeSelector: LABELS,
  tolerations: OBJECTS,
  affinity: OPEN,
  topologySpreadConstraints: OBJECTS,
  plugins: { type: "array", items: PLUGIN },
  extraEnv: OBJECTS,
  extraVolumes: OBJECTS,
  extraVolumeMounts: OBJECTS,
  extraObjects: { type: "array", items: { type: ["object", "string"] } },
};

/**
 * The whole schema. `isStrict` refuses unknown keys: for editors. The chart's own schema lets them
 * pass, because helm asks it first and would not say which key was meant; the chart does
 * (templates/_known.tpl).
 */
export function valuesSchema(plugIns: PlugIns, isStrict: boolean): Schema {
  const properties = { ...VALUES, configuration: configuration(plugIns) };
  const schema = closed({ type: "object", properties }, isStrict);
  return { $schema: "http://json-schema.org/draft-07/schema#", ...schema };
}

/** As a template asks for it: a map of maps; true = whatever is in it. */
export type Known = { readonly [key: string]: Known } | true;

/** The keys of every level but that of `configuration`. */
export function knownValues(): Known {
  return { ...(knownIn(map(VALUES)) as Record<string, Known>), configuration: true, global: true };
}

function knownIn({ properties }: Schema): Known {
  if (properties === undefined) return true;
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, knownIn(schema)]),
  );
}

function closed(schema: Schema, isStrict: boolean): Schema {
  if (schema.properties === undefined) return schema;
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([key, one]) => [key, closed(one, isStrict)]),
  );
  return { ...schema, properties, ...(isStrict ? { additionalProperties: false } : {}) };
}

function configuration(plugIns: PlugIns): Schema {
  const { aliases } = configurationKeys(plugIns);
  const rows = optionsOf("run", plugIns).filter(({ name }) => !MANAGED.has(name));
  const own = Object.fromEntries(rows.map((row) => [fieldName(row.name), optionSchema(row)]));
  const same = Object.entries(aliases).map(([alias, key]) => {
    const schema = { ...own[key], description: `The same as ${key}.` };
    return [alias, schema] as const;
  });
  return map({ ...own, ...Object.fromEntries(same), ...gardeners(own) });
}

/** Options of Gardener's without a scope; with one, whatever is in them is for `run` to judge. */
function gardeners(own: Readonly<Record<string, Schema>>): Readonly<Record<string, Schema>> {
  const rows = GARDENER_OPTIONS.filter(({ name, isPlain }) => isPlain && !own[fieldName(name)]);
  return Object.fromEntries(
    rows.map(({ name, type, to, why }) => [
      fieldName(name),
      described(
        to === null ? `Gardener's; no effect: ${why}.` : `Gardener's; the same as ${to}.`,
        TYPES[type],
      ),
    ]),
  );
}

const TYPES: Readonly<Record<OptionType, Schema>> = {
  text: { type: ["string", "integer"] },
  integer: { type: "integer" },
  port: { type: "integer", minimum: 0, maximum: 65_535 },
  duration: { type: ["string", "integer"], pattern: DURATION },
  flag: FLAG,
  choice: TEXT,
  list: { type: ["array", "string"], items: { type: ["string", "integer"] } },
};

function optionSchema({ doc, type, choices, min, max }: Option): Schema {
  const bounds = {
    ...(min === null ? {} : { minimum: min }),
    ...(max === null ? {} : { maximum: max }),
  };
  return described(doc, {
    ...TYPES[type],
    ...(type === "choice" ? { enum: choices } : {}),
    ...(type === "integer" ? bounds : {}),
  });
}
