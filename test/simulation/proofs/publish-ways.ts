/**
 * Services through DNSEntries and directly (`--publish`), in one story: processes end and are
 * killed at any moment, and the next one publishes the other way. The zone follows the Services
 * alone.
 */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { DNS_ENTRY } from "../../../src/model/kinds.ts";
import { Violation } from "../checks/checks.ts";
import { SOON_MS, Stage } from "../incidents/stage.ts";
import { SimRandom } from "../world/sim-random.ts";

const NAMESPACE = "default";
const SERVICES = ["s0", "s1", "s2"];
const ADDRESSES = ["192.0.2.1", "192.0.2.2"];
const TURNS = 12;
/** Milliseconds until a process ends: less than a change of the way takes, and more. */
const LIFE_MOST_MS = 4_000;

type Way = "entries" | "direct";

const nameOf = (service: string): string => `${service}.example.org`;
const otherNameOf = (service: string): string => `x.${service}.example.org`;

/** Throws Violation where the zone does not show what the Services want. */
export async function playWays(seed: number): Promise<void> {
  const random = new SimRandom(seed);
  const stage = new Stage();
  const wanted = new Map<string, { readonly names: readonly string[]; readonly ip: string }>();
  let way: Way = "entries";
  for (let turn = 0; turn < TURNS; turn++) {
    for (let acts = random.below(3); acts > 0; acts--) act(stage, random, wanted);
    await stage.pass(random.below(LIFE_MOST_MS));
    if (random.chance(0.5)) stage.instance.kill();
    else stage.instance.retire();
    way = random.chance(0.7) ? other(way) : way;
    stage.instance.start({ publishing: way });
  }
  await settle(stage, wanted, way);
  await keepsZone(stage, other(way));
  await settle(stage, wanted, other(way));
  await keepsZone(stage, way);
  await settle(stage, wanted, way);
}

type Wanted = Map<string, { readonly names: readonly string[]; readonly ip: string }>;

function act(stage: Stage, random: SimRandom, wanted: Wanted): void {
  const name = random.pick(SERVICES);
  const present = wanted.get(name);
  if (present !== undefined && random.chance(0.2)) {
    stage.removeService(name);
    wanted.delete(name);
    return;
  }
  const names = random.chance(0.5) ? [nameOf(name)] : [nameOf(name), otherNameOf(name)];
  const ip = random.pick(ADDRESSES);
  stage.service(name, names, ip);
  wanted.set(name, { names, ip });
}

/** What is wanted is shown, and nothing else; with `direct` there is no DNSEntry. */
async function settle(stage: Stage, wanted: Wanted, way: Way): Promise<void> {
  await stage.pass(2 * SOON_MS);
  for (const service of SERVICES)
    for (const name of [nameOf(service), otherNameOf(service)]) {
      const { names = [], ip = "" } = wanted.get(service) ?? {};
      stage.expectShown(`L1 (${way})`, [name, "A"], names.includes(name) ? [ip] : []);
    }
  const count = [...wanted.values()].flatMap(({ names }) => names).length;
  const entries = stage.instance.cluster.all(DNS_ENTRY).length;
  if (entries !== (way === "direct" ? 0 : count))
    throw new Violation(`L1: with ${way} there are ${entries} DNSEntries for ${count} names`);
}

/** A change of the way alone writes nothing but what each start does: ways are proven (Z-18). */
async function keepsZone(stage: Stage, way: Way): Promise<void> {
  const { content } = stage.world.zone;
  const { serial } = content;
  stage.instance.kill();
  stage.instance.start({ publishing: way });
  await stage.pass(SOON_MS);
  const written = content.namesSince(serial)?.filter((name) => !name.startsWith("_way-"));
  if (written?.length !== 0)
    throw new Violation(`L2: ${written?.join()} was written when ${way} began`);
}

/** An entry that is not ours to delete stays in charge of its name, until a person deletes it. */
export async function playLeftEntry(): Promise<void> {
  const stage = new Stage();
  const { cluster } = stage.instance;
  const shown = [nameOf("s0"), "A"] as const;
  // The entry is younger than its Service, which would win the name.
  stage.instance.kill();
  stage.service("s0", [nameOf("s0")], "192.0.2.1");
  await stage.pass();
  stage.instance.start();
  await stage.pass();
  const [entry] = cluster.all(DNS_ENTRY);
  if (entry === undefined) throw new Error("no DNSEntry was made");
  const { resourceVersion: _, ...metadata } = entry.metadata;
  cluster.apply(DNS_ENTRY, { ...entry, metadata: { ...metadata, labels: {} } });
  await stage.pass();
  stage.instance.kill();
  stage.instance.start({ publishing: "direct" });
  await stage.pass();
  stage.unpredicted("s0");
  stage.status("s0", { loadBalancer: { ingress: [{ ip: "192.0.2.2" }] } });
  await stage.pass();
  stage.expectShown("Z-25", shown, ["192.0.2.1"]);
  if (cluster.all(DNS_ENTRY).length !== 1) throw new Violation("Z-25: the entry is gone");
  const texts = cluster.events.filter(({ object }) => object === `service/${NAMESPACE}/s0`);
  if (!texts.some(({ note }) => note.message.includes("is left as it is")))
    throw new Violation("Z-25: nobody was told");
  cluster.delete(DNS_ENTRY, NAMESPACE, entry.metadata.name);
  await stage.pass();
  stage.expectShown("L1", shown, ["192.0.2.2"]);
  if (cluster.all(DNS_ENTRY).length > 0) throw new Violation("L1: the entry is still there");
  if (cluster.now(SERVICE, NAMESPACE, "s0") === null) throw new Error("the Service is gone");
}

function other(way: Way): Way {
  return way === "direct" ? "entries" : "direct";
}
