import { expect, test } from "vitest";
import { NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { NamePlan } from "../../plan/changes.ts";
import type { Contribution } from "../contract/contribution.ts";

test("an edit whose round breaks off before anything is sent is still made", async () => {
  const { clock, engine, zoneInput, values, trouble } = engineWorld();
  engine.openZone(zoneInput);
  await clock.advance(1_000);
  trouble.guard = 2;
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(100);
  expect(values("www")).toEqual([]);
  await clock.advance(30_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
});

test("Z-11 a text at another's marker name and that record never share a round", async () => {
  const { clock, engine, zoneInput, values } = engineWorld();
  engine.openZone(zoneInput);
  await clock.advance(1_000);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  engine.contribute(KEY, entry("a-www", ['"mine"'], "TXT"));
  await clock.advance(60_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  expect(values("a-www")).toEqual(['"mine"']);
});

test.each([
  ["a burst goes out in fewer calls", 4, 400, 700, 10],
  ["changes that come one by one wait for each other no longer than 10 ms", 40, 100, 40, 100],
])("%s", async (_what, everyMs, count, longMs, callsMax) => {
  const { clock, account, engine, zoneInput, values } = engineWorld();
  let calls = 0;
  const apply: typeof NO_FAULTS.apply = (...call) => {
    calls += 1;
    return NO_FAULTS.apply(...call);
  };
  account.breakWith({ ...NO_FAULTS, apply });
  engine.openZone(zoneInput);
  await clock.advance(1_000);
  calls = 0;
  for (let index = 0; index < count; index++) {
    engine.contribute(KEY, entry(`n${index}`, ["192.0.2.1"]));
    await clock.advance(everyMs);
    // What was asked for so long ago is there.
    const before = index - longMs / everyMs;
    if (before >= 0) expect(values(`n${before}`)).toEqual(["192.0.2.1"]);
  }
  await clock.advance(1_000);
  expect(values(`n${count - 1}`)).toEqual(["192.0.2.1"]);
  expect(calls).toBeLessThanOrEqual(callsMax);
});

test("a wildcard that waits for a name below it, where another object waits, is not planned for ever (simulator, F07 14)", async () => {
  let rounds = 0;
  const admit = async (plans: readonly NamePlan[]): Promise<readonly NamePlan[]> => {
    rounds += 1;
    return plans;
  };
  const openGuard = () => ({ admit, approve: async () => false, heldSets: () => [] });
  const { clock, engine, zoneInput, values } = engineWorld({ openGuard });
  const listing = (object: string, ...all: readonly Contribution[]): void => {
    const empty = entry(object, []);
    const items = all.flatMap(({ found }) => found.items);
    const own = items.map((item) => ({ ...item, provenance: empty.object }));
    engine.contribute(KEY, { ...empty, found: { ...empty.found, items: own } });
  };
  engine.openZone(zoneInput);
  listing("other", entry("taken", ["192.0.2.9"]));
  listing("renamed", entry("*.w", ["192.0.2.1"]));
  await clock.advance(5_000);
  listing("renamed", entry("x.w", ["192.0.2.1"]), entry("taken", ["192.0.2.1"]));
  listing("waits", entry("x.w", ["target.example.net"], "CNAME"));
  await clock.advance(5_000);
  expect([values("*.w"), values("x.w")]).toEqual([["192.0.2.1"], ["192.0.2.1"]]);
  rounds = 0;
  await clock.advance(60_000);
  expect(rounds).toBeLessThan(30);
});

test("a zone that cannot be read for long is tried at least twice a minute", async () => {
  const { clock, account, engine, zoneInput, values, reports } = engineWorld();
  account.breakWith({ ...NO_FAULTS, read: () => [{ kind: "down" }] });
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  engine.openZone(zoneInput);
  await clock.advance(3_600_000);
  expect(reports.at(-1)?.names[0]).toMatchObject({ state: "failed" });
  account.breakWith(NO_FAULTS);
  await clock.advance(40_000);
  expect(values("www")).toEqual(["192.0.2.1"]);
  expect(reports.at(-1)?.names[0]).toMatchObject({ state: "published", message: "" });
});

test("one lost look at the serial alarms nobody", async () => {
  const { clock, account, engine, zoneInput, reports } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const before = reports.length;
  account.breakWith({ ...NO_FAULTS, read: () => [{ kind: "down" }] });
  await clock.advance(6_000);
  account.breakWith(NO_FAULTS);
  await clock.advance(60_000);
  expect(reports.length).toBe(before);
});

test("a zone of many entries is reported whole, also those that are as wanted after a restart", async () => {
  const { clock, engine, zoneInput, values, reports } = engineWorld();
  const names = Array.from({ length: 510 }, (_, index) => `host-${index}`);
  engine.openZone(zoneInput);
  for (const name of names) engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  await clock.advance(20_000);
  expect(values("host-509")).toEqual(["192.0.2.1"]);
  await engine.closeZone(KEY);
  reports.length = 0;
  engine.openZone(zoneInput);
  await clock.advance(20_000);
  const published = reports.filter(({ names: [one] }) => one?.state === "published");
  expect(new Set(published.map(({ object }) => object.name))).toEqual(new Set(names));
  expect(reports.length).toBe(names.length);
});

test("who looks at a zone hears of its end, and why there is none", async () => {
  const { clock, engine, zoneInput } = engineWorld();
  engine.openZone(zoneInput);
  await clock.advance(5_000);
  expect(engine.views.view("example.org")).toHaveProperty("view");
  const events: unknown[] = [];
  engine.views.onChange((...[apex, id, names]) => events.push([apex, id, names]));
  await engine.closeZone(KEY);
  expect(events).toEqual([["example.org", zoneInput.zone.id, "all"]]);
  expect(engine.views.view("example.org")).toEqual({
    unread: expect.stringContaining("no DNSProvider leads into a zone example.org now; mend"),
  });
});

test("another session that reads back otherwise is asked anew about what was as wanted", async () => {
  const { clock, account, engine, zoneInput, values } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const other = new Proxy(zoneInput.session, {
    get: (target, key) => {
      if (key === "normalize") return (set: RecordSet) => ({ ...set, values: ["192.0.2.7"] });
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  account.breakWith(NO_FAULTS);
  engine.openZone({ ...zoneInput, session: other });
  await clock.advance(5_000);
  expect(values("www")).toEqual(["192.0.2.7"]);
});
