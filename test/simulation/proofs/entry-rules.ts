/**
 * Rules of DNSEntries: look-ups of host names, the operation annotation, moves between zones and
 * how entries are counted, each shown by the smallest case that it decides. Throws at the first one
 * that is broken.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { EntryCounts } from "../../../src/gardener/dns-owner/entry-counts.ts";
import { RENAMED_TO_ANNOTATION } from "../../../src/model/annotation-keys.ts";
import { SOURCE_LABEL } from "../../../src/model/generated-entries.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../src/model/kinds.ts";
import {
  NotesSeen,
  noteOfCopy,
  renamePatches,
} from "../../../src/source-controllers/entries/renamed-entries.ts";
import { readLookup } from "../../../src/sources/shared/lookup-request.ts";
import { GardenerWorld } from "../../support/worlds/gardener-world.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { SpineWorld } from "../../support/worlds/spine-world.ts";
import { demand } from "./demand.ts";

const API = "dns.gardener.cloud/v1alpha1";
const OPERATION = "gardener.cloud/operation";
const CLASS = "dns.gardener.cloud/class";
const SECONDS = 1_000;
/** More than the time between two look-ups of a host. */
const LOOKED_UP = 700 * SECONDS;
const A1 = "192.0.2.1";
const [A, B] = ["a.lb.test", "b.lb.test"];
const HOSTS = { dnsName: "www.example.org", targets: [A, B] };

/** An entry of two hosts, published. */
async function lookingUp(): Promise<SpineWorld> {
  const world = new SpineWorld();
  world.provider();
  world.resolver.set(A, "192.0.2.1", "2001:db8::1");
  world.resolver.set(B, "192.0.2.2");
  world.entry("web", HOSTS);
  world.start();
  await world.pass(10 * SECONDS);
  return world;
}

function published(world: SpineWorld): string {
  const values = world.zone().flatMap((line) => line.split(" ").slice(3));
  return values.sort().join(" ");
}

/** Z-31. */
export async function proveLookups(): Promise<void> {
  const world = await lookingUp();
  const all = "192.0.2.1 192.0.2.2 2001:db8::1";
  const shows = async (wanted: string, rule: string): Promise<void> => {
    await world.pass(LOOKED_UP);
    demand(published(world) === wanted, rule);
  };
  demand(published(world) === all, "hosts are not looked up");
  world.resolver.set(B, "127.0.0.1");
  await shows(all, "a loopback address is published");
  world.resolver.set(B);
  await shows(all, "a host that has no address loses its record");
  world.resolver.set(A, "192.0.2.1");
  await shows(all, "a kind of address goes with an answer");
  world.resolver.mood = "fails";
  await shows(all, "a resolver that fails ends a record");
  await world.stop();
  world.start();
  await shows(all, "a restart without a resolver ends a record");
  world.resolver.mood = "answers";
  await shows(all, "one host of two ends what the other one had before a restart");
  world.resolver.set(B, "192.0.2.3");
  await shows("192.0.2.1 192.0.2.3 2001:db8::1", "an answer changes nothing");
  world.entry("web", { ...HOSTS, targets: [A, B, "c.lb.test"] });
  world.resolver.set("c.lb.test", "192.0.2.4");
  await shows("192.0.2.1 192.0.2.3 192.0.2.4", "an edited list keeps what no host has");
  world.resolver.mood = "fails";
  world.entry("web", { dnsName: "shop.example.org", targets: ["d.lb.test", "e.lb.test"] });
  await shows(
    "192.0.2.1 192.0.2.3 192.0.2.4",
    "a rename ends a record before the new one is known",
  );
  const short = readLookup(objectOf(API, "DNSEntry", "web", {}), { cnameLookupInterval: 1 });
  demand(short.ok && short.value.lookupSeconds === 30, "an entry is looked up each second");
  await world.stop();
}

