/** The journal by itself: what is kept, over restarts and while its place is out of reach. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test, vi } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MapState } from "../../../test/support/values/fuse.ts";
import type { ChangeQuery, ZoneChange } from "../contract/zone-change.ts";
import { ChangeJournal, HISTORY_DAYS, type JournalStorage } from "./change-journal.ts";

const ZONE = trustedDnsName("example.org");
const ALL: ChangeQuery = { zone: null, name: null, sinceMs: null, limit: 10_000 };

function world(more: Partial<JournalStorage> = {}) {
  const clock = new VirtualClock();
  const log = new MemoryLog();
  const state = new MapState();
  const storage = { state, changesMax: 500, gatherMs: 0, ...more };
  const open = () => new ChangeJournal({ ...storage, owner: "me", clock, log });
  const change = (number: number, zone = ZONE): ZoneChange => ({
    ...{ atMs: clock.nowMs(), zone, name: trustedDnsName(`host-${number}.${zone}`), type: "A" },
    ...{ is: "created", after: { values: ["192.0.2.1"], ttlSeconds: 300 } },
    ...{ object: "service/default/web", cause: "edit", why: "Wanted", providers: [], callMs: 1 },
  });
  const numbers = async (journal: ChangeJournal, query: Partial<ChangeQuery> = {}) => {
    const { changes } = await journal.history({ ...ALL, ...query }, [ZONE]);
    return changes.map(({ name }) => Number(/\d+/.exec(name)?.[0]));
  };
  return { clock, log, state, open, change, numbers };
}

const countdown = (from: number, to: number): readonly number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

test("what was noted is there, the newest first, also for the next process", async () => {
  const { clock, open, change, numbers } = world();
  const journal = open();
  for (let number = 0; number < 250; number++) journal.note([change(number)]);
  expect(await numbers(journal)).toEqual(countdown(249, 0));
  await clock.advance(1);
  const next = open();
  expect(await numbers(next)).toEqual(countdown(249, 0));
  next.note([change(250)]);
  await clock.advance(1);
  expect(await numbers(open())).toEqual(countdown(250, 0));
});

test("the oldest go, a page at a time, and never more than that", async () => {
  const { clock, open, change, numbers } = world({ changesMax: 300 });
  for (let number = 0; number < 617; number++) {
    // Each time another process.
    const journal = open();
    journal.note([change(number)]);
    await clock.advance(1);
    if (number % 41 !== 0) continue;
    const kept = await numbers(open());
    expect(kept).toEqual(countdown(number, number - kept.length + 1));
    expect(kept.length).toBeGreaterThanOrEqual(Math.min(number + 1, 300));
    expect(kept.length).toBeLessThanOrEqual(400);
  }
});

test("a query asks by name, zone, time, approved set and number", async () => {
  const { clock, open, change, numbers } = world();
  const journal = open();
  const other = trustedDnsName("example.net");
  journal.note([change(1), change(2)]);
  await clock.advance(60_000);
  journal.note([change(3)]);
  journal.note([{ ...change(4, other), hash: "h1" }]);
  await clock.advance(1);
  expect((await numbers(journal)).sort()).toEqual([1, 2, 3, 4]);
  expect(await numbers(journal, { hash: "h1" })).toEqual([4]);
  expect(await numbers(journal, { hash: "h2" })).toEqual([]);
  expect(await numbers(journal, { zone: other })).toEqual([4]);
  expect(await numbers(journal, { zone: ZONE, sinceMs: clock.nowMs() - 30_000 })).toEqual([3]);
  expect(await numbers(journal, { name: trustedDnsName("host-2.example.org") })).toEqual([2]);
  expect(await journal.history({ ...ALL, zone: ZONE, limit: 2 }, [])).toMatchObject({
    changes: [{ name: "host-3.example.org" }, { name: "host-2.example.org" }],
    isCut: true,
  });
  await clock.advance(HISTORY_DAYS * 86_400_000);
  expect(await numbers(journal)).toEqual([]);
});

test("what cannot be written is logged once, and is there when it can be", async () => {
  const { clock, log, open, change, numbers, state } = world();
  const write = state.write.bind(state);
  state.write = async () => {
    throw new OperationError({ code: "DiskFull", message: "no space left", retry: "backoff" });
  };
  const journal = open();
  journal.note([change(1)]);
  await clock.advance(60_000);
  journal.note([change(2)]);
  await clock.advance(60_000);
  expect(log.lines.filter(({ level }) => level === "warn")).toMatchObject([
    { fields: { zone: ZONE, why: expect.stringContaining("no space left") } },
  ]);
  const { troubles, changes } = await journal.history(ALL, [ZONE]);
  expect(changes).toHaveLength(2);
  expect(troubles).toEqual([expect.stringContaining("no space left")]);
  for (let number = 3; number < 1_503; number++) journal.note([change(number)]);
  expect(await numbers(journal)).toEqual(countdown(1_502, 1_003));
  state.write = write;
  await clock.advance(60_000);
  expect(await numbers(open())).toEqual(countdown(1_502, 1_003));
  expect((await journal.history(ALL, [ZONE])).troubles).toEqual([]);
});

test("what comes while a page is being written, more than is kept, is written after it", async () => {
  const { clock, open, change, numbers, state } = world({ changesMax: 100 });
  const write = state.write.bind(state);
  let go = (): void => undefined;
  state.write = async (key, value) => {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    await write(key, value);
  };
  const journal = open();
  for (let number = 0; number < 60; number++) journal.note([change(number)]);
  await clock.advance(1);
  for (let number = 60; number < 180; number++) journal.note([change(number)]);
  state.write = write;
  go();
  await clock.advance(1);
  expect(await numbers(open())).toEqual([...countdown(179, 80), ...countdown(59, 0)]);
});

test("a clock that jumps back changes no order", async () => {
  const { clock, open, change, numbers } = world();
  const journal = open();
  const other = trustedDnsName("example.net");
  await clock.advance(60_000);
  journal.note([change(1)]);
  journal.note([{ ...change(2), atMs: clock.nowMs() - 30_000 }]);
  journal.note([{ ...change(3, other), atMs: clock.nowMs() - 10_000 }]);
  expect(await numbers(journal)).toEqual([3, 2, 1]);
});

test("another writer's pages are read again, and nothing of them is written over", async () => {
  const { clock, open, change, numbers, state } = world();
  const write = state.write.bind(state);
  const [former, present] = [open(), open()];
  former.note([change(1)]);
  await clock.advance(1);
  present.note([change(2)]);
  await clock.advance(1);
  // As ConfigMaps answer: the former leader's copy is old.
  let isRefused = true;
  state.write = async (key, value) => {
    if (isRefused) throw new OperationError({ code: "Conflict", message: "old", retry: "backoff" });
    await write(key, value);
  };
  former.note([change(3)]);
  await clock.advance(1);
  isRefused = false;
  await clock.advance(60_000);
  expect(await numbers(open())).toEqual([3, 2, 1]);
});

test("the newest ones cost the newest page, and the rest is looked through once", async () => {
  const { clock, open, change, numbers, state } = world();
  const journal = open();
  for (let number = 0; number < 350; number++) journal.note([change(number)]);
  await clock.advance(1);
  const read = vi.spyOn(state, "read");
  expect(await numbers(journal, { limit: 5 })).toEqual(countdown(349, 345));
  // And whether there is a newer one.
  expect(read).toHaveBeenCalledTimes(2);
  const isShown = ({ name }: ZoneChange): boolean => name.startsWith("host-10.");
  expect(await numbers(journal, { limit: 5, isShown })).toEqual([10]);
});

test("a page that is not readable costs its own changes alone", async () => {
  const { clock, open, change, numbers, state } = world();
  const journal = open();
  for (let number = 0; number < 150; number++) journal.note([change(number)]);
  await clock.advance(1);
  await state.write("journal/me/example.org/0", '{"first":0,"changes":[{"atMs":1');
  expect(await numbers(open())).toEqual(countdown(149, 100));
});

test("a stop writes what gathers, and waits for a hanging store two seconds at most", async () => {
  const { clock, open, change, numbers, state } = world({ gatherMs: 5_000 });
  const journal = open();
  journal.note([change(1)]);
  await journal.stop();
  expect(await numbers(open())).toEqual([1]);
  const next = open();
  next.note([change(2)]);
  state.write = () => new Promise(() => undefined);
  const stopped = next.stop().then(() => "stopped");
  await clock.advance(2_000);
  expect(await stopped).toBe("stopped");
});
