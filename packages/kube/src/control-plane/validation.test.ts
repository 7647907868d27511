import { beforeEach, describe, expect, test } from "vitest";
import {
  CORE,
  ENTRIES,
  entry,
  service,
  TestApi,
} from "../../../../test/support/clients/control-plane-api.ts";
import { type JsonObject, listAt, objectAt, textAt, valueAt } from "./json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});
const INGRESSES = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
const secret = (more: JsonObject): JsonObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s" },
  ...more,
});

describe("custom resources", () => {
  test.each<readonly [JsonObject, string]>([
    [
      { ttl: "x" },
      'DNSEntry.dns.gardener.cloud "a" is invalid: spec.ttl: Invalid value: "string": spec.ttl in body must be of type integer: "string"',
    ],
    [
      { ttl: 0 },
      'DNSEntry.dns.gardener.cloud "a" is invalid: spec.ttl: Invalid value: 0: spec.ttl in body should be greater than or equal to 1',
    ],
    [{ ttl: 1e9 }, "spec.ttl in body should be less than or equal to 8640000"],
    [{ ttl: 1.5 }, 'must be of type integer: "number"'],
    [{ targets: [null] }, 'must be of type string: "null"'],
    [{ targets: "192.0.2.1" }, 'spec.targets in body must be of type array: "string"'],
    [{ targets: [1] }, 'spec.targets[0] in body must be of type string: "integer"'],
    [
      { targets: Array.from({ length: 101 }, String) },
      "spec.targets: Too many: 101: must have at most 100 items",
    ],
    [{ routingPolicy: { type: "odd" } }, 'spec.routingPolicy.type: Unsupported value: "odd"'],
    [{ dnsName: undefined }, "spec.dnsName: Required value"],
  ])("%j is refused", async (spec, message) => {
    const answer = await api.post(ENTRIES, entry("a", spec));
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ reason: "Invalid", code: 422 });
    expect(textAt(answer.body, "message")).toContain(message);
    expect((await api.get(`${ENTRIES}/a`)).status).toBe(404);
  });

  test("each wrong field is a cause", async () => {
    const answer = await api.post(ENTRIES, entry("a", { ttl: 0, dnsName: undefined }));
    expect(valueAt(answer.body, "details")).toMatchObject({
      name: "a",
      group: "dns.gardener.cloud",
      kind: "DNSEntry",
      causes: [
        {
          reason: "FieldValueInvalid",
          field: "spec.ttl",
          message: "Invalid value: 0: spec.ttl in body should be greater than or equal to 1",
        },
        { reason: "FieldValueRequired", field: "spec.dnsName", message: "Required value" },
      ],
    });
    expect(textAt(answer.body, "message")).toContain("is invalid: [spec.ttl: ");
  });

  test("a bad patch leaves the object as it was", async () => {
    const created = await api.made(api.post(ENTRIES, entry("a")));
    expect((await api.patch(`${ENTRIES}/a`, { spec: { ttl: -1 } })).status).toBe(422);
    expect((await api.get(`${ENTRIES}/a`)).body).toEqual(created);
  });

  test("unknown fields: Strict refuses, Warn warns, Ignore is silent; all prune", async () => {
    const odd = entry("a", { foo: 1 });
    const strict = await api.post(`${ENTRIES}?fieldValidation=Strict`, odd);
    expect(strict.status).toBe(400);
    expect(textAt(strict.body, "message")).toBe(
      'DNSEntry in version "v1alpha1" cannot be handled as a DNSEntry: strict decoding error: unknown field "spec.foo"',
    );
    const warn = await api.post(ENTRIES, odd);
    expect(warn.headers["warning"]).toBe('299 - "unknown field \\"spec.foo\\""');
    expect(valueAt(warn.body, "spec", "foo")).toBeUndefined();
    const ignore = await api.post(`${ENTRIES}?fieldValidation=Ignore`, {
      ...odd,
      metadata: { name: "b" },
    });
    expect(ignore.headers["warning"]).toBeUndefined();
    expect((await api.post(`${ENTRIES}?fieldValidation=Odd`, odd)).status).toBe(422);
  });

  test("providerConfig keeps what it is given", async () => {
    const provider = {
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSProvider",
      metadata: { name: "p" },
      spec: { type: "rfc2136", providerConfig: { any: { thing: [1, null] } } },
    };
    const path = ENTRIES.replace("dnsentries", "dnsproviders");
    const created = await api.made(api.post(`${path}?fieldValidation=Strict`, provider));
    expect(valueAt(created, "spec", "providerConfig")).toEqual({ any: { thing: [1, null] } });
  });

  test("another kind or version is 422 and names the field", async () => {
    for (const [field, value] of [
      ["kind", "Secret"],
      ["apiVersion", "v1"],
    ] as const) {
      const answer = await api.post(ENTRIES, { ...entry("a"), [field]: value });
      expect(answer.status).toBe(422);
      expect(answer.body["details"]).toMatchObject({ causes: [{ field }] });
    }
  });

  test.each([
    ["not an object", "[]", "the body must be one object"],
    ["broken", "{", "not valid JSON"],
    ["no kind", { metadata: { name: "a" } }, "'kind' is missing"],
    [
      "metadata of a wrong type",
      { ...entry("a"), metadata: { name: 1 } },
      "metadata.name in body must be of type string",
    ],
    [
      "labels of a wrong type",
      { ...entry("a"), metadata: { name: "a", labels: { x: 1 } } },
      "metadata.labels.x in body",
    ],
  ])("%s is 400", async (_name, body, message) => {
    const answer = await api.post(ENTRIES, body);
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, "message")).toContain(message);
  });

  test.each([
    [{ labels: { "a b": "x" } }, "metadata.labels"],
    [{ labels: { a: "x y" } }, "metadata.labels"],
    [{ annotations: { "/x": "" } }, "metadata.annotations"],
    [{ annotations: { x: "y".repeat(256 * 1024) } }, "metadata.annotations: Too long"],
    [
      { ownerReferences: [{ apiVersion: "v1", kind: "", name: "n", uid: "u" }] },
      "ownerReferences[0].kind",
    ],
    [{ finalizers: ["a b"] }, "metadata.finalizers"],
  ])("metadata %# is refused", async (metadata, field) => {
    const answer = await api.post(ENTRIES, { ...entry("a"), metadata: { name: "a", ...metadata } });
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(field);
  });
});

