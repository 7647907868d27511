import { expect, test } from "vitest";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { FIRST_PLAN_MS } from "./first-plan.ts";

type Fixture = ReturnType<typeof engineWorld>;

const NAMES = Array.from({ length: 20 }, (_, index) => `n${index}`);
const OLD = "192.0.2.1";
const NEW = "192.0.2.2";

/** A process of a version; it finds the zone as `before` has left it. */
function start(version: string, state: MapState, before?: Fixture): Fixture {
  const found = before === undefined ? {} : { account: before.account, clock: before.clock };
  const fixture: Fixture = engineWorld({
    ...found,
    openGuard: () => memoryFuse({ clock: fixture.clock, state, version }),
  });
  fixture.engine.openZone(fixture.zoneInput);
  return fixture;
}

/** One after the other, as objects are listed and read. */
async function say({ engine, clock }: Fixture, value: string, pauseMs: number): Promise<void> {
  for (const name of NAMES) {
    engine.contribute(KEY, entry(name, [value]));
    await clock.advance(pauseMs);
  }
  await clock.advance(30_000);
}

const changed = ({ values }: Fixture): number =>
  NAMES.filter((name) => values(name).includes(NEW)).length;

/** A zone that version 1 has filled, and its counters. */
async function filled() {
  const state = new MapState();
  const fixture = start("1", state);
  await say(fixture, OLD, 0);
  expect(NAMES.flatMap(fixture.values)).toHaveLength(NAMES.length);
  await fixture.engine.stop();
  await fixture.clock.advance(2 * FIRST_PLAN_MS);
  return { state, fixture };
}

test.each([0, 200, 10_000])(
  "Z-16 a new version is held however late its objects speak, one every %d ms",
  async (pauseMs) => {
    const { state, fixture } = await filled();
    const next = start("2", state, fixture);
    await next.clock.advance(1_000);
    await say(next, NEW, pauseMs);
    expect(changed(next)).toBeLessThan(10);
    const [held] = next.engine.status().flatMap(({ heldSets }) => heldSets);
    expect(held).toMatchObject({ kind: "updates", changes: NAMES.length - changed(next) });
    await next.engine.approve(held?.hash ?? "");
    await next.clock.advance(30_000);
    expect(changed(next)).toBe(NAMES.length);
  },
);

test("a restart in the middle of the first plan does not forget what it was about", async () => {
  const { state, fixture } = await filled();
  let before = fixture;
  for (let round = 0; round < 4; round++) {
    const next = start("2", state, before);
    for (const name of NAMES.slice(round * 5, round * 5 + 5))
      next.engine.contribute(KEY, entry(name, [NEW]));
    await next.clock.advance(5_000);
    await next.engine.stop();
    before = next;
  }
  expect(changed(before)).toBeLessThan(10);
});

test("the same version changes what it is asked to, at once", async () => {
  const { state, fixture } = await filled();
  const next = start("1", state, fixture);
  await say(next, NEW, 0);
  expect(changed(next)).toBe(NAMES.length);
});

test("what a version has made itself is edited as people like, and so is all when its first plan is over", async () => {
  const made = start("1", new MapState());
  await say(made, OLD, 0);
  await say(made, NEW, 0);
  expect(changed(made)).toBe(NAMES.length);

  const { state, fixture } = await filled();
  const next = start("2", state, fixture);
  await say(next, OLD, 0);
  await next.clock.advance(FIRST_PLAN_MS);
  await say(next, NEW, 0);
  expect(changed(next)).toBe(NAMES.length);
});

test("a record that is new beside a held one does not let that one pass", async () => {
  const { state, fixture } = await filled();
  const next = start("2", state, fixture);
  await say(next, NEW, 0);
  const passed = changed(next);
  expect(passed).toBeLessThan(10);
  for (const name of NAMES) {
    const { object, found, ...rest } = entry(name, [NEW]);
    const text = entry(name, ['"beside"'], "TXT").found.items;
    const items = [...found.items, ...text];
    next.engine.contribute(KEY, { ...rest, object, found: { ...found, items } });
  }
  await next.clock.advance(60_000);
  expect(NAMES.every((name) => next.values(name).includes('"beside"'))).toBe(true);
  expect(changed(next)).toBe(passed);
});
