import { beforeEach, describe, expect, test } from "vitest";
import { CORE, TestApi } from "../../../../../test/support/clients/control-plane-api.ts";
import { type JsonObject, listAt, textAt, valueAt } from "../json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});

const CONFIG_MAPS = `${CORE}/configmaps`;
const PODS = `${CORE}/pods`;
const NODES = "/api/v1/nodes";
const ENDPOINTS = `${CORE}/endpoints`;
const CLASSES = "/apis/networking.k8s.io/v1/ingressclasses";
const SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";

const named = (content: JsonObject = {}, name = "one"): JsonObject => ({
  metadata: { name },
  ...content,
});
const pod = (spec: JsonObject = {}): JsonObject =>
  named({ spec: { containers: [{ name: "main", image: "registry.example.org/app:1" }], ...spec } });
const slice = (content: JsonObject = {}): JsonObject =>
  named({ addressType: "IPv4", endpoints: [{ addresses: ["192.0.2.1"] }], ...content });

/** The cells of the first row of a list as a Table, by column name. */
async function row(path: string): Promise<JsonObject> {
  const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
  const { body } = await api.get(path, { accept });
  const names = listAt(body, "columnDefinitions").map((each) => textAt(each, "name"));
  const cells = listAt(listAt(body, "rows")[0], "cells");
  return Object.fromEntries(names.map((name, index) => [name, cells[index]]));
}

describe("what kubectl shows", () => {
  test.each<[string, string, JsonObject, JsonObject]>([
    [
      "a ConfigMap",
      CONFIG_MAPS,
      named({ data: { a: "1" }, binaryData: { b: "AA==" } }),
      { Data: 2 },
    ],
    ["Endpoints without addresses", ENDPOINTS, named(), { Endpoints: "<none>" }],
    [
      "Endpoints: three addresses and a count",
      ENDPOINTS,
      named({
        subsets: [
          { addresses: [{ ip: "192.0.2.1" }, { ip: "2001:db8::1" }], ports: [{ port: 80 }] },
          { addresses: [{ ip: "192.0.2.3" }, { ip: "192.0.2.4" }] },
        ],
      }),
      { Endpoints: "192.0.2.1:80,[2001:db8::1]:80,192.0.2.3 + 1 more..." },
    ],
    [
      "an EndpointSlice",
      SLICES,
      slice({ ports: [{ port: 80 }, { name: "any" }] }),
      { AddressType: "IPv4", Ports: "80,any", Endpoints: "192.0.2.1" },
    ],
    ["an EndpointSlice without ports", SLICES, slice(), { Ports: "<unset>" }],
    [
      "an IngressClass",
      CLASSES,
      named({
        spec: {
          controller: "example.org/nginx",
          parameters: { apiGroup: "example.org", kind: "Settings", name: "a" },
        },
      }),
      { Controller: "example.org/nginx", Parameters: "Settings.example.org/a" },
    ],
    [
      "a Pod that nobody runs",
      PODS,
      pod(),
      { Ready: "0/1", Status: "Pending", Restarts: "0", IP: "<none>" },
    ],
    ["a Node that never reported", NODES, named(), { Status: "Unknown", Roles: "<none>" }],
  ])("%s", async (_what, path, object, cells) => {
    await api.made(api.post(path, object));
    expect(await row(path)).toMatchObject(cells);
  });

  test("a Node and a Pod by their status", async () => {
    await api.made(
      api.post(NODES, {
        metadata: { name: "n1", labels: { "node-role.kubernetes.io/control-plane": "" } },
        spec: { unschedulable: true },
      }),
    );
    const addresses = [{ type: "InternalIP", address: "192.0.2.9" }];
    const conditions = [{ type: "Ready", status: "True" }];
    await api.made(api.patch(`${NODES}/n1/status`, { status: { addresses, conditions } }));
    expect(await row(NODES)).toMatchObject({
      Status: "Ready,SchedulingDisabled",
      Roles: "control-plane",
      "Internal-IP": "192.0.2.9",
    });
    await api.made(api.post(PODS, pod()));
    const running = { ready: true, restartCount: 2, state: { running: {} } };
    await api.made(
      api.patch(`${PODS}/one/status`, {
        status: { phase: "Running", podIP: "192.0.2.5", containerStatuses: [running] },
      }),
    );
    expect(await row(PODS)).toMatchObject({
      Ready: "1/1",
      Status: "Running",
      Restarts: "2",
      IP: "192.0.2.5",
    });
  });
});

describe("what is filled in", () => {
  test("a Pod gets what the API server decides, and no status from its maker", async () => {
    const made = await api.made(
      api.post(PODS, { ...pod(), status: { phase: "Running", podIP: "192.0.2.1" } }),
    );
    expect(made).toMatchObject({
      spec: {
        restartPolicy: "Always",
        dnsPolicy: "ClusterFirst",
        terminationGracePeriodSeconds: 30,
        containers: [{ terminationMessagePolicy: "File" }],
      },
      status: { phase: "Pending" },
    });
    expect(valueAt(made, "status", "podIP")).toBeUndefined();
  });

  test("ports speak TCP", async () => {
    const made = await api.made(api.post(SLICES, slice({ ports: [{ port: 80 }] })));
    expect(listAt(made, "ports")).toEqual([{ name: "", protocol: "TCP", port: 80 }]);
  });
});

