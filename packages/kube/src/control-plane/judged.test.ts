/**
 * What test/real/api-conversation found a real kube-apiserver to do otherwise, told without one.
 */
import { beforeEach, describe, expect, test } from "vitest";
import {
  CORE,
  ENTRIES,
  entry,
  service,
  TestApi,
} from "../../../../test/support/clients/control-plane-api.ts";
import { type JsonObject, objectAt, textAt, valueAt } from "./json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});

const SECRETS = `${CORE}/secrets`;
const SERVICES = `${CORE}/services`;
const secret = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name },
  ...more,
});
const named = (metadata: JsonObject): JsonObject => ({ ...secret(""), metadata });
const fieldsOf = (body: unknown): unknown => {
  const causes = valueAt(body, "details", "causes");
  return Array.isArray(causes) ? causes.map((each: unknown) => textAt(each, "field")) : [];
};

describe("defaults have owners", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "of a Secret, whose texts are data",
      { stringData: { a: "x" } },
      { "f:data": { ".": {}, "f:a": {} }, "f:type": {} },
    ],
    ["of an empty one", {}, { "f:type": {} }],
  ])("%s", async (_name, content, owned) => {
    const made = await api.made(api.post(SECRETS, secret("s", content)));
    expect(firstEntry(made)["fieldsV1"]).toEqual(owned);
    expect(firstEntry(made)["manager"]).toBe("unknown");
  });

  test("a list that is always there is not owned itself", async () => {
    const spec = { containers: [{ name: "c", image: "example.org/i" }] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec };
    const made = await api.made(api.post(`${CORE}/pods`, pod));
    const owned = objectAt(firstEntry(made), "fieldsV1", "f:spec", "f:containers");
    expect(Object.keys(owned)).toEqual(['k:{"name":"c"}']);
    expect(owned['k:{"name":"c"}']).toMatchObject({ "f:resources": {} });
  });

  test("a patch that takes away what is not there changes nothing", async () => {
    const made = await api.made(api.post(SECRETS, secret("s")));
    expect(await api.made(api.patch(`${SECRETS}/s`, { data: null }))).toEqual(made);
  });
});

describe("a Service that sticks to its clients", () => {
  test("has a time, which goes with the wish", async () => {
    const made = await api.made(api.post(SERVICES, service("s", { sessionAffinity: "ClientIP" })));
    expect(valueAt(made, "spec", "sessionAffinityConfig")).toEqual({
      clientIP: { timeoutSeconds: 10_800 },
    });
    const off = await api.made(api.patch(`${SERVICES}/s`, { spec: { sessionAffinity: "None" } }));
    expect(valueAt(off, "spec", "sessionAffinityConfig")).toBeUndefined();
  });
});

test("a Node is born with its status", async () => {
  const status = { addresses: [{ type: "InternalIP", address: "192.0.2.9" }] };
  const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" }, status };
  const made = await api.made(api.post("/api/v1/nodes", node));
  expect(made["spec"]).toEqual({});
  expect(made["status"]).toEqual(status);
});

describe("what a deletion is answered with", () => {
  test("a Pod, marked", async () => {
    const spec = { containers: [{ name: "c", image: "example.org/i" }] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec };
    await api.made(api.post(`${CORE}/pods`, pod));
    const { body } = await api.delete(`${CORE}/pods/p`);
    expect(body).toMatchObject({ kind: "Pod", metadata: { deletionGracePeriodSeconds: 0 } });
  });

  test("a Service, as it was; of other kinds a Status", async () => {
    await api.made(api.post(SERVICES, service("s")));
    await api.made(api.post(SECRETS, secret("s")));
    const { body } = await api.delete(`${SERVICES}/s`);
    expect(textAt(body, "kind")).toBe("Service");
    expect(valueAt(body, "metadata", "deletionTimestamp")).toBeUndefined();
    expect((await api.delete(`${SECRETS}/s`)).body["kind"]).toBe("Status");
  });

  test("the last finalizer is taken from the version that was there", async () => {
    const held = { ...entry("www"), metadata: { name: "www", finalizers: ["example.org/a"] } };
    await api.made(api.post(ENTRIES, held));
    const marked = (await api.delete(`${ENTRIES}/www`)).body;
    const gone = await api.made(api.patch(`${ENTRIES}/www`, { metadata: { finalizers: null } }));
    expect(valueAt(gone, "metadata", "resourceVersion")).toBe(
      valueAt(marked, "metadata", "resourceVersion"),
    );
    expect((await api.get(`${ENTRIES}/www`)).status).toBe(404);
  });
});

