/**
 * The fakes of vendors with a zone of many A records, made at once: what the fakes check of each
 * write would take hours for 100 000.
 */
import { KNOWN_ENDPOINTS_MAX } from "../../src/providers/webhook/limits.ts";
import { recordSet } from "../../test/conformance/provider-harness.ts";
import { ALIDNS_SECRET, makeFake as makeAliDns } from "../../test/support/fakes/alidns/harness.ts";
import { keysOf } from "../../test/support/fakes/coredns/harness.ts";
import { FakeEtcd } from "../../test/support/fakes/coredns/server.ts";
import { FakeZone as FakeDesignateZone } from "../../test/support/fakes/designate/fake-zone.ts";
import { designateSecret } from "../../test/support/fakes/designate/harness.ts";
import { FakeDesignate } from "../../test/support/fakes/designate/server.ts";
import { startGoogle } from "../../test/support/fakes/google/harness.ts";
import { FakeManagedZone } from "../../test/support/fakes/google/managed-zone.ts";
import { FakeGrid, type ObjectFields } from "../../test/support/fakes/infoblox/grid.ts";
import { INFOBLOX_SECRET } from "../../test/support/fakes/infoblox/harness.ts";
import { FakeInfoblox } from "../../test/support/fakes/infoblox/server.ts";
import { POWERDNS_KEY } from "../../test/support/fakes/powerdns/harness.ts";
import { FakePowerDns, FakePowerDnsZone } from "../../test/support/fakes/powerdns/server.ts";
import { FakeWebhook } from "../../test/support/fakes/webhook/server.ts";
import type { BigListing } from "./big-listings.ts";

const ZONE = "example.org";
const TTL = 300;

/** An A record of the zone. */
interface Row {
  /** `host-1`. */
  readonly label: string;
  /** `host-1.example.org.` */
  readonly fullName: string;
  readonly address: string;
}

function rowsOf(sets: number): readonly Row[] {
  return Array.from({ length: sets }, (_, index) => ({
    label: `host-${index}`,
    fullName: `host-${index}.${ZONE}.`,
    address: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
  }));
}

/** `more` stand in its listing beside what it has. */
function filled<T extends { readonly sets: readonly unknown[] }>(zone: T, more: T["sets"]): T {
  const sets = [...zone.sets, ...more];
  return Object.defineProperty(zone, "sets", { get: () => sets });
}

class BigGrid extends FakeGrid {
  addresses: readonly ObjectFields[] = [];

  override find(
    object: string,
    query: ObjectFields,
    returned: string | null,
  ): readonly ObjectFields[] {
    return object === "record:a" ? this.addresses : super.find(object, query, returned);
  }
}

class BigInfoblox extends FakeInfoblox {
  override readonly grid = new BigGrid();
}

async function aliDns(rows: readonly Row[]): Promise<BigListing> {
  const fake = makeAliDns();
  const domain = fake.addDomain("00efd71a-770e-4255-b54e-6fe5659baffe", ZONE);
  domain.records = rows.map(({ label, address }, index) => {
    const RecordId = String(900_000_000_000_000_000n + BigInt(index));
    return { RecordId, RR: label, Type: "A", Value: address, TTL: 600, Line: "default" };
  });
  const config = { endpoint: await fake.start() };
  return { type: "alicloud-dns", secret: ALIDNS_SECRET, config, stop: () => fake.stop() };
}

async function coreDns(rows: readonly Row[]): Promise<BigListing> {
  const fake = new FakeEtcd();
  for (const { label, address } of rows)
    for (const [key, value] of keysOf(recordSet(`${label}.${ZONE}`, "A", address)))
      fake.put(key, value);
  const secret = { Server: await fake.start() };
  return { type: "coredns-etcd", secret, config: { zones: [ZONE] }, stop: () => fake.stop() };
}

async function designate(rows: readonly Row[]): Promise<BigListing> {
  const fake = new FakeDesignate();
  const sets = rows.map(({ fullName: name, address }, index) => ({
    ...{ id: `${String(index).padStart(8, "0")}-0000-4000-8000-000000000000`, name, type: "A" },
    ...{ ttl: TTL, records: [address], version: 1 },
    ...({ status: "ACTIVE", action: "NONE" } as const),
  }));
  fake.zones.push(filled(new FakeDesignateZone(ZONE), sets));
  const secret = designateSecret(await fake.start());
  return { type: "openstack-designate", secret, config: null, stop: () => fake.stop() };
}

async function google(rows: readonly Row[]): Promise<BigListing> {
  const { fake, endpoint, secret } = await startGoogle();
  const sets = rows.map(({ fullName: name, address }) => ({
    ...{ name, type: "A", ttl: TTL, rrdatas: [address] },
  }));
  fake.zones.set("example-org", filled(new FakeManagedZone("example-org", ZONE, {}), sets));
  return { type: "google-clouddns", secret, config: { endpoint }, stop: () => fake.stop() };
}

async function infoblox(rows: readonly Row[]): Promise<BigListing> {
  const fake = new BigInfoblox(INFOBLOX_SECRET.USERNAME, INFOBLOX_SECRET.PASSWORD);
  fake.grid.addZone(ZONE);
  fake.grid.addresses = rows.map(({ label, address }) => ({
    _ref: `record:a/ZG5zLmJpbmRfYSQuX2RlZmF1bHQub3JnLmV4YW1wbGU${label}:${label}.${ZONE}/default`,
    ...{ name: `${label}.${ZONE}`, ttl: TTL, use_ttl: true, disable: false, ipv4addr: address },
  }));
  const config = { host: await fake.start() };
  return { type: "infoblox-dns", secret: INFOBLOX_SECRET, config, stop: () => fake.stop() };
}

async function powerDns(rows: readonly Row[]): Promise<BigListing> {
  const fake = new FakePowerDns(POWERDNS_KEY);
  const sets = rows.map(({ fullName: name, address }) => ({
    ...{ name, type: "A", ttl: TTL, records: [{ content: address, disabled: false }] },
  }));
  const zone = filled(new FakePowerDnsZone(ZONE, "Native"), sets);
  fake.zones.set(zone.name, zone);
  const secret = { Server: await fake.start(), ApiKey: POWERDNS_KEY };
  return { type: "powerdns", secret, config: null, stop: () => fake.stop() };
}

/** As many as its book holds. */
async function webhook(rows: readonly Row[]): Promise<BigListing> {
  const fake = new FakeWebhook();
  for (const { label, address } of rows.slice(0, KNOWN_ENDPOINTS_MAX))
    fake.put({
      ...{ dnsName: `${label}.${ZONE}`, recordType: "A", recordTTL: TTL, targets: [address] },
      labels: { owner: "default" },
    });
  const secret = { Server: await fake.start() };
  return { type: "external-dns-webhook", secret, config: null, stop: () => fake.stop() };
}

/** Each with a zone `example.org` of so many record sets, beside what every zone has. */
export async function startFilledFakes(sets: number): Promise<readonly BigListing[]> {
  const rows = rowsOf(sets);
  const starts = [aliDns, coreDns, designate, google, infoblox, powerDns, webhook];
  return Promise.all(starts.map((start) => start(rows)));
}
