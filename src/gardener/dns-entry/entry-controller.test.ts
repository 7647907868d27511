import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import { GardenerWorld } from "../../../test/support/worlds/gardener-world.ts";
import { ENTRY_PACE } from "../../controllers/objects/status-pace.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";

const AT = { namespace: "default", name: "web" };
const WWW = { dnsName: "www.example.org", targets: ["192.0.2.1"] };
const RECORD = "www.example.org 300 A 192.0.2.1";

async function started(): Promise<GardenerWorld> {
  const world = new GardenerWorld();
  world.start();
  await world.withProvider();
  return world;
}

async function published(): Promise<GardenerWorld> {
  const world = await started();
  world.entry("web", WWW);
  await world.pass();
  expect(world.zone()).toEqual([RECORD]);
  return world;
}

describe("an entry's life", () => {
  test("apply, edit, delete", async () => {
    const world = await started();
    world.entry("web", WWW);
    await world.pass();
    expect(world.status("web")).toMatchObject({
      state: "Ready",
      message: "dns entry active",
      observedGeneration: 1,
      provider: "default/p",
      providerType: "memory",
      zone: "example.org",
      ttl: 300,
      targets: ["192.0.2.1"],
    });
    world.entry("web", { ...WWW, targets: ["192.0.2.2"], ttl: 60 });
    await world.pass();
    expect(world.zone()).toEqual(["www.example.org 60 A 192.0.2.2"]);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass();
    expect(world.zone()).toEqual([]);
    expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
    expect(world.queues.failures).toEqual([]);
  });

  test("a status that was overtaken before the watch showed it is looked at again", async () => {
    const world = await published();
    const { engine, cluster } = world;
    const report = async (isHeld: boolean): Promise<void> => {
      const trouble = { state: "held", code: "ForeignRecord", message: "A x exists" } as const;
      if (isHeld) engine.trouble.set("www.example.org", trouble);
      else engine.trouble.delete("www.example.org");
      engine.again();
      await world.pass(60_000);
    };
    await report(true);
    expect(world.shown("web")).toMatch(/^Stale/);
    cluster.holdWatch(DNS_ENTRY);
    await report(false);
    expect(world.shown("web")).toMatch(/^Ready/);
    await report(true);
    cluster.relist(DNS_ENTRY);
    await world.pass(60_000);
    expect(world.shown("web")).toMatch(/^Stale/);
  });

  test("nothing is written when nothing changed", async () => {
    const world = await published();
    const writes = world.cluster.writes.length;
    await world.pass(600_000);
    expect(world.cluster.writes.slice(writes)).toEqual([]);
  });

  test.each([
    ["a status", {}],
    ["a place", { zone: "twin" }],
  ])(
    "%s that another writer contradicts is written at its pace, and right in the end",
    async (_, zoneOf) => {
      const world = await published();
      const writes = world.cluster.writes.length;
      const events = world.cluster.events.length;
      const other = { state: "Error", message: "the other installation", ...zoneOf };
      let left = 200;
      const stop = world.cluster.subscribe(DNS_ENTRY, {
        onState: () => {},
        onChange: ({ object }) => {
          const status = { ...fieldsOf(object["status"]), ...other };
          if (world.shown("web").startsWith("Ready") && left-- > 0)
            void world.cluster.patchStatus({ kind: DNS_ENTRY, ...AT }, { status });
        },
      });
      world.cluster.setStatus(DNS_ENTRY, AT.namespace, AT.name, {
        ...world.status("web"),
        ...other,
      });
      await world.pass(10 * ENTRY_PACE.everyMs);
      const answers = world.cluster.writes.length - writes;
      expect(answers).toBeGreaterThan(ENTRY_PACE.burst);
      expect(answers).toBeLessThan(2 * (ENTRY_PACE.burst + 12));
      expect(world.cluster.events.length - events).toBeLessThan(ENTRY_PACE.burst + 12);
      expect(world.zone()).toEqual([RECORD]);
      stop();
      await world.pass(2 * ENTRY_PACE.everyMs);
      expect(world.shown("web")).toBe("Ready: dns entry active");
    },
  );

  test("however often an entry is edited, or created anew, its state follows at once", async () => {
    const world = await published();
    for (let edit = 1; edit <= 2 * ENTRY_PACE.burst; edit++) {
      if (edit % 5 === 0) {
        world.cluster.delete(DNS_ENTRY, AT.namespace, AT.name);
        await world.pass(200);
      }
      world.entry("web", { ...WWW, targets: [`192.0.2.${edit}`] });
      await world.pass(200);
      expect(world.status("web")).toMatchObject({
        state: "Ready",
        targets: [`192.0.2.${edit}`],
      });
    }
  });

  test("an entry that was due while entries could not be read is not forgotten", async () => {
    const world = await started();
    world.cluster.fail({ on: "patch", code: "Unavailable", applied: false });
    world.entry("web", WWW);
    await world.pass(0);
    world.cluster.setKindState(DNS_ENTRY, "forbidden");
    await world.pass(60_000);
    expect(world.zone()).toEqual([]);
    world.cluster.relist(DNS_ENTRY);
    await world.pass();
    expect(world.zone()).toEqual([RECORD]);
  });

  test("a provider that came while entries could not be read serves them when they can be again", async () => {
    const world = new GardenerWorld();
    world.start();
    world.entry("web", WWW);
    await world.pass();
    world.cluster.setKindState(DNS_ENTRY, "forbidden");
    await world.withProvider();
    expect(world.zone()).toEqual([]);
    world.cluster.relist(DNS_ENTRY);
    await world.pass();
    expect(world.zone()).toEqual([RECORD]);
  });

  test("a restart writes nothing and publishes again", async () => {
    const world = await published();
    await world.crash();
    const writes = world.cluster.writes.length;
    world.start();
    await world.pass();
    expect(world.cluster.writes.slice(writes)).toEqual([]);
    expect(world.zone()).toEqual([RECORD]);
  });

  test("the entry may come before its provider", async () => {
    const world = new GardenerWorld();
    world.start();
    world.entry("web", WWW);
    await world.pass();
    expect(world.shown("web")).toMatch(/^Error: No responsible provider found/);
    await world.withProvider();
    expect(world.shown("web")).toBe("Ready: dns entry active");
  });

  test("the finalizer is stored before the zone hears anything", async () => {
    const world = await started();
    for (const on of ["patch", "patch", "patch"] as const)
      world.cluster.fail({ on, code: "Unavailable", applied: false, kind: DNS_ENTRY });
    world.entry("web", WWW);
    await world.clock.settle();
    expect(world.zone()).toEqual([]);
    await world.pass();
    expect(world.zone()).toEqual([RECORD]);
  });

  test.each(["Conflict", "TooManyRequests", "Unavailable", "UnknownOutcome"])(
    "F06: %s on every kind of write is got over",
    async (code) => {
      const world = await started();
      for (const on of ["patch", "patchStatus"] as const)
        for (const applied of [false, true])
          world.cluster.fail({ on, code, applied, kind: DNS_ENTRY });
      world.entry("web", WWW);
      await world.pass(5_000);
      expect(world.shown("web")).toBe("Ready: dns entry active");
      world.cluster.delete(DNS_ENTRY, "default", "web");
      await world.pass(5_000);
      expect([world.zone(), world.cluster.now(DNS_ENTRY, "default", "web")]).toEqual([[], null]);
    },
  );
});

