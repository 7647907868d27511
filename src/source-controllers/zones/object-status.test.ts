import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import type { ZoneContent } from "../../../test/support/memory-provider/zone-content.ts";
import { kstatusOf } from "../../../test/support/values/kstatus.ts";
import { SpineWorld } from "../../../test/support/worlds/spine-world.ts";
import { conditionIn } from "../../controllers/objects/conditions.ts";
import { DNS_ENDPOINT } from "../../model/kinds.ts";

const A = { dnsName: "a.example.com", recordType: "A", targets: ["192.0.2.1"] };

async function opened(): Promise<SpineWorld> {
  const world = new SpineWorld(["example.com"], { endpoints: true });
  world.start();
  world.provider("p", {}, "default");
  await world.pass();
  return world;
}

function apply(world: SpineWorld, ...endpoints: readonly object[]): void {
  world.cluster.apply(DNS_ENDPOINT, {
    apiVersion: "externaldns.k8s.io/v1alpha1",
    kind: "DNSEndpoint",
    metadata: { name: "web", namespace: "default" },
    spec: { endpoints },
  });
}

function stored(world: SpineWorld): KubeObject {
  const found = world.cluster.now(DNS_ENDPOINT, "default", "web");
  if (found === null) throw new Error("no DNSEndpoint");
  return found;
}

/** `Ready=True (Published): 1 name published`. */
function ready(world: SpineWorld): string {
  const condition = conditionIn(fieldsOf(stored(world)["status"]), "Ready") ?? {};
  return `Ready=${condition["status"]} (${condition["reason"]}): ${condition["message"]}`;
}

const writesOf = (world: SpineWorld): number =>
  world.cluster.writes.filter((line) => line.startsWith("write dnsendpoints")).length;

function emptied(content: ZoneContent): void {
  const sets = content.all().filter(({ name }) => name !== content.apex);
  content.write(sets.map((key) => ({ key, next: null })));
}

test("a DNSEndpoint gets one status a generation: when its names are published", async () => {
  const world = await opened();
  apply(world, A);
  await world.pass();
  expect(ready(world)).toBe("Ready=True (Published): 1 name published");
  expect([kstatusOf(stored(world)), writesOf(world)]).toEqual(["Current", 1]);
  apply(world, { ...A, targets: ["192.0.2.2"] });
  expect(kstatusOf(stored(world))).toBe("InProgress");
  await world.pass();
  expect([kstatusOf(stored(world)), ready(world)]).toEqual([
    "Current",
    "Ready=True (Published): 1 name published",
  ]);
  const before = writesOf(world);
  await world.pass(600_000);
  expect(writesOf(world)).toBe(before);
});

test("a restart says nothing of a change under way over what was said before", async () => {
  const world = await opened();
  apply(world, A);
  await world.pass();
  await world.stop();
  const [before, shown] = [writesOf(world), ready(world)];
  world.account.breakWith({
    ...NO_FAULTS,
    apply: () => [{ kind: "throttled", afterMs: 30_000 }],
    read: () => [{ kind: "foreign", write: emptied }],
  });
  world.start();
  await world.pass(20_000);
  expect(world.zone("example.com")).toEqual([]);
  expect([writesOf(world), ready(world)]).toEqual([before, shown]);
});

test("a change that takes long is said after ten seconds", async () => {
  const world = await opened();
  let isBusy = true;
  world.account.breakWith({
    ...NO_FAULTS,
    apply: () => (isBusy ? [{ kind: "throttled", afterMs: 30_000 }] : []),
  });
  apply(world, A);
  await world.pass(5_000);
  expect(writesOf(world)).toBe(0);
  await world.pass(15_000);
  expect(kstatusOf(stored(world))).toBe("InProgress");
  expect(ready(world)).toMatch(/^Ready=(?:Unknown|False) \((?:Publishing|Throttled)\)/);
  isBusy = false;
  await world.pass(120_000);
  expect(kstatusOf(stored(world))).toBe("Current");
});

test("a mistake is Stalled, beside names that are published", async () => {
  const world = await opened();
  apply(world, A, { dnsName: "bad.example.com", recordType: "A", targets: ["here"] });
  await world.pass();
  expect(ready(world)).toMatch(/^Ready=False \(InvalidEndpoint\): 1 of 2 names published; /);
  expect(kstatusOf(stored(world))).toBe("Failed");
  apply(world, A);
  await world.pass();
  expect(kstatusOf(stored(world))).toBe("Current");
});

test("a name without a provider is no mistake of the object", async () => {
  const world = await opened();
  apply(world, { ...A, dnsName: "a.example.net" });
  await world.pass();
  expect(ready(world)).toMatch(/^Ready=False \(NoProvider\): /);
  expect(kstatusOf(stored(world))).toBe("InProgress");
});

test("a definition that lacks conditions: the generation is noted, nothing is written again", async () => {
  const world = await opened();
  world.cluster.droppedStatus.add("conditions");
  apply(world, A);
  await world.pass(600_000);
  expect(fieldsOf(stored(world)["status"])["observedGeneration"]).toBe(1);
  expect(writesOf(world)).toBe(1);
});
