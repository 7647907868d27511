import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { CONFIG_MAP, NODE, POD } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView, ObjectIndex } from "@zonekeeper/kube/ports/cluster-view";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { openSource } from "../../sources/index.ts";
import { waitingFor } from "../../sources/shared/found.ts";
import { NOTHING, type SourceRow } from "../../sources/source.ts";
import { omitsName } from "../../sync/contract/object-observation.ts";
import { WatchedObjects } from "./observe-objects.ts";

const NAME = trustedDnsName("www.example.org");
const BY_OWNER: ObjectIndex = {
  name: "owner",
  kind: CONFIG_MAP,
  valuesOf: ({ metadata }) => [metadata.annotations?.["owner"] ?? ""],
};

/** A Pod lists the name while a Node that it names has the label, or a ConfigMap names the Pod. */
function endpoints({ metadata }: KubeObject, view: ClusterView) {
  const nodes = (metadata.annotations?.["nodes"] ?? "").split(",").filter((one) => one !== "");
  const labelled = nodes.filter((one) => {
    const lookup = view.get(NODE, "", one);
    return lookup.state === "value" && lookup.value.metadata.labels?.["wants"] === "www";
  });
  const configs = view.indexed(BY_OWNER, metadata.name);
  const isNamed = configs.state === "value" && configs.value.length > 0;
  const isListed = labelled.length > 0 || isNamed;
  return { ...NOTHING, waiting: isListed ? waitingFor([NAME], "NoTargets") : [] };
}

const ROW: SourceRow = {
  ...{ name: "pods", primary: POD, secondary: [NODE, CONFIG_MAP], publishes: "direct" },
  ...{ isDefault: false, inDev: false, keptFields: [], doc: "pods", open: () => ({ endpoints }) },
};
const OPTIONS = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };

function world() {
  const cluster = new MemoryCluster("c1");
  const put = (kind: KindRef, metadata: KubeObject["metadata"]) =>
    cluster.apply(kind, { apiVersion: "v1", kind: kind.kind, metadata });
  for (const kind of [NODE, CONFIG_MAP, POD]) cluster.relist(kind);
  const calls: string[] = [];
  const reader: ObjectReader = {
    read: (ref) => {
      calls.push(`get ${ref.kind.plural}`);
      return cluster.read(ref);
    },
    readAll: (kind, namespace) => {
      calls.push(`list ${kind.plural}`);
      return cluster.readAll(kind, namespace);
    },
  };
  const count = (call: string) => calls.filter((one) => one === call).length;
  const source = openSource(ROW.name, OPTIONS, [ROW]);
  const observer = new WatchedObjects(
    [{ view: cluster, kind: POD, reader, source }],
    new VirtualClock(),
  );
  return { cluster, put, count, observer };
}

describe("Z-2 the API server is asked for what an object rests on", () => {
  const nodes = Array.from({ length: 250 }, (_, index) => `n${index}`);

  function withNodes() {
    const all = world();
    for (const name of nodes) all.put(NODE, { name });
    const annotations = { nodes: nodes.join(",") };
    all.put(POD, { name: "web", namespace: "default", annotations });
    all.cluster.holdWatch(NODE);
    const omits = async () =>
      omitsName(await all.observer.observeNow("c1", "pod/default/web"), NAME);
    return { ...all, omits };
  }

  test("with more than 100 look-ups, one list stands for them", async () => {
    const { put, count, omits } = withNodes();
    expect(await omits()).toBe(true);
    expect([count("get nodes"), count("list nodes")]).toEqual([0, 1]);
    put(NODE, { name: "n249", labels: { wants: "www" } });
    expect(await omits()).toBe(false);
  });

  test("what the list lacks is gone, also where the cache still has it", async () => {
    const { cluster, put, omits } = withNodes();
    put(NODE, { name: "n7", labels: { wants: "www" } });
    expect(await omits()).toBe(false);
    cluster.delete(NODE, "", "n7");
    expect(await omits()).toBe(true);
  });

  test("objects that are asked for together share what is read, and the next ones do not", async () => {
    const { put, count, observer, cluster } = world();
    const pods = Array.from({ length: 60 }, (_, index) => `p${index}`);
    for (const name of pods)
      put(POD, { name, namespace: "default", annotations: { nodes: "n1,n2" } });
    cluster.holdWatch(CONFIG_MAP);
    const together = {};
    const omits = (name: string, batch: object) =>
      observer.observeNow("c1", `pod/default/${name}`, batch).then((one) => omitsName(one, NAME));
    const answers = await Promise.all(pods.map((name) => omits(name, together)));
    expect(new Set(answers)).toEqual(new Set([true]));
    const calls = ["get pods", "get nodes", "list configmaps"].map(count);
    expect(calls).toEqual([60, 2, 1]);
    put(CONFIG_MAP, { name: "more", namespace: "default", annotations: { owner: "p1" } });
    expect(await omits("p1", {})).toBe(false);
    expect(count("list configmaps")).toBe(2);
  });

  test("one that cannot be read holds what rests on it, and is asked for again", async () => {
    const { put, observer, cluster } = world();
    put(POD, { name: "web", namespace: "default" });
    cluster.fail({ on: "read", kind: CONFIG_MAP, code: "Unavailable", applied: false });
    const ask = (batch: object) => observer.observeNow("c1", "pod/default/web", batch);
    expect(await ask({})).toMatchObject([{ state: "unknown", code: "NotSynced" }]);
    expect(await ask({})).toMatchObject([{ state: "alive" }]);
  });
});
