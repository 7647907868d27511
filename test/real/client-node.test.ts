/**
 * The embedded control plane as `@kubernetes/client-node` uses it: typed and dynamic calls,
 * server-side apply, pages, watches and informers. The kubeconfig is the one that `dev` writes.
 */
import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1Service,
  Watch,
} from "@kubernetes/client-node";
import { listAt, textAt, valueAt } from "@zonekeeper/kube/control-plane/json/json";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ControlPlaneServer,
  startControlPlane,
} from "../support/clients/control-plane-server.ts";
import { eventually } from "../support/ports/eventually.ts";

const ENTRIES = {
  group: "dns.gardener.cloud",
  version: "v1alpha1",
  namespace: "default",
  plural: "dnsentries",
} as const;
const NAMESPACE = { namespace: "default" } as const;

let plane: ControlPlaneServer;
let config: KubeConfig;
let core: CoreV1Api;
let custom: CustomObjectsApi;

beforeAll(async () => {
  plane = await startControlPlane();
  config = new KubeConfig();
  config.loadFromFile(plane.kubeconfig);
  core = config.makeApiClient(CoreV1Api);
  custom = config.makeApiClient(CustomObjectsApi);
});
afterAll(() => plane.close());

const service = (name: string, ports: readonly number[] = [80]): V1Service => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: "default" },
  spec: {
    type: "LoadBalancer",
    ports: ports.map((port) => ({ name: `p${port}`, port })),
  },
});
const entry = (name: string, ttl: number) => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name, namespace: "default" },
  spec: { dnsName: `${name}.example.org`, targets: ["192.0.2.1"], ttl },
});

/** The Status that a refused call was answered with, and its code. */
async function refusal(call: Promise<unknown>): Promise<{ code: number; status: unknown }> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiException) {
      const body: unknown = error.body;
      return { code: error.code, status: typeof body === "string" ? JSON.parse(body) : body };
    }
    throw error;
  }
  throw new Error("was not refused");
}

describe("the typed API", () => {
  test("creates, reads, replaces, patches and deletes a Service", async () => {
    const created = await core.createNamespacedService({ ...NAMESPACE, body: service("web") });
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
    expect(created.spec?.clusterIP).toMatch(/^10\./);
    const read = await core.readNamespacedService({ ...NAMESPACE, name: "web" });
    expect(read.spec?.ports?.[0]).toMatchObject({ port: 80, protocol: "TCP", targetPort: 80 });
    const labelled = { ...read, metadata: { ...read.metadata, labels: { app: "web" } } };
    const body = labelled;
    const replaced = await core.replaceNamespacedService({ ...NAMESPACE, name: "web", body });
    expect(replaced.metadata?.labels).toEqual({ app: "web" });
    const stale = await refusal(core.replaceNamespacedService({ ...NAMESPACE, name: "web", body }));
    expect(stale.code).toBe(409);
    const patched = await core.patchNamespacedService(
      { ...NAMESPACE, name: "web", body: { spec: { ports: [{ port: 443, name: "tls" }] } } },
      setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch),
    );
    expect(patched.spec?.ports?.map(({ port }) => port)).toEqual([443, 80]);
    const gone = await core.deleteNamespacedService({ ...NAMESPACE, name: "web" });
    expect(valueAt(gone, "status")).toBeDefined();
    const missing = await refusal(core.readNamespacedService({ ...NAMESPACE, name: "web" }));
    expect(missing).toMatchObject({ code: 404, status: { reason: "NotFound" } });
  });

  test("a dry run deletes nothing", async () => {
    await core.createNamespacedService({ ...NAMESPACE, body: service("tried") });
    await core.deleteNamespacedService({ ...NAMESPACE, name: "tried", body: { dryRun: ["All"] } });
    await core.readNamespacedService({ ...NAMESPACE, name: "tried" });
    await core.deleteNamespacedService({ ...NAMESPACE, name: "tried" });
  });

  test("custom objects, and their status", async () => {
    await custom.createNamespacedCustomObject({ ...ENTRIES, body: entry("typed", 60) });
    const name = "typed";
    const operations = [{ op: "replace", path: "/spec/ttl", value: 61 }];
    const patched: unknown = await custom.patchNamespacedCustomObject({
      ...ENTRIES,
      name,
      body: operations,
    });
    expect(valueAt(patched, "spec", "ttl")).toBe(61);
    const status = { status: { state: "Ready" } };
    const ready: unknown = await custom.patchNamespacedCustomObjectStatus(
      { ...ENTRIES, name, body: status },
      setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
    );
    expect(valueAt(ready, "status", "state")).toBe("Ready");
    const listed: unknown = await custom.listNamespacedCustomObject(ENTRIES);
    expect(listAt(listed, "items")).toHaveLength(1);
    await custom.deleteNamespacedCustomObject({ ...ENTRIES, name });
  });

  test("pages, and a version that there is not yet", async () => {
    for (const name of ["a", "b", "c"])
      await core.createNamespacedService({ ...NAMESPACE, body: service(name) });
    const first = await core.listNamespacedService({ ...NAMESPACE, limit: 2 });
    expect(first.metadata?.remainingItemCount).toBe(1);
    const { _continue: token = "" } = first.metadata ?? {};
    const rest = await core.listNamespacedService({ ...NAMESPACE, limit: 2, _continue: token });
    expect(rest.items.map((each) => each.metadata?.name)).toEqual(["c"]);
    const future = await refusal(
      core.listNamespacedService({ ...NAMESPACE, resourceVersion: "99999999" }),
    );
    expect(future).toMatchObject({ code: 504, status: { reason: "Timeout" } });
    await core.deleteCollectionNamespacedService(NAMESPACE);
  });
});

