import { beforeEach, describe, expect, test } from "vitest";
import {
  ADMIN_TOKEN,
  CORE,
  ENTRIES,
  entry,
  service,
  TestApi,
} from "../../../../test/support/clients/control-plane-api.ts";
import { isObject, listAt, objectAt, textAt, valueAt } from "./json/json.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});
const PROTOBUF = "application/vnd.kubernetes.protobuf";

describe("authentication", () => {
  const status = async (authorization?: string): Promise<number> =>
    (await api.get(ENTRIES, { authorization: authorization ?? "" })).status;

  test("only known bearer tokens are let in", async () => {
    expect(await status(`Bearer ${ADMIN_TOKEN}`)).toBe(200);
    expect(await status(`bearer controller-token-0123456789`)).toBe(200);
    expect(await status()).toBe(401);
    expect(await status("Bearer ")).toBe(401);
    expect(await status(`Bearer ${ADMIN_TOKEN}x`)).toBe(401);
    expect(await status(`Bearer ${ADMIN_TOKEN.slice(0, -1)}`)).toBe(401);
    expect(await status(`Basic ${ADMIN_TOKEN}`)).toBe(401);
  });

  test("a refusal is a Status and names no token", async () => {
    const answer = await api.get(ENTRIES, { authorization: "Bearer wrong-token-0123" });
    expect(answer.body).toMatchObject({ kind: "Status", reason: "Unauthorized", code: 401 });
    expect(answer.text).not.toContain("wrong-token");
    expect(api.logText).not.toContain("token-0123");
  });

  test("health and version need none", async () => {
    for (const path of ["/healthz", "/livez", "/readyz", "/version"])
      expect((await api.get(path, { authorization: "" })).status).toBe(200);
    expect((await api.get("/version")).body).toMatchObject({ major: "1" });
  });
});

describe("discovery", () => {
  test("plain, for kubectl 1.20", async () => {
    expect((await api.get("/api")).body).toMatchObject({ kind: "APIVersions", versions: ["v1"] });
    const groups = listAt((await api.get("/apis")).body, "groups").map((group) =>
      textAt(group, "name"),
    );
    expect(groups).toContain("dns.gardener.cloud");
    expect(groups).not.toContain("");
    const list = await api.get("/apis/dns.gardener.cloud/v1alpha1");
    expect(list.body["kind"]).toBe("APIResourceList");
    expect(listAt(list.body, "resources")).toContainEqual(
      expect.objectContaining({ name: "dnsentries", kind: "DNSEntry", shortNames: ["dnse"] }),
    );
    expect(listAt(list.body, "resources")).toContainEqual(
      expect.objectContaining({ name: "dnsentries/status" }),
    );
    expect((await api.get("/apis/dns.gardener.cloud")).body).toMatchObject({
      kind: "APIGroup",
      preferredVersion: { groupVersion: "dns.gardener.cloud/v1alpha1" },
    });
    expect((await api.get("/apis/nowhere/v1")).status).toBe(404);
  });

  test.each(["v2", "v2beta1"])("aggregated %s, with its exact type", async (version) => {
    const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;
    const answer = await api.get("/apis", { accept: `${type},application/json` });
    expect(answer.headers["content-type"]).toBe(type);
    expect(answer.body).toMatchObject({
      kind: "APIGroupDiscoveryList",
      apiVersion: `apidiscovery.k8s.io/${version}`,
    });
    const core = await api.get("/api", { accept: type });
    const [group] = listAt(core.body, "items");
    const resources = listAt(listAt(group, "versions")[0], "resources");
    expect(resources.map((each) => textAt(each, "resource"))).toEqual(
      expect.arrayContaining(["namespaces", "secrets", "services", "events"]),
    );
  });

  test("the first range that is served wins", async () => {
    const accept =
      "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json";
    expect((await api.get("/apis", { accept })).body["kind"]).toBe("APIGroupList");
  });
});

