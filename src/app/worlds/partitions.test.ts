/**
 * What is cut, and what happens: the partition matrix of ADR 0129, a row each. Two regions with one
 * election over one zone; names of the first cluster (`web`) and of a further one (`far`).
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { expect, test } from "vitest";
import {
  leaseServer,
  publish,
  type RegionProcess,
  RegionWorld,
} from "../../../test/support/worlds/region-world.ts";

interface Regions {
  readonly world: RegionWorld;
  readonly first: RegionProcess;
  readonly second: RegionProcess;
}

/** What happens, from the cut on. Both names are at 192.0.2.1, and the first process leads. */
type Row = readonly [cut: string, story: (regions: Regions) => Promise<void>];

/** Longer than a Lease, its retries, and the reading of the zone. */
const TAKEN_OVER_S = 25;

/** Somebody changes the Service of the name, and time passes. */
async function edit(
  world: RegionWorld,
  label: "web" | "far",
  address: string,
  seconds = 30,
): Promise<void> {
  publish(label === "web" ? world.source : world.eu, label, address);
  await world.pass(seconds);
}

const ROWS: readonly Row[] = [
  [
    "leader and Lease: it stops, the other one goes on, and who returns rewrites nothing",
    async ({ world, first }) => {
      first.cutLease();
      await world.pass(12);
      expect(world.leaders()).toBe("");
      await edit(world, "web", "192.0.2.2", 1);
      expect(world.answers("web")).toBe("192.0.2.1");
      await world.pass(TAKEN_OVER_S);
      expect([world.leaders(), world.answers("web")]).toEqual(["2", "192.0.2.2"]);
      const { serial } = world.content;
      first.cutLease(false);
      await world.pass(120);
      expect([world.leaders(), world.content.serial]).toEqual(["2", serial]);
    },
  ],
  [
    "leader and zone: it keeps the lead, the zone is as it is, and follows when it can",
    async ({ world, first }) => {
      first.cutZone();
      const { serial } = world.content;
      await edit(world, "web", "192.0.2.2", 120);
      expect([world.leaders(), world.content.serial]).toEqual(["1", serial]);
      first.cutZone(false);
      await world.pass(60);
      expect([world.leaders(), world.answers("web")]).toEqual(["1", "192.0.2.2"]);
    },
  ],
  [
    "leader and a further cluster: its part stays, others change",
    async ({ world }) => {
      world.eu.breakWatch(SERVICE);
      world.eu.delete(SERVICE, "default", "far");
      await edit(world, "web", "192.0.2.2");
      expect([world.leaders(), world.answers("web"), world.answers("far")]).toEqual([
        "1",
        "192.0.2.2",
        "192.0.2.1",
      ]);
      world.eu.relist(SERVICE);
      await world.pass(60);
      expect(world.answers("far")).toBe("");
    },
  ],
  [
    "a further cluster and everybody, also who leads next: its part stays, and goes once it says so",
    async ({ world, first, second }) => {
      world.eu.breakWatch(SERVICE);
      world.eu.delete(SERVICE, "default", "far");
      second.join();
      first.kill();
      await edit(world, "web", "192.0.2.2", 600);
      expect([world.leaders().includes("2"), world.answers("web"), world.answers("far")]).toEqual([
        true,
        "192.0.2.2",
        "192.0.2.1",
      ]);
      world.eu.relist(SERVICE);
      second.join(world.eu);
      await world.pass(120);
      expect(world.answers("far")).toBe("");
    },
  ],
  [
    "two regions, the Lease in one: the other one cannot lead, and the zone waits for this one",
    async ({ world, first, second }) => {
      second.cutLease();
      await edit(world, "web", "192.0.2.2");
      expect([world.leaders(), world.answers("web")]).toEqual(["1", "192.0.2.2"]);
      first.kill();
      await edit(world, "web", "192.0.2.3", 600);
      expect(world.answers("web")).toBe("192.0.2.2");
      second.cutLease(false);
      await world.pass(TAKEN_OVER_S + 30);
      expect(world.answers("web")).toBe("192.0.2.3");
    },
  ],
  [
    "the Lease is forked: of both leaders one writes at a time, then neither, until a person settles it",
    async ({ world, first, second }) => {
      await second.stop();
      const third = world.start(leaseServer());
      await world.pass(TAKEN_OVER_S);
      expect(first.isLeading && third.isLeading).toBe(true);
      const last = (): number => Number(world.answers("web").split(".")[3]);
      for (let address = 2, seen = 1; address < 12; address++) {
        await edit(world, "web", `192.0.2.${address}`, 20);
        expect(last()).toBeGreaterThanOrEqual(seen);
        seen = last();
      }
      const { serial } = world.content;
      await edit(world, "web", "192.0.2.12", 600);
      expect(world.content.serial).toBe(serial);
      const messages = first.instance.work.zones().map(({ fence }) => fence?.message ?? "");
      expect(messages.join()).toContain("owner take");
      await third.stop();
      await first.instance.work.takeOwner("shop", false);
      await world.pass(120);
      expect(world.answers("web")).toBe("192.0.2.12");
    },
  ],
  [
    "the Lease is lost for good: nobody writes until another cluster has it, and the epoch goes on",
    async ({ world, first, second }) => {
      for (const one of [first, second]) one.cutLease();
      await edit(world, "web", "192.0.2.2", 3_600);
      expect([world.leaders(), world.answers("web")]).toEqual(["", "192.0.2.1"]);
      const [before, server] = [world.epoch(), leaseServer()];
      for (const one of [first, second]) void one.stop();
      for (let count = 0; count < 2; count++) world.start(server, "uid-2");
      await world.pass(60);
      expect(world.answers("web")).toBe("192.0.2.2");
      expect(world.epoch()).toBeGreaterThan(before);
    },
  ],
  [
    "the back end shows an old zone: nothing is written over what is newer",
    async ({ world, first }) => {
      const then = world.clock.monotonicMs();
      await world.pass(1);
      await edit(world, "web", "192.0.2.2");
      const { serial } = world.content;
      first.readOld(then);
      await world.pass(3_700);
      const open = first.instance.work.zones().flatMap((zone) => zone.open);
      expect(open.map(({ name }) => name).join()).toContain("web.example.org");
      expect([world.answers("web"), world.answers("far")]).toEqual(["192.0.2.2", "192.0.2.1"]);
      expect(world.content.serial).toBe(serial);
      first.readOld(null);
      await edit(world, "web", "192.0.2.3", 120);
      expect(world.answers("web")).toBe("192.0.2.3");
    },
  ],
];

