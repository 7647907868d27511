import { beforeEach, describe, expect, test } from "vitest";
import {
  type Answer,
  CORE,
  ENTRIES,
  entry,
  service,
  TestApi,
} from "../../../../../test/support/clients/control-plane-api.ts";
import { type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";

const SERVICES = `${CORE}/services`;

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});

/** One server-side apply. */
function apply(path: string, body: unknown, manager: string, more = ""): Promise<Answer> {
  return api.patch(`${path}?fieldManager=${manager}${more}`, body, "apply-patch+yaml");
}

/** A merge patch or PUT under a name. */
const by = (path: string, manager: string): string => `${path}?fieldManager=${manager}`;

const spec = (name: string, fields: JsonObject): JsonObject => ({ ...entry(name), spec: fields });

/** `manager operation [subresource]` of each entry with its fields. */
function owners(object: JsonObject): Record<string, unknown> {
  return Object.fromEntries(
    listAt(object, "metadata", "managedFields").map((each) => {
      const name = `${textAt(each, "manager")} ${textAt(each, "operation")}`;
      const part = textAt(each, "subresource");
      return [part === "" ? name : `${name} ${part}`, valueAt(each, "fieldsV1")];
    }),
  );
}

const read = (path: string): Promise<JsonObject> => api.made(api.get(path));

