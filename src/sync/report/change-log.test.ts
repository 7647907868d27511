import { invariant } from "@zonekeeper/base/invariant";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MapState } from "../../../test/support/values/fuse.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { CHANGE_LINES_MAX } from "./change-log.ts";

async function world() {
  const log = new MemoryLog();
  const found = engineWorld({ clock: new VirtualClock(), engine: { log } });
  const facts = { sinceMs: 0, isTrusted: true, sameAs: [], otherThan: [] };
  found.engine.openZone({
    ...found.zoneInput,
    facts: () => ({ ...facts, providers: ["default/embedded"] }),
  });
  await found.clock.advance(1_000);
  /** What happened since, without the fields that are equal in all lines. */
  const happened = async () => {
    log.lines.length = 0;
    await found.clock.advance(2_000);
    return log.lines.flatMap(({ level, message, fields }) => {
      const { zone: _zone, ms: _ms, ...rest } = fields;
      return level === "info" ? [{ message, ...rest }] : [];
    });
  };
  return { ...found, log, happened };
}

test("one line says what was created, changed and removed, for which object and by which provider", async () => {
  const { engine, happened } = await world();
  const www = { type: "A", name: "www.example.org", for: "dnsentry/default/www" };
  const provider = "default/embedded";
  engine.contribute(KEY, entry("www", ["192.0.2.1", "192.0.2.2"]));
  expect(await happened()).toEqual([
    {
      message: "record created",
      ...{ ...www, values: "192.0.2.1,192.0.2.2", ttl: 300, why: "Wanted", provider },
    },
  ]);
  engine.contribute(KEY, { ...entry("www", ["192.0.2.3"]), generation: 2 });
  const was = "192.0.2.1,192.0.2.2";
  expect(await happened()).toEqual([
    {
      message: "record changed",
      ...{ ...www, values: "192.0.2.3", was, ttl: 300, why: "ValueChanged", provider },
    },
  ]);
  engine.withdraw(entry("www", []).object, "deleted-object");
  expect(await happened()).toEqual([
    {
      message: "record removed",
      ...{ ...www, was: "192.0.2.3", why: "deleted-object", provider },
    },
  ]);
});

test("what is more than twenty a second is counted in one line for the zone", async () => {
  const { engine, happened } = await world();
  for (let index = 0; index < CHANGE_LINES_MAX + 15; index++)
    engine.contribute(KEY, entry(`host-${index}`, ["192.0.2.1"]));
  const lines = await happened();
  expect(lines.filter(({ message }) => message === "record created")).toHaveLength(
    CHANGE_LINES_MAX,
  );
  expect(lines.at(-1)).toEqual({
    message: "further changes of this second",
    ...{ created: 15, changed: 0, removed: 0, ownership: 0 },
  });
  engine.contribute(KEY, entry("one-more", ["192.0.2.1"]));
  expect(await happened()).toMatchObject([{ message: "record created" }]);
});

test("values are cut, and what was counted is told when the engine stops", async () => {
  const { engine, happened, clock, log } = await world();
  const long = Array.from({ length: 40 }, (_, index) => `192.0.2.${index + 1}`);
  engine.contribute(KEY, entry("many", long));
  const [line] = await happened();
  expect(line).toMatchObject({ message: "record created" });
  expect(log.lines[0]?.fields["values"]).toMatch(/^192\.0\.2\.1,.{190,200}… \(40 values\)$/);
  for (let index = 0; index <= CHANGE_LINES_MAX; index++)
    engine.contribute(KEY, entry(`host-${index}`, ["192.0.2.1"]));
  await clock.advance(300);
  await Promise.all([engine.stop(), clock.advance(100)]);
  expect(log.lines.at(-1)?.fields).toMatchObject({ created: 1, changed: 0 });
});

test("a change is an edit of an object, a person's order, or a repair of what somebody else changed", async () => {
  const state = new MapState();
  const journal = { state, changesMax: 500, gatherMs: 0 };
  const { engine, clock, content, zoneInput } = engineWorld({ engine: { journal } });
  engine.openZone(zoneInput);
  await clock.advance(1_000);
  engine.contribute(KEY, { ...entry("www", ["192.0.2.1"]), generation: 4 });
  await clock.advance(2_000);
  const [set] = content.at(trustedDnsName("www.example.org"));
  invariant(set, "the record was written");
  content.write([{ key: set, next: { ...set, values: ["198.51.100.66"] } }]);
  await clock.advance(600_000);
  const query = { zone: null, name: null, sinceMs: null, limit: 10 };
  const { changes } = await engine.history(query);
  expect(changes).toMatchObject([
    { cause: "drift", is: "changed", before: { values: ["198.51.100.66"] }, generation: 4 },
    { cause: "edit", is: "created", answeredMs: expect.any(Number), generation: 4 },
  ]);
  expect(changes[0]).not.toHaveProperty("answeredMs");
});
