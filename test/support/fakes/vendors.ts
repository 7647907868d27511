/**
 * Each provider's back end with one zone: the vendor's fake, or the server itself, with the Secret
 * and `providerConfig` that lead to it.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../../src/model/record-set.ts";
import { toRecordSet } from "../../../src/providers/route53/convert.ts";
import { type DigQuestion, transfer } from "../clients/dig.ts";
import { startBind } from "../real-servers/bind.ts";
import { startEtcd } from "../real-servers/etcd.ts";
import { startOpenStack } from "../real-servers/openstack/openstack.ts";
import { startPowerDns } from "../real-servers/powerdns.ts";
import { serverKeys } from "../values/cluster-objects.ts";
import { ALIDNS_SECRET, setsOf as aliDnsSetsOf, makeFake as makeAliDns } from "./alidns/harness.ts";
import { AZURE_SECRET, setsOf as azureSetsOf, makeAzure } from "./azure/harness.ts";
import { CLOUDFLARE_SECRET, makeFake, setsIn } from "./cloudflare/harness.ts";
import { setsIn as coreDnsSetsIn } from "./coredns/harness.ts";
import { setsOf, startGoogle } from "./google/harness.ts";
import {
  INFOBLOX_SECRET,
  setsIn as infobloxSetsIn,
  makeFake as makeInfoblox,
} from "./infoblox/harness.ts";
import { ROUTE53_SECRET } from "./route53/harness.ts";
import { FakeRoute53 } from "./route53/server.ts";
import { setsOf as webhookSetsOf } from "./webhook/harness.ts";
import { FakeWebhook } from "./webhook/server.ts";

/** A vendor with one zone, running. */
export interface Vendor {
  readonly secret: Readonly<Record<string, string>>;
  readonly providerConfig: unknown;
  /** As the back end has them. */
  sets(): Promise<readonly RecordSet[]>;
  stop(): Promise<void>;
}

/** By type; each is started with the name of its zone. */
export const VENDORS: Readonly<Record<string, (zoneName: string) => Promise<Vendor>>> = {
  "alicloud-dns": async (zoneName) => {
    const fake = makeAliDns();
    const endpoint = await fake.start();
    const domain = fake.addDomain("00efd71a-770e-4255-b54e-6fe5659baffe", zoneName);
    return {
      secret: ALIDNS_SECRET,
      providerConfig: { endpoint },
      sets: async () => aliDnsSetsOf(domain),
      stop: () => fake.stop(),
    };
  },
  "aws-route53": async (zoneName) => {
    const fake = new FakeRoute53();
    const endpoint = await fake.start();
    const zone = fake.addZone("Z1", zoneName);
    return {
      secret: ROUTE53_SECRET,
      providerConfig: { endpoint },
      sets: async () => zone.sets.map((set) => toRecordSet(set, zone.id)),
      stop: () => fake.stop(),
    };
  },
  "azure-dns": (zoneName) => azure(zoneName, false),
  "azure-private-dns": (zoneName) => azure(zoneName, true),
  "cloudflare-dns": async (zoneName) => {
    const fake = makeFake();
    const endpoint = await fake.start();
    const zone = fake.addZone("023e105f4ecef8ad9ca31a8372d0c353", zoneName);
    return {
      secret: CLOUDFLARE_SECRET,
      providerConfig: { endpoint },
      sets: async () => setsIn(zone),
      stop: () => fake.stop(),
    };
  },
  "coredns-etcd": async (zoneName) => {
    const etcd = await startEtcd();
    const keySpace = { prefix: "/skydns", apex: trustedDnsName(zoneName) };
    return {
      secret: { Server: etcd.url },
      providerConfig: { zones: [zoneName] },
      sets: async () => coreDnsSetsIn(await etcd.keys(), keySpace),
      stop: () => etcd.stop(),
    };
  },
  "external-dns-webhook": async (zoneName) => {
    const fake = new FakeWebhook();
    const server = await fake.start();
    fake.domainFilter = { include: [zoneName] };
    return {
      secret: { Server: server },
      providerConfig: null,
      sets: async () => webhookSetsOf(fake),
      stop: () => fake.stop(),
    };
  },
  "google-clouddns": async (zoneName) => {
    const { fake, endpoint, secret } = await startGoogle();
    const zone = fake.addZone("zone-1", zoneName);
    return {
      secret,
      providerConfig: { endpoint },
      sets: async () => setsOf(zone),
      stop: () => fake.stop(),
    };
  },
  "infoblox-dns": async (zoneName) => {
    const fake = makeInfoblox();
    const host = await fake.start();
    fake.grid.addZone(zoneName);
    return {
      secret: INFOBLOX_SECRET,
      providerConfig: { host },
      sets: async () => infobloxSetsIn(fake.grid),
      stop: () => fake.stop(),
    };
  },
  "openstack-designate": async (zoneName) => {
    const stack = await startOpenStack(zoneName);
    return {
      secret: stack.userSecret,
      providerConfig: null,
      sets: () => transferred({ port: stack.dnsPort, name: zoneName }),
      stop: () => stack.stop(),
    };
  },
  powerdns: async (zoneName) => {
    const server = await startPowerDns({ zone: zoneName });
    return {
      secret: { Server: new URL(server.api.url).origin, ApiKey: server.api.key },
      providerConfig: null,
      sets: () => transferred({ port: server.port, name: zoneName, key: server.key }),
      stop: () => server.stop(),
    };
  },
  rfc2136: async (zoneName) => {
    const server = await startBind({ zone: zoneName });
    return {
      secret: serverKeys(server),
      providerConfig: null,
      sets: () => transferred({ port: server.port, name: zoneName, key: server.key }),
      stop: () => server.stop(),
    };
  },
};

async function transferred(question: DigQuestion): Promise<readonly RecordSet[]> {
  const records = await transfer(question);
  return records.map(({ name, type, rdata, ttlSeconds }) => ({
    name: trustedDnsName(name.replace(/\.$/, "")),
    type,
    setIdentifier: null,
    ttlSeconds,
    values: [rdata.replace(/\.$/, "")],
    properties: {},
    routingPolicy: null,
  }));
}

async function azure(zoneName: string, isPrivate: boolean): Promise<Vendor> {
  const fake = makeAzure();
  const endpoint = await fake.start();
  const zone = fake.addZone(zoneName, isPrivate);
  return {
    secret: AZURE_SECRET,
    providerConfig: { endpoint, authorityHost: endpoint },
    sets: async () => azureSetsOf(zone),
    stop: () => fake.stop(),
  };
}
