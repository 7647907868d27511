/**
 * Patches of every type on a Service, whose ports merge by a key, and on a custom object, whose
 * lists do not.
 */
import { type Json, type JsonRecord, PATCH, type Step, type Topic } from "../step.ts";

const SERVICES = "/api/v1/namespaces/default/services";
const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";
const SERVICE = `${SERVICES}/patched`;
const ENTRY = `${ENTRIES}/patched`;

const strategic = (name: string, body: Json, path = SERVICE): Step => ({
  name,
  method: "PATCH",
  path,
  headers: PATCH.strategic,
  body,
});
const json = (name: string, body: Json, path = SERVICE): Step => ({
  name,
  method: "PATCH",
  path,
  headers: PATCH.json,
  body,
});
const merge = (name: string, body: Json, path = ENTRY): Step => ({
  name,
  method: "PATCH",
  path,
  headers: PATCH.merge,
  body,
});
const apply = (name: string, manager: string, spec: JsonRecord, more = ""): Step => ({
  name,
  method: "PATCH",
  path: `${ENTRIES}/applied?fieldManager=${manager}${more}`,
  headers: PATCH.apply,
  body: {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata: { name: "applied" },
    spec,
  },
});

/** See above. */
export const PATCHES: Topic = {
  title: "patches",
  steps: [
    {
      name: "patched-service",
      method: "POST",
      path: SERVICES,
      body: {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "patched", finalizers: ["example.org/a"] },
        spec: { ports: [{ name: "a", port: 80 }] },
      },
    },
    strategic("strategic-add-port", { spec: { ports: [{ name: "b", port: 81 }] } }),
    strategic("strategic-change-port", { spec: { ports: [{ port: 81, targetPort: 8081 }] } }),
    strategic("strategic-delete-port", { spec: { ports: [{ port: 80, $patch: "delete" }] } }),
    strategic("strategic-order", {
      spec: {
        "$setElementOrder/ports": [{ port: 82 }, { port: 81 }],
        ports: [{ name: "c", port: 82 }],
      },
    }),
    strategic("strategic-replace-list", {
      spec: { ports: [{ $patch: "replace" }, { name: "d", port: 83 }] },
    }),
    strategic("strategic-replace-map", { spec: { selector: { $patch: "replace", a: "b" } } }),
    strategic("strategic-null", { spec: { selector: null } }),
    strategic("strategic-finalizers", { metadata: { finalizers: ["example.org/b"] } }),
    strategic("strategic-delete-primitive", {
      metadata: { "$deleteFromPrimitiveList/finalizers": ["example.org/a", "example.org/b"] },
    }),
    strategic("strategic-retain-keys", {
      spec: { $retainKeys: ["ports", "type"], type: "ClusterIP" },
    }),
    strategic("strategic-bad-directive", { spec: { $patch: "explode" } }),
    strategic("strategic-no-merge-key", { spec: { ports: [{ name: "x" }] } }),
    strategic("strategic-wrong-type", { spec: { ports: "x" } }),
    json("json-add", [{ op: "add", path: "/metadata/annotations", value: { "a/b": "1" } }]),
    json("json-escaped", [{ op: "replace", path: "/metadata/annotations/a~1b", value: "2" }]),
    json("json-append", [
      {
        op: "add",
        path: "/spec/ports/-",
        value: { name: "e", port: 84, protocol: "TCP", targetPort: 84 },
      },
    ]),
    json("json-copy", [
      { op: "copy", from: "/metadata/annotations/a~1b", path: "/metadata/annotations/c" },
    ]),
    json("json-move", [
      { op: "move", from: "/metadata/annotations/c", path: "/metadata/annotations/d" },
    ]),
    json("json-remove", [{ op: "remove", path: "/metadata/annotations" }]),
    json("json-remove-absent", [{ op: "remove", path: "/metadata/annotations/x" }]),
    json("json-replace-absent", [{ op: "replace", path: "/spec/absent", value: 1 }]),
    json("json-bad-index", [{ op: "remove", path: "/spec/ports/9" }]),
    json("json-length", [{ op: "replace", path: "/spec/ports/length", value: 0 }]),
    json("json-end", [{ op: "replace", path: "/spec/ports/-", value: { port: 1 } }]),
    json("json-prototype", [{ op: "replace", path: "/spec/constructor/type", value: "x" }]),
    json("json-test-null", [{ op: "test", path: "/metadata/none", value: null }]),
    json("json-bad-operation", [{ op: "explode", path: "/spec" }]),
    json("json-not-a-list", { op: "add", path: "/spec", value: 1 }),
    json("json-wrong-type", [{ op: "replace", path: "/spec/ports/0/port", value: "x" }]),
    json("json-invalid", [{ op: "replace", path: "/spec/ports/0/port", value: 0 }]),
    json("json-name", [{ op: "replace", path: "/metadata/name", value: "other" }]),
    {
      name: "patched-service-release",
      method: "PATCH",
      path: SERVICE,
      headers: PATCH.merge,
      body: { metadata: { finalizers: null } },
    },
    {
      name: "patched-entry",
      method: "POST",
      path: ENTRIES,
      body: {
        apiVersion: "dns.gardener.cloud/v1alpha1",
        kind: "DNSEntry",
        metadata: { name: "patched" },
        spec: { dnsName: "a.example.org", targets: ["192.0.2.1", "192.0.2.2"] },
      },
    },
    merge("merge-list", { spec: { targets: ["192.0.2.3"] } }),
    merge("merge-null", { spec: { targets: null, text: ["a"] } }),
    merge("merge-unknown", { spec: { foo: 1 } }),
    merge("merge-required-null", { spec: { dnsName: null } }),
    merge("merge-invalid", { spec: { ttl: -1 } }),
    merge("merge-wrong-type", { spec: { ttl: "x" } }),
    merge("merge-spec-text", { spec: "x" }),
    merge("merge-kind", { kind: "Other" }),
    merge("merge-api-version", { apiVersion: "v9" }),
    merge("merge-empty", {}),
    merge("merge-version-null", { metadata: { resourceVersion: null } }),
    merge("merge-version-null-service", { metadata: { resourceVersion: null } }, SERVICE),
    json("json-entry", [{ op: "add", path: "/spec/ttl", value: 77 }], ENTRY),
    strategic("strategic-entry", { spec: { ttl: 78 } }, ENTRY),
    { name: "patched-service-delete", method: "DELETE", path: SERVICE },
    { name: "patched-entry-delete", method: "DELETE", path: ENTRY },
    apply("apply-creates", "one", { dnsName: "a.example.org", ttl: 60 }),
    apply("apply-same", "one", { dnsName: "a.example.org", ttl: 60 }),
    apply("apply-conflict", "two", { dnsName: "a.example.org", ttl: 61 }),
    apply("apply-force", "two", { dnsName: "a.example.org", ttl: 61 }, "&force=true"),
    apply("apply-gives-up", "one", { dnsName: "a.example.org" }),
    apply("apply-no-manager", "", { dnsName: "a.example.org" }),
    apply("apply-invalid", "one", { dnsName: "a.example.org", ttl: 0 }, "&force=true"),
    {
      name: "force-without-apply",
      method: "PATCH",
      path: `${ENTRIES}/applied?force=true`,
      headers: PATCH.merge,
      body: {},
    },
    { name: "applied-delete", method: "DELETE", path: `${ENTRIES}/applied` },
  ],
};
