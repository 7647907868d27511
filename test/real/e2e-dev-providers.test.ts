/**
 * `zonekeeper dev` with a DNSProvider of a vendor: it becomes Ready, and a DNSEntry is created,
 * changed, retyped and deleted with kubectl. The vendor's fake, or the server itself, shows what
 * arrives.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { trustedDnsName } from "../../src/model/dns-name.ts";
import type { RecordSet } from "../../src/model/record-set.ts";
import { toRecordSet } from "../../src/providers/route53/convert.ts";
import { ClusterUser } from "../support/clients/cluster-user.ts";
import { type DigQuestion, transfer } from "../support/clients/dig.ts";
import {
  ALIDNS_SECRET,
  setsOf as aliDnsSetsOf,
  makeFake as makeAliDns,
} from "../support/fakes/alidns/harness.ts";
import { AZURE_SECRET, setsOf as azureSetsOf, makeAzure } from "../support/fakes/azure/harness.ts";
import { CLOUDFLARE_SECRET, makeFake, setsIn } from "../support/fakes/cloudflare/harness.ts";
import { setsIn as coreDnsSetsIn } from "../support/fakes/coredns/harness.ts";
import { setsOf, startGoogle } from "../support/fakes/google/harness.ts";
import {
  INFOBLOX_SECRET,
  setsIn as infobloxSetsIn,
  makeFake as makeInfoblox,
} from "../support/fakes/infoblox/harness.ts";
import { ROUTE53_SECRET } from "../support/fakes/route53/harness.ts";
import { FakeRoute53 } from "../support/fakes/route53/server.ts";
import { setsOf as webhookSetsOf } from "../support/fakes/webhook/harness.ts";
import { FakeWebhook } from "../support/fakes/webhook/server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { dnsEntry, UserSession } from "../support/programs/user-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startEtcd } from "../support/real-servers/etcd.ts";
import { startOpenStack } from "../support/real-servers/openstack/openstack.ts";
import { startPowerDns } from "../support/real-servers/powerdns.ts";
import { object } from "../support/values/cluster-objects.ts";

/** A vendor with one zone, running. */
interface Vendor {
  readonly secret: Readonly<Record<string, string>>;
  readonly providerConfig: unknown;
  sets(): Promise<readonly RecordSet[]>;
  stop(): Promise<void>;
}

/** Each with the name of its zone. */
const VENDORS: Readonly<Record<string, (zoneName: string) => Promise<Vendor>>> = {
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

const OPENSTACK = "openstack-designate";
const ETCD = "coredns-etcd";
const OTHERS = Object.keys(VENDORS).filter((type) => type !== OPENSTACK && type !== ETCD);
describeReal("dev with DNSProviders of vendors", ["kubectl-1.32", "powerdns", "dig"], () =>
  vendorCases(OTHERS),
);
describeReal("dev and etcd", ["kubectl-1.32", "etcd"], () => vendorCases([ETCD]));
describeReal("dev and OpenStack", ["kubectl-1.32", "openstack", "dig"], () =>
  vendorCases([OPENSTACK]),
);

function vendorCases(types: readonly string[]): void {
  let session: UserSession;
  let user: ClusterUser;
  beforeAll(async () => {
    session = await UserSession.start("1.32");
    user = new ClusterUser(session.kubectl);
  });
  afterAll(() => session?.close());

  test.each(types)("%s", async (type) => {
    const zoneName = `${type}.example`;
    const dnsName = `www.${zoneName}`;
    const vendor = await VENDORS[type]?.(zoneName);
    if (vendor === undefined) throw new Error(`no vendor ${type}`);
    const { secret, providerConfig } = vendor;
    /** Data of the name; markers apart. */
    const published = async (): Promise<string> => {
      const sets = (await vendor.sets()).filter(
        (set) => set.name === dnsName && set.type !== "TXT",
      );
      const types = [...new Set(sets.map(({ type: one }) => one))];
      const values = sets.flatMap((set) => set.values).sort();
      return [...types, ...values].join(" ");
    };
    const becomes = (text: string): Promise<string> =>
      eventually(`${dnsName} is ${text}`, published, (one) => one === text);
    const target = (...targets: readonly string[]): Promise<string> =>
      user.apply(dnsEntry("vendor", dnsName, "ttl: 120", `targets: [${targets.join(", ")}]`));
    try {
      await user.apply(object("Secret", type, { stringData: secret }));
      const spec = { type, secretRef: { name: type }, providerConfig };
      await user.apply(object("DNSProvider", type, { spec }));
      await user.becomes("dnspr", type, "Ready");
      await target("192.0.2.1");
      await becomes("A 192.0.2.1");
      await user.becomes("dnse", "vendor", "Ready");
      await target("192.0.2.2", "192.0.2.3");
      await becomes("A 192.0.2.2 192.0.2.3");
      await target("lb.example.com");
      await becomes("CNAME lb.example.com");
      await user.becomes("dnse", "vendor", "Ready");
      await user.delete("dnse", "vendor");
      expect(await published(), "it is removed before its entry is gone").toBe("");
      const markers = (await vendor.sets()).filter(
        ({ name, type: kind }) => kind === "TXT" && !name.includes("_zonekeeper-fence"),
      );
      expect(markers, "its markers are gone with it").toEqual([]);
    } finally {
      await user.delete("dnspr", type);
      await vendor.stop();
    }
  });
}
