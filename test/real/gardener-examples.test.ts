/**
 * examples/gardener, applied as they are: both API servers take every field of them. With BIND and
 * fakes of vendors behind their DNSProviders, all become Ready that can.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { API_SERVERS, type ApiServerEntry } from "../support/api-servers/index.ts";
import type { ClusterUser } from "../support/clients/cluster-user.ts";
import { ALIDNS_SECRET, makeFake as makeAliDns } from "../support/fakes/alidns/harness.ts";
import { AZURE_SECRET, makeAzure } from "../support/fakes/azure/harness.ts";
import {
  CLOUDFLARE_SECRET,
  makeFake as makeCloudflare,
} from "../support/fakes/cloudflare/harness.ts";
import { designateSecret } from "../support/fakes/designate/harness.ts";
import { FakeDesignate } from "../support/fakes/designate/server.ts";
import { startGoogle } from "../support/fakes/google/harness.ts";
import { INFOBLOX_SECRET, makeFake as makeInfoblox } from "../support/fakes/infoblox/harness.ts";
import { POWERDNS_KEY } from "../support/fakes/powerdns/harness.ts";
import { FakePowerDns } from "../support/fakes/powerdns/server.ts";
import { ROUTE53_SECRET } from "../support/fakes/route53/harness.ts";
import { FakeRoute53 } from "../support/fakes/route53/server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startBind } from "../support/real-servers/bind.ts";
import { serverKeys, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const FOLDER = "examples/gardener";

interface Example {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly stringData?: Readonly<Record<string, string>>;
}

const EXAMPLES: readonly Example[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".yaml"))
  .sort()
  .flatMap((file) => parseAllDocuments(readFileSync(`${FOLDER}/${file}`, "utf8")))
  .map((document) => document.toJS() as Example);
const ofKind = (kind: string): readonly Example[] => EXAMPLES.filter((one) => one.kind === kind);

/** What leads to a server in place of what the example says. */
interface Account {
  readonly secret: Readonly<Record<string, string>>;
  readonly config?: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** By type; each is given the zone that its example serves. */
const VENDORS: Readonly<Record<string, (zone: string) => Promise<Account>>> = {
  "aws-route53": async (zone) => {
    const fake = new FakeRoute53();
    fake.addZone("Z1", zone);
    return started(fake, ROUTE53_SECRET, (endpoint) => ({ endpoint }));
  },
  "azure-dns": (zone) => azure(zone, false),
  "azure-private-dns": (zone) => azure(zone, true),
  "google-clouddns": async (zone) => {
    const { fake, endpoint, secret } = await startGoogle();
    fake.addZone("zone-1", zone);
    return { secret, config: { endpoint }, stop: () => fake.stop() };
  },
  "alicloud-dns": async (zone) => {
    const fake = makeAliDns();
    fake.addDomain("00efd71a-770e-4255-b54e-6fe5659baffe", zone);
    return started(fake, ALIDNS_SECRET, (endpoint) => ({ endpoint }));
  },
  "openstack-designate": async (zone) => {
    const fake = new FakeDesignate();
    const secret = designateSecret(await fake.start());
    fake.addZone(zone);
    return { secret, stop: () => fake.stop() };
  },
  "cloudflare-dns": async (zone) => {
    const fake = makeCloudflare();
    fake.addZone("023e105f4ecef8ad9ca31a8372d0c353", zone);
    return started(fake, CLOUDFLARE_SECRET, (endpoint) => ({ endpoint }));
  },
  "infoblox-dns": async (zone) => {
    const fake = makeInfoblox();
    fake.grid.addZone(zone);
    return started(fake, INFOBLOX_SECRET, (host) => ({ host }));
  },
  powerdns: async (zone) => {
    const fake = new FakePowerDns(POWERDNS_KEY);
    fake.addZone(zone);
    const secret = { Server: await fake.start(), ApiKey: POWERDNS_KEY };
    return { secret, stop: () => fake.stop() };
  },
};

async function azure(zone: string, isPrivate: boolean): Promise<Account> {
  const fake = makeAzure();
  fake.addZone(zone, isPrivate);
  return started(fake, AZURE_SECRET, (endpoint) => ({ endpoint, authorityHost: endpoint }));
}

async function started(
  fake: { start(): Promise<string>; stop(): Promise<void> },
  secret: Account["secret"],
  configOf: (endpoint: string) => Readonly<Record<string, string>>,
): Promise<Account> {
  return { secret, config: configOf(await fake.start()), stop: () => fake.stop() };
}

for (const api of API_SERVERS)
  describeReal(
    `the examples of Gardener's objects, with ${api.name}`,
    ["kubectl-1.32", "bind", "dig", ...api.needs],
    () => story(api),
  );

function story(api: ApiServerEntry): void {
  let session: RunSession;
  let user: ClusterUser;
  let zone: RealZone;
  let hosts: RealZone;
  const accounts = new Map<string, Account>();
  beforeAll(async () => {
    zone = new RealZone(await startBind({ zone: "example.org" }));
    const records = ["one 60 IN A 192.0.2.101", "two 60 IN A 192.0.2.102"];
    hosts = new RealZone(await startBind({ zone: "lb.example.net", records }));
    accounts.set("rfc2136", { secret: serverKeys(zone.server), stop: async () => undefined });
    for (const { spec } of ofKind("DNSProvider")) {
      const type = String(spec?.["type"]);
      if (!accounts.has(type)) accounts.set(type, await openVendor(type, spec));
    }
    session = await RunSession.open(api.start);
    user = session.user;
  });
  afterAll(async () => {
    await session?.close();
    await Promise.all([...accounts.values()].map((one) => one.stop()));
    await zone?.server.stop();
    await hosts?.server.stop();
  });

  test("each is taken as it is: no field is unknown or lost", async () => {
    await user.kubectl.ok(["apply", "--validate=true", "-f", `${process.cwd()}/${FOLDER}`]);
    for (const { kind, metadata, spec } of EXAMPLES)
      if (spec !== undefined) {
        const there = (await user.kubectl.json(["get", kind, metadata.name])) as Example;
        expect(there.spec, `${kind} ${metadata.name}`).toMatchObject(spec);
      }
  });

  test("each DNSProvider is Ready with the keys of its example", async () => {
    for (const one of ofKind("Secret")) await user.apply(secretOf(one, accounts));
    await user.apply(
      together(...ofKind("DNSProvider").map((one) => JSON.stringify(withAccount(one, accounts)))),
    );
    await session.run("me", "--lookup-servers", `127.0.0.1:${hosts.server.port}`);
    for (const { metadata } of ofKind("DNSProvider"))
      await user.becomes("dnspr", metadata.name, "Ready");
  });

  test("each DNSEntry is Ready, but one of another class and one that is ignored", async () => {
    const isOther = (name: string): boolean => name === "other-class" || name === "ignored";
    for (const { metadata } of ofKind("DNSEntry"))
      if (!isOther(metadata.name)) await user.becomes("dnse", metadata.name, "Ready");
    await user.becomes("dnse", "ignored", "Pending", /paused by the annotation/);
    expect(await user.status("dnse", "other-class")).toEqual({ state: "", message: "" });
    await zone.becomes("myentry", "AAAA", "2001:db8::4");
    await zone.becomes("reference", "A", "192.0.2.4");
    await zone.becomes("several-hosts", "A", "192.0.2.101", "192.0.2.102");
    await zone.becomes("resolved", "A", "192.0.2.101");
    await zone.becomes("owned", "A", "192.0.2.7");
    expect(await zone.answers("other-class")).toEqual([]);
    expect(await zone.answers("ignored")).toEqual([]);
  });

  test("each DNSOwner says whether it is on", async () => {
    const active = async (name: string): Promise<unknown> => {
      const { status } = await user.get("dnso", name);
      return status?.["active"];
    };
    for (const [name, wanted] of Object.entries({ shop: true, campaign: true, elsewhere: false }))
      await eventually(
        name,
        () => active(name),
        (is) => is === wanted,
      );
  });

  test("Services and the Ingress get their names, one by a DNSAnnotation", async () => {
    const published = [
      ["echo", "svc", "test-service", "192.0.2.31"],
      ["ingress", "ing", "test-ingress", "192.0.2.32"],
      ["testapp", "svc", "testapp", "192.0.2.33"],
    ] as const;
    for (const [label, kind, name, address] of published) {
      await user.balance(kind, name, address);
      await zone.becomes(label, "A", address);
    }
  });
}

function openVendor(type: string, spec: Example["spec"]): Promise<Account> {
  const { include = [] } = (spec?.["domains"] ?? {}) as { readonly include?: readonly string[] };
  const open = VENDORS[type];
  if (open === undefined) throw new Error(`no server for ${type}`);
  return open(include[0] ?? "");
}

/** The Secret with the credentials of the server; the example has all of their keys. */
function secretOf(one: Example, accounts: ReadonlyMap<string, Account>): string {
  const provider = ofKind("DNSProvider").find(({ spec }) => {
    const { name } = (spec?.["secretRef"] ?? {}) as { readonly name?: string };
    return name === one.metadata.name;
  });
  const given = accounts.get(String(provider?.spec?.["type"]))?.secret ?? {};
  expect(Object.keys(one.stringData ?? {})).toEqual(expect.arrayContaining(Object.keys(given)));
  return JSON.stringify({ ...one, stringData: { ...one.stringData, ...given } });
}

function withAccount(one: Example, accounts: ReadonlyMap<string, Account>): Example {
  const config = accounts.get(String(one.spec?.["type"]))?.config;
  if (config === undefined) return one;
  const providerConfig = { ...(one.spec?.["providerConfig"] as object | undefined), ...config };
  return { ...one, spec: { ...one.spec, providerConfig } };
}
