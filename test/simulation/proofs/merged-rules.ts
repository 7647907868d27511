/** Who has a part of a merged record set, and what keeps it (ADR 0118, Z-28). */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { type DesiredRecordSet, partOf } from "../../../src/model/record-set.ts";
import type { Contribution } from "../../../src/sync/contract/contribution.ts";
import { LIKE_POWERDNS } from "../../support/memory-provider/behaviour.ts";
import { engineWorld, KEY, type WorldOptions } from "../../support/worlds/engine-world.ts";
import { demand } from "./demand.ts";
import { shopOf } from "./merged-play.ts";

const SETTLE_MS = 60_000;
const [ONE, TWO] = ["192.0.2.1", "192.0.2.2"];

/** Fails where one clause of them is lost. */
export async function proveMergedNames(): Promise<void> {
  await proveTenants();
  await proveEnds();
  await proveForms();
}

async function proveTenants(): Promise<void> {
  const other = await zoneOf(shopOf("eu", [ONE]), inNamespace("other", shopOf("asia", [TWO])));
  demand(other.shop() === ONE, "another namespace has a part");
  const borrowed = changed(shopOf("asia", [TWO]), (item) => ({
    ...item,
    ...partOf({ ...item.provenance, cluster: "eu" }),
  }));
  const taken = await zoneOf(shopOf("asia", ["192.0.2.3"]), borrowed);
  demand(taken.shop() === "192.0.2.3", "an object has the part of another cluster");
  const owners = { engine: { identity: TWO_IDS } };
  const second = changed(shopOf("asia", [TWO]), (item) => ({ ...item, owner: "two" }));
  const mixed = await zoneWith(owners, shopOf("eu", [ONE]), second);
  demand(mixed.shop() === ONE, "parts have two owner ids");
}

const TWO_IDS = { owners: new Set(["me", "two"]), mainOwner: "me", clusterRank: {} };

async function proveEnds(): Promise<void> {
  const zone = await zoneOf(shopOf("eu", [ONE]), shopOf("asia", [TWO]));
  const { object, found, ...rest } = shopOf("asia", [TWO]);
  await zone.says({ object, ...rest, found: { ...found, complete: false } });
  await zone.ends(shopOf("eu", []));
  demand(zone.shop() === TWO, "an object of another cluster keeps a part");
}

async function proveForms(): Promise<void> {
  const plain = await zoneWith({ behaviour: LIKE_POWERDNS }, shopOf("eu", [ONE]));
  demand(plain.shop() === "", "a back end that compares nothing has parts");
  const zone = await zoneOf(shopOf("eu", [ONE]), shopOf("asia", [TWO]));
  zone.rewrite((text) => text.replace(/,external-dns\/targets=192\.0\.2\.2"/, '"'));
  const plainAgain = { setIdentifier: null, routingPolicy: null };
  await zone.says(changed(shopOf("asia", ["192.0.2.22"]), (item) => ({ ...item, ...plainAgain })));
  demand(zone.shop() === `${ONE} ${TWO}`, "markers that do not fit together give rights");
}

/** The zone after each of these was contributed and settled. */
function zoneOf(...all: readonly Contribution[]) {
  return zoneWith({}, ...all);
}

async function zoneWith(options: WorldOptions, ...all: readonly Contribution[]) {
  const world = engineWorld(options);
  world.engine.openZone(world.zoneInput);
  const settle = () => world.clock.advance(SETTLE_MS);
  await settle();
  const says = async (one: Contribution): Promise<void> => {
    world.engine.contribute(KEY, one);
    await settle();
  };
  for (const one of all) await says(one);
  return {
    says,
    shop: () => world.values("shop").join(" "),
    ends: async ({ object }: Contribution): Promise<void> => {
      world.engine.withdraw(object, "deleted-object");
      await settle();
    },
    rewrite: (edit: (text: string) => string): void => {
      const [set] = world.content.at(trustedDnsName("a-shop.example.org"));
      if (set === undefined) throw new Error("there are no markers");
      const next = { ...set, values: set.values.map(edit) };
      world.content.write([{ key: set, next }], world.clock.monotonicMs());
    },
  };
}

function changed(
  one: Contribution,
  change: (item: DesiredRecordSet) => DesiredRecordSet,
): Contribution {
  return { ...one, found: { ...one.found, items: one.found.items.map(change) } };
}

function inNamespace(namespace: string, one: Contribution): Contribution {
  const object = { ...one.object, namespace };
  return { ...changed(one, (item) => ({ ...item, provenance: object })), object };
}
