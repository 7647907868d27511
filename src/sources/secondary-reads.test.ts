import { CONFIG_MAP, NODE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { HOST, HOST_SOURCES, NODE_NAME } from "../../test/support/sources/host-sources.ts";
import { DEFAULT_CLASSES } from "../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../test/support/worlds/memory-cluster.ts";
import { openSource } from "./index.ts";

const row = HOST_SOURCES["a zone source"];
const options = { dnsClasses: DEFAULT_CLASSES, targetNamespace: null };
const source = openSource(row.name, options, [row]);
const POD_OBJECT = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "web",
    namespace: "default",
    annotations: { [HOST]: "www.example.org", [NODE_NAME]: "n1" },
  },
};

function stage() {
  const cluster = new MemoryCluster("c1");
  const labels = { ip: "192.0.2.1" };
  cluster.apply(NODE, { apiVersion: "v1", kind: "Node", metadata: { name: "n1", labels } });
  const found = () => {
    const { items, waiting, problems, complete } = source.endpoints(POD_OBJECT, cluster);
    const names = items.map(({ name, values }) => `${name} ${values.join()}`);
    const waits = waiting.map(({ name, reason }) => `${name} ${reason}`);
    return { names, waits, complete, problems: problems.map(({ message }) => message) };
  };
  return { cluster, found };
}

const PUBLISHED = ["www.example.org 192.0.2.1"];

describe("Z-1 an answer that rests on secondary objects", () => {
  test("is complete while their kinds are live, and says what it read", () => {
    const { cluster, found } = stage();
    expect(found()).toEqual({ names: PUBLISHED, waits: [], complete: true, problems: [] });
    expect(source.endpoints(POD_OBJECT, cluster).reads).toMatchObject([
      { kind: CONFIG_MAP, by: { value: "web" } },
      { kind: NODE, namespace: "", name: "n1" },
    ]);
  });

  test("is incomplete while one is stale; what is known of it is published", () => {
    const { cluster, found } = stage();
    cluster.breakWatch(CONFIG_MAP);
    expect(found()).toEqual({ names: PUBLISHED, waits: [], complete: false, problems: [] });
  });

  test.each([NODE, CONFIG_MAP])("waits while $plural were not listed yet, in silence", (kind) => {
    const { cluster, found } = stage();
    cluster.setKindState(kind, "syncing");
    const waits = ["www.example.org SourceIncomplete"];
    expect(found()).toEqual({ names: [], waits, complete: false, problems: [] });
  });

  test("waits while a kind may not be read, and says what to allow", () => {
    const { cluster, found } = stage();
    cluster.setKindState(CONFIG_MAP, "forbidden");
    expect(found()).toMatchObject({ names: [], complete: false });
    expect(found().problems).toEqual([
      "configmaps may not be read; allow get, list and watch. The records of this object stay as they are until then",
    ]);
  });

  test("of a kind that is not served: there are none of them, but a reference is not understood", () => {
    const { cluster, found } = stage();
    cluster.setKindState(CONFIG_MAP, "absent");
    expect(found()).toMatchObject({ names: PUBLISHED, complete: true });
    cluster.setKindState(NODE, "absent");
    expect(found()).toMatchObject({ names: [], complete: false });
    expect(found().problems.join()).toContain("nodes are not served");
  });

  test("a kind that the row does not name is a bug", () => {
    const { cluster } = stage();
    const secondary = [NODE];
    const lacking = openSource(row.name, options, [{ ...row, secondary }]);
    expect(() => lacking.endpoints(POD_OBJECT, cluster)).toThrow("only kinds that its row names");
  });
});
