import { joinedBytes } from "@zonekeeper/base/bytes";
import { describe, expect, test } from "vitest";
import { type Answer, TestApi } from "../../../../../test/support/clients/control-plane-api.ts";
import { GO_BODIES } from "../../../../../test/support/values/go-bodies.ts";
import { type JsonObject, textAt, valueAt } from "../json/json.ts";
import { decodeProtobuf, PROTOBUF_TYPE } from "./protobuf-body.ts";
import { type Encoded, messageField, textField } from "./protobuf-fields.ts";

const titled = GO_BODIES.map((body) => ({
  title: `${textAt(body.object, "apiVersion")} ${textAt(body.object, "kind")}`,
  object: body.object,
  bytes: Uint8Array.from(Buffer.from(body.bytes, "base64")),
}));
const envelope = (title: string, raw: Encoded): Uint8Array => {
  const [apiVersion = "", kind = ""] = title.split(" ");
  const type = messageField(1, [...textField(1, apiVersion), ...textField(2, kind)]);
  return Uint8Array.from([0x6b, 0x38, 0x73, 0, ...joinedBytes([...type, ...messageField(2, raw)])]);
};
const bodyOf = (title: string) => titled.find((each) => each.title === title)?.bytes;
const HEADERS = {
  "content-type": PROTOBUF_TYPE,
  accept: "application/vnd.kubernetes.protobuf,application/json",
};

describe("a body of a Go client", () => {
  test.each(titled)("$title says what its JSON says", ({ object, bytes }) => {
    expect(decodeProtobuf(bytes)).toEqual(object);
  });
});

/** Where objects of the kind lie. */
const PATHS: Readonly<Record<string, string>> = {
  "coordination.k8s.io/v1 Lease": "/apis/coordination.k8s.io/v1/namespaces/default/leases",
  "v1 Event": "/api/v1/namespaces/default/events",
  "discovery.k8s.io/v1 EndpointSlice":
    "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
  "v1 Endpoints": "/api/v1/namespaces/default/endpoints",
  "v1 Pod": "/api/v1/namespaces/default/pods",
  "v1 Node": "/api/v1/nodes",
  "apiextensions.k8s.io/v1 CustomResourceDefinition":
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  "v1 Service": "/api/v1/namespaces/default/services",
  "networking.k8s.io/v1 Ingress": "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
};
const asGo = (api: TestApi, method: string, path: string, body: unknown): Promise<Answer> =>
  api.request(method, path, { body, headers: HEADERS });

describe.each(Object.entries(PATHS))("%s", (title, path) => {
  const name = textAt(titled.find((each) => each.title === title)?.object, "metadata", "name");

  test("is created, replaced and deleted with protobuf bodies, and answered as JSON", async () => {
    const api = await TestApi.open();
    const made = await asGo(api, "POST", path, bodyOf(title));
    expect(made.text).toContain(name);
    expect([made.status, made.headers["content-type"]]).toEqual([201, "application/json"]);
    const replaced = await asGo(api, "PUT", `${path}/${name}`, bodyOf(title));
    // A Lease is replaced with its version only.
    expect(replaced.status).toBe(title.endsWith("Lease") ? 422 : 200);
    const otherUid = bodyOf("v1 DeleteOptions");
    expect((await asGo(api, "DELETE", `${path}/${name}`, otherUid)).status).toBe(409);
    const dryRun = bodyOf("coordination.k8s.io/v1 DeleteOptions");
    expect((await asGo(api, "DELETE", `${path}/${name}`, dryRun)).status).toBe(200);
    expect((await asGo(api, "DELETE", path, dryRun)).status).toBe(200);
    expect((await api.get(`${path}/${name}`)).status).toBe(200);
  });
});

const kept = async (api: TestApi, path: string): Promise<JsonObject> => api.made(api.get(path));

describe("what Go controllers do", () => {
  test("a Lease is taken over by its version, and a watch that prefers protobuf shows it", async () => {
    const api = await TestApi.open();
    const title = "coordination.k8s.io/v1 Lease";
    const path = PATHS[title] ?? "";
    const lease = (version: string, holder: string) =>
      envelope(title, [
        ...messageField(1, [...textField(1, "leader"), ...textField(6, version)]),
        ...messageField(2, textField(1, holder)),
      ]);
    const free = await api.made(asGo(api, "POST", path, lease("", "a")));
    const version = textAt(free, "metadata", "resourceVersion");
    const watch = await api.watch(`${path}?watch=true`, HEADERS);
    expect(await watch.next()).toMatchObject({ type: "ADDED" });
    const takeOver = () => asGo(api, "PUT", `${path}/leader`, lease(version, "b"));
    expect((await takeOver()).status).toBe(200);
    expect((await takeOver()).status).toBe(409);
    expect(await watch.next()).toMatchObject({
      type: "MODIFIED",
      object: { spec: { holderIdentity: "b" } },
    });
    await watch.close();
  });

  test("the status of a Service is replaced, allocateLoadBalancerNodePorts stays false", async () => {
    const api = await TestApi.open();
    const path = PATHS["v1 Service"] ?? "";
    await api.made(asGo(api, "POST", path, bodyOf("v1 Service")));
    await api.made(asGo(api, "PUT", `${path}/web/status`, bodyOf("v1 Service")));
    const service = await kept(api, `${path}/web`);
    expect(valueAt(service, "spec", "allocateLoadBalancerNodePorts")).toBe(false);
    expect(valueAt(service, "status", "loadBalancer")).toMatchObject({
      ingress: [{ ip: "192.0.2.1" }],
    });
  });

  test("a definition serves its kind: defaults, enumerations and rules are there", async () => {
    const api = await TestApi.open();
    const title = "apiextensions.k8s.io/v1 CustomResourceDefinition";
    await api.made(asGo(api, "POST", PATHS[title] ?? "", bodyOf(title)));
    const things = "/apis/example.org/v1/namespaces/default/things";
    const thing = (spec: JsonObject) =>
      api.post(things, {
        apiVersion: "example.org/v1",
        kind: "Thing",
        metadata: { name: "a" },
        spec,
      });
    expect((await thing({ size: 5 })).text).toContain("not five");
    expect((await thing({ size: -0.75 })).text).toContain("greater than or equal to -0.5");
    expect(await api.made(thing({}))).toMatchObject({ spec: { size: 0, mode: "a" } });
  });
});
