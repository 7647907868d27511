/** Rules about objects that all end at once (ADR 0063), in the whole system but for the servers. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { FUSE_LIMITS } from "../../../src/model/fuse-limits.ts";
import { DNS_ANNOTATION, DNS_ENDPOINT, DNS_ENTRY } from "../../../src/model/kinds.ts";
import { privateBlocker } from "../../../src/plan/blockers.ts";
import { planName } from "../../../src/plan/plan.ts";
import { NOTHING } from "../../../src/sources/source.ts";
import { AbsenceTracker } from "../../../src/sync/absence/absence-tracker.ts";
import { AddressWaits } from "../../../src/sync/absence/address-waits.ts";
import type { Contribution } from "../../../src/sync/contract/contribution.ts";
import { VirtualClock } from "../../support/ports/virtual-clock.ts";
import { ALL_SEEN, fakeObserver } from "../../support/values/fake-observer.ts";
import { MapState, memoryFuse } from "../../support/values/fuse.ts";
import { rulesWith } from "../../support/values/plan-rules.ts";
import { nameOf, parseDesired, parseOwned } from "../../support/values/zone-text.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { SpineWorld } from "../../support/worlds/spine-world.ts";
import { Violation } from "../checks/checks.ts";

async function published(count: number, endpoints = false): Promise<SpineWorld> {
  const state = new MapState();
  const world: SpineWorld = new SpineWorld(["example.org"], {
    endpoints,
    openGuard: ({ zone: { name } }) =>
      memoryFuse({ key: name, zone: name, state, clock: world.clock, limits: FUSE_LIMITS }),
  });
  world.start();
  world.provider();
  putEntries(world, count);
  await world.pass(10_000);
  return world;
}

function putEntries(world: SpineWorld, count: number): void {
  for (let index = 0; index < count; index++)
    world.entry(`n${index}`, { dnsName: `n${index}.example.org`, targets: ["192.0.2.1"] });
}

/** Throws what breaks first. */
export async function proveEnds(): Promise<void> {
  await proveDefinitions();
  await proveBothDefinitions();
  await proveSecondaryDefinitions();
  await proveRestart(false);
  await proveRestart(true);
  await proveEmptied();
  for (const [count, gone, left] of [
    [3, 3, 3],
    [2, 2, 0],
    [9, 8, 1],
  ] as const) {
    const world = await published(count);
    for (let index = 0; index < gone; index++)
      world.cluster.delete(DNS_ENTRY, "default", `n${index}`);
    await world.pass(30_000);
    const has = world.zone().length;
    if (has < left) throw new Violation(`${gone} of ${count} pass: ${has} are left`);
    if (has > left) throw new Violation(`${gone} of ${count} wait: ${has} are left`);
    await world.stop();
  }
  const world = await published(3);
  world.cluster.deleteNamespace("default", [DNS_ENTRY]);
  await world.pass(30_000);
  if (world.zone().length > 0) throw new Violation("a deleted namespace waits");
  await world.stop();
}

/** Z-1 (ADR 0096): the grace of one object ends no name that another one may want. */
export async function proveListers(): Promise<void> {
  const clock = new VirtualClock();
  const waits = new AddressWaits(clock, 3_600_000);
  const listing = (name: string, complete: boolean): Contribution => ({
    object: { cluster: "c1", kind: "dnsentry", namespace: "default", name },
    ...{ generation: 1, deleting: false },
    found: { ...NOTHING, complete, waiting: [{ name: nameOf("www"), reason: "NoTargets" }] },
  });
  const [own, other] = [listing("own", true), listing("other", false)];
  waits.contributed(own);
  await clock.advance(3_660_000);
  const observer = fakeObserver("alive", { found: own.found });
  const [record] = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=dnsentry/default/own");
  for (const order of [
    [own, other],
    [other, own],
  ]) {
    const absences = new AbsenceTracker({
      ...{ observer, waits, recordsAt: () => [], sightings: ALL_SEEN },
    });
    for (const one of order) absences.contributed(one);
    if (record === undefined || absences.verdict(record, order).proven)
      throw new Violation("an object that is not known completely loses its name");
  }
}

