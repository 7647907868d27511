/**
 * Zones that come in (ADR 0125): what becomes a ServiceEntry, what goes and when, and that nothing
 * goes in a circle. Throws at the first rule that is broken; no test framework, so that mutants can
 * be bundled.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { DNS_ENTRY, SERVICE_ENTRY } from "../../../src/model/kinds.ts";
import { objectOf, programWorld } from "../../support/worlds/program-world.ts";
import { demand } from "./demand.ts";

type World = ReturnType<typeof programWorld>;

const API = "networking.istio.io/v1";
/** That of the DNSProvider, so that what it serves could be published. */
const NAMESPACE = "default";
const IMPORTS = [{ zone: "example.org", namespace: NAMESPACE }];
const POLL_MS = 15_000;
const many = Array.from({ length: 40 }, (_, index) => `many${index}`);

/** A stranger's record; null = it goes. */
function write({ content, clock }: World, label: string, address: string | null): void {
  const name = trustedDnsName(`${label}.example.org`);
  const key = { name, type: "A" as RecordType, setIdentifier: null };
  const set = { ...key, ttlSeconds: 60, properties: {}, routingPolicy: null };
  const next = address === null ? null : { ...set, values: [address] };
  content.write([{ key, next }], clock.nowMs());
}

/** Labels of imported hosts, sorted. */
function hostsOf({ cluster }: World): readonly string[] {
  return cluster
    .all(SERVICE_ENTRY)
    .filter(({ metadata }) => metadata.name !== "mine")
    .flatMap((entry) => fieldsOf(entry["spec"])["hosts"])
    .map((host) => String(host).split(".", 1)[0] ?? "")
    .sort();
}

function objectFor({ cluster }: World, label: string) {
  const host = `${label}.example.org`;
  const isOf = (hosts: unknown): boolean => Array.isArray(hosts) && hosts.includes(host);
  return cluster.all(SERVICE_ENTRY).find((one) => isOf(fieldsOf(one["spec"])["hosts"]));
}

async function begun(): Promise<{ readonly world: World; readonly stop: () => Promise<void> }> {
  const world = programWorld({ controllers: ["compound", "istio-serviceentry"] });
  const spec = { dnsName: "own.example.org", targets: ["192.0.2.1"] };
  world.cluster.apply(
    DNS_ENTRY,
    objectOf("dns.gardener.cloud/v1alpha1", "DNSEntry", "own", { spec }),
  );
  const hosts = { hosts: ["mine.example.org"], resolution: "NONE" };
  world.cluster.apply(SERVICE_ENTRY, objectOf(API, "ServiceEntry", "mine", { spec: hosts }));
  write(world, "db", "192.0.2.7");
  write(world, "lo", "127.0.0.1");
  write(world, "mine", "192.0.2.8");
  const { stop } = world.start(undefined, { imports: IMPORTS });
  await world.clock.advance(4 * POLL_MS);
  return { world, stop };
}

/** See the head of this file. */
export async function proveImports(): Promise<void> {
  const { world, stop } = await begun();
  const { cluster, clock } = world;
  demand(world.values("own.example.org").includes("192.0.2.1"), "our own entry is not published");
  const first = hostsOf(world);
  demand(first.includes("db"), "a stranger's host does not come in");
  demand(!first.includes("own"), "a record of this cluster comes back");
  demand(!first.includes("lo"), "an address of the machine comes in");
  demand(!first.includes("mine"), "a host has two objects");

  const before = cluster.writes.length;
  await clock.advance(10 * 60_000);
  demand(cluster.writes.length === before, "a quiet zone writes");

  const db = objectFor(world, "db");
  if (db === undefined) throw new Error("the object is gone");
  const annotations = { ...db.metadata.annotations, "zonekeeper.dev/publish": "true" };
  cluster.apply(SERVICE_ENTRY, { ...db, metadata: { ...db.metadata, annotations } });
  await clock.advance(POLL_MS);
  write(world, "db", null);
  await clock.advance(2 * POLL_MS);
  demand(!/serviceentry/.test(world.zone()), "an imported object is published");
  demand(hostsOf(world).includes("db"), "an object goes at once");
  await clock.advance(120_000);
  demand(!hostsOf(world).includes("db"), "an object stays without its host");

  for (const label of many) write(world, label, "192.0.2.9");
  await clock.advance(2 * POLL_MS);
  demand(hostsOf(world).length === many.length, "not all hosts come in");
  for (const label of many) write(world, label, null);
  await clock.advance(300_000);
  demand(hostsOf(world).length === many.length, "forty objects go without a person");
  await stop();
  await proveEmpty();
}

/** A zone that has no record at all has not lost its hosts. */
async function proveEmpty(): Promise<void> {
  const world = programWorld();
  write(world, "db", "192.0.2.7");
  const running = world.start(undefined, { imports: IMPORTS });
  await world.clock.advance(4 * POLL_MS);
  const none = world.content.all().map((key) => ({ key, next: null }));
  world.content.write(none, world.clock.nowMs());
  await world.clock.advance(300_000);
  demand(hostsOf(world).includes("db"), "a zone without records takes everything");
  await running.stop();
}
