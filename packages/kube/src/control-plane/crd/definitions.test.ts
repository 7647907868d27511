import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { beforeEach, describe, expect, test } from "vitest";
import { ENTRIES, entry, TestApi } from "../../../../../test/support/clients/control-plane-api.ts";
import {
  DEFINITIONS,
  WIDGETS,
  widget,
  widgetDefinition,
  widgetVersion,
} from "../../../../../test/support/values/widget-definitions.ts";
import { REVIEWS } from "../documents/reviews.ts";
import { type JsonObject, listAt, objectAt, textAt, valueAt } from "../json/json.ts";
import { BUILT_IN_KINDS } from "../kinds/index.ts";
import { BUILT_IN_GROUPS } from "./definition-kind.ts";

let api: TestApi;
beforeEach(async () => {
  api = await TestApi.open();
});
const ONE = `${DEFINITIONS}/widgets.example.org`;
const condition = (definition: JsonObject, type: string): JsonObject =>
  objectAt(
    {
      found: listAt(definition, "status", "conditions").find(
        (each) => textAt(each, "type") === type,
      ),
    },
    "found",
  );

describe("the life of a definition", () => {
  test("it serves its kind as soon as it is answered, and no longer once it is gone", async () => {
    expect((await api.get(WIDGETS)).status).toBe(404);
    const made = await api.made(api.post(DEFINITIONS, widgetDefinition()));
    expect(condition(made, "NamesAccepted")).toMatchObject({
      status: "True",
      reason: "NoConflicts",
    });
    expect(condition(made, "Established")).toMatchObject({
      status: "True",
      reason: "InitialNamesAccepted",
    });
    expect(valueAt(made, "status", "storedVersions")).toEqual(["v1"]);
    expect(valueAt(made, "spec", "names")).toMatchObject({
      singular: "widget",
      listKind: "WidgetList",
    });
    await api.made(api.post(WIDGETS, widget("a", { any: 1 })));
    expect((await api.get(WIDGETS)).body["kind"]).toBe("WidgetList");
    await api.made(api.delete(ONE));
    await api.plane.settled();
    expect((await api.get(ONE)).status).toBe(404);
    expect((await api.get(WIDGETS)).status).toBe(404);
  });

  test("its objects go first, and their finalizers hold it", async () => {
    await api.made(api.post(DEFINITIONS, widgetDefinition()));
    await api.made(
      api.post(
        WIDGETS,
        widget("held", {}, { metadata: { name: "held", finalizers: ["example.org/x"] } }),
      ),
    );
    await api.made(api.post(WIDGETS, widget("free", {})));
    const watch = await api.watch(`${WIDGETS}?watch=1&resourceVersion=0`);
    const marked = await api.made(api.delete(ONE));
    expect(valueAt(marked, "metadata", "finalizers")).toEqual([
      "customresourcecleanup.apiextensions.k8s.io",
    ]);
    expect(condition(marked, "Terminating")["status"]).toBe("True");
    await api.plane.settled();
    expect((await api.get(`${WIDGETS}/free`)).status).toBe(404);
    expect((await api.get(ONE)).status).toBe(200);
    const refused = await api.post(WIDGETS, widget("new", {}));
    expect(refused.status).toBe(405);
    expect(textAt(refused.body, "message")).toContain("custom resource definition is terminating");
    await api.made(api.patch(`${WIDGETS}/held`, { metadata: { finalizers: null } }));
    await api.plane.settled();
    expect((await api.get(ONE)).status).toBe(404);
    const types: string[] = [];
    for (let event = await watch.next(); event !== null; event = await watch.next())
      types.push(event.type);
    expect(types.filter((type) => type === "DELETED")).toHaveLength(2);
  });

  test("a restart serves it again, with its objects and rules", async () => {
    const rules = [{ rule: "self.size < 10", message: "too large" }];
    const schema = {
      type: "object",
      properties: { size: { type: "integer" } },
      "x-kubernetes-validations": rules,
    };
    const store = new MemoryStore();
    const first = await TestApi.open({ store });
    await first.made(first.post(DEFINITIONS, widgetDefinition([widgetVersion(schema)])));
    await first.made(first.post(WIDGETS, widget("a", { size: 1 })));
    await first.plane.stop();
    const second = await TestApi.open({ store: copyOf(store) });
    expect(valueAt(await second.made(second.get(`${WIDGETS}/a`)), "spec", "size")).toBe(1);
    expect((await second.patch(`${WIDGETS}/a`, { spec: { size: 11 } })).status).toBe(422);
  });

  test("discovery and OpenAPI follow at once", async () => {
    const before = (await api.get("/openapi/v3")).headers["etag"];
    await api.made(api.post(DEFINITIONS, widgetDefinition()));
    const list = await api.made(api.get("/apis/example.org/v1"));
    expect(listAt(list, "resources")).toContainEqual(
      expect.objectContaining({ name: "widgets", kind: "Widget", shortNames: ["wi"] }),
    );
    const index = await api.get("/openapi/v3");
    expect(index.headers["etag"]).not.toBe(before);
    expect(valueAt(index.body, "paths", "apis/example.org/v1")).toBeDefined();
    expect((await api.get("/openapi/v2")).text).toContain("org.example.v1.Widget");
  });
});