describe("server-side apply", () => {
  test("by the dynamic client: created, co-owned, refused, forced", async () => {
    const dynamic = KubernetesObjectApi.makeApiClient(config);
    const apply = (ttl: number, manager: string, force = false): Promise<unknown> => {
      const strategy = PatchStrategy.ServerSideApply;
      const object = entry("applied", ttl);
      return dynamic.patch(object, undefined, undefined, manager, force, strategy);
    };
    await apply(60, "one");
    await apply(60, "two");
    const refused = await refusal(apply(61, "one"));
    expect(refused.code).toBe(409);
    expect(textAt(refused.status, "message")).toBe(
      'Apply failed with 1 conflict: conflict with "two": .spec.ttl',
    );
    const forced = await apply(61, "one", true);
    expect(valueAt(forced, "spec", "ttl")).toBe(61);
    const owners = listAt(forced, "metadata", "managedFields").map((each) =>
      textAt(each, "manager"),
    );
    expect(owners.sort()).toEqual(["one", "two"]);
    await custom.deleteNamespacedCustomObject({ ...ENTRIES, name: "applied" });
  });

  test("by the typed client", async () => {
    const applied = await core.patchNamespacedService(
      { ...NAMESPACE, name: "ssa", body: service("ssa", [53]), fieldManager: "typed", force: true },
      setHeaderOptions("Content-Type", PatchStrategy.ServerSideApply),
    );
    expect(applied.metadata?.managedFields?.[0]).toMatchObject({
      manager: "typed",
      operation: "Apply",
      fieldsType: "FieldsV1",
    });
    await core.deleteNamespacedService({ ...NAMESPACE, name: "ssa" });
  });
});

describe("changes as they come", () => {
  test("a watch from a version sees exactly what came after", async () => {
    const { metadata } = await core.listNamespacedService(NAMESPACE);
    const seen: string[] = [];
    const ended: unknown[] = [];
    const controller = await new Watch(config).watch(
      "/api/v1/namespaces/default/services",
      { resourceVersion: metadata?.resourceVersion, allowWatchBookmarks: true },
      (type: string, object: unknown) => seen.push(`${type} ${textAt(object, "metadata", "name")}`),
      (error: unknown) => ended.push(error),
    );
    await core.createNamespacedService({ ...NAMESPACE, body: service("seen") });
    await core.deleteNamespacedService({ ...NAMESPACE, name: "seen" });
    await eventually(
      "both events",
      () => Promise.resolve(seen),
      (all) => all.length === 2,
    );
    controller.abort();
    expect(seen).toEqual(["ADDED seen", "DELETED seen"]);
    await eventually(
      "the end",
      () => Promise.resolve(ended),
      (all) => all.length > 0,
    );
  });

  test("an informer lists, follows and forgets", async () => {
    await core.createNamespacedService({ ...NAMESPACE, body: service("before") });
    const informer = makeInformer<V1Service>(config, "/api/v1/namespaces/default/services", () =>
      core.listNamespacedService(NAMESPACE),
    );
    const seen: string[] = [];
    for (const verb of ["add", "update", "delete"] as const)
      informer.on(verb, (object) => seen.push(`${verb} ${object.metadata?.name}`));
    const failures: unknown[] = [];
    informer.on("error", (error: unknown) => failures.push(error));
    await informer.start();
    const has = (wanted: string): Promise<readonly string[]> =>
      eventually(
        wanted,
        () => Promise.resolve(seen),
        (all) => all.includes(wanted),
      );
    await has("add before");
    await core.createNamespacedService({ ...NAMESPACE, body: service("after") });
    await has("add after");
    await core.patchNamespacedService(
      { ...NAMESPACE, name: "after", body: { metadata: { labels: { a: "b" } } } },
      setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
    );
    await has("update after");
    await core.deleteNamespacedService({ ...NAMESPACE, name: "before" });
    await has("delete before");
    expect(informer.list().map((each) => each.metadata?.name)).toEqual(["after"]);
    // Its own stop counts as an error to it, so that is looked at first.
    expect(failures).toEqual([]);
    await informer.stop();
  });
});