describe("OpenAPI", () => {
  test("v3 has what kubectl looks for: patch with fieldValidation and the kind", async () => {
    const index = await api.get("/openapi/v3");
    const url = textAt(
      index.body,
      "paths",
      "apis/dns.gardener.cloud/v1alpha1",
      "serverRelativeURL",
    );
    const document = (await api.get(url)).body;
    const path = "/apis/dns.gardener.cloud/v1alpha1/namespaces/{namespace}/dnsentries/{name}";
    const patch = objectAt(document, "paths", path, "patch");
    expect(patch["x-kubernetes-group-version-kind"]).toEqual({
      group: "dns.gardener.cloud",
      version: "v1alpha1",
      kind: "DNSEntry",
    });
    expect(listAt(patch, "parameters").map((each) => textAt(each, "name"))).toContain(
      "fieldValidation",
    );
    const schema = valueAt(
      document,
      "components",
      "schemas",
      "cloud.gardener.dns.v1alpha1.DNSEntry",
    );
    expect(valueAt(schema, "properties", "spec", "properties", "ttl", "type")).toBe("integer");
  });

  test("references lead somewhere", async () => {
    const index = objectAt((await api.get("/openapi/v3")).body, "paths");
    for (const entry of Object.values(index)) {
      const document = (await api.get(textAt(entry, "serverRelativeURL"))).body;
      const names = Object.keys(objectAt(document, "components", "schemas"));
      const references = JSON.stringify(document).match(/#\/components\/schemas\/[^"]+/g) ?? [];
      expect(references.length).toBeGreaterThan(0);
      for (const each of references) expect(names).toContain(each.split("/").pop());
    }
  });

  test("v2 comes as protobuf with a type that parses", async () => {
    const accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    const answer = await api.get("/openapi/v2", { accept });
    expect(answer.headers["content-type"]).toBe(
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    );
    expect(answer.text).toContain("cloud.gardener.dns.v1alpha1.DNSEntry");
  });

  test("an ETag saves the second answer", async () => {
    const first = await api.get("/openapi/v2");
    const etag = first.headers["etag"] ?? "";
    const second = await api.get("/openapi/v2", { "if-none-match": etag });
    expect(second.status).toBe(304);
    expect(second.text).toBe("");
  });
});

describe("forms", () => {
  const table = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

  test("DNSEntries as a Table have the columns of the README", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const status = {
      state: "Ready",
      provider: "default/p",
      providerType: "rfc2136",
      targets: ["192.0.2.1"],
    };
    await api.made(api.patch(`${ENTRIES}/a/status`, { status }));
    await api.clock.advance(24_000);
    const { body } = await api.get(ENTRIES, { accept: table });
    expect(body).toMatchObject({ kind: "Table", apiVersion: "meta.k8s.io/v1" });
    const shown = listAt(body, "columnDefinitions").filter(
      (each) => valueAt(each, "priority") === 0,
    );
    expect(shown.map((each) => textAt(each, "name").toUpperCase())).toEqual([
      "NAME",
      "DNS",
      "TYPE",
      "PROVIDER",
      "STATUS",
      "AGE",
    ]);
    const [row] = listAt(body, "rows");
    expect(listAt(row, "cells").slice(0, 7)).toEqual([
      "a",
      "a.example.org",
      "rfc2136",
      "default/p",
      "Ready",
      "24s",
      '["192.0.2.1"]',
    ]);
    expect(objectAt(row, "object")).toMatchObject({
      kind: "PartialObjectMetadata",
      metadata: { name: "a", namespace: "default" },
    });
  });

  test("includeObject decides what rows carry", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const row = async (include: string): Promise<unknown> =>
      listAt(
        (await api.get(`${ENTRIES}?includeObject=${include}`, { accept: table })).body,
        "rows",
      )[0];
    expect(objectAt(await row("None"), "object")).toEqual({});
    expect(objectAt(await row("Object"), "object")["kind"]).toBe("DNSEntry");
  });

  test("metadata alone", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const accept = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    const { body } = await api.get(ENTRIES, { accept });
    expect(body["kind"]).toBe("PartialObjectMetadataList");
    expect(Object.keys(objectAt({ item: listAt(body, "items")[0] }, "item"))).toEqual([
      "kind",
      "apiVersion",
      "metadata",
    ]);
  });

  test("a form that is not served is 406, unless another is acceptable", async () => {
    expect((await api.get(ENTRIES, { accept: PROTOBUF })).status).toBe(406);
    expect((await api.get(ENTRIES, { accept: `${PROTOBUF},application/json` })).status).toBe(200);
  });

  test("all watchers of a form get the very same bytes", async () => {
    const open = async (accept: string) =>
      api.plane.handler({
        method: "GET",
        path: `${ENTRIES}?watch=1`,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, accept },
        body: null,
        signal: new AbortController().signal,
      });
    const [one, two] = await Promise.all([open("application/json"), open("*/*")]);
    const first = one.body[Symbol.asyncIterator]();
    const second = two.body[Symbol.asyncIterator]();
    const pending = [first.next(), second.next()];
    await api.made(api.post(ENTRIES, entry("a")));
    const [a, b] = await Promise.all(pending);
    expect(a?.value).toBe(b?.value);
    await Promise.all([first.return?.(), second.return?.()]);
  });
});