/** `gardener.cloud/operation: reconcile`. */
export async function proveOperations(): Promise<void> {
  const world = await lookingUp();
  const ask = async (kind: KindRef, name: string, more: object = {}, value = "reconcile") => {
    world.annotate(kind, name, { [OPERATION]: value, ...more });
    await world.pass(5 * SECONDS);
    return world.cluster.now(kind, "default", name)?.metadata.annotations?.[OPERATION];
  };
  world.resolver.set(B, "192.0.2.3");
  const left = await ask(DNS_ENTRY, "web");
  demand(published(world).includes("192.0.2.3"), "hosts are not looked up at once");
  demand(left === undefined, "an operation that is done stays");
  const other = await ask(DNS_ENTRY, "web", {}, "rotate");
  demand(other === "rotate", "another operation is taken away");
  const foreign = await ask(DNS_ENTRY, "web", { [CLASS]: "other" });
  demand(foreign === "reconcile", "an operation for another set of controllers is taken away");
  world.account.addZone({ name: trustedDnsName("example.net") });
  const listed = await ask(DNS_PROVIDER, "p");
  const status = JSON.stringify(world.cluster.now(DNS_PROVIDER, "default", "p")?.["status"]);
  demand(status.includes("example.net"), "zones are not listed at once");
  demand(listed === undefined, "an operation on a DNSProvider stays");
  await world.stop();
}

const [PARENT, CHILD] = ["example.org", "sub.example.org"];
const RECORD = `www.${CHILD} 300 A 192.0.2.1`;

/** Z-18: an entry whose zone changes. */
export async function proveMoves(): Promise<void> {
  const world = new GardenerWorld();
  world.accounts.zones = [PARENT, CHILD];
  world.start();
  await world.withProvider();
  world.entry("web", { dnsName: `www.${CHILD}`, targets: ["192.0.2.1"] });
  await world.pass();
  const holding = (): string =>
    [PARENT, CHILD].filter((zone) => world.zone(zone).includes(RECORD)).join();
  demand(holding() === PARENT, "a zone without a delegation serves a name");
  world.engine.troubleIn.set(CHILD, { state: "failed", code: "Down", message: "down" });
  world.engine.cut(PARENT, `www.${CHILD}`, {
    at: trustedDnsName(CHILD),
    servers: [`ns.${CHILD}`],
  });
  await world.pass();
  demand(holding() === PARENT, "a record goes before the new zone has it");
  demand(world.status("web")["zone"] === PARENT, "a status names a zone that has no record");
  await world.crash();
  world.start();
  world.engine.troubleIn.clear();
  world.engine.again();
  await world.pass();
  demand(holding() === CHILD, "a record stays in the former zone");
  demand(world.status("web")["zone"] === CHILD, "a status names the former zone");
  await world.crash();
}

/** `status.entries` of DNSOwners. */
export function proveCounts(): void {
  const counts = new EntryCounts("me");
  const use = { owner: null, type: "memory", provider: "a/p", zone: "z", state: "Ready" };
  counts.note("a/x", use);
  demand(counts.of("me").amount === 1, "an entry without an id is not counted for --owner");
  counts.note("a/x", { ...use, owner: "shop" });
  demand(counts.of("shop").types["memory"] === 1, "an entry is not counted by its type");
  demand(counts.of("me").amount === 0, "an entry is counted twice");
  counts.note("a/x", null);
  demand(counts.of("shop").amount === 0, "an entry that is gone is counted");
}

/** Services published directly, in a zone with records of a stranger. */
function naming() {
  const zone = ["taken", "kept"].map((one) => `${one}.example.org. 300 A 198.51.100.1`).join("\n");
  const world = programWorld({ publishing: "direct", zone });
  const name = (object: string, ...names: readonly string[]): void => {
    const hosts = names.map((one) => `${one}.example.org`).join(",");
    const annotations = { "dns.gardener.cloud/dnsnames": hosts };
    const fields = { metadata: { annotations }, spec: { type: "LoadBalancer" } };
    world.cluster.apply(SERVICE, objectOf("v1", "Service", object, fields));
    const loadBalancer = { ingress: [{ ip: `192.0.2.${object.length}` }] };
    world.cluster.setStatus(SERVICE, "default", object, { loadBalancer });
  };
  const shows = async (wanted: string, rule: string): Promise<void> => {
    await world.clock.advance(40 * SECONDS);
    const has = (one: string): boolean => world.values(`${one}.example.org`).length > 0;
    demand([..."abcdefg"].filter(has).join("") === wanted, rule);
  };
  return { ...world, name, shows };
}

