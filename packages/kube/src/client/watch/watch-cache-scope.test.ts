/** What the watch cache keeps of objects, and which namespaces it asks for. Time is virtual. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { DNS_ENTRY } from "../../../../../test/support/values/entry-kind.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { NAMESPACE, SERVICE } from "../../objects/kinds.ts";

let world: ClusterWorld;
beforeEach(() => {
  world = new ClusterWorld();
});
afterEach(() => world.cache.stop());

test("managedFields and last-applied are dropped, and a projection makes objects smaller", async () => {
  world = new ClusterWorld({
    projections: new Map([
      ["services", ({ apiVersion, kind, metadata }) => ({ apiVersion, kind, metadata })],
    ]),
  });
  world.server.put(SERVICE, "default", {
    name: "a",
    spec: { big: true },
    metadata: {
      managedFields: [{ manager: "kubectl" }],
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}", kept: "yes" },
    },
  });
  await world.watch();
  const found = world.cache.get(SERVICE, "default", "a");
  expect(found).toMatchObject({ value: { metadata: { annotations: { kept: "yes" } } } });
  expect(JSON.stringify(found)).not.toMatch(/managedFields|last-applied|big/);
});

test("Z-25: of a DNSEntry it is kept who has written its spec", async () => {
  const spec = { fieldsV1: { "f:spec": { "f:targets": {} } } };
  const own = { manager: "zonekeeper", ...spec };
  const status = { manager: "kubectl", fieldsV1: { "f:status": {} } };
  const put = (name: string, managedFields: readonly object[]) =>
    world.server.put(DNS_ENTRY, "default", { name, metadata: { managedFields } });
  put("made", [own, status]);
  put("edited", [own, { manager: "kubectl-edit", ...spec }]);
  put("bad", [{ manager: 7 }, { fieldsV1: null }]);
  await world.watch(DNS_ENTRY);
  const managers = (name: string): unknown => {
    const found = world.cache.get(DNS_ENTRY, "default", name);
    return found.state === "value" ? found.value.metadata.specManagers : found;
  };
  expect([managers("made"), managers("edited"), managers("bad")]).toEqual([
    ["zonekeeper"],
    ["zonekeeper", "kubectl-edit"],
    [],
  ]);
});

test("it is kept who has edited an object last, not who has written status and finalizers", async () => {
  const at = (second: number): string => `2026-11-30T00:00:0${second}Z`;
  const spec = { fieldsV1: { "f:spec": { "f:ports": {} } } };
  const annotations = { fieldsV1: { "f:metadata": { "f:annotations": { "f:a": {} } } } };
  const finalizers = { fieldsV1: { "f:metadata": { "f:finalizers": {} } } };
  const status = { subresource: "status", fieldsV1: { "f:status": {} } };
  const put = (name: string, managedFields: unknown) =>
    world.server.put(SERVICE, "default", { name, metadata: { managedFields } });
  put("edited", [
    { manager: "helm", time: at(3), ...annotations },
    { manager: "kubectl", time: at(1), ...spec },
    { manager: "lb", time: at(5), ...status },
    { manager: "zonekeeper", time: at(6), ...finalizers },
    { manager: "zonekeeper", time: at(7), ...annotations },
  ]);
  put("made", [{ manager: "zonekeeper", time: at(1), ...spec }]);
  put("untold", undefined);
  put("bad", [{ manager: 7, time: at(1), ...spec }, null, { manager: "a", ...spec }]);
  await world.watch();
  const editorOf = (name: string): unknown => {
    const found = world.cache.get(SERVICE, "default", name);
    return found.state === "value" ? found.value.metadata.editor : found;
  };
  expect(["edited", "made", "untold", "bad"].map(editorOf)).toEqual([
    "helm",
    "zonekeeper",
    undefined,
    undefined,
  ]);
});

test("a namespace restriction is asked for, but not of cluster-scoped kinds", async () => {
  world = new ClusterWorld({ namespace: "team" });
  world.server.put(SERVICE, "default", { name: "other", spec: {} });
  world.server.put(SERVICE, "team", { name: "mine" });
  world.server.put(NAMESPACE, "", { name: "team" });
  await world.watch(SERVICE);
  await world.watch(NAMESPACE);
  expect(world.news()).toEqual(["added team/mine", "live", "added -/team", "live"]);
});