describe("Z-5: mistakes", () => {
  test("a bad edit keeps the record, a good one is taken", async () => {
    const world = await published();
    world.entry("web", { ...WWW, ttl: 0 });
    await world.pass();
    expect(world.shown("web")).toContain("Stale: spec.ttl: invalid TTL: 0");
    expect(world.zone()).toEqual([RECORD]);
    world.entry("web", { dnsName: "www..example.org", targets: ["192.0.2.9"] });
    await world.crash();
    world.start();
    await world.pass();
    expect(world.shown("web")).toContain("Stale: spec.dnsName:");
    expect(world.zone()).toEqual([RECORD]);
    world.entry("web", { ...WWW, targets: ["192.0.2.9"] });
    await world.pass();
    expect(world.zone()).toEqual(["www.example.org 300 A 192.0.2.9"]);
  });

  test("never applied is Invalid", async () => {
    const world = await started();
    world.entry("web", { ...WWW, targets: ["192.0.2.256"] });
    await world.pass();
    expect(world.shown("web")).toContain("Invalid: spec.targets: invalid target");
    world.cluster.delete(DNS_ENTRY, "default", "web");
    expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
  });

  test.each([
    ["empty targets", { ...WWW, targets: [] }],
    ["empty text", { ...WWW, targets: undefined, text: [] }],
    ["a misspelt field", { ...WWW, targets: undefined, target: ["192.0.2.1"] }],
  ])("Z-5 %s keep the record; deleting the entry removes it", async (_, spec) => {
    const world = await published();
    const before = world.zone();
    world.entry("web", spec);
    await world.pass();
    expect(world.shown("web")).toMatch(/^Stale: no target or text specified; write/);
    expect(world.zone()).toEqual(before);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass();
    expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
  });

  test("an entry that was deleted with a bad name still takes its records along", async () => {
    const world = await published();
    world.entry("web", { dnsName: "www..example.org", targets: ["192.0.2.9"] });
    await world.pass();
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass();
    expect(world.zone()).toEqual([]);
  });
});

