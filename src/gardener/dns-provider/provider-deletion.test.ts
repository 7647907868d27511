import { describe, expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import { RELEASE_AFTER_MS } from "../../model/object-annotations.ts";
import { DELETION_GRACE_MS } from "./secret-deletion.ts";

/** Removals that a person has to approve. */
const WAITING = { isSettled: true, ownedNames: 12, removals: 12, hashes: ["4f0c1d2e3b5a6978"] };
const NOTHING = { isSettled: true, ownedNames: 0, removals: 0, hashes: [] };
/** The longest that a zone may take to load. */
const LOADING_MS = 60_000;
const LATER_MS = 10 * DELETION_GRACE_MS;

async function deleted(awaited: typeof WAITING): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.start();
  await world.withProvider();
  world.engine.awaited = awaited;
  world.cluster.delete(DNS_PROVIDER, "default", "p");
  await world.pass();
  return world;
}

const events = (world: GardenerWorld): readonly string[] =>
  world.cluster.events.map(({ note }) => `${note.reason}: ${note.message}`);

describe("Z-19 a DNSProvider that is deleted while records of objects that are gone are in its zones", () => {
  test("stays until they are removed, and says what it waits for and the way out", async () => {
    const world = await deleted(WAITING);
    await world.pass(LATER_MS);
    expect(world.provider()).not.toBeNull();
    expect(events(world)).toContainEqual(
      "RecordsWait: is being deleted and stays until 12 records of objects that are gone are removed, an hour at most: zonekeeper approve 4f0c1d2e3b5a6978; to leave them: kubectl annotate dnsprovider p -n default zonekeeper.dev/release=true",
    );
    world.engine.awaited = NOTHING;
    await world.pass(2_000);
    expect(world.provider()).toBeNull();
  });

  test("goes after an hour, with an Event, so that its namespace can be deleted", async () => {
    const world = await deleted(WAITING);
    // Most of it at once: it looks each second, and an hour has 3 600.
    await world.clock.pause(RELEASE_AFTER_MS - LOADING_MS);
    await world.pass(LOADING_MS - 10_000);
    expect(world.provider()).not.toBeNull();
    await world.pass(20_000);
    expect(world.provider()).toBeNull();
    expect(events(world).filter((one) => one.startsWith("RecordsLeft: 12 records"))).toHaveLength(
      1,
    );
  });

  test("goes at once when its annotation says that they stay", async () => {
    const world = await deleted(WAITING);
    const metadata = { annotations: { "zonekeeper.dev/release": "true" } };
    await world.cluster.patch(
      { kind: DNS_PROVIDER, namespace: "default", name: "p" },
      { metadata },
    );
    await world.pass(2_000);
    expect(world.provider()).toBeNull();
  });

  test("waits for zones that are not loaded yet, a minute at most", async () => {
    const world = await deleted({ ...NOTHING, isSettled: false });
    await world.pass(LOADING_MS - 2_000);
    expect(world.provider()).not.toBeNull();
    await world.pass(4_000);
    expect(world.provider()).toBeNull();
  });

  test("has the grace where there are records of ours, and none where there are not", async () => {
    const world = await deleted({ ...NOTHING, ownedNames: 3 });
    expect(world.provider()).not.toBeNull();
    await world.pass(DELETION_GRACE_MS + 1_000);
    expect(world.provider()).toBeNull();
    expect((await deleted(NOTHING)).provider()).toBeNull();
  });
});
