import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { StatusWrites } from "./status-writes.ts";

function object(resourceVersion: string, state: string): KubeObject {
  const metadata = { namespace: "default", name: "www", uid: "u", generation: 1, resourceVersion };
  return {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSEntry",
    metadata,
    status: { state },
  };
}

const changed = (before: KubeObject, after: KubeObject) =>
  ({ type: "modified", kind: DNS_ENTRY, object: after, previous: before }) as const;

test("the event of our own last write is no work, and is known once", async () => {
  const writes = new StatusWrites(() => undefined);
  const [before, ready] = [object("1", ""), object("2", "Ready")];
  await writes.write("default/www", true, async () => ready);
  expect(writes.seen("default/www", changed(before, ready))).toBe("settled");
  expect(writes.seen("default/www", changed(before, ready))).toBeNull();
});

test("a second write before the watch shows the first one is looked at again (simulator, F02 3155)", async () => {
  const writes = new StatusWrites(() => undefined);
  const before = object("1", "Ready");
  await writes.write("default/www", false, async () => object("2", "Pending"));
  // Decided for the object as the watch has it, which is Ready: nothing of the state is sent.
  const pending = object("3", "Pending");
  await writes.write("default/www", true, async () => pending);
  expect(writes.seen("default/www", changed(before, pending))).toBe("unsettled");
});