describe("an apply", () => {
  const www = { dnsName: "www.example.org", targets: ["192.0.2.1"] };

  test("creates with 201, and owns what it says", async () => {
    const answer = await apply(`${ENTRIES}/www`, spec("www", www), "gitops");
    expect(answer.status).toBe(201);
    expect(owners(answer.body)).toEqual({
      "gitops Apply": { "f:spec": { "f:dnsName": {}, "f:targets": {} } },
    });
    expect(listAt(answer.body, "metadata", "managedFields")[0]).toMatchObject({
      apiVersion: "dns.gardener.cloud/v1alpha1",
      fieldsType: "FieldsV1",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  test("a second time changes nothing, not even the version", async () => {
    const first = await apply(`${ENTRIES}/www`, spec("www", www), "gitops");
    await api.clock.advance(5000);
    const again = await apply(`${ENTRIES}/www`, spec("www", www), "gitops");
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
  });

  test("takes away what only it owned and no longer says", async () => {
    await api.made(apply(`${ENTRIES}/www`, spec("www", { ...www, ttl: 60 }), "gitops"));
    const answer = await api.made(apply(`${ENTRIES}/www`, spec("www", www), "gitops"));
    expect(valueAt(answer, "spec")).toEqual(www);
  });

  test("leaves what another owns too", async () => {
    await api.made(apply(`${ENTRIES}/www`, spec("www", { ...www, ttl: 60 }), "gitops"));
    await api.made(apply(`${ENTRIES}/www`, { ...entry("www"), spec: { ttl: 60 } }, "tuner"));
    const answer = await api.made(apply(`${ENTRIES}/www`, spec("www", www), "gitops"));
    expect(valueAt(answer, "spec", "ttl")).toBe(60);
    expect(owners(answer)).toEqual({
      "gitops Apply": { "f:spec": { "f:dnsName": {}, "f:targets": {} } },
      "tuner Apply": { "f:spec": { "f:ttl": {} } },
    });
    const gone = await api.made(apply(`${ENTRIES}/www`, { ...entry("www"), spec: {} }, "tuner"));
    expect(valueAt(gone, "spec", "ttl")).toBeUndefined();
  });

  test("is refused where another owns another value, with the cause; force wins", async () => {
    await api.made(apply(`${ENTRIES}/www`, spec("www", { ...www, ttl: 60 }), "gitops"));
    const other = { ...entry("www"), spec: { ttl: 90 } };
    const refused = await apply(`${ENTRIES}/www`, other, "tuner");
    expect(refused.body).toMatchObject({
      code: 409,
      reason: "Conflict",
      message: 'Apply failed with 1 conflict: conflict with "gitops": .spec.ttl',
      details: {
        causes: [
          {
            reason: "FieldManagerConflict",
            message: 'conflict with "gitops"',
            field: ".spec.ttl",
          },
        ],
      },
    });
    const won = await api.made(apply(`${ENTRIES}/www`, other, "tuner", "&force=true"));
    expect(valueAt(won, "spec", "ttl")).toBe(90);
    expect(owners(won)).toMatchObject({
      "gitops Apply": { "f:spec": { "f:dnsName": {}, "f:targets": {} } },
      "tuner Apply": { "f:spec": { "f:ttl": {} } },
    });
  });

  test("names updaters with their version, and several conflicts in one message", async () => {
    await api.made(api.post(by(ENTRIES, "hand"), spec("www", { ...www, ttl: 60 })));
    const other = spec("www", { ...www, dnsName: "a.example.org", ttl: 61 });
    const refused = await apply(`${ENTRIES}/www`, other, "gitops");
    expect(textAt(refused.body, "message")).toBe(
      'Apply failed with 2 conflicts: conflicts with "hand" using dns.gardener.cloud/v1alpha1:\n- .spec.dnsName\n- .spec.ttl',
    );
  });

  test("tried only, it changes nothing", async () => {
    const tried = await apply(`${ENTRIES}/www`, spec("www", www), "gitops", "&dryRun=All");
    expect(tried.status).toBe(201);
    expect(owners(tried.body)).toHaveProperty("gitops Apply");
    expect((await api.get(`${ENTRIES}/www`)).status).toBe(404);
  });

  test("checks a version that the configuration names", async () => {
    const made = await api.made(apply(`${ENTRIES}/www`, spec("www", www), "gitops"));
    const seen = textAt(made, "metadata", "resourceVersion");
    const of = (resourceVersion: string) => ({
      ...spec("www", { ...www, ttl: 61 }),
      metadata: { name: "www", resourceVersion },
    });
    expect((await apply(`${ENTRIES}/www`, of("1"), "gitops")).status).toBe(409);
    expect((await apply(`${ENTRIES}/www`, of(seen), "gitops")).status).toBe(200);
  });

  test("an empty map of labels is none, though its content was its own", async () => {
    const labels = (own: JsonObject) => ({
      ...spec("www", www),
      metadata: { name: "www", ...own },
    });
    await api.made(apply(`${ENTRIES}/www`, labels({ labels: { a: "1", b: "2" } }), "gitops"));
    const one = await api.made(apply(`${ENTRIES}/www`, labels({ labels: { b: "2" } }), "gitops"));
    expect(valueAt(one, "metadata", "labels")).toEqual({ b: "2" });
    const empty = await api.made(apply(`${ENTRIES}/www`, labels({ labels: {} }), "gitops"));
    expect(valueAt(empty, "metadata", "labels")).toBeUndefined();
    const none = await api.made(apply(`${ENTRIES}/www`, labels({}), "gitops"));
    expect(valueAt(none, "metadata", "labels")).toBeUndefined();
  });

  test.each<[string, () => Promise<Answer>, number, string]>([
    [
      "no manager",
      () => api.patch(`${ENTRIES}/www`, entry("www"), "apply-patch+yaml"),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [
      "another kind",
      () => apply(`${ENTRIES}/www`, { ...entry("www"), kind: "DNSProvider" }, "me"),
      400,
      "invalid object type: dns.gardener.cloud/v1alpha1, Kind=DNSProvider",
    ],
    [
      "another version",
      () => apply(`${SERVICES}/web`, { ...service("web"), apiVersion: "v2" }, "me"),
      400,
      "invalid object type: /v2, Kind=Service",
    ],
    [
      "another name",
      () => apply(`${ENTRIES}/www`, entry("other"), "me"),
      400,
      "the name of the object (other) does not match the name on the URL (www)",
    ],
    [
      "another namespace",
      () =>
        apply(
          `${ENTRIES}/www`,
          { ...entry("www"), metadata: { name: "www", namespace: "x" } },
          "me",
        ),
      400,
      "the namespace of the provided object does not match",
    ],
    [
      "a record of owners",
      () =>
        apply(
          `${ENTRIES}/www`,
          { ...entry("www"), metadata: { name: "www", managedFields: [] } },
          "me",
        ),
      400,
      "metadata.managedFields must be nil",
    ],
    [
      "a uid of nothing",
      () => apply(`${ENTRIES}/www`, { ...entry("www"), metadata: { name: "www", uid: "u" } }, "me"),
      409,
      "uid mismatch: the provided object specified uid u, and no existing object was found",
    ],
    [
      "an unknown field",
      () => apply(`${ENTRIES}/www`, entry("www", { typo: 1 }), "me"),
      500,
      "failed to create typed patch object (default/www; dns.gardener.cloud/v1alpha1, Kind=DNSEntry): .spec.typo: field not declared in schema",
    ],
    [
      "two items of one key",
      () => apply(`${SERVICES}/web`, service("web", { ports: [{ port: 80 }, { port: 80 }] }), "me"),
      500,
      'failed to create typed patch object (default/web; /v1, Kind=Service): .spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    ["a list", () => apply(`${ENTRIES}/www`, [], "me"), 400, "error decoding YAML"],
    [
      "a status of nothing",
      () => apply(`${ENTRIES}/www/status`, entry("www"), "me"),
      404,
      'dnsentries.dns.gardener.cloud "www" not found',
    ],
    [
      "force without apply",
      () => api.patch(`${ENTRIES}/www?force=true`, {}),
      422,
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ],
  ])("with %s is refused", async (_name, request, status, message) => {
    const answer = await request();
    expect(textAt(answer.body, "message")).toContain(message);
    expect(answer.status).toBe(status);
  });
});

describe("lists and built-in kinds", () => {
  const port = (number: number, name: string): JsonObject => ({ port: number, name });

  test("items of a list by key have owners of their own", async () => {
    const web = (...ports: readonly JsonObject[]) => service("web", { ports });
    await api.made(apply(`${SERVICES}/web`, web(port(80, "http")), "one"));
    const second = { ...service("web"), spec: { ports: [port(443, "tls")] } };
    const both = await api.made(apply(`${SERVICES}/web`, second, "two"));
    expect(listAt(both, "spec", "ports")).toMatchObject([{ port: 80 }, { port: 443 }]);
    expect(owners(both)).toEqual({
      "one Apply": {
        "f:spec": {
          "f:ports": { 'k:{"port":80,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } },
          "f:type": {},
        },
      },
      "two Apply": {
        "f:spec": {
          "f:ports": { 'k:{"port":443,"protocol":"TCP"}': { ".": {}, "f:name": {}, "f:port": {} } },
        },
      },
    });
    const gone = await api.made(apply(`${SERVICES}/web`, web(port(81, "alt")), "one"));
    expect(listAt(gone, "spec", "ports").map((each) => valueAt(each, "port"))).toEqual([443, 81]);
    const conflict = await apply(`${SERVICES}/web`, web(port(443, "https")), "one");
    expect(textAt(conflict.body, "message")).toBe(
      'Apply failed with 1 conflict: conflict with "two": .spec.ports[port=443,protocol="TCP"].name',
    );
  });

  test("the address that the server gave has no manager and stays", async () => {
    const made = await api.made(apply(`${SERVICES}/web`, service("web"), "one"));
    const again = { ...service("web"), metadata: { name: "web", labels: { a: "1" } } };
    const changed = await api.made(apply(`${SERVICES}/web`, again, "one"));
    expect(textAt(changed, "spec", "clusterIP")).toBe(textAt(made, "spec", "clusterIP"));
    expect(JSON.stringify(owners(changed))).not.toContain("clusterIP");
  });

  test("sets: each finalizer has its owner", async () => {
    const held = (...finalizers: readonly string[]) => ({
      ...entry("www"),
      metadata: { name: "www", finalizers },
    });
    await api.made(apply(`${ENTRIES}/www`, held("example.org/a"), "one"));
    const both = await api.made(apply(`${ENTRIES}/www`, held("example.org/b"), "two"));
    expect(listAt(both, "metadata", "finalizers")).toEqual(["example.org/a", "example.org/b"]);
    expect(objectAt(owners(both), "two Apply", "f:metadata")).toEqual({
      "f:finalizers": { 'v:"example.org/b"': {} },
    });
    const left = await api.made(apply(`${ENTRIES}/www`, held(), "one"));
    expect(listAt(left, "metadata", "finalizers")).toEqual(["example.org/b"]);
  });

  test("an atomic map has one owner", async () => {
    const selecting = (selector: JsonObject) => service("web", { selector });
    await api.made(apply(`${SERVICES}/web`, selecting({ app: "a" }), "one"));
    const refused = await apply(`${SERVICES}/web`, selecting({ tier: "b" }), "two");
    expect(textAt(refused.body, "message")).toContain('conflict with "one": .spec.selector');
  });

  test("where nothing is declared, maps are merged and lists are one piece", async () => {
    const provider = (providerConfig: JsonObject) => ({
      apiVersion: "dns.gardener.cloud/v1alpha1",
      kind: "DNSProvider",
      metadata: { name: "p" },
      spec: { providerConfig },
    });
    const path = `${ENTRIES.replace("dnsentries", "dnsproviders")}/p`;
    const base = provider({ a: { x: 1 }, list: [1] });
    const typed = { ...base, spec: { ...objectAt(base, "spec"), type: "rfc2136" } };
    await api.made(apply(path, typed, "one"));
    const merged = await api.made(apply(path, provider({ a: { y: 2 } }), "two"));
    expect(valueAt(merged, "spec", "providerConfig")).toEqual({ a: { x: 1, y: 2 }, list: [1] });
    expect((await apply(path, provider({ list: [2] }), "two")).status).toBe(409);
  });
});

describe("other writes", () => {
  test("a create owns the object; built-in kinds have their structs from the start", async () => {
    const custom = await api.made(api.post(by(ENTRIES, "hand"), entry("www")));
    expect(owners(custom)).toEqual({
      "hand Update": { "f:spec": { ".": {}, "f:dnsName": {}, "f:targets": {} } },
    });
    const labelled = { ...service("web"), metadata: { name: "web", labels: { a: "1" } } };
    const native = await api.made(api.post(by(SERVICES, "hand"), labelled));
    expect(owners(native)).toEqual({
      "hand Update": {
        "f:metadata": { "f:labels": { ".": {}, "f:a": {} } },
        "f:spec": {
          "f:allocateLoadBalancerNodePorts": {},
          "f:externalTrafficPolicy": {},
          "f:internalTrafficPolicy": {},
          "f:ports": {
            ".": {},
            'k:{"port":80,"protocol":"TCP"}': {
              ".": {},
              "f:port": {},
              "f:protocol": {},
              "f:targetPort": {},
            },
          },
          "f:sessionAffinity": {},
          "f:type": {},
        },
      },
    });
  });

  test("what a patch changes changes its owner; what it removes has none", async () => {
    await api.made(apply(`${ENTRIES}/www`, entry("www", { ttl: 60 }), "gitops"));
    await api.made(api.patch(by(`${ENTRIES}/www`, "hand"), { spec: { ttl: 61 } }));
    expect(owners(await read(`${ENTRIES}/www`))).toEqual({
      "gitops Apply": { "f:spec": { "f:dnsName": {}, "f:targets": {} } },
      "hand Update": { "f:spec": { "f:ttl": {} } },
    });
    await api.made(api.patch(by(`${ENTRIES}/www`, "other"), { spec: { ttl: null } }));
    expect(owners(await read(`${ENTRIES}/www`))).toEqual({
      "gitops Apply": { "f:spec": { "f:dnsName": {}, "f:targets": {} } },
    });
  });

  test("without a name the program of the user agent is the manager", async () => {
    const headers = { "user-agent": "kube-thing/v1.2 (linux/amd64)" };
    const answer = await api.request("POST", ENTRIES, { body: entry("www"), headers });
    expect(Object.keys(owners(answer.body))).toEqual(["kube-thing Update"]);
  });

  test("a status has owners of its own, who own nothing else", async () => {
    const made = await api.made(api.post(by(ENTRIES, "hand"), entry("www")));
    const status = { ...made, spec: { dnsName: "no" }, status: { state: "Ready" } };
    await api.made(api.put(by(`${ENTRIES}/www/status`, "controller"), status));
    const object = await read(`${ENTRIES}/www`);
    expect(owners(object)).toEqual({
      "hand Update": { "f:spec": { ".": {}, "f:dnsName": {}, "f:targets": {} } },
      // The status itself was there by its default.
      "controller Update status": { "f:status": { "f:state": {} } },
    });
    const other = { ...entry("www"), status: { state: "Error" } };
    const refused = await apply(`${ENTRIES}/www/status`, other, "controller");
    expect(textAt(refused.body, "message")).toBe(
      'Apply failed with 1 conflict: conflict with "controller" with subresource "status" using dns.gardener.cloud/v1alpha1: .status.state',
    );
    const ignored = await api.made(apply(`${ENTRIES}/www`, other, "gitops"));
    expect(valueAt(ignored, "status", "state")).toBe("Ready");
    expect(objectAt(owners(ignored), "gitops Apply")).not.toHaveProperty("f:status");
  });

  test("managedFields that a client sends are kept; [] and [{}] clear them", async () => {
    await api.made(apply(`${ENTRIES}/www`, entry("www"), "gitops"));
    const object = await read(`${ENTRIES}/www`);
    const [only] = listAt(object, "metadata", "managedFields");
    const renamed = [{ ...objectAt({ only }, "only"), manager: "renamed" }];
    const patch = [{ op: "replace", path: "/metadata/managedFields", value: renamed }];
    const kept = await api.made(api.patch(`${ENTRIES}/www`, patch, "json-patch+json"));
    expect(Object.keys(owners(kept))).toEqual(["renamed Apply"]);
    for (const value of [[], [{}]]) {
      const cleared = await api.made(
        api.patch(`${ENTRIES}/www`, { metadata: { managedFields: value } }),
      );
      expect(valueAt(cleared, "metadata", "managedFields")).toBeUndefined();
    }
    const untouched = await api.made(
      api.patch(by(`${ENTRIES}/www`, "hand"), { spec: { ttl: 61 } }),
    );
    expect(valueAt(untouched, "metadata", "managedFields")).toBeUndefined();
  });

  test("an object without record gets one with its first apply", async () => {
    await api.made(api.post(by(ENTRIES, "hand"), entry("www", { ttl: 60 })));
    await api.made(api.patch(`${ENTRIES}/www`, { metadata: { managedFields: [] } }));
    const refused = await apply(`${ENTRIES}/www`, entry("www", { ttl: 61 }), "gitops");
    expect(textAt(refused.body, "message")).toContain('conflict with "before-first-apply" using');
    const same = await api.made(apply(`${ENTRIES}/www`, entry("www", { ttl: 60 }), "gitops"));
    expect(Object.keys(owners(same))).toEqual(["gitops Apply", "before-first-apply Update"]);
  });

  test("of more than ten updaters the oldest are forgotten", async () => {
    await api.made(api.post(by(ENTRIES, "m0"), entry("www")));
    for (let index = 1; index <= 12; index += 1) {
      await api.clock.advance(1000);
      const labels = { [`l${index}`]: "1" };
      await api.made(api.patch(by(`${ENTRIES}/www`, `m${index}`), { metadata: { labels } }));
    }
    const names = Object.keys(owners(await read(`${ENTRIES}/www`)));
    expect(names).toHaveLength(10);
    expect(names[0]).toBe("m3 Update");
    expect(names.at(-1)).toBe("m12 Update");
  });
});

describe("from client-side to server-side apply", () => {
  const LAST = "kubectl.kubernetes.io/last-applied-configuration";
  const applied = (ttl: number): JsonObject => {
    const plain = entry("www", { ttl });
    const annotations = { [LAST]: `${JSON.stringify(plain)}\n` };
    return { ...plain, metadata: { name: "www", annotations } };
  };

  test("kubectl wins what it applied, and the annotation follows", async () => {
    await api.made(api.post(by(ENTRIES, "kubectl-client-side-apply"), applied(60)));
    const other = await apply(`${ENTRIES}/www`, entry("www", { ttl: 61 }), "gitops");
    expect(other.status).toBe(409);
    const won = await api.made(apply(`${ENTRIES}/www`, entry("www", { ttl: 61 }), "kubectl"));
    expect(valueAt(won, "spec", "ttl")).toBe(61);
    const annotation = textAt(won, "metadata", "annotations", LAST);
    expect(JSON.parse(annotation)).toEqual(entry("www", { ttl: 61 }));
  });

  test("not what somebody has changed since", async () => {
    await api.made(api.post(by(ENTRIES, "kubectl-client-side-apply"), applied(60)));
    await api.made(api.patch(by(`${ENTRIES}/www`, "hand"), { spec: { ttl: 70 } }));
    const refused = await apply(`${ENTRIES}/www`, entry("www", { ttl: 61 }), "kubectl");
    expect(textAt(refused.body, "message")).toBe(
      'Apply failed with 1 conflict: conflict with "hand" using dns.gardener.cloud/v1alpha1: .spec.ttl',
    );
  });
});