describe("trouble in the zone", () => {
  test("a held deletion keeps the entry and says why", async () => {
    const world = await published();
    world.engine.trouble.set("www.example.org", {
      state: "held",
      code: "FuseTripped",
      message: "approve it",
    });
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass();
    expect(world.shown("web")).toBe("Deleting: entry is scheduled to be deleted: approve it");
    world.engine.trouble.clear();
    world.engine.again();
    await world.pass();
    expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
  });

  test("two entries with one name: the later one is told", async () => {
    const world = await published();
    world.engine.trouble.set("x.example.org", {
      state: "failed",
      code: "Refused",
      message: "refused",
    });
    world.entry("x", { dnsName: "x.example.org", targets: ["192.0.2.1"] });
    await world.pass();
    expect(world.shown("x")).toBe("Error: refused");
    expect(world.shown("web")).toBe("Ready: dns entry active");
  });
});

describe("watch and cache", () => {
  test("an entry that vanished while the watch was broken is withdrawn with the weaker proof", async () => {
    const world = await published();
    world.cluster.breakWatch(DNS_ENTRY);
    await world.cluster.patch(
      { kind: DNS_ENTRY, namespace: "default", name: "web" },
      { metadata: { finalizers: [] } },
    );
    world.cluster.delete(DNS_ENTRY, "default", "web");
    world.cluster.relist(DNS_ENTRY);
    await world.pass();
    expect(world.engine.withdrawn).toEqual(["c1|dnsentry/default/web missing-from-list"]);
  });
});

test("an entry that vanishes under our hands is no failure", async () => {
  const world = await published();
  world.cluster.breakWatch(DNS_ENTRY);
  const ref = { kind: DNS_ENTRY, namespace: "default", name: "web" };
  await world.cluster.patch(ref, { metadata: { finalizers: [] } });
  world.cluster.delete(DNS_ENTRY, "default", "web");
  world.engine.trouble.set("www.example.org", { state: "failed", code: "X", message: "x" });
  world.engine.again();
  await world.pass();
  expect(world.queues.failures).toEqual([]);
});

describe("Z-19: namespaces can go", () => {
  test("everything at once, provider first", async () => {
    const world = await published();
    world.cluster.delete(SECRET, "default", "p");
    world.cluster.delete(DNS_PROVIDER, "default", "p");
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(10_000);
    expect(world.zone()).toEqual([]);
    for (const kind of [DNS_ENTRY, DNS_PROVIDER, SECRET])
      expect(world.cluster.all(kind)).toEqual([]);
  });

  test("a provider that goes alone leaves its entries Stale, with their records", async () => {
    const world = await published();
    world.cluster.delete(DNS_PROVIDER, "default", "p");
    await world.pass(1_000);
    expect(world.provider()).not.toBeNull();
    expect(world.shown("web")).toBe('Stale: provider "default/p" not valid: it is being deleted');
    await world.pass(10_000);
    expect(world.provider()).toBeNull();
    expect(world.shown("web")).toMatch(/^Stale: No responsible provider found/);
    expect(world.zone()).toEqual([RECORD]);
    expect(world.cluster.now(SECRET, "default", "p")?.metadata.finalizers).toEqual([]);
  });

  test("an entry without a provider is released after an hour", async () => {
    const world = await published();
    world.cluster.delete(DNS_PROVIDER, "default", "p");
    await world.pass(10_000);
    world.cluster.delete(DNS_ENTRY, "default", "web");
    await world.pass(3_500_000);
    expect(world.shown("web")).toContain('provider "default/p" no longer exists');
    await world.pass(200_000);
    expect(world.cluster.now(DNS_ENTRY, "default", "web")).toBeNull();
    expect(world.cluster.events.map((e) => e.note.reason)).toContain("RecordsLeft");
    expect(world.zone()).toEqual([RECORD]);
  });
});

test("an entry of another class is not touched", async () => {
  const world = await started();
  world.entry("web", WWW, { "dns.gardener.cloud/class": "other" });
  await world.pass();
  const entry = world.cluster.now(DNS_ENTRY, "default", "web");
  expect([entry?.metadata.finalizers, entry?.["status"], world.zone()]).toEqual([
    undefined,
    undefined,
    [],
  ]);
});
