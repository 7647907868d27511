import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { ORIGIN, parseDesired, showZone } from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { Outside, runRegistry } from "../../../test/support/worlds/registry-run.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { ConfigMapRegistry } from "../../cluster/state/config-map-registry.ts";
import { CAPABILITIES } from "../../providers/rfc2136/limits.ts";
import { configuredRegistry } from "./zone-openers.ts";

test("configmap: a server called by another name keeps its zone waiting until a person says that it is the same", async () => {
  const cluster = new MemoryCluster("c1");
  const content = new ZoneModel([]);
  /** A process, from its start on. */
  const start = (desired: string) => {
    const openOwnership = configuredRegistry({
      owner: "me",
      registry: { format: "configmap", owns: [], clusterAliases: new Map() },
      store: new ConfigMapRegistry({ writer: cluster, namespace: "dns", owner: "me" }),
      clock: new VirtualClock(),
      log: new MemoryLog(),
    });
    return async (endpoint: string) => {
      const zone = {
        ...{ id: "example.org", name: ORIGIN, providerType: "rfc2136", endpoint, view: "" },
      };
      const ownership = openOwnership(zone, CAPABILITIES);
      const rules = rulesWith({ owners: new Set(["me"]) });
      const recordSets = parseDesired(desired);
      const given = {
        zone: content,
        ownership,
        desired: recordSets,
        rules,
        outside: new Outside(),
      };
      return runRegistry(given);
    };
  };
  await start("www 300 A 192.0.2.1")("127.0.0.1:53");

  const process = start("www 300 A 192.0.2.2");
  const error = await process("localhost:53").catch((error: unknown) => error);
  expect(error).toMatchObject({ code: "RegistryElsewhere" });
  expect(showZone(content.all())).toContain("192.0.2.1");

  const [, name] = /create the ConfigMap dns\/(\S+)/.exec(String(error)) ?? [];
  const metadata = { name: name ?? "", namespace: "dns" };
  const data = { continues: "rfc2136 127.0.0.1:53 example.org" };
  cluster.apply(CONFIG_MAP, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
  expect(await process("localhost:53")).toEqual([]);
  expect(showZone(content.all())).toContain("192.0.2.2");
  expect(await start("")("localhost:53")).toEqual([]);
  expect(showZone(content.all())).not.toContain("192.0.2.2");
});