describe("refusals", () => {
  test.each<[string, JsonObject, readonly string[]]>([
    [
      "finalizers without a domain",
      { name: "s", finalizers: ["orphan", "nodomain"] },
      ["metadata.finalizers[1]"],
    ],
    [
      "a bad beginning of a name",
      { generateName: "Gen_" },
      ["metadata.generateName", "metadata.name"],
    ],
    [
      "an owner without a uid",
      { name: "s", ownerReferences: [{ apiVersion: "v1", kind: "Secret", name: "o", uid: "" }] },
      ["metadata.ownerReferences[0].uid"],
    ],
  ])("%s", async (_name, metadata, fields) => {
    const { status, body } = await api.post(SECRETS, named(metadata));
    expect([status, fieldsOf(body)]).toEqual([422, fields]);
  });

  test("custom objects may have finalizers without a domain", async () => {
    const plain = { ...entry("www"), metadata: { name: "www", finalizers: ["nodomain"] } };
    expect((await api.post(ENTRIES, plain)).status).toBe(201);
  });

  test("Events may have any name that a path may", async () => {
    const event = (name: string): JsonObject => ({
      apiVersion: "v1",
      kind: "Event",
      metadata: { name },
      involvedObject: { namespace: "default" },
    });
    expect((await api.post(`${CORE}/events`, event("Bad_Name"))).status).toBe(201);
    for (const name of ["..", "a/b", "a%"])
      expect((await api.post(`${CORE}/events`, event(name))).status).toBe(422);
  });

  test.each([
    ["dryRun=Some", "CreateOptions", "dryRun", "FieldValueNotSupported"],
    ["fieldValidation=Odd", "CreateOptions", "fieldValidation", "FieldValueNotSupported"],
    [`fieldManager=${"x".repeat(129)}`, "CreateOptions", "fieldManager", "FieldValueTooLong"],
    ["fieldManager=a%07", "CreateOptions", "fieldManager", "FieldValueInvalid"],
  ])("the option %s", async (query, kind, field, reason) => {
    const { status, body } = await api.post(`${SECRETS}?${query}`, secret("s"));
    expect(status).toBe(422);
    expect(body["details"]).toMatchObject({
      group: "meta.k8s.io",
      kind,
      causes: [{ field, reason }],
    });
  });

  test("a patch: the object is looked for first, its uid stays, what it makes has to fit", async () => {
    expect((await api.patch(`${SECRETS}/absent`, [])).status).toBe(404);
    await api.made(api.post(SECRETS, secret("s")));
    const uid = await api.patch(`${SECRETS}/s`, { metadata: { uid: "other" } });
    expect([uid.status, fieldsOf(uid.body)]).toEqual([422, ["metadata.uid"]]);
    const shape = await api.patch(`${SECRETS}/s`, { data: "x" });
    expect([shape.status, fieldsOf(shape.body)]).toEqual([422, ["patch"]]);
  });

  test("a review of nothing", async () => {
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const ask = async (spec: JsonObject): Promise<number> =>
      (await api.post(path, { spec })).status;
    const [resource, other] = [{ resourceAttributes: {} }, { nonResourceAttributes: {} }];
    expect(await Promise.all([{}, resource, other, { ...resource, ...other }].map(ask))).toEqual([
      422, 201, 201, 422,
    ]);
  });

  test("details are sent where kube-apiserver sends them", async () => {
    const get = async (accept: string): Promise<unknown> =>
      (await api.get(SECRETS, { accept })).body["details"];
    expect(await get("text/html")).toEqual({});
    expect(await get("application/json;as=Chair;v=v1;g=meta.k8s.io")).toBeUndefined();
    const scale = await api.get(`${ENTRIES}/www/scale`);
    expect(scale.body["details"]).toMatchObject({ name: "www", kind: "dnsentries" });
  });

  test("a limit below nothing is none", async () => {
    await api.made(api.post(SECRETS, secret("s")));
    expect((await api.made(api.get(`${SECRETS}?limit=-1`)))["items"]).toHaveLength(1);
    expect((await api.get(`${SECRETS}?limit=-x`)).status).toBe(400);
  });
});

function firstEntry(object: unknown): JsonObject {
  const entries = valueAt(object, "metadata", "managedFields");
  return Array.isArray(entries) ? objectAt({ first: entries[0] }, "first") : {};
}
