/**
 * Rules of DNSOwners (ADR 0050): what switches an id on, and what becomes of its fence. Throws at
 * the first one that is broken.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { KindState } from "@zonekeeper/kube/ports/cluster-view";
import { decideOwner } from "../../../src/gardener/dns-owner/decide-owner.ts";
import { isPermittedByHolder } from "../../../src/plan/claims.ts";
import { type FenceRecord, fenceName } from "../../../src/sync/contract/fence-record.ts";
import { takenFrom } from "../../../src/sync/fence/fence-verdict.ts";
import { FakeTerm } from "../../support/ports/fake-term.ts";
import { fakeObserver } from "../../support/values/fake-observer.ts";
import { engineWorld, entry, KEY } from "../../support/worlds/engine-world.ts";
import { demand } from "./demand.ts";

const NOW = "2030-01-01T00:00:00Z";
const APEX = trustedDnsName("example.org");
const HOME = "uid-1/kube-system/zonekeeper";
const AWAY = "uid-2/kube-system/zonekeeper";

function owner(name: string, year: number, spec: object, status: object = {}): KubeObject {
  const metadata = { name, creationTimestamp: `${year}-01-01T00:00:00Z` };
  const shop = { ownerId: "shop", ...spec };
  return {
    apiVersion: "dns.gardener.cloud/v1alpha1",
    kind: "DNSOwner",
    metadata,
    spec: shop,
    status,
  };
}

/** What switches an id. */
export function proveSwitches(): void {
  let shownId: string | null = null;
  const isOn = (one: KubeObject, texts: readonly string[] | null = [], ...others: KubeObject[]) =>
    decideOwner(one, {
      ...{ mainOwner: "me", clusterId: "c1", nowMs: Date.parse(NOW), textsAt: () => texts },
      troubleAt: () => null,
      shownId: () => shownId,
      all: [...others, one],
    }).isActive;
  const older = owner("z", 2020, {});
  const younger = owner("a", 2021, {});
  demand(isOn(older, [], younger) === true, "a younger DNSOwner decides");
  demand(isOn(younger, [], older) === false, "a younger DNSOwner decides");
  const broken = owner("b", 2020, { validUntil: "soon" });
  demand(isOn(younger, [], broken) === true, "a DNSOwner that cannot be read bars another one");
  demand(isOn(owner("a", 2020, { validUntil: NOW })) === false, "an id is on after its time");
  const active = { dnsActivation: { dnsName: "active.example.org" } };
  demand(isOn(owner("a", 2020, active), ["c1"]) === true, "its text does not switch an id on");
  demand(isOn(owner("a", 2020, active), ["c2"]) === false, "another text switches an id on");
  const before = owner("a", 2020, active, { active: true });
  demand(isOn(before, null) === true, "a restart switches an id off");
  shownId = "former";
  demand(isOn(before, null) === null, "what was said of another id switches an id");
}

/** `owner take --from`: an id is taken from the installation that has it, and from no other. */
export function proveTaking(): void {
  const record: FenceRecord = { domain: AWAY, epoch: 1, contestedBy: null, dismissed: [] };
  const self = { domain: HOME, epoch: 2, term: "t2" };
  const taken = takenFrom(record, AWAY, self);
  demand(taken?.domain === HOME, "an id is not taken from who has it");
  demand(taken?.dismissed.includes(AWAY) === true, "who loses an id disputes it for ever");
  demand(takenFrom(record, HOME, self) === null, "an id is taken from somebody else");
  const own = { ...record, domain: HOME };
  demand(takenFrom(own, HOME, self) === null, "an installation takes an id from itself");
  const disputed = { ...own, contestedBy: AWAY };
  demand(takenFrom(disputed, AWAY, self) !== null, "a dispute has no end");
  const late = takenFrom({ ...disputed, epoch: 3 }, AWAY, self);
  demand(late === null, "a stale process takes an id");
}

/** ADR 0074: who may claim by a permit, with both objects in one instance. */
export function provePermits(): void {
  const request = { claim: false, permit: null, release: false, adopt: [], merge: false };
  const [holder, claimant] = ["holder", "claimant"].flatMap((name) =>
    entry(name, ["192.0.2.1"]).found.items.map((item) => ({ ...item, name: APEX })),
  );
  if (holder === undefined || claimant === undefined) throw new Error("no items");
  const { type, provenance } = holder;
  const marker = { owner: "me", resource: "dnsentry/default/holder", cluster: provenance.cluster };
  const current = {
    ...{ name: APEX, type, setIdentifier: null, contested: false },
    data: { ...holder, ttlSeconds: 300 },
    marker: { ...marker, labels: {}, record: null },
  };
  const rules = { owners: new Set(["me"]), mainOwner: "me" };
  const mayClaim = (owner: string | null, claim: boolean): boolean => {
    const permit = { owner, resource: "dnsentry/default/claimant" };
    const contenders = [
      { ...holder, transfer: { ...request, permit } },
      { ...claimant, transfer: { ...request, claim } },
    ];
    const [, asking = claimant] = contenders;
    return isPermittedByHolder(asking, current, { contenders, current: [current], rules });
  };
  demand(mayClaim(null, true), "a permit without an owner id counts for nobody");
  demand(mayClaim("someowner", true), "a claim inside the group waits for another group");
  demand(!mayClaim("someowner", false), "an object gets a name that it does not claim");
}