describe("Secrets", () => {
  test("stringData is written over data and never shown", async () => {
    const body = secret({ data: { a: "eA==", b: "eQ==" }, stringData: { a: "grün" } });
    const created = await api.made(api.post(`${CORE}/secrets`, body));
    expect(created).toMatchObject({ type: "Opaque", data: { a: btoa("grÃ¼n"), b: "eQ==" } });
    expect(created["stringData"]).toBeUndefined();
  });

  test("what is no base64 is refused without showing it", async () => {
    const answer = await api.post(`${CORE}/secrets`, secret({ data: { a: "p4ssw0rd!" } }));
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, "message")).toContain("data.a");
    expect(answer.text).not.toContain("p4ssw0rd");
  });

  test("the type stays, an immutable one stays whole", async () => {
    await api.made(api.post(`${CORE}/secrets`, secret({ data: { a: "eA==" }, immutable: true })));
    expect((await api.patch(`${CORE}/secrets/s`, { type: "other/type" })).status).toBe(422);
    expect((await api.patch(`${CORE}/secrets/s`, { data: { a: "eQ==" } })).status).toBe(422);
    expect((await api.patch(`${CORE}/secrets/s`, { immutable: false })).status).toBe(422);
    expect(
      (await api.patch(`${CORE}/secrets/s`, { metadata: { labels: { a: "b" } } })).status,
    ).toBe(200);
  });

  test("keys are checked", async () => {
    expect((await api.post(`${CORE}/secrets`, secret({ data: { "a/b": "eA==" } }))).status).toBe(
      422,
    );
  });
});