/** ADR 0119: the owner id is one that others may have. */
export function proveSharedOwner(): void {
  const object = { cluster: "c1", kind: "service", namespace: "default", name: "own" };
  const waits = new AddressWaits(new VirtualClock(), null);
  const verdictOf = (text: string, other: Contribution | null) => {
    const absences = new AbsenceTracker({
      ...{ observer: fakeObserver("absent"), waits, recordsAt: () => [], sightings: ALL_SEEN },
      isOwnerShared: true,
    });
    if (other !== null) absences.contributed(other);
    absences.withdrawn(object, "deleted-object");
    const [record] = parseOwned(text);
    if (record === undefined) throw new Error("no record");
    return absences.verdict(record, []);
  };
  const record = "www 300 A 192.0.2.1 ; owner=default resource=service/default/own";
  if (verdictOf(record, null).proven)
    throw new Violation("a record that may be another cluster's goes with an object here");
  if (!verdictOf(`${record} cluster=c1`, null).proven)
    throw new Violation("a record of this cluster stays");
  const items = parseDesired("www 300 A 192.0.2.2 ; from=service/default/other");
  const answered = verdictOf(record, {
    ...{ object: { ...object, name: "other" }, generation: 1, deleting: false },
    found: { ...NOTHING, items },
  });
  if (answered.proven || answered.unlessAnswered !== undefined)
    throw new Violation("a record that may be another cluster's gives way to another object");
}

/** Of a domain filter that became narrower, and of another set with our owner id. */
export function proveScope(): void {
  const current = parseOwned("www 300 A 192.0.2.1 ; owner=me resource=service/default/gone");
  const absence = { proven: true, proof: "deleted-object" } as const;
  const planned = (more: object) =>
    planName(nameOf("www"), [], current, { ...rulesWith({ absence }), ...more });
  if (planned({}).changes.length !== 1) throw new Violation("a name in the filters stays");
  const { changes, holds } = planned({ isOutOfScope: true });
  if (changes.length > 0) throw new Violation("a filter of names removes");
  if (holds.length > 0) throw new Violation("a name outside of the filters is work");
  const absent = { proven: true, proof: "approved" };
  const ordered = planned({ isOutOfScope: true, absence: absent });
  if (ordered.changes.length !== 1) throw new Violation("a filter refuses a person's order");
}

/** ADR 0120. */
export function provePrivateTargets(): void {
  const zone = { visibility: "public", name: trustedDnsName("example.org") } as const;
  const desired = { type: "A", values: ["10.0.0.2"] };
  const [there] = parseOwned("www 300 A 10.0.0.1");
  if (privateBlocker(desired, undefined, zone) === null)
    throw new Violation("a private address goes out");
  if (privateBlocker(desired, there, zone) !== null) throw new Violation("a private record stops");
}

/** Z-5 for members (ADR 0066): an edit that cannot be published takes no member out of the zone. */
export function proveMembers(): void {
  const zone = `
    www 300 A 192.0.2.1 ; id=blue policy=weighted owner=me resource=service/default/blue
    www 300 A 192.0.2.2 ; id=green policy=weighted owner=me resource=service/default/green`;
  const green = "www 300 A 192.0.2.2 ; id=green policy=weighted from=service/default/green";
  const edits = [
    ["www 300 A 192.0.2.1 ; from=service/default/blue", 0],
    [
      `www 300 A 192.0.2.1 ; from=service/default/blue
       www 300 A 192.0.2.1 ; id=azure policy=weighted from=service/default/blue`,
      1,
    ],
  ] as const;
  for (const [edit, most] of edits) {
    const desired = parseDesired(`${edit}\n${green}`);
    const plan = planName(nameOf("www"), desired, parseOwned(zone), rulesWith());
    const removed = plan.changes.filter(({ change }) => change?.op === "remove").length;
    if (removed > most) throw new Violation("an edit takes a member out of the zone");
    if (removed < most) throw new Violation("a member that was replaced stays");
  }
}

/** Z-5 (ADR 0065), also where the edit was made while nobody watched. */
async function proveEmptied(): Promise<void> {
  const world = await published(2);
  await world.stop();
  world.entry("n0", { dnsName: "n0.example.org", targets: [] });
  world.start();
  await world.pass(60_000);
  if (world.zone().length < 2) throw new Violation("an emptied spec removes its record");
  await world.stop();
}

async function proveDefinitions(): Promise<void> {
  for (const isGone of [false, true]) {
    const world = await published(2);
    world.cluster.deleteDefinition(DNS_ENTRY, isGone);
    await world.pass(30_000);
    const what = isGone ? "a definition that is gone" : "a deleted definition";
    if (world.zone().length < 2) throw new Violation(`${what} removes: ${world.zone().join()}`);
    if (world.cluster.all(DNS_ENTRY).length > 0) throw new Violation(`${what} never ends`);
    world.cluster.installDefinition(DNS_ENTRY);
    world.cluster.relist(DNS_ENTRY);
    await world.pass(30_000);
    if (world.zone().length < 2) throw new Violation("a definition that is back removes");
    putEntries(world, 2);
    await world.pass(30_000);
    world.cluster.delete(DNS_ENTRY, "default", "n0");
    await world.pass(30_000);
    if (world.zone().length > 1) throw new Violation("an end of its own waits for a person");
    await world.stop();
  }
}

