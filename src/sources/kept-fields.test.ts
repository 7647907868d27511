/**
 * What is kept of big kinds; that sources need no more is tried with every golden case
 * (test/golden/sources.test.ts).
 */
import { INGRESS, SERVICE } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { SOURCES } from "./index.ts";
import { keptFields } from "./kept-fields.ts";

const KEPT_FIELDS = keptFields(SOURCES);

const metadata = {
  name: "web",
  namespace: "default",
  uid: "u",
  resourceVersion: "7",
  creationTimestamp: "2026-01-01T00:00:00Z",
  annotations: { "dns.gardener.cloud/dnsnames": "www.example.org" },
};

const keep = (kind: KindRef, fields: object): KubeObject => {
  const object = { apiVersion: "v1", kind: kind.kind, metadata, ...fields };
  const kept = KEPT_FIELDS.get(kindText(kind))?.(object);
  if (kept === undefined) throw new Error(`${kind.kind} is kept whole`);
  return JSON.parse(JSON.stringify(kept));
};

test("of a Service its type, its wish and its addresses are kept", () => {
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] }, conditions: [{ type: "x" }] };
  const spec = { type: "LoadBalancer", loadBalancerIP: "192.0.2.9", selector: {}, ports: [{}] };
  const kept = keep(SERVICE, { spec, status, metadata: { ...metadata, labels: { a: "b" } } });
  expect(kept).toEqual({
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { type: "LoadBalancer", loadBalancerIP: "192.0.2.9" },
    status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
  });
});

test("of an Ingress the hosts of its rules are kept, each in its place", () => {
  const http = { paths: [{ path: "/", backend: { service: { name: "web" } } }] };
  const rules = [{ http }, { host: "www.example.org", http }, "odd"];
  const spec = { rules, tls: [{ hosts: ["www.example.org"] }], ingressClassName: "nginx" };
  expect(keep(INGRESS, { spec })["spec"]).toEqual({
    rules: [{}, { host: "www.example.org" }, "odd"],
  });
});

test.each([
  ["a text", "odd"],
  ["a list", [1]],
  ["null", null],
])("%s where an object is expected stays, so that sources can tell", (_, odd) => {
  const kept = keep(SERVICE, { spec: odd, status: odd });
  expect([kept["spec"], kept["status"]]).toEqual([odd, odd]);
  expect(keep(INGRESS, { spec: { rules: odd } })["spec"]).toEqual({ rules: odd });
});