describe("Services", () => {
  test.each([0, "", undefined])("a targetPort %j is the port", async (targetPort) => {
    const made = await api.made(
      api.post(`${CORE}/services`, service("s", { ports: [{ port: 443, targetPort }] })),
    );
    expect(made).toMatchObject({ spec: { ports: [{ port: 443, targetPort: 443 }] } });
  });

  test("defaults are filled in and an address is given out once", async () => {
    const first = await api.made(api.post(`${CORE}/services`, service("s")));
    expect(first).toMatchObject({
      spec: {
        type: "LoadBalancer",
        sessionAffinity: "None",
        ports: [{ port: 80, targetPort: 80, protocol: "TCP" }],
        externalTrafficPolicy: "Cluster",
      },
      status: { loadBalancer: {} },
    });
    const address = textAt(first, "spec", "clusterIP");
    expect(address).toMatch(/^10\.(9[6-9]|10\d|11[01])\.\d+\.\d+$/);
    const second = await api.made(api.post(`${CORE}/services`, service("t")));
    expect(textAt(second, "spec", "clusterIP")).not.toBe(address);
    // A PUT without the address keeps it.
    const replaced = await api.made(
      api.put(`${CORE}/services/s`, service("s", { type: "ClusterIP" })),
    );
    expect(textAt(replaced, "spec", "clusterIP")).toBe(address);
  });

  test("two that ask for one address at once: one gets it", async () => {
    const asked = { clusterIP: "10.96.0.10" };
    const answers = await Promise.all(
      ["a", "b"].map((name) => api.post(`${CORE}/services`, service(name, asked))),
    );
    expect(answers.map((answer) => answer.status)).toEqual([201, 422]);
    expect(textAt(answers[1]?.body, "message")).toContain("already allocated");
  });

  test("addresses are unique and come back when a Service goes", async () => {
    const made = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        api.made(api.post(`${CORE}/services`, service(`s${index}`))),
      ),
    );
    expect(new Set(made.map((each) => textAt(each, "spec", "clusterIP"))).size).toBe(200);
    const address = textAt(made[0], "spec", "clusterIP");
    const again = service("again", { clusterIP: address });
    expect((await api.post(`${CORE}/services`, again)).status).toBe(422);
    await api.made(api.delete(`${CORE}/services/s0`));
    expect((await api.post(`${CORE}/services`, again)).status).toBe(201);
  });

  test.each<readonly [JsonObject, string]>([
    [{ type: "Odd" }, 'spec.type: Unsupported value: "Odd"'],
    [{ ports: [] }, "spec.ports: Required value"],
    [
      { ports: [{ port: 0 }] },
      "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive",
    ],
    [{ ports: [{ port: 80, protocol: "ICMP" }] }, "spec.ports[0].protocol: Unsupported value"],
    [{ ports: [{ port: 80 }, { port: 81 }] }, "spec.ports[0].name: Required value"],
    [{ externalIPs: ["nowhere"] }, "spec.externalIPs[0]"],
    [{ externalIPs: ["192.0.2.01"] }, "spec.externalIPs[0]"],
    [{ type: "ExternalName" }, "spec.externalName: Required value"],
    [{ clusterIP: "x" }, "spec.clusterIP"],
  ])("%j is refused", async (spec, message) => {
    const answer = await api.post(`${CORE}/services`, service("s", spec));
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });

  test("the cluster IP does not change", async () => {
    await api.made(api.post(`${CORE}/services`, service("s")));
    const answer = await api.patch(`${CORE}/services/s`, { spec: { clusterIP: "10.96.0.99" } });
    expect(textAt(answer.body, "message")).toContain("spec.clusterIP: Invalid value");
  });

  test("a load balancer address is written to the status and shown", async () => {
    await api.made(api.post(`${CORE}/services`, service("s")));
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
    await api.made(api.patch(`${CORE}/services/s/status`, { status }));
    const wrong = { loadBalancer: { ingress: [{ ip: "192.0.2.777" }] } };
    expect((await api.patch(`${CORE}/services/s/status`, { status: wrong })).status).toBe(422);
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = await api.get(`${CORE}/services`, { accept });
    expect(valueAt(listAt(table.body, "rows")[0], "cells")).toEqual([
      "s",
      "LoadBalancer",
      expect.stringMatching(/^10\./),
      "192.0.2.7",
      "80/TCP",
      "0s",
      "<none>",
    ]);
  });
});

