/** The same objects in other shapes: tables, metadata only, protobuf. */
import type { Step, Topic } from "../step.ts";
import { SAMPLES, type Sample } from "./kinds.ts";

const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
const PARTIAL = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";
const PARTIALS =
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

const SHOWN = [
  "service",
  "secret",
  "ingress",
  "lease",
  "entry",
  "provider",
  "namespace",
  "event",
  "configmap",
  "pod",
  "node",
  "endpoints",
];

/** A table, whole and in parts, for each kind. */
export const FORMS: Topic = {
  title: "tables and metadata",
  steps: [
    ...SAMPLES.filter(
      ({ fragment }) => SHOWN.includes(fragment) && fragment !== "namespace",
    ).flatMap(forms),
    { name: "form-namespace", method: "GET", path: "/api/v1/namespaces/default" },
    ...protobuf(),
    {
      name: "table-namespace",
      method: "GET",
      path: "/api/v1/namespaces/default",
      headers: { accept: TABLE },
    },
    {
      name: "table-old-version",
      method: "GET",
      path: "/api/v1/namespaces/default",
      headers: { accept: "application/json;as=Table;v=v1beta1;g=meta.k8s.io" },
    },
    {
      name: "table-unknown-version",
      method: "GET",
      path: "/api/v1/namespaces/default",
      headers: { accept: "application/json;as=Table;v=v9;g=meta.k8s.io" },
    },
    {
      name: "as-unknown",
      method: "GET",
      path: "/api/v1/namespaces/default",
      headers: { accept: "application/json;as=Chair;v=v1;g=meta.k8s.io" },
    },
  ],
};

function forms({ fragment, collection, object }: Sample): readonly Step[] {
  const name = `life-${fragment}`;
  const path = `${collection}/${name}`;
  const metadata = { name, labels: { life: "form" } };
  const label = "labelSelector=life=form";
  return [
    {
      name: `form-${fragment}-create`,
      method: "POST",
      path: collection,
      body: { ...object, metadata },
    },
    { name: `form-${fragment}-table`, method: "GET", path, headers: { accept: TABLE } },
    {
      name: `form-${fragment}-table-list`,
      method: "GET",
      path: `${collection}?${label}`,
      headers: { accept: TABLE },
    },
    {
      name: `form-${fragment}-table-object`,
      method: "GET",
      path: `${path}?includeObject=Object`,
      headers: { accept: TABLE },
    },
    {
      name: `form-${fragment}-table-none`,
      method: "GET",
      path: `${path}?includeObject=None`,
      headers: { accept: TABLE },
    },
    { name: `form-${fragment}-partial`, method: "GET", path, headers: { accept: PARTIAL } },
    {
      name: `form-${fragment}-partials`,
      method: "GET",
      path: `${collection}?${label}`,
      headers: { accept: PARTIALS },
    },
    { name: `form-${fragment}-delete`, method: "DELETE", path: `${path}?gracePeriodSeconds=0` },
  ];
}

/** `k8s\0` and runtime.Unknown (apimachinery runtime/generated.proto): typeMeta 1, raw 2. */
function protobuf(): readonly Step[] {
  const text = (field: number, value: string): number[] =>
    bytes(field, [...new TextEncoder().encode(value)]);
  const type = bytes(1, [...text(1, "v1"), ...text(2, "Namespace")]);
  const raw = bytes(2, bytes(1, text(1, "proto")));
  const body = Uint8Array.from([...new TextEncoder().encode("k8s\0"), ...type, ...raw]);
  const accept = "application/vnd.kubernetes.protobuf,application/json";
  const protobufBody = { "content-type": "application/vnd.kubernetes.protobuf" };
  return [
    {
      name: "proto-request",
      method: "POST",
      path: "/api/v1/namespaces?dryRun=All",
      headers: protobufBody,
      body,
    },
    {
      name: "proto-answer",
      method: "GET",
      path: "/api/v1/namespaces/default",
      headers: { accept },
    },
    {
      name: "proto-answer-only",
      method: "GET",
      path: "/api/v1/namespaces/default",
      headers: { accept: "application/vnd.kubernetes.protobuf" },
    },
    {
      name: "proto-broken",
      method: "POST",
      path: "/api/v1/namespaces?dryRun=All",
      headers: protobufBody,
      body: Uint8Array.from([1, 2, 3]),
    },
    {
      name: "proto-custom",
      method: "GET",
      path: "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries",
      headers: { accept: "application/vnd.kubernetes.protobuf" },
    },
  ];
}

/** A field of wire type 2; lengths below 128 only. */
function bytes(field: number, content: readonly number[]): number[] {
  return [(field << 3) | 2, content.length, ...content];
}
