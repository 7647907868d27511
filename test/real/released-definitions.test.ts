/** What other projects have released installs in the embedded API, and its rules judge objects. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  isObject,
  type JsonObject,
  listAt,
  textAt,
} from "@zonekeeper/kube/control-plane/json/json";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { TestApi } from "../support/clients/control-plane-api.ts";
import { definitionsPath, describeReal } from "../support/real-servers/availability.ts";
import { DEFINITIONS } from "../support/values/widget-definitions.ts";

async function apiWith(release: string): Promise<readonly [TestApi, readonly JsonObject[]]> {
  const api = await TestApi.open();
  const made: JsonObject[] = [];
  for (const one of definitionsOf(release)) made.push(await api.made(api.post(DEFINITIONS, one)));
  return [api, made];
}

/** Beside them lie policies for upgrades. */
function definitionsOf(release: string): readonly JsonObject[] {
  const folder = join(definitionsPath(), release);
  return readdirSync(folder)
    .flatMap((file) => parseAllDocuments(readFileSync(join(folder, file), "utf8")))
    .map((document): unknown => document.toJS())
    .filter(isObject)
    .filter((one) => one["kind"] === "CustomResourceDefinition");
}

const isServed = (definition: JsonObject): boolean =>
  listAt(definition, "status", "conditions").some(
    (one) => textAt(one, "type") === "Established" && textAt(one, "status") === "True",
  );

describeReal("released definitions install", ["released-definitions"], () => {
  test.each([
    ["gateway-api-1.7.0-standard", 10],
    ["gateway-api-1.7.0-experimental", 14],
    ["gateway-api-1.6.0-experimental", 13],
    ["istio-1.31.4", 15],
  ])("%s: all %i", async (release, count) => {
    const [, made] = await apiWith(release);
    expect(made.filter(isServed)).toHaveLength(count);
  });
});

describeReal("their rules judge objects", ["released-definitions"], () => {
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