describe("requests", () => {
  test.each([
    ["GET", "/nowhere", 404],
    ["GET", "/apis/dns.gardener.cloud/v1alpha1/dnsentries/a", 404],
    ["GET", `${ENTRIES}/a/b/c`, 404],
    ["GET", "/api/v1/namespaces/default/namespaces", 404],
    ["GET", "/api/v1/%E0%A4%A", 400],
    ["POST", `${ENTRIES}/a`, 405],
    ["PUT", ENTRIES, 405],
    ["PATCH", ENTRIES, 405],
    ["GET", `${ENTRIES}?limit=x`, 400],
    ["GET", `${ENTRIES}?resourceVersion=x`, 400],
  ])("%s %s is %i", async (method, path, status) => {
    const answer = await api.request(method, path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ kind: "Status", status: "Failure", code: status });
  });

  test("unknown types are 415, with a word on what works", async () => {
    await api.made(api.post(ENTRIES, entry("a")));
    const strategic = await api.patch(`${ENTRIES}/a`, {}, "strategic-merge-patch+json");
    expect(strategic.status).toBe(415);
    expect(textAt(strategic.body, "message")).toContain("application/merge-patch+json");
    const odd = await api.request("POST", ENTRIES, {
      body: "x",
      headers: { "content-type": "text/csv" },
    });
    expect(odd.status).toBe(415);
    const headers = { "content-type": "application/merge-patch+json" };
    const patch = await api.request("POST", ENTRIES, { body: entry("b"), headers });
    expect(patch.status).toBe(415);
  });

  test("a path that is not served is 404 whatever is sent there", async () => {
    const path = "/api/v1/namespaces/default/serviceaccounts/default/token";
    const headers = { "content-type": "application/vnd.kubernetes.protobuf" };
    expect((await api.request("POST", path, { body: "x", headers })).status).toBe(404);
  });

  test("YAML bodies are read", async () => {
    const body = `apiVersion: dns.gardener.cloud/v1alpha1\nkind: DNSEntry\nmetadata: {name: yaml}\nspec: {dnsName: y.example.org}\n`;
    const answer = await api.request("POST", ENTRIES, {
      body,
      headers: { "content-type": "application/yaml" },
    });
    expect(answer.status).toBe(201);
  });

  test("a body that is too large is 413", async () => {
    const answer = await api.post(ENTRIES, entry("a", { dnsName: "x".repeat(4 * 1024 * 1024) }));
    expect(answer.status).toBe(413);
  });

  test("may I? who am I?", async () => {
    const may = await api.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb: "create", resource: "services" } },
    });
    expect(may.status).toBe(201);
    expect(valueAt(may.body, "status", "allowed")).toBe(true);
    const who = await api.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {});
    expect(textAt(who.body, "status", "userInfo", "username")).toBe("admin");
  });

  test("examples are applied to an empty plane, and it knows that it is no longer empty", async () => {
    expect(api.plane.isEmpty()).toBe(true);
    const made = await api.plane.applyManifest(entry("a"));
    expect(made.metadata.namespace).toBe("default");
    expect(api.plane.isEmpty()).toBe(false);
    await expect(api.plane.applyManifest(entry("a"))).rejects.toThrow("already exists");
    await expect(
      api.plane.applyManifest({ kind: "Deployment", apiVersion: "apps/v1" }),
    ).rejects.toThrow("no matches");
    expect(isObject(await api.plane.applyManifest(service("s")))).toBe(true);
  });

  test("no secret reaches the log", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s" },
      stringData: { password: "very-secret" },
    };
    await api.post(`${CORE}/secrets`, secret);
    await api.post(`${CORE}/secrets`, { ...secret, data: { x: "very-secret!" } });
    expect(api.logText).not.toContain("very-secret");
  });
});