describe("what is refused", () => {
  const big = "x".repeat(1024 * 1024 + 1);
  test.each<[string, string, JsonObject, string]>([
    [
      "a key of a ConfigMap",
      CONFIG_MAPS,
      named({ data: { "a b": "" } }),
      "a valid config key must consist",
    ],
    [
      "a key in both maps",
      CONFIG_MAPS,
      named({ data: { a: "" }, binaryData: { a: "" } }),
      "duplicate of key present in binaryData",
    ],
    [
      "a large ConfigMap",
      CONFIG_MAPS,
      named({ data: { a: big } }),
      'ConfigMap "one" is invalid: []: Too long: may not be more than 1048576 bytes',
    ],
    [
      "a Pod without containers",
      PODS,
      named({ spec: { containers: [] } }),
      "spec.containers: Required value",
    ],
    [
      "a container without image",
      PODS,
      pod({ containers: [{ name: "a" }] }),
      "spec.containers[0].image: Required value",
    ],
    [
      "two containers of one name",
      PODS,
      pod({
        containers: [
          { name: "a", image: "b" },
          { name: "a", image: "b" },
        ],
      }),
      'spec.containers[1].name: Duplicate value: "a"',
    ],
    [
      "a restart policy",
      PODS,
      pod({ restartPolicy: "Never ever" }),
      'supported values: "Always", "Never", "OnFailure"',
    ],
    [
      "a port",
      PODS,
      pod({ containers: [{ name: "a", image: "b", ports: [{ containerPort: 70_000 }] }] }),
      "spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
    ],
    [
      "an address of Endpoints",
      ENDPOINTS,
      named({ subsets: [{ addresses: [{ ip: "1.2.3" }] }] }),
      'subsets[0].addresses[0].ip: Invalid value: "1.2.3": must be a valid IP address',
    ],
    [
      "a subset without addresses",
      ENDPOINTS,
      named({ subsets: [{}] }),
      "must specify `addresses` or `notReadyAddresses`",
    ],
    [
      "ports without names",
      ENDPOINTS,
      named({ subsets: [{ addresses: [{ ip: "192.0.2.1" }], ports: [{ port: 1 }, { port: 2 }] }] }),
      "subsets[0].ports[0].name: Required value",
    ],
    [
      "an address of another family",
      SLICES,
      slice({ addressType: "IPv6" }),
      "must be a valid IPv6 address",
    ],
    [
      "an endpoint without address",
      SLICES,
      slice({ endpoints: [{ addresses: [] }] }),
      "must contain at least 1 address",
    ],
    [
      "two ports of one name",
      SLICES,
      slice({ ports: [{ port: 1 }, { port: 2 }] }),
      'ports[1].name: Duplicate value: ""',
    ],
    [
      "an address type",
      SLICES,
      slice({ addressType: "IPv5" }),
      'addressType: Unsupported value: "IPv5"',
    ],
    [
      "a controller",
      CLASSES,
      named({ spec: { controller: "nginx" } }),
      "must be a domain-prefixed path",
    ],
    ["a class without controller", CLASSES, named({ spec: {} }), "spec.controller: Required value"],
    [
      "a taint",
      NODES,
      named({ spec: { taints: [{ key: "a", effect: "Now" }] } }),
      "spec.taints[0].effect: Unsupported value",
    ],
  ])("%s", async (_what, path, object, message) => {
    const answer = await api.post(path, object);
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });
});

describe("what never changes", () => {
  test.each<[string, string, JsonObject, JsonObject, string]>([
    [
      "an immutable ConfigMap",
      CONFIG_MAPS,
      named({ immutable: true, data: { a: "1" } }),
      { data: { a: "2" } },
      "data: Forbidden: field is immutable when `immutable` is set",
    ],
    [
      "its immutability",
      CONFIG_MAPS,
      named({ immutable: true }),
      { immutable: false },
      "immutable: Forbidden",
    ],
    [
      "the controller of a class",
      CLASSES,
      named({ spec: { controller: "example.org/a" } }),
      { spec: { controller: "example.org/b" } },
      "spec.controller: Invalid value",
    ],
    [
      "the address type",
      SLICES,
      slice({ endpoints: [] }),
      { addressType: "IPv6" },
      "field is immutable",
    ],
    [
      "the provider of a Node",
      NODES,
      named({ spec: { providerID: "a" } }),
      { spec: { providerID: "b" } },
      "spec.providerID: Forbidden",
    ],
  ])("%s", async (_what, path, object, change, message) => {
    await api.made(api.post(path, object));
    const answer = await api.patch(`${path}/one`, change);
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });
});

test("fields that Pods and Nodes are found by", async () => {
  await api.made(api.post(PODS, pod({ nodeName: "n1" })));
  const found = async (selector: string): Promise<number> =>
    listAt((await api.get(`${PODS}?fieldSelector=${selector}`)).body, "items").length;
  expect(await found("spec.nodeName=n1,status.phase=Pending")).toBe(1);
  expect(await found("spec.nodeName=n2")).toBe(0);
});
