/** What other projects have released installs, and its rules judge objects. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TestApi } from "../../../../test/support/clients/control-plane-api.ts";
import { DEFINITIONS } from "../../../../test/support/values/widget-definitions.ts";
import { type JsonObject, listAt, objectAt, textAt } from "../json/json.ts";

const FOLDER = "test/fixtures/released-definitions";

async function apiWith(release: string): Promise<readonly [TestApi, readonly JsonObject[]]> {
  const api = await TestApi.open();
  const lines = readFileSync(`${FOLDER}/${release}.jsonl`, "utf8").trimEnd().split("\n");
  const made: JsonObject[] = [];
  for (const line of lines) made.push(await api.made(api.post(DEFINITIONS, jsonOf(line))));
  return [api, made];
}

function jsonOf(line: string): JsonObject {
  return objectAt({ line: JSON.parse(line) }, "line");
}

const isServed = (definition: JsonObject): boolean =>
  listAt(definition, "status", "conditions").some(
    (one) => textAt(one, "type") === "Established" && textAt(one, "status") === "True",
  );

describe("released definitions install", () => {
  test.each([
    ["gateway-api-1.7.0-standard", 10],
    ["gateway-api-1.7.0-experimental", 14],
    ["gateway-api-1.6.0-experimental", 1],
    ["istio-1.31.4", 15],
  ])("%s: all %i", async (release, count) => {
    const [, made] = await apiWith(release);
    expect(made.filter(isServed)).toHaveLength(count);
  });
});

describe("their rules judge objects", () => {
  const metadata = { name: "one", namespace: "default" };
  const gateway = (group: string, kind: string, spec: unknown) => ({
    apiVersion: `${group}.k8s.io/v1`,
    kind,
    metadata,
    spec,
  });
  const ref = { group: "certificates.k8s.io", kind: "ClusterTrustBundle", name: "x" };
  const withRef = (one: unknown) =>
    gateway("gateway.networking", "Gateway", {
      gatewayClassName: "example",
      listeners: [{ name: "https", port: 80, protocol: "HTTP" }],
      tls: { frontend: { default: { validation: { caCertificateRefs: [one] } } } },
    });

  test.each([
    [ref, 201, ""],
    [{ ...ref, namespace: "other" }, 422, "must not specify namespace"],
    [{ ...ref, kind: "ConfigMap", group: "", namespace: "other" }, 201, ""],
  ])("a field whose name is a reserved word: %o", async (one, status, message) => {
    const [api] = await apiWith("gateway-api-1.7.0-experimental");
    const path = "/apis/gateway.networking.k8s.io/v1/namespaces/default/gateways";
    const answer = await api.post(path, withRef(one));
    expect([answer.status, textAt(answer.body, "message")]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test.each([
    ["example.org/app", 201, ""],
    ["a/b/c", 422, "Label keys must be"],
  ])("a named format: the key %s", async (key, status, message) => {
    const [api] = await apiWith("gateway-api-1.7.0-experimental");
    const path = "/apis/gateway.networking.x-k8s.io/v1alpha1/namespaces/default/xbackends";
    const answer = await api.post(path, {
      apiVersion: "gateway.networking.x-k8s.io/v1alpha1",
      kind: "XBackend",
      metadata,
      spec: {
        type: "EndpointSelector",
        protocol: "HTTP",
        port: { number: 80 },
        endpointSelector: { matchLabels: { [key]: "x" } },
      },
    });
    expect([answer.status, textAt(answer.body, "message")]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });
});
