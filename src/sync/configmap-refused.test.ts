import { expect, test } from "vitest";
import { MemoryLog } from "../../test/support/ports/test-ports.ts";
import { nameOf, ORIGIN, parseZone } from "../../test/support/values/zone-text.ts";
import { engineWorld, entry, KEY } from "../../test/support/worlds/engine-world.ts";
import { MemoryCluster } from "../../test/support/worlds/memory-cluster.ts";
import { ConfigMapRegistry } from "../cluster/state/config-map-registry.ts";
import { openConfigMapOwnership } from "../ownership/configmap/ownership.ts";

test("Z-14 a record that others made while our calls were refused is not ours, and stays", async () => {
  const world = engineWorld();
  const { engine, zoneInput, clock, content, account } = world;
  const writer = new MemoryCluster("c1");
  const store = new ConfigMapRegistry({ writer, namespace: "dns", owner: "me" });
  const given = { store, id: "z", zone: "example.org", atomic: true };
  const ownership = openConfigMapOwnership({ apex: ORIGIN, ...given, clock, log: new MemoryLog() });
  let isRefusing = true;
  account.breakWith({
    ...account.faults,
    apply: () => (isRefusing ? [{ kind: "throttled", afterMs: null }] : []),
  });
  engine.openZone({ ...zoneInput, ownership });
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(30_000);
  for (const next of parseZone("www 300 A 192.0.2.1")) content.write([{ key: next, next }]);
  await clock.advance(60_000);
  isRefusing = false;
  await clock.advance(600_000);
  expect((await engine.ownership(new Set([nameOf("www")])))[0]?.rows[0]?.whose).toBe("nobody");
});