/** Z-32: which names are in place of others. */
export async function proveFormerNames(): Promise<void> {
  const { name, shows, start } = naming();
  name("one", "a", "b", "taken");
  name("same1", "c");
  name("same2", "d");
  const running = start();
  await shows("abcd", "Services are not published");
  name("one", "a", "taken");
  await shows("acd", "a name that is given up waits for others");
  name("same2", "c");
  await shows("ac", "a shared record is no answer");
  await running.stop();
}

/** Z-32: A and AAAA, of which one can come at the new name. */
export async function proveHalfRename(): Promise<void> {
  const { cluster, clock, start, values } = programWorld();
  const entry = (name: string, label: string, ...targets: readonly string[]): void => {
    const spec = { dnsName: `${label}.example.org`, targets };
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { spec }));
  };
  entry("own", "own", A1);
  entry("there", "new", "192.0.2.2");
  entry("web", "old", A1, "2001:db8::1");
  const running = start();
  await clock.advance(60 * SECONDS);
  entry("web", "new", A1, "2001:db8::1");
  await clock.advance(60 * SECONDS);
  const answered = [...values("old.example.org"), ...values("new.example.org")];
  demand(answered.includes(A1), "half of a rename ends a record");
  await running.stop();
}

/** Z-32. */
export async function proveRenames(): Promise<void> {
  const { name, shows, start, values } = naming();
  name("one", "a");
  name("three", "b", "taken");
  name("four", "c");
  let running = start();
  await shows("abc", "Services are not published");
  name("one", "taken");
  await shows("abc", "a rename ends a record");
  name("one", "kept");
  await shows("abc", "a second rename ends the first record");
  name("four", "taken", "not a name");
  await shows("abc", "a mistake ends a record");
  name("four", "taken");
  await shows("abc", "a rename by way of a mistake ends a record");
  await running.stop();
  running = start();
  await shows("abc", "a rename ends a record after a restart");
  name("one", "d");
  await shows("bcd", "a former name stays after the new one is published");
  name("one", "b");
  name("three", "d", "taken");
  await shows("bcd", "objects that swap names lose records");
  const [b] = values("b.example.org");
  demand(b === "192.0.2.3", "objects that swap names wait for each other");
  await running.stop();
}

/** Z-32: what entries of former names note, and their copies. */
export function proveNotes(): void {
  const noted = (note: string | null) =>
    objectOf(API, "DNSEntry", "a", {
      metadata: {
        labels: { [SOURCE_LABEL]: "service-1" },
        annotations: note === null ? {} : { [RENAMED_TO_ANNOTATION]: note },
      },
      spec: { dnsName: "a.example.org" },
    });
  const seen = new NotesSeen();
  const found = { items: [] };
  const written = (note: string | null): boolean => {
    const former = [noted(note)];
    const names = seen.of("default/web", { own: former, found });
    const facts = { coming: [], listed: ["b.example.org"], noted: names, isCertain: true };
    return renamePatches(former, facts).length > 0;
  };
  demand(!written(null), "a name that is given up notes others");
  demand(written("%%%"), "a note that cannot be read says nothing");
  demand(!written("b.example.org"), "a note is written twice");
  demand(written(null), "a note that is taken off is lost");
  demand(noteOfCopy(noted("b.example.org")) !== null, "a copy of a former name keeps it");
  demand(noteOfCopy(noted("?b.example.org")) === null, "a copy loses what a mistake may hide");
}
