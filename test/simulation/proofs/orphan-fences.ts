/**
 * Fences of owners that are gone: they are listed among orphans, and a person may remove one in the
 * state that was shown (Z-17). Throws at the first rule that is broken; no test framework, so that
 * mutants can be bundled.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { chooseRights } from "../../../src/app/api/rights-choice.ts";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { fenceName } from "../../../src/sync/contract/fence-record.ts";
import type { WriterTerm } from "../../../src/sync/contract/writer-term.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

type World = ReturnType<typeof programWorld>;
type Running = ReturnType<World["start"]>;

interface Story {
  readonly world: World;
  /** Of the owner `me`. */
  readonly running: Running;
}

const fenceOf = (owner: string) => {
  const name = fenceName(trustedDnsName("example.org"), owner);
  if (name === null) throw new Error("no name for the fence");
  return name;
};

const fence = (domain: string) => {
  const term: WriterTerm = {
    ...{ domain, epoch: 1, id: "one", copyEpoch: null, marginMs: 0 },
    ...{ remainingMs: () => Number.POSITIVE_INFINITY, outdated: () => {} },
  };
  return { term, record: true };
};

function apply({ cluster }: World, name: string): void {
  const spec = { dnsName: `${name}.example.org`, targets: ["192.0.2.1"] };
  cluster.apply(DNS_ENTRY, objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", name, { spec }));
}

/** `gone` had one name; with `keeps` its record is there when `me` begins. */
async function afterTheOther(keeps: boolean): Promise<Story> {
  const world = programWorld();
  const { clock, cluster, start } = world;
  apply(world, "www");
  const other = start(undefined, { owner: "gone", fence: fence("c1/default/gone") });
  await clock.advance(60_000);
  if (!keeps) cluster.delete(DNS_ENTRY, "default", "www");
  await clock.advance(60_000);
  await other.stop();
  apply(world, "mine");
  const running = start(undefined, { fence: fence("c1/default/me") });
  await clock.advance(60_000);
  return { world, running };
}

async function orphans(running: Running): Promise<string> {
  const rows = (await running.rights(null)).flatMap((zone) => zone.rows);
  return rows.flatMap(({ orphan, name }) => (orphan === undefined ? [] : [name])).join();
}

/** What a person orders after a look; null = the look shows nothing to remove. */
async function removalOf({ world, running }: Story, owner: string) {
  const names = new Set([fenceOf(owner)]);
  const command = { verb: "remove", from: null, to: null, names } as const;
  const choices = chooseRights(await running.rights(names), command);
  if (choices.every((choice) => choice.order === null)) return null;
  return async (): Promise<void> => {
    for (const { zone, row, order } of choices)
      if (order !== null) running.order(zone, [{ key: { ...row }, order }]);
    await world.clock.advance(10_000);
  };
}

/** Throws at the first that is broken. */
export async function proveOrphanFences(): Promise<void> {
  const story = await afterTheOther(false);
  const { world, running } = story;
  demand((await orphans(running)) === fenceOf("gone"), "the fence of a gone owner is no orphan");
  const stale = await removalOf(story, "gone");
  const [text = ""] = world.textAt(fenceOf("gone"));
  world.writeText(fenceOf("gone"), text.replace("epoch=1", "epoch=2"));
  await stale?.();
  demand(world.textAt(fenceOf("gone")).length === 1, "a fence goes that is not as it was shown");
  await world.clock.advance(120_000);
  await (await removalOf(story, "gone"))?.();
  demand(world.textAt(fenceOf("gone")).length === 0, "the fence of a gone owner cannot be removed");
  demand(world.textAt(fenceOf("me")).length === 1, "our own fence goes");
  demand((await orphans(running)) === "", "a fence that is gone is listed");
  demand(world.values("mine.example.org").length === 1, "nothing is published any more");
  await running.stop();
  await proveThatOthersStay();
}

async function proveThatOthersStay(): Promise<void> {
  const story = await afterTheOther(true);
  const { world, running } = story;
  demand((await orphans(running)) === "", "the fence of an owner with records is an orphan");
  for (const owner of ["gone", "me"])
    demand((await removalOf(story, owner)) === null, `the fence of ${owner} may be removed`);
  world.cluster.delete(DNS_ENTRY, "default", "mine");
  await world.clock.advance(60_000);
  demand(world.values("mine.example.org").length === 0, "what is deleted stays");
  const [text = ""] = world.textAt(fenceOf("me"));
  world.writeText(fenceOf("me"), text.replace("c1/default/me", "c2/default/me"));
  await world.clock.advance(120_000);
  demand(
    (await orphans(running)) === "",
    "the fence that stops us is an orphan: owner take is for it",
  );
  await running.stop();
}