describe("Ingresses, Leases, Events", () => {
  const ingress = (rule: object) => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name: "i" },
    spec: { rules: [rule] },
  });
  const backend = { service: { name: "s", port: { number: 80 } } };
  const paths = (path: object) => ({
    http: { paths: [{ path: "/", pathType: "Prefix", backend, ...path }] },
  });

  test("a right one is taken and its generation counts", async () => {
    const created = await api.made(
      api.post(INGRESSES, ingress({ host: "*.example.org", ...paths({}) })),
    );
    expect(valueAt(created, "metadata", "generation")).toBe(1);
    expect(valueAt(created, "status")).toEqual({ loadBalancer: {} });
  });

  test.each<readonly [object, string]>([
    [{ host: "Foo_bar", ...paths({}) }, "spec.rules[0].host: Invalid value"],
    [{ host: "192.0.2.1", ...paths({}) }, "must be a DNS name, not an IP address"],
    [paths({ path: "x" }), "spec.rules[0].http.paths[0].path"],
    [paths({ pathType: "Odd" }), 'pathType: Unsupported value: "Odd"'],
    [paths({ backend: { service: { name: "s" } } }), "port name or number is required"],
  ])("%j is refused", async (rule, message) => {
    const answer = await api.post(INGRESSES, ingress(rule));
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });

  test("a Lease lasts longer than nothing", async () => {
    const lease = {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "l" },
      spec: { leaseDurationSeconds: 0, renewTime: "2026-01-01T00:00:00.123456Z" },
    };
    const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    expect((await api.post(path, lease)).status).toBe(422);
    const right = { ...lease, spec: { ...lease.spec, leaseDurationSeconds: 15 } };
    expect((await api.post(path, right)).status).toBe(201);
    const bad = { spec: { renewTime: "yesterday" } };
    expect((await api.patch(`${path}/l`, bad)).status).toBe(422);
  });

  test("an Event lies where its object lies", async () => {
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      involvedObject: { kind: "Service", name: "s", namespace: "other" },
    };
    expect((await api.post(`${CORE}/events`, event)).status).toBe(422);
  });
});

describe("what a real kube-apiserver refuses too", () => {
  const lb = (spec: object) => ({ ...service("s"), spec: { ports: [{ port: 80 }], ...spec } });
  test.each([
    [
      {
        ports: [
          { name: "a", port: 80 },
          { name: "a", port: 81 },
        ],
      },
      "spec.ports[1].name",
    ],
    [{ ports: [{ name: "A_B", port: 80 }] }, "spec.ports[0].name"],
    [{ ports: [{ port: 80, targetPort: "not a name" }] }, "spec.ports[0].targetPort"],
    [{ sessionAffinity: "Maybe" }, "spec.sessionAffinity"],
    [{ selector: { "a b": "c" } }, "spec.selector"],
    [{ type: "ExternalName", externalName: "a_b..c" }, "spec.externalName"],
    [{ externalTrafficPolicy: "Local" }, "spec.externalTrafficPolicy"],
  ])("a Service with %j: %s", async (spec, field) => {
    const answer = await api.post(`${CORE}/services`, lb(spec));
    expect(answer.status).toBe(422);
    expect(answer.body["details"]).toMatchObject({ causes: [{ field }] });
  });

  test("a Service that stops being a load balancer loses the policy that came with it", async () => {
    await api.made(api.post(`${CORE}/services`, service("s")));
    const changed = await api.made(
      api.patch(`${CORE}/services/s`, { spec: { type: "ClusterIP" } }),
    );
    expect(valueAt(changed, "spec", "externalTrafficPolicy")).toBeUndefined();
  });

  test("a TLS Secret without key", async () => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" } };
    const answer = await api.post(`${CORE}/secrets`, { ...secret, type: "kubernetes.io/tls" });
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain("data[tls.key]: Required value");
  });
});

test("empty labels and finalizers are not shown", async () => {
  const made = await api.made(
    api.post(`${CORE}/services`, {
      ...service("s"),
      metadata: { name: "s", labels: {}, finalizers: [] },
    }),
  );
  expect(Object.keys(objectAt(made, "metadata"))).not.toContain("labels");
  expect(Object.keys(objectAt(made, "metadata"))).not.toContain("finalizers");
});
