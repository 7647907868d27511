/**
 * A kind that a user defines: its CRD, its objects with defaults, pruning and checks, its columns
 * and end.
 */
import { type Json, type JsonRecord, PATCH, type Step, type Topic } from "../step.ts";

const CRDS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const CRD = `${CRDS_PATH}/lamps.example.org`;
const LAMPS = "/apis/example.org/v1/namespaces/default/lamps";

const definition = (names: JsonRecord, spec: JsonRecord = {}): JsonRecord => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "lamps.example.org" },
  spec: { group: "example.org", scope: "Namespaced", names, versions: [VERSION], ...spec },
});

const SPEC: JsonRecord = {
  type: "object",
  required: ["watts"],
  properties: {
    watts: { type: "integer", minimum: 1, maximum: 100 },
    color: { type: "string", enum: ["red", "white"], default: "white" },
    name: { type: "string", pattern: "^[a-z]+$", maxLength: 5 },
    tags: { type: "array", maxItems: 2, items: { type: "string" } },
    copies: { type: "integer" },
    port: { "x-kubernetes-int-or-string": true },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    maybe: { type: "string", nullable: true },
  },
};
const STATUS: JsonRecord = {
  type: "object",
  properties: { on: { type: "boolean" }, copies: { type: "integer" } },
};
const VERSION: JsonRecord = {
  name: "v1",
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: "object", properties: { spec: SPEC, status: STATUS } } },
  subresources: { status: {} },
  additionalPrinterColumns: [{ name: "Watts", type: "integer", jsonPath: ".spec.watts" }],
};
const NAMES: JsonRecord = { plural: "lamps", singular: "lamp", kind: "Lamp", shortNames: ["lp"] };

const lamp = (name: string, spec: Json): JsonRecord => ({
  apiVersion: "example.org/v1",
  kind: "Lamp",
  metadata: { name },
  spec,
});
const post = (name: string, spec: Json): Step => ({
  name: `crd-${name}`,
  method: "POST",
  path: LAMPS,
  body: lamp(name, spec),
});
const get = (name: string, path: string, headers: Step["headers"] = {}): Step => ({
  name: `crd-${name}`,
  method: "GET",
  path,
  headers,
});
const merge = (name: string, path: string, body: Json): Step => ({
  name: `crd-${name}`,
  method: "PATCH",
  path,
  headers: PATCH.merge,
  body,
});

/** See above. */
export const CRDS: Topic = {
  title: "CRDs",
  steps: [
    {
      name: "crd-bad-name",
      method: "POST",
      path: CRDS_PATH,
      body: definition({ ...NAMES, plural: "lights" }),
    },
    {
      name: "crd-bad-scope",
      method: "POST",
      path: CRDS_PATH,
      body: definition(NAMES, { scope: "Some" }),
    },
    {
      name: "crd-no-versions",
      method: "POST",
      path: CRDS_PATH,
      body: definition(NAMES, { versions: [] }),
    },
    {
      name: "crd-no-schema",
      method: "POST",
      path: CRDS_PATH,
      body: definition(NAMES, { versions: [{ name: "v1", served: true, storage: true }] }),
    },
    { name: "crd-create", method: "POST", path: CRDS_PATH, body: definition(NAMES) },
    { ...get("served", LAMPS), until: 200 },
    // It is there from the moment on in which the definition is established.
    { ...get("discovery", "/apis/example.org/v1"), until: 200 },
    get("get", CRD),
    post("plain", { watts: 5 }),
    post("pruned", { watts: 5, unknown: true, free: { any: [1, { thing: null }] }, port: "http" }),
    post("null", { watts: 5, color: null, maybe: null }),
    post("nulls", { watts: 5, name: null, tags: null, free: { any: null }, port: null }),
    post("too-small", { watts: 0 }),
    post("too-large", { watts: 101 }),
    post("wrong-enum", { watts: 5, color: "blue" }),
    post("wrong-pattern", { watts: 5, name: "A" }),
    post("too-long", { watts: 5, name: "abcdef" }),
    post("too-many", { watts: 5, tags: ["a", "b", "c"] }),
    post("wrong-port", { watts: 5, port: true }),
    post("missing", {}),
    post("text", "x"),
    get("list", LAMPS),
    get("table", LAMPS, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" }),
    merge("status", `${LAMPS}/plain/status`, {
      status: { on: true, copies: 3 },
      spec: { watts: 9 },
    }),
    get("plain-after", `${LAMPS}/plain`),
    merge("main-ignores-status", `${LAMPS}/plain`, { status: { on: false }, spec: { watts: 6 } }),
    merge("more-columns", CRD, { metadata: { labels: { a: "b" } } }),
    merge("scope-change", CRD, { spec: { scope: "Cluster" } }),
    { name: "crd-delete", method: "DELETE", path: CRD },
    { ...get("gone", LAMPS), until: 404 },
    { ...get("crd-gone", CRD), until: 404 },
  ],
};