/** Whether a record whose object's kind is gone stays when a person orders `is` (ADR 0075). */
async function staysAfter(is: "remove" | "transfer"): Promise<boolean> {
  let state: KindState = "live";
  const kind = { cluster: "c1", kind: "dnsentries", markerKind: "dnsentry" };
  const kinds = () => [{ ...kind, state, isRemembered: true, trouble: null }];
  const world = engineWorld({ observer: fakeObserver("absent", { kinds }) });
  const { engine, clock, zoneInput, values } = world;
  engine.openZone(zoneInput);
  for (const name of ["a", "b"]) engine.contribute(KEY, entry(name, ["192.0.2.1"]));
  await clock.advance(5_000);
  state = "absent";
  engine.withdraw(entry("a", []).object, "deleted-object");
  await clock.advance(5_000);
  const name = trustedDnsName("a.example.org");
  const [row] = (await engine.ownership(new Set([name])))[0]?.rows ?? [];
  demand(row?.orphan !== undefined, "a record whose kind is gone is no orphan");
  const order = { is, marker: row?.marker ?? "" };
  engine.order(KEY, [{ key: { name, type: "A", setIdentifier: null }, order }]);
  await clock.advance(5_000);
  await engine.stop();
  return values("a").length > 0;
}

/** ADR 0075. */
export async function proveOrphans(): Promise<void> {
  demand(!(await staysAfter("remove")), "a record whose kind is gone stays for ever");
  demand(await staysAfter("transfer"), "a transfer to nobody removes a record");
}

/** What becomes of the fence of `shop` that `holder` has, where it is wanted so. */
async function play(
  holder: string,
  wanted: ReadonlyMap<string, boolean | null> | null,
  termId: string | null = "t2",
) {
  const furtherIds = { wanted: () => wanted, settled: () => undefined };
  const term = new FakeTerm(HOME, 2, termId);
  const world = engineWorld({ engine: { fence: { term, record: true }, furtherIds } });
  const next = fenceOf(holder);
  world.content.write([{ key: next, next }], 0);
  world.engine.openZone(world.zoneInput);
  await world.clock.advance(60_000);
  const [status] = world.engine.status();
  const state = status?.fences?.find((fence) => fence.owner === "shop")?.state ?? null;
  await world.engine.stop();
  return { state, isThere: world.content.at(next.name).length === 1 };
}

/** The fence of `shop`, as `holder` writes it. */
function fenceOf(holder: string) {
  const name = fenceName(APEX, "shop") ?? APEX;
  return {
    ...{ name, type: "TXT", setIdentifier: null, ttlSeconds: 300 },
    values: [`"v=1;domain=${holder};epoch=1;term=t1"`],
    ...{ properties: {}, routingPolicy: null },
  };
}

/** What is said of an entry of `shop` when the id is switched on while `AWAY` has it. */
async function entryMessage(): Promise<string> {
  let isOn = false;
  const furtherIds = { wanted: () => new Map([["shop", isOn]]), settled: () => undefined };
  const term = new FakeTerm(HOME, 2, "t2");
  const world = engineWorld({ engine: { fence: { term, record: true }, furtherIds } });
  let message = "";
  world.engine.onReport((report) => {
    if ("names" in report) message = report.names.map((one) => one.message).join();
  });
  world.content.write([{ key: fenceOf(AWAY), next: fenceOf(AWAY) }], 0);
  world.engine.openZone(world.zoneInput);
  const { found, ...more } = entry("www", ["192.0.2.1"]);
  const items = found.items.map((item) => ({ ...item, owner: "shop" }));
  world.engine.contribute(KEY, { ...more, found: { ...found, items } });
  await world.clock.advance(60_000);
  isOn = true;
  world.engine.ownerIdsChanged();
  await world.clock.advance(5_000);
  await world.engine.stop();
  return message;
}

/** Fences of ids that are on, off, not known, and gone. */
export async function proveOwnerFences(): Promise<void> {
  const wanted = (isOn: boolean | null) => new Map([["shop", isOn]]);
  const held = await play(AWAY, wanted(true));
  demand(held.state === "waits", "an id is ours while another installation has it");
  demand(held.isThere, "the fence of another installation is removed");
  const message = await entryMessage();
  demand(message.includes("has the owner id"), "entries of an id that waits do not say so");
  demand((await play(HOME, wanted(true))).state === "on", "an id is not taken");
  demand(!(await play(HOME, wanted(false))).isThere, "the fence of an id that is off stays");
  const unknown = await play(HOME, wanted(null));
  demand(unknown.isThere, "an id that nothing is known of is given up");
  demand(!(await play(HOME, new Map())).isThere, "a fence that nobody here asks for stays");
  demand((await play(AWAY, new Map())).isThere, "a fence of another installation goes");
  demand((await play(HOME, null)).isThere, "a fence goes before DNSOwners are listed");
  const twin = await play(HOME, new Map(), null);
  demand(twin.isThere, "a fence of another process of the domain goes");
}
