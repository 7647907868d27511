/** Somebody who changes a record of ours again and again (ADR 0134). */
import { expect, test } from "vitest";
import { parseZone } from "../../../test/support/values/zone-text.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";

const FOREIGN = ["192.0.2.99"];
const MINUTE = 60_000;

/** A zone with `www`, and a rival who edits it each two minutes, so many times. */
async function fought(times: number) {
  const world = engineWorld();
  const { clock, engine, zoneInput, account, values } = world;
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await clock.advance(5_000);
  const edit = (): void => {
    const [next] = parseZone("www 300 A 192.0.2.99");
    if (next !== undefined)
      account.zoneNamed(KEY.zone)?.content.write([{ key: next, next }], clock.nowMs());
  };
  for (let time = 0; time < times; time++) {
    expect(values("www")).toEqual(["192.0.2.1"]);
    edit();
    await clock.advance(2 * MINUTE);
  }
  return { ...world, edit };
}

test("four edits of somebody else are corrected; the fifth within an hour stays, and is told", async () => {
  const { values, reports, clock, engine } = await fought(5);
  expect(values("www")).toEqual(FOREIGN);
  expect(reports.at(-1)?.names[0]).toMatchObject({ state: "held", code: "Fighting" });
  const [explained] = await engine.explain(entry("www", []).found.items[0]?.name ?? KEY.zone);
  expect(JSON.stringify(explained)).toContain("Fighting");
  await clock.advance(40 * MINUTE);
  expect(values("www")).toEqual(FOREIGN);
});

test("a fight ends when the rival gives in, when the object changes, and by itself after an hour", async () => {
  const first = await fought(5);
  const [mine] = parseZone("www 300 A 192.0.2.1");
  if (mine === undefined) throw new Error("no set");
  first.account
    .zoneNamed(KEY.zone)
    ?.content.write([{ key: mine, next: mine }], first.clock.nowMs());
  await first.clock.advance(MINUTE);
  expect(first.reports.at(-1)?.names[0]).toMatchObject({ state: "published", message: "" });

  const second = await fought(5);
  second.engine.contribute(KEY, { ...entry("www", ["192.0.2.2"]), generation: 2 });
  await second.clock.advance(MINUTE);
  expect(second.values("www")).toEqual(["192.0.2.2"]);
  second.edit();
  await second.clock.advance(2 * MINUTE);
  expect(second.values("www")).toEqual(FOREIGN);

  const third = await fought(5);
  await third.clock.advance(75 * MINUTE);
  expect(third.values("www")).toEqual(["192.0.2.1"]);
});

test("edits that are far apart are corrected for ever", async () => {
  const { values, edit, clock } = await fought(1);
  for (let time = 0; time < 6; time++) {
    await clock.advance(20 * MINUTE);
    expect(values("www")).toEqual(["192.0.2.1"]);
    edit();
    await clock.advance(2 * MINUTE);
  }
});
