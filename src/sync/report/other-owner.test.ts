import { expect, test } from "vitest";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { trustedDnsName } from "../../model/dns-name.ts";

const QUESTION =
  'all records that objects want in example.org and that have an owner belong to "me", none to "east": is --owner right? If it is: zonekeeper transfer --from me --to east --force';
const WWW = trustedDnsName("www.example.org");

/** The zone as a process with the owner id `me` left it; the next one has the owner id `east`. */
async function restarted(...names: readonly string[]) {
  const before = engineWorld();
  before.engine.openZone(before.zoneInput);
  for (const name of names) before.engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  await before.clock.advance(5_000);
  const identity = { owners: new Set(["east"]), mainOwner: "east", clusterRank: {} };
  const { clock, account } = before;
  await before.engine.stop();
  const world = engineWorld({ clock, account, engine: { identity } });
  world.engine.openZone(world.zoneInput);
  return world;
}

async function asked(world: Awaited<ReturnType<typeof restarted>>) {
  await world.clock.advance(5_000);
  const [explanation] = await world.engine.explain(WWW);
  const [status] = world.engine.status();
  return [status?.ownerQuestion, explanation?.ownerQuestion];
}

test("where all that objects want is of one other owner, plan and explain ask for --owner", async () => {
  const world = await restarted("www", "mail");
  for (const name of ["www", "mail"]) world.engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  expect(await asked(world)).toEqual([QUESTION, QUESTION]);
});

test("where a record is ours, or no object wants those of the other owner, they do not", async () => {
  const mixed = await restarted("www");
  for (const name of ["www", "ours"]) mixed.engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  expect(await asked(mixed)).toEqual([undefined, undefined]);
  expect(await asked(await restarted("www"))).toEqual([undefined, undefined]);
});
