/** A registry that fails now and then: what was read since is judged anew, and nothing is lost. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { Ownership } from "../../ownership/ownership.ts";

/** A world whose registry fails its next calls of a kind as often as `failures` says. */
function failingWorld() {
  const world = engineWorld();
  const failures = { read: 0, affected: 0, refresh: 0, resync: 0 };
  const meet = (what: keyof typeof failures): void => {
    if (failures[what] === 0) return;
    failures[what] -= 1;
    throw new OperationError({ code: "PluginFailed", message: what, retry: "backoff" });
  };
  const registry = world.zoneInput.ownership;
  const regained: string[] = [];
  const ownership: Ownership = {
    ...{ format: registry.format, zoneMarkers: registry.zoneMarkers, permits: registry.permits },
    related: (name, unused) => registry.related(name, unused),
    prepare: (plan, content) => registry.prepare(plan, content),
    confirm: (group, outcome) => registry.confirm(group, outcome),
    affected: (name) => {
      meet("affected");
      return registry.affected(name);
    },
    read: async (sets) => {
      meet("read");
      return registry.read(sets);
    },
    externalStore: {
      isStale: false,
      refresh: async () => {
        meet("refresh");
        return regained.splice(0);
      },
      recordIntents: async () => undefined,
      resync: async () => meet("resync"),
    },
  };
  world.engine.openZone({ ...world.zoneInput, ownership });
  return { ...world, failures, regained };
}

const SETTLED_MS = 120_000;

test.each(["read", "affected", "refresh", "resync"] as const)(
  "a first reading that fails in %s is tried again",
  async (what) => {
    const { engine, failures, values, clock } = failingWorld();
    failures[what] = 2;
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await clock.advance(SETTLED_MS);
    expect(values("www")).toEqual(["192.0.2.1"]);
    await engine.stop();
  },
);

test.each(["read", "affected"] as const)(
  "it fails in %s after a write: the write is known, and what follows is right",
  async (what) => {
    const { engine, failures, values, clock, content, reports } = failingWorld();
    await clock.advance(1_000);
    failures[what] = 1;
    engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    engine.contribute(KEY, entry("api", ["192.0.2.1"]));
    await clock.advance(SETTLED_MS);
    expect([values("www"), values("api")]).toEqual([["192.0.2.1"], ["192.0.2.1"]]);
    const calls = content.at(trustedDnsName("www.example.org")).length;
    engine.contribute(KEY, entry("www", ["192.0.2.2"]));
    await clock.advance(SETTLED_MS);
    expect([calls, values("www")]).toEqual([1, ["192.0.2.2"]]);
    expect(reports.at(-1)?.names.every(({ state }) => state === "published")).toBe(true);
    await engine.stop();
  },
);

test("names that another client moved are planned, although the reading that saw them failed", async () => {
  const { engine, failures, values, clock, content, account } = failingWorld();
  for (const name of ["www", "api"]) engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  await clock.advance(SETTLED_MS);
  const key = { name: trustedDnsName("www.example.org"), type: "A", setIdentifier: null };
  const foreign = { ttlSeconds: 300, values: ["192.0.2.9"], routingPolicy: null, properties: {} };
  failures.read = 1;
  failures.resync = 1;
  account.zoneNamed(APEX)?.content.write([{ key, next: { ...key, ...foreign } }], 0);
  expect(content.at(key.name)).toHaveLength(1);
  await clock.advance(30 * SETTLED_MS);
  expect(values("www")).toEqual(["192.0.2.1"]);
  await engine.stop();
});
