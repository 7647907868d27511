import { describe, expect, test } from "vitest";
import { objectOf } from "../../../test/support/worlds/program-world.ts";
import { splitWorld } from "../../../test/support/worlds/split-world.ts";
import { WANTED_AGAIN_ANNOTATION } from "../../model/annotation-keys.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";

const HOUR_MS = 3_600_000;

describe("Z-30 the DNSEntry of a Service whose cluster is not served stands for it", () => {
  test("a Service is changed, renamed and deleted, and each process starts anew in between", async () => {
    const { sources, controllers, service, rest, addresses, deleteService, entries } = splitWorld();
    let source = sources();
    let seed = controllers();
    service("web", "web", ["192.0.2.1", "2001:db8::1"]);
    await rest();
    expect(addresses()).toEqual(["web 192.0.2.1 2001:db8::1"]);
    await seed.stop();
    seed = controllers();
    await rest();
    service("web", "web", ["192.0.2.2"]);
    await rest();
    expect(addresses()).toEqual(["web 192.0.2.2"]);
    await source.stop();
    service("web", "www", ["192.0.2.2"]);
    source = sources();
    await rest();
    expect(addresses()).toEqual(["www 192.0.2.2"]);
    await seed.stop();
    deleteService("web");
    await rest();
    expect(addresses()).toEqual(["www 192.0.2.2"]);
    seed = controllers();
    await rest();
    expect([addresses(), entries()]).toEqual([[], []]);
    await Promise.all([source.stop(), seed.stop()]);
  });

  test("a namesake of another cluster keeps its record", async () => {
    const { sources, controllers, service, rest, addresses, deleteService, otherShoot } =
      splitWorld();
    const all = [sources(), sources(otherShoot), controllers()];
    service("web", "web", ["192.0.2.1"]);
    service("web", "other", ["192.0.2.2"], otherShoot);
    await rest();
    deleteService("web");
    await rest();
    expect(addresses()).toEqual(["other 192.0.2.2"]);
    for (const one of all) await one.stop();
  });

  test.each([
    ["two processes", "default"],
    ["one process", "default"],
    ["two processes, a target namespace", "team"],
  ])(
    "%s: an entry that a person deletes is made anew, and its record stays",
    async (how, namespace) => {
      const { sources, controllers, whole, service, rest, addresses, ...world } =
        splitWorld(namespace);
      const all = how === "one process" ? [whole()] : [sources(), controllers()];
      service("web", "web", ["192.0.2.1"]);
      await rest();
      const before = [world.serial(), world.entries()];
      world.deleteEntry(world.entryOf("web"));
      await rest();
      await world.clock.advance(2 * HOUR_MS);
      expect(addresses()).toEqual(["web 192.0.2.1"]);
      expect([world.serial(), world.entries()]).toEqual(before);
      const [entry] = world.seed.all(DNS_ENTRY);
      expect(entry?.metadata.annotations?.[WANTED_AGAIN_ANNOTATION]).toBeUndefined();
      for (const one of all) await one.stop();
    },
  );

  test("a copy of a DNSEntry of the shoot ends with it, and is made anew where a person deletes it", async () => {
    const { start, controllers, shoot, seed, rest, ...world } = splitWorld();
    const runs = ["dnsentry-source"];
    const all = [start(undefined, { runs, source: shoot, target: seed }), controllers()];
    const spec = { dnsName: "web.example.org", targets: ["192.0.2.1"] };
    shoot.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", "web", { spec }));
    await rest();
    const before = [world.serial(), world.entries()];
    const [copy = ""] = world.entries();
    world.deleteEntry(copy);
    await rest();
    expect(world.addresses("web")).toEqual(["web 192.0.2.1"]);
    expect([world.serial(), world.entries()]).toEqual(before);
    shoot.delete(DNS_ENTRY, "default", "web");
    await rest();
    expect([world.addresses("web"), world.entries()]).toEqual([[], []]);
    for (const one of all) await one.stop();
  });

  test("nobody says that it is made anew: the record goes with the entry", async () => {
    const { sources, controllers, service, clock, addresses, ...world } = splitWorld();
    const [source, seed] = [sources(), controllers()];
    service("web", "web", ["192.0.2.1"]);
    await world.rest();
    await source.stop();
    world.deleteEntry(world.entryOf("web"));
    await clock.advance(8_000);
    expect(addresses()).toEqual(["web 192.0.2.1"]);
    await world.rest();
    expect([addresses(), world.entries()]).toEqual([[], []]);
    await seed.stop();
  });

  test("what was to be made anew and is not for an hour goes", async () => {
    const { sources, controllers, service, clock, addresses, ...world } = splitWorld();
    const [source, seed] = [sources(), controllers()];
    service("web", "web", ["192.0.2.1"]);
    await world.rest();
    await source.stop();
    const annotations = { [WANTED_AGAIN_ANNOTATION]: "true" };
    await world.editEntry(world.entryOf("web"), { metadata: { annotations } });
    world.deleteEntry(world.entryOf("web"));
    await clock.advance(HOUR_MS - 60_000);
    expect([addresses(), world.entries()]).toEqual([["web 192.0.2.1"], []]);
    await clock.advance(180_000);
    expect(addresses()).toEqual([]);
    await seed.stop();
  });

  test.each([
    ["who makes entries lives on, and takes the note back", false],
    ["nobody takes the note back: the record goes after an hour", true],
  ])(
    "an entry is wanted again, and its Service ends while the publisher is down: %s",
    async (_, isAlone) => {
      const { sources, controllers, service, clock, addresses, ...world } = splitWorld();
      const source = sources();
      const seed = controllers();
      for (const name of ["own", "web"]) service(name, name, ["192.0.2.1"]);
      await world.rest();
      await seed.stop();
      world.deleteEntry(world.entryOf("web"));
      await world.rest();
      const going = world.seed.now(DNS_ENTRY, "default", world.entryOf("web"));
      expect(going?.metadata.annotations).toMatchObject({ [WANTED_AGAIN_ANNOTATION]: "true" });
      if (isAlone) await source.stop();
      world.deleteService("web");
      await world.rest();
      const again = controllers();
      await world.rest();
      expect(world.entryOf("web")).toBe("");
      if (isAlone) expect(addresses()).toEqual(["own 192.0.2.1", "web 192.0.2.1"]);
      if (isAlone) await clock.advance(HOUR_MS);
      expect(addresses()).toEqual(["own 192.0.2.1"]);
      await again.stop();
      if (!isAlone) await source.stop();
    },
  );

  test("an entry that a person gave another name keeps the first record until it is deleted", async () => {
    const { sources, controllers, service, rest, addresses, ...world } = splitWorld();
    const all = [sources(), controllers()];
    service("other", "other", ["192.0.2.9"]);
    service("web", "web", ["192.0.2.1"]);
    await rest();
    const name = world.entryOf("web");
    await world.editEntry(name, { spec: { dnsName: "www.example.org" } });
    await rest();
    const kept = ["other 192.0.2.9", "web 192.0.2.1", "www 192.0.2.1"];
    expect(addresses("www")).toEqual(kept);
    world.deleteService("web");
    await rest();
    expect(addresses("www")).toEqual(kept);
    world.deleteEntry(name);
    await rest();
    expect(addresses("www")).toEqual(["other 192.0.2.9"]);
    for (const one of all) await one.stop();
  });

  test("an entry that vanished unseen is asked for before its record goes", async () => {
    const { sources, controllers, service, rest, addresses, seed, ...world } = splitWorld();
    const all = [sources(), controllers()];
    service("other", "other", ["192.0.2.9"]);
    service("web", "web", ["192.0.2.1"]);
    await rest();
    const name = world.entryOf("web");
    seed.breakWatch(DNS_ENTRY);
    world.deleteService("web");
    world.deleteEntry(name);
    await world.editEntry(name, { metadata: { finalizers: null } });
    await rest();
    expect(addresses()).toEqual(["other 192.0.2.9", "web 192.0.2.1"]);
    seed.relist(DNS_ENTRY);
    await rest();
    expect(addresses()).toEqual(["other 192.0.2.9"]);
    for (const one of all) await one.stop();
  });
});