async function opened(): Promise<Regions> {
  const world = new RegionWorld();
  for (const label of ["web", "far"] as const)
    publish(label === "web" ? world.source : world.eu, label, "192.0.2.1");
  const server = leaseServer();
  const first = world.start(server);
  await world.pass(5);
  const second = world.start(server);
  await world.pass(60);
  expect([world.leaders(), world.answers("web"), world.answers("far")]).toEqual([
    "1",
    "192.0.2.1",
    "192.0.2.1",
  ]);
  return { world, first, second };
}

test.each(ROWS)("cut: %s", async (_, story) => {
  const regions = await opened();
  await story(regions);
  await regions.world.close();
});

test("who stands by reads the zone rarely, and soon where it would change something", async () => {
  const { world, first, second } = await opened();
  const before = [first.reads, second.reads] as const;
  await world.pass(3_600);
  expect(first.reads - before[0]).toBeGreaterThan(350);
  expect(second.reads - before[1]).toBeLessThan(70);
  first.cutZone();
  await edit(world, "web", "192.0.2.2", 30);
  const open = () => second.instance.work.zones().flatMap((zone) => zone.open);
  expect(open().map(({ name }) => name)).toEqual(["web.example.org"]);
  first.cutZone(false);
  await world.pass(40);
  expect([world.answers("web"), open()]).toEqual(["192.0.2.2", []]);
  await world.close();
});
