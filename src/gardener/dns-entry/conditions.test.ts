import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { kstatusOf } from "../../../test/support/values/kstatus.ts";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";
import { conditionIn } from "../../controllers/objects/conditions.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const WWW = { dnsName: "www.example.org", targets: ["192.0.2.1"] };

async function started(): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.start();
  await world.withProvider();
  return world;
}

const entry = (world: GardenerWorld): KubeObject => {
  const found = world.cluster.now(DNS_ENTRY, "default", "web");
  if (found === null) throw new Error("no entry");
  return found;
};

/** `Progressing=False Ready=True (Published)`, with the reason of Ready. */
function shown(status: unknown): string {
  const { conditions } = fieldsOf(status);
  const list = Array.isArray(conditions) ? conditions.map(fieldsOf) : [];
  const reason = fieldsOf(conditionIn(fieldsOf(status), "Ready"))["reason"];
  return `${list.map(({ type, status: is }) => `${type}=${is}`).join(" ")} (${reason})`;
}

/** For an entry: finalizer and status. */
const writesOf = (world: GardenerWorld): number =>
  world.cluster.writes.filter((line) => line.startsWith("write dnsentries")).length;

/** Finalizer, and zone and state when it is published. */
const PUBLISHED = 2;

const transitionOf = (world: GardenerWorld): string | null =>
  textOf(fieldsOf(conditionIn(world.status("web"), "Ready"))["lastTransitionTime"]);

describe("conditions of a DNSEntry", () => {
  test("come with the state, in its writes and no other", async () => {
    const world = await started();
    world.entry("web", WWW);
    await world.pass();
    expect(shown(world.status("web"))).toBe("Progressing=False Ready=True (Published)");
    expect(kstatusOf(entry(world))).toBe("Current");
    expect(writesOf(world)).toBe(PUBLISHED);
    await world.pass(600_000);
    expect(writesOf(world)).toBe(PUBLISHED);
  });

  test("an edit that stays Ready is no transition of Ready, and is about its generation", async () => {
    const world = await started();
    world.entry("web", WWW);
    await world.pass();
    const since = transitionOf(world);
    await world.pass(60_000);
    world.entry("web", { ...WWW, targets: ["192.0.2.2"] });
    expect(kstatusOf(entry(world))).toBe("InProgress");
    await world.pass();
    const { observedGeneration, status } = fieldsOf(conditionIn(world.status("web"), "Ready"));
    expect([status, observedGeneration]).toEqual(["True", 2]);
    expect(kstatusOf(entry(world))).toBe("Current");
    // It was not Ready for as long as the change took, if somebody could see that.
    expect([since, transitionOf(world)]).not.toContain(null);
  });

  test("a mistake is Stalled: who waits need not wait any longer; an edit ends it", async () => {
    const world = await started();
    world.entry("web", { ...WWW, targets: ["192.0.2.999"] });
    await world.pass();
    expect(shown(world.status("web"))).toBe(
      "Progressing=False Ready=False Stalled=True (InvalidTarget)",
    );
    expect(kstatusOf(entry(world))).toBe("Failed");
    world.entry("web", WWW);
    expect(kstatusOf(entry(world))).toBe("InProgress");
    await world.pass();
    expect(shown(world.status("web"))).toBe("Progressing=False Ready=True (Published)");
    world.entry("web", { ...WWW, targets: ["192.0.2.999"] });
    await world.pass();
    expect(world.status("web")["state"]).toBe("Stale");
    expect(kstatusOf(entry(world))).toBe("Failed");
  });

  test("without a provider it is not done, and one may come", async () => {
    const world = new GardenerWorld();
    world.start();
    world.entry("web", WWW);
    await world.pass();
    expect(shown(world.status("web"))).toBe("Progressing=False Ready=False (NoProvider)");
    expect(kstatusOf(entry(world))).toBe("InProgress");
    const since = transitionOf(world);
    await world.pass(5_000);
    await world.withProvider();
    expect(shown(world.status("web"))).toBe("Progressing=False Ready=True (Published)");
    expect(transitionOf(world)).not.toBe(since);
  });

  test("an entry that was Ready before conditions were written gets them once", async () => {
    const world = await started();
    world.entry("web", WWW);
    await world.pass();
    const { conditions: _, ...older } = world.status("web");
    await world.crash();
    world.cluster.setStatus(DNS_ENTRY, "default", "web", older);
    const before = writesOf(world);
    world.start();
    await world.pass(60_000);
    expect(shown(world.status("web"))).toBe("Progressing=False Ready=True (Published)");
    expect(writesOf(world)).toBe(before + 1);
  });

  test("others' conditions stay", async () => {
    const world = await started();
    world.entry("web", WWW);
    await world.pass();
    const audited = { type: "Audited", status: "True", reason: "Yes", message: "" };
    const { conditions } = world.status("web");
    const all = [audited, ...(Array.isArray(conditions) ? conditions : [])];
    const status = { ...world.status("web"), conditions: all };
    world.cluster.setStatus(DNS_ENTRY, "default", "web", status);
    world.entry("web", { ...WWW, ttl: 60 });
    await world.pass();
    expect(world.status("web")["conditions"]).toContainEqual(audited);
  });
});

describe("a definition that lacks conditions", () => {
  test("state is right, and nothing is written again and again", async () => {
    const world = await started();
    world.cluster.droppedStatus.add("conditions");
    world.entry("web", WWW);
    await world.pass(600_000);
    expect(world.shown("web")).toBe("Ready: dns entry active");
    expect(world.status("web")["conditions"]).toBeUndefined();
    expect(writesOf(world)).toBe(PUBLISHED);
  });

  test("is noticed again when it has them: at the next change of the entry", async () => {
    const world = await started();
    world.cluster.droppedStatus.add("conditions");
    world.entry("web", WWW);
    await world.pass(60_000);
    world.cluster.droppedStatus.clear();
    world.entry("web", { ...WWW, ttl: 60 });
    await world.pass();
    expect(shown(world.status("web"))).toBe("Progressing=False Ready=True (Published)");
  });
});

test("conditions of a DNSProvider", async () => {
  const world = new GardenerWorld();
  world.start();
  world.accounts.failure = "no route";
  await world.withProvider();
  const provider = world.provider();
  expect(shown(provider?.["status"])).toBe("Progressing=False Ready=False (ZonesNotListed)");
  world.accounts.failure = null;
  await world.pass(60_000);
  expect(shown(world.provider()?.["status"])).toBe("Progressing=False Ready=True (Operational)");
  const now = world.provider();
  expect(now === null ? null : kstatusOf(now)).toBe("Current");
  const writes = world.cluster.writes.length;
  await world.pass(600_000);
  expect(world.cluster.writes.length).toBe(writes);
});