/** The kind of other records is gone, so that nothing proves an absence (Z-3, ADR 0107). */
async function proveBothDefinitions(): Promise<void> {
  const world = await published(2, true);
  const endpoint = { dnsName: "web.example.org", recordType: "A", targets: ["192.0.2.1"] };
  const spec = { endpoints: [endpoint] };
  const object = objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", "web", { spec });
  world.cluster.apply(DNS_ENDPOINT, object);
  await world.pass(10_000);
  world.cluster.deleteDefinition(DNS_ENDPOINT);
  world.cluster.setKindState(DNS_ENDPOINT, "absent");
  world.cluster.deleteDefinition(DNS_ENTRY);
  await world.pass(60_000);
  if (world.zone().length < 3) throw new Violation("two deleted definitions remove");
  if (world.cluster.all(DNS_ENTRY).length > 0)
    throw new Violation("two deleted definitions never end");
  await world.stop();
}

/** Of a kind that sources read besides their own (ADR 0088). */
async function proveSecondaryDefinitions(): Promise<void> {
  const { cluster, clock, start, values } = programWorld({});
  const api = "dns.gardener.cloud/v1alpha1";
  const others = { spec: { dnsName: "other.example.org", targets: ["192.0.2.1"] } };
  cluster.apply(DNS_ENTRY, objectOf(api, "DNSEntry", "other", others));
  cluster.apply(SERVICE, objectOf("v1", "Service", "web", { spec: { type: "LoadBalancer" } }));
  const loadBalancer = { ingress: [{ ip: "192.0.2.9" }] };
  cluster.setStatus(SERVICE, "default", "web", { loadBalancer });
  const resourceRef = { apiVersion: "v1", kind: "Service", name: "web", namespace: "default" };
  const annotations = { "dns.gardener.cloud/dnsnames": "web.example.org" };
  const annotation = { spec: { resourceRef, annotations } };
  cluster.apply(DNS_ANNOTATION, objectOf(api, "DNSAnnotation", "web", annotation));
  const running = start();
  await clock.advance(60_000);
  const demandRecord = (what: string) => {
    if (values("web.example.org").length === 0) throw new Violation(`${what} removes`);
  };
  demandRecord("a start");
  cluster.deleteDefinition(DNS_ANNOTATION);
  await clock.advance(10_000);
  demandRecord("a deleted secondary definition");
  cluster.setKindState(DNS_ANNOTATION, "absent");
  await clock.advance(60_000);
  demandRecord("a secondary kind that is gone");
  cluster.installDefinition(DNS_ANNOTATION);
  cluster.relist(DNS_ANNOTATION);
  await clock.advance(60_000);
  demandRecord("a secondary kind that is back without its objects");
  await running.stop();
}

/**
 * A process that began after the objects had ended with their definition (ADR 0086), also where
 * another one of them was applied again meanwhile (ADR 0112).
 */
async function proveRestart(isOneBack: boolean): Promise<void> {
  const controllers = ["compound", "crd"];
  const { cluster, clock, start, values } = programWorld({ controllers, publishing: "direct" });
  const others = { spec: { dnsName: "other.example.org", targets: ["192.0.2.1"] } };
  const api = "dns.gardener.cloud/v1alpha1";
  cluster.apply(DNS_ENTRY, objectOf(api, "DNSEntry", "other", others));
  const put = (name: string) => {
    const endpoint = { dnsName: `${name}.example.org`, recordType: "A", targets: ["192.0.2.1"] };
    const spec = { endpoints: [endpoint] };
    const object = objectOf("externaldns.k8s.io/v1alpha1", "DNSEndpoint", name, { spec });
    cluster.apply(DNS_ENDPOINT, object);
  };
  for (const name of ["web", "back"]) put(name);
  const first = start();
  await clock.advance(60_000);
  cluster.deleteDefinition(DNS_ENDPOINT, true);
  cluster.setKindState(DNS_ENDPOINT, "absent");
  await clock.advance(10_000);
  await first.stop();
  cluster.installDefinition(DNS_ENDPOINT);
  cluster.relist(DNS_ENDPOINT);
  await clock.advance(10_000);
  if (isOneBack) put("back");
  const next = start();
  await clock.advance(60_000);
  const what = isOneBack ? "among the objects of" : "after";
  if (values("web.example.org").length === 0)
    throw new Violation(`a restart ${what} a deleted definition removes`);
  await next.stop();
}
