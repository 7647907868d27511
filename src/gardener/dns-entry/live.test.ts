import { describe, expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";
import { conditionIn } from "../../controllers/objects/conditions.ts";
import { LIVE_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const WWW = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
const ASKED = { [LIVE_ANNOTATION]: "true" };

async function started(queriesPerMinute = 0): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.liveQueriesPerMinute = queriesPerMinute;
  world.start();
  await world.withProvider();
  return world;
}

/** `True (Answered)`. */
function live(world: GardenerWorld, name = "web"): string | null {
  const found = conditionIn(world.status(name), "Live");
  return found === null ? null : `${found["status"]} (${found["reason"]})`;
}

const writesOf = (world: GardenerWorld): number =>
  world.cluster.writes.filter((line) => line.startsWith("write dnsentries")).length;

describe("the condition Live", () => {
  test("comes on request only", async () => {
    const world = await started();
    world.entry("web", WWW);
    await world.pass(60_000);
    expect([live(world), world.servers.asked]).toEqual([null, []]);
    const writes = writesOf(world);
    world.entry("web", WWW, ASKED);
    await world.pass(1_000);
    expect([live(world), world.servers.asked]).toEqual([
      "True (Answered)",
      ["www.example.org 192.0.2.1"],
    ]);
    expect(writesOf(world) - writes).toBeLessThanOrEqual(3);
    world.entry("web", WWW, { [LIVE_ANNOTATION]: "false" });
    await world.pass(1_000);
    expect(live(world)).toBeNull();
  });

  test("what is published anew is asked for anew, and never before it is Ready", async () => {
    const world = await started();
    world.entry("web", WWW, ASKED);
    await world.pass(1_000);
    world.entry("web", { ...WWW, targets: ["192.0.2.2"] }, ASKED);
    await world.pass(1_000);
    expect(world.servers.asked).toEqual(["www.example.org 192.0.2.1", "www.example.org 192.0.2.2"]);
    world.entry("web", { ...WWW, targets: ["192.0.2.999"] }, ASKED);
    await world.pass(60_000);
    expect(live(world)).toBe("Unknown (NotPublished)");
    expect(world.servers.asked).toHaveLength(2);
  });

  test("a server that lags is asked again, less and less often, until all answer", async () => {
    const world = await started();
    world.servers.answer = { status: "False", reason: "NotAnswered", message: "1 of 2 servers" };
    world.entry("web", WWW, ASKED);
    await world.pass(1_000);
    expect(live(world)).toBe("False (NotAnswered)");
    await world.pass(3_600_000);
    const tries = world.servers.asked.length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(20);
    world.servers.answer = { status: "True", reason: "Answered", message: "2 of 2 servers" };
    await world.pass(600_000);
    expect(live(world)).toBe("True (Answered)");
    const asked = world.servers.asked.length;
    await world.pass(3_600_000);
    expect(world.servers.asked).toHaveLength(asked);
  });

  test("a restart asks nothing again that was answered", async () => {
    const world = await started();
    world.entry("web", WWW, ASKED);
    await world.pass(1_000);
    await world.crash();
    world.start();
    const writes = writesOf(world);
    await world.pass(60_000);
    expect([live(world), world.servers.asked.length]).toEqual(["True (Answered)", 1]);
    expect(writesOf(world)).toBe(writes);
  });

  test("for all objects: within the budget, and those that a person asks about come first", async () => {
    const world = await started(6);
    for (let index = 0; index < 20; index++)
      world.entry(`e${index}`, { ...WWW, dnsName: `e${index}.example.org` });
    await world.pass(1_000);
    world.entry("web", WWW, ASKED);
    await world.pass(61_000);
    const { asked } = world.servers;
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(asked.length).toBeLessThanOrEqual(8);
    expect(asked.slice(0, 4)).toContain("www.example.org 192.0.2.1");
    await world.pass(200_000);
    expect(world.servers.asked).toHaveLength(21);
    expect(live(world, "e19")).toBe("True (Answered)");
  });

  test("an entry that is deleted is forgotten", async () => {
    const world = await started();
    world.servers.answer = { status: "False", reason: "NotAnswered", message: "none" };
    world.entry("web", WWW, ASKED);
    await world.pass(1_000);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(1_000);
    const { length } = world.servers.asked;
    await world.pass(3_600_000);
    expect(world.servers.asked).toHaveLength(length);
  });
});
