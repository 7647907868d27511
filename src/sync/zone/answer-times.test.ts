/** The time to answer (zonekeeper_answer_seconds): what begins it, ends it, and does not count. */
import { expect, test } from "vitest";
import { MemoryMetrics, SeededRandom } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { nameOf } from "../../../test/support/values/zone-text.ts";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { SYNC_DEFAULTS } from "../contract/settings.ts";
import { NameLedger } from "./name-ledger.ts";

const name = nameOf("www");

/** The ledger of a zone, and its times. */
function timesOf(clock = new VirtualClock()) {
  const ledger = new NameLedger(clock, new SeededRandom(), SYNC_DEFAULTS);
  const edit = (): void => ledger.mark(name, true);
  return { ledger, edit, take: () => ledger.takeDue(1), times: ledger.answers };
}

test("a change is answered once, and several are measured from the first one", async () => {
  const clock = new VirtualClock();
  const { edit, take, times } = timesOf(clock);
  edit();
  await clock.advance(1_000);
  edit();
  take();
  await clock.advance(500);
  expect([times.answered(name), times.answered(name)]).toEqual([1_500, null]);
});

test("a change that comes while a call is under way waits for the answer after it", async () => {
  const clock = new VirtualClock();
  const { edit, take, times } = timesOf(clock);
  edit();
  take();
  await clock.advance(2_000);
  edit();
  await clock.advance(1_000);
  expect(times.answered(name)).toBe(3_000);
  take();
  await clock.advance(250);
  expect(times.answered(name)).toBe(1_250);
});

test("what is in sync or held meanwhile is not measured", () => {
  const { ledger, edit, take } = timesOf();
  edit();
  take();
  ledger.remember({ name, changes: [], holds: [] });
  expect(ledger.answers.answered(name)).toBeNull();
});

test("the engine observes each confirmed change of an object, and nothing else", async () => {
  const metrics = new MemoryMetrics();
  const { clock, engine, zoneInput } = engineWorld({ engine: { metrics } });
  engine.openZone(zoneInput);
  await clock.advance(1_000);
  const observed = () => metrics.value("zonekeeper_answer_seconds", { zone: APEX });
  const contribute = async (address: string, waitMs: number) => {
    engine.contribute(KEY, entry("www", [address]));
    await clock.advance(waitMs);
  };
  await contribute("192.0.2.1", 10_000);
  expect(observed()).toBe(1);
  await contribute("192.0.2.1", 700_000);
  expect(observed(), "neither an equal contribution nor a full pass").toBe(1);
  await contribute("192.0.2.2", 10_000);
  expect(observed()).toBe(2);
  await engine.stop();
});