describe("names", () => {
  test("a built-in group takes no definitions", async () => {
    const taken = {
      ...widgetDefinition([widgetVersion()], {
        group: "networking.k8s.io",
        names: { kind: "Ingress", plural: "ingresses" },
      }),
      metadata: {
        name: "ingresses.networking.k8s.io",
        annotations: { "api-approved.kubernetes.io": "unapproved" },
      },
    };
    const made = await api.made(api.post(DEFINITIONS, taken));
    expect(condition(made, "Established")["status"]).toBe("False");
    const path = "/apis/networking.k8s.io/v1/namespaces/default/ingresses";
    expect((await api.get(path)).body["kind"]).toBe("IngressList");
  });

  test("the list of built-in groups is complete", () => {
    const groups = [...BUILT_IN_KINDS, ...REVIEWS].map(({ ref }) => ref.group);
    const named = new Set([...groups, "apiextensions.k8s.io"].filter((group) => group !== ""));
    expect([...named].sort()).toEqual(BUILT_IN_GROUPS);
  });
});

describe("what a definition must not say", () => {
  const spec = (more: JsonObject): JsonObject => widgetDefinition([widgetVersion()], more);
  test.each<[string, JsonObject, string]>([
    [
      "another name",
      { ...spec({}), metadata: { name: "x.example.org" } },
      'metadata.name: Invalid value: "x.example.org": must be spec.names.plural+"."+spec.group',
    ],
    [
      "a scope",
      spec({ scope: "World" }),
      'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    ],
    [
      "no storage version",
      spec({ versions: [widgetVersion({ type: "object" }, { storage: false })] }),
      "must have exactly one version marked as storage version",
    ],
    [
      "a version twice",
      spec({ versions: [widgetVersion(), widgetVersion({ type: "object" }, { storage: false })] }),
      "must contain unique version names",
    ],
    [
      "no schema",
      spec({ versions: [{ name: "v1", served: true, storage: true }] }),
      "spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required",
    ],
    [
      "webhooks",
      spec({ conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"] } } }),
      "conversion by webhooks is not served by the embedded control plane",
    ],
  ])("%s", async (_what, definition, message) => {
    const answer = await api.post(DEFINITIONS, definition);
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });

  test("a keyword that schemas do not have is an unknown field", async () => {
    const definition = widgetDefinition([
      widgetVersion({ type: "object", properties: { a: { type: "string", const: "x" } } }),
    ]);
    const answer = await api.post(`${DEFINITIONS}?fieldValidation=Strict`, definition);
    expect(answer.status).toBe(400);
    expect(textAt(answer.body, "message")).toContain(
      'unknown field "spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.const"',
    );
  });

  test.each<[string, JsonObject, string]>([
    ["the scope", { scope: "Cluster" }, 'spec.scope: Invalid value: "Cluster": field is immutable'],
    [
      "the kind",
      { names: { kind: "Gizmo" } },
      'spec.names.kind: Invalid value: "Gizmo": field is immutable',
    ],
    [
      "the group",
      { group: "example.com" },
      'spec.group: Invalid value: "example.com": field is immutable',
    ],
    [
      "a version that objects are kept in",
      { versions: [widgetVersion({ type: "object" }, { name: "v2" })] },
      'status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions',
    ],
  ])("a change of %s", async (_what, change, message) => {
    await api.made(api.post(DEFINITIONS, widgetDefinition()));
    const answer = await api.patch(ONE, { spec: change });
    expect(answer.status).toBe(422);
    expect(textAt(answer.body, "message")).toContain(message);
  });
});

describe("the definitions that the program brings along", () => {
  const ENTRY = `${DEFINITIONS}/dnsentries.dns.gardener.cloud`;

  test("are there, and a store with nothing else is empty", async () => {
    expect((await api.get(ENTRY)).status).toBe(200);
    expect(api.plane.isEmpty()).toBe(true);
    await api.made(api.post(DEFINITIONS, widgetDefinition()));
    expect(api.plane.isEmpty()).toBe(false);
  });

  test("may go, and are put back at the next start", async () => {
    const store = new MemoryStore();
    const first = await TestApi.open({ store });
    await first.made(first.delete(ENTRY));
    await first.plane.stop();
    expect((await first.get(ENTRY)).status).toBe(404);
    const second = await TestApi.open({ store: copyOf(store) });
    expect((await second.get(ENTRY)).status).toBe(200);
  });

  test("are added to a store of an older program, whose objects are there again", async () => {
    const store = new MemoryStore();
    const first = await TestApi.open({ store });
    await first.made(first.post(ENTRIES, entry("a")));
    await first.plane.stop();
    const entries = store.contents().filter(([key]) => !key.includes("customresourcedefinitions"));
    const second = await TestApi.open({ store: new MemoryStore({ entries }) });
    expect((await second.get(`${ENTRIES}/a`)).body).toEqual((await first.get(`${ENTRIES}/a`)).body);
  });

  test("keep what a user changed while the program has no newer edition", async () => {
    const store = new MemoryStore();
    const first = await TestApi.open({ store });
    await first.made(first.patch(ENTRY, { spec: { names: { categories: ["dns"] } } }));
    await first.plane.stop();
    const secondStore = copyOf(store);
    const second = await TestApi.open({ store: secondStore });
    expect(valueAt((await second.get(ENTRY)).body, "spec", "names", "categories")).toEqual(["dns"]);
    const edition = { "zonekeeper.dev/definition-edition": "old" };
    await second.made(second.patch(ENTRY, { metadata: { annotations: edition } }));
    await second.plane.stop();
    const third = await TestApi.open({ store: copyOf(secondStore) });
    expect(valueAt((await third.get(ENTRY)).body, "spec", "names", "categories")).toBeUndefined();
  });
});

const copyOf = (store: MemoryStore): MemoryStore => new MemoryStore({ entries: store.contents() });
