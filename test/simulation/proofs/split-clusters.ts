/**
 * DNSEntries of Services whose cluster nobody serves (Z-30, ADR 0055), each clause shown by the
 * smallest story that it decides. Throws at the first one that is broken.
 */
import { WANTED_AGAIN_ANNOTATION } from "../../../src/model/annotation-keys.ts";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { splitWorld } from "../../support/worlds/split-world.ts";
import { demand } from "./demand.ts";

const ADDRESSES = ["192.0.2.1", "2001:db8::1"];
const OWN = "own 192.0.2.9";
const WEB = "web 192.0.2.1";

/** What it takes, with and without. */
export async function proveAll(): Promise<void> {
  await proveEnd();
  await proveAsked();
  await proveHour();
  await proveUnseen();
  await proveEdit();
  await proveServed();
  await proveGoneMeanwhile();
}

type Split = ReturnType<typeof splitWorld> & { readonly is: (...addresses: string[]) => boolean };

/** `web` with one address or two, and `own`, which stays. */
async function play(
  ips: readonly string[],
  story: (
    world: Split,
    stopSources: () => Promise<void>,
    stopControllers: () => Promise<void>,
  ) => Promise<void>,
  isWhole = false,
): Promise<void> {
  const world = splitWorld();
  const [first, second] = isWhole ? [world.whole()] : [world.sources(), world.controllers()];
  world.service("own", "own", ["192.0.2.9"]);
  world.service("web", "web", ips);
  await world.rest();
  const is = (...addresses: string[]) => world.addresses("www").join() === addresses.join();
  await story(
    { ...world, is },
    async () => first?.stop(),
    async () => second?.stop(),
  );
  for (const one of [first, second]) await one?.stop();
}

async function proveEnd(): Promise<void> {
  await play(ADDRESSES, async ({ service, rest, is, ...world }) => {
    service("web", "web", ["192.0.2.1"]);
    await rest();
    demand(is(OWN, WEB), "an address that the entry gave up stays");
    world.deleteService("web");
    await rest();
    demand(is(OWN) && world.entryOf("web") === "", "the end of the entry is not its object's");
  });
}

/** The record never goes, not even for a moment. */
async function isUntouched(
  { serial, ...world }: Split,
  stopSources = async (): Promise<void> => undefined,
): Promise<boolean> {
  const before = serial();
  await stopSources();
  world.deleteEntry(world.entryOf("web"));
  await world.clock.advance(5_000);
  const started = world.sources();
  await world.rest();
  await started.stop();
  return serial() === before && world.is(OWN, WEB) && world.entryOf("web") !== "";
}

async function proveAsked(): Promise<void> {
  await play(["192.0.2.1"], async (world, stopSources) => {
    demand(await isUntouched(world, stopSources), "a record flaps while its entry is made anew");
  });
}

async function proveHour(): Promise<void> {
  await play(["192.0.2.1"], async (world, stopSources) => {
    await stopSources();
    const annotations = { [WANTED_AGAIN_ANNOTATION]: "true" };
    await world.editEntry(world.entryOf("web"), { metadata: { annotations } });
    world.deleteEntry(world.entryOf("web"));
    await world.rest();
    demand(world.is(OWN, WEB), "what is made anew is not wanted meanwhile");
    await world.clock.advance(2 * 3_600_000);
    demand(world.is(OWN), "an entry is awaited without end");
  });
}

async function proveEdit(): Promise<void> {
  await play(["192.0.2.1"], async ({ rest, is, ...world }) => {
    const name = world.entryOf("web");
    await world.editEntry(name, { spec: { dnsName: "www.example.org" } });
    await rest();
    demand(is(OWN, WEB, "www 192.0.2.1"), "a person's edit counts as the object's");
    world.deleteService("web");
    world.deleteEntry(name);
    await rest();
    demand(is(OWN), "what an edited entry had at first outlives it");
  });
}

async function proveUnseen(): Promise<void> {
  await play(["192.0.2.1"], async ({ rest, is, seed, ...world }, stopSources) => {
    await stopSources();
    const name = world.entryOf("web");
    seed.breakWatch(DNS_ENTRY);
    world.deleteEntry(name);
    await world.editEntry(name, { metadata: { finalizers: null } });
    seed.relist(DNS_ENTRY);
    await rest();
    demand(is(OWN), "an entry that vanished unseen is asked for in another cluster");
  });
}

/** A Service that was to get its entry anew ends while the publisher is down. */
async function proveGoneMeanwhile(): Promise<void> {
  for (const isAlone of [false, true])
    await play(["192.0.2.1"], async ({ is, rest, ...world }, stopSources, stopControllers) => {
      await stopControllers();
      world.deleteEntry(world.entryOf("web"));
      await rest();
      if (isAlone) await stopSources();
      world.deleteService("web");
      await rest();
      const again = world.controllers();
      await rest();
      if (isAlone) demand(is(OWN, WEB), "what is made anew is not wanted after a restart");
      else demand(is(OWN), "an entry is wanted again by a Service that is gone");
      await world.clock.advance(2 * 3_600_000);
      demand(is(OWN), "what was to be made anew is forgotten by a restart");
      await again.stop();
    });
}

async function proveServed(): Promise<void> {
  await play(
    ["192.0.2.1"],
    async (world) => demand(await isUntouched(world), "a Service that is served is not asked"),
    true,
  );
}
