/** Calls that create the objects of the bulk benches. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { conditionsOf } from "../../src/controllers/objects/conditions.ts";
import { NO_CAUSE, stateConditions } from "../../src/controllers/objects/state-conditions.ts";
import type { ApiCall } from "./api-calls.ts";

/** POST and PATCH of the status: a LoadBalancer Service that is published as `dnsName`. */
export function createService(name: string, dnsName: string, address: string): readonly ApiCall[] {
  const path = "/api/v1/namespaces/default/services";
  const annotations = {
    "dns.gardener.cloud/dnsnames": dnsName,
    "external-dns.kubernetes.io/hostname": dnsName,
  };
  const spec = { type: "LoadBalancer", ports: [{ name: "http", port: 80, targetPort: 8080 }] };
  const status = { loadBalancer: { ingress: [{ ip: address }] } };
  return [
    { method: "POST", path, body: { metadata: { name, annotations }, spec } },
    { method: "PATCH", path: `${path}/${name}/status`, body: { status } },
  ];
}

/** A DNSEndpoint with its status as its controller would have written it. */
export function createEndpoint(name: string, dnsName: string, address: string): readonly ApiCall[] {
  const path = "/apis/externaldns.k8s.io/v1alpha1/namespaces/default/dnsendpoints";
  const body = {
    apiVersion: "externaldns.k8s.io/v1alpha1",
    kind: "DNSEndpoint",
    metadata: { name },
    spec: { endpoints: [{ dnsName, recordType: "A", recordTTL: 300, targets: [address] }] },
  };
  return [
    { method: "POST", path, body },
    { method: "PATCH", path: `${path}/${name}/status`, body: { status: publishedStatus() } },
  ];
}

/** What `run` writes when the one name of a DNSEndpoint is published. */
function publishedStatus(): object {
  const observedGeneration = 1;
  const facts = { state: "Ready", message: "1 name published", ...NO_CAUSE };
  const conditions = conditionsOf({
    current: undefined,
    wanted: stateConditions(facts, {}),
    generation: observedGeneration,
    nowMs: Date.now(),
  });
  return { observedGeneration, conditions };
}

/** The definition of DNSEndpoint, which the embedded API does not have by itself. */
export function createEndpointDefinition(): ApiCall {
  const text = readFileSync("deploy/crds/externaldns.k8s.io_dnsendpoints.yaml", "utf8");
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  return { method: "POST", path, body: parse(text) };
}
