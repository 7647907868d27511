/**
 * Good answers in each form that a description allows are read alike, and writes go on alike:
 * numbers as text, fields that nobody needs absent or `null`, fields that nobody knows. What each
 * provider cannot do without is its row; the tests of its folder have the forms of its own.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { describe, expect, test } from "vitest";
import type { RecordSet } from "../../src/model/record-set.ts";
import { PROVIDER_TYPES } from "../../src/providers/index.ts";
import { aliDnsHarness } from "../support/fakes/alidns/harness.ts";
import { azureHarness } from "../support/fakes/azure/harness.ts";
import { cloudflareHarness } from "../support/fakes/cloudflare/harness.ts";
import { coreDnsHarness } from "../support/fakes/coredns/harness.ts";
import { designateHarness } from "../support/fakes/designate/harness.ts";
import type { FakeAnswer } from "../support/fakes/fake-api.ts";
import { googleHarness } from "../support/fakes/google/harness.ts";
import { infobloxHarness } from "../support/fakes/infoblox/harness.ts";
import { piholeHarness } from "../support/fakes/pihole/harness.ts";
import { powerDnsHarness } from "../support/fakes/powerdns/harness.ts";
import { route53Harness } from "../support/fakes/route53/harness.ts";
import { webhookHarness } from "../support/fakes/webhook/harness.ts";
import {
  create,
  mustApply,
  type ProviderHarness,
  recordSet,
  remove,
  replace,
  soon,
  withTtl,
  zoneOf,
} from "./provider-harness.ts";

const AZURE =
  "issuer jwks_uri token_endpoint authorization_endpoint access_token expires_in value id name type etag properties ttl TTL ARecords aRecords ipv4Address AAAARecords aaaaRecords ipv6Address CNAMERecord cnameRecord cname MXRecords mxRecords preference exchange SRVRecords srvRecords priority weight port target TXTRecords txtRecords NSRecords nsdname SOARecord soaRecord host email serialNumber refreshTime retryTime expireTime minimumTTL minimumTtl";

type Start = () => Promise<ProviderHarness>;

/** Fields without which an answer says something else; the rest is not needed. */
const PROVIDERS: readonly (readonly [string, Start, string])[] = [
  [
    "alicloud-dns",
    aliDnsHarness,
    "Domains Domain DomainId DomainName DomainRecords Record RecordId RR Type Value TTL Priority DnsServers DnsServer",
  ],
  ["azure-dns", () => azureHarness(false, true), AZURE],
  ["azure-private-dns", () => azureHarness(true, false), AZURE],
  [
    "cloudflare-dns",
    () => cloudflareHarness(),
    "success result id name type content ttl data priority weight port target name_servers",
  ],
  ["coredns-etcd", coreDnsHarness, "token header revision kvs key value mod_revision succeeded"],
  ["external-dns-webhook", webhookHarness, "include dnsName targets recordType recordTTL"],
  [
    "google-clouddns",
    googleHarness,
    "access_token managedZones rrsets name dnsName type ttl rrdatas",
  ],
  [
    "infoblox-dns",
    infobloxHarness,
    "result _ref fqdn name ttl ipv4addr ipv6addr canonical preference mail_exchanger priority weight port target text nameserver",
  ],
  [
    "openstack-designate",
    designateHarness,
    "token catalog type endpoints interface url zones recordsets id name ttl records",
  ],
  ["pihole", piholeHarness, "session sid valid config dns hosts cnameRecords"],
  ["powerdns", powerDnsHarness, "id name kind rrsets type ttl records content"],
];

/** A JSON value as it is rewritten: fields of objects first. */
type Rewrite = (value: unknown, needed: ReadonlySet<string>) => unknown;

function walk(value: unknown, rewrite: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => walk(one, rewrite));
  if (!isFields(value)) return rewrite(value);
  const fields = Object.entries(value).map(([name, one]) => [name, walk(one, rewrite)] as const);
  return rewrite(Object.fromEntries(fields));
}

const FORMS: readonly (readonly [string, Rewrite])[] = [
  [
    "numbers as text",
    (body) => walk(body, (value) => (typeof value === "number" ? String(value) : value)),
  ],
  [
    "fields that nobody knows",
    (body) => walk(body, (value) => (isFields(value) ? { zz: [{ a: null }], ...value } : value)),
  ],
  ["null for what is not needed", (body, needed) => walk(body, onlyOf(needed, { isNull: true }))],
  [
    "nothing of what is not needed",
    (body, needed) => walk(body, onlyOf(needed, { isNull: false })),
  ],
];

function onlyOf(needed: ReadonlySet<string>, { isNull }: { readonly isNull: boolean }) {
  return (value: unknown): unknown => {
    if (!isFields(value)) return value;
    const fields = Object.entries(value).flatMap(([name, one]) => {
      if (needed.has(name)) return [[name, one] as const];
      return isNull ? [[name, null] as const] : [];
    });
    return Object.fromEntries(fields);
  };
}

const SETS: readonly RecordSet[] = [
  recordSet("a.example.org", "A", "192.0.2.1", "192.0.2.2"),
  recordSet("b.example.org", "AAAA", "2001:db8::1"),
  recordSet("c.example.org", "CNAME", "a.example.org"),
  recordSet("m.example.org", "MX", "10 a.example.org"),
  recordSet("s.example.org", "SRV", "0 5 443 a.example.org"),
  recordSet("t.example.org", "TXT", '"v=1,a=b"'),
];

describe.each(PROVIDERS)("%s", (_type, start, names) => {
  const needed = new Set(names.split(" "));

  test.each(FORMS)("%s", async (_what, rewrite) => {
    const harness = await start();
    const sets = await given(harness);
    const plain = await readBy(harness, sets);
    expect(plain.sets.length).toBeGreaterThanOrEqual(sets.length);
    expect(plain.named).toHaveLength(2);
    harness.fake?.rewrite?.((answer) => rewritten(answer, (body) => rewrite(body, needed)));
    expect(await readBy(harness, sets)).toEqual(plain);
    await writeBy(harness, recordSet("w.example.org", "A", "192.0.2.1"));
    await harness.stop();
  });
});

test("each provider that speaks HTTP is looked at", () => {
  const looked = [...PROVIDERS.map(([type]) => type), "aws-route53", "rfc2136"];
  expect(PROVIDER_TYPES.map(({ type }) => type).sort()).toEqual(looked.sort());
});

test("aws-route53: elements that nobody knows", async () => {
  const harness = await route53Harness("own");
  const sets = await given(harness);
  const plain = await readBy(harness, sets);
  harness.fake?.rewrite?.((answer) => ({
    ...answer,
    text: (answer.text ?? "").replace(/<\w+(?: [^>]*)?>(?=<\w)/g, '$&<Zz a="b"><Yy/></Zz>'),
  }));
  expect(await readBy(harness, sets)).toEqual(plain);
  await writeBy(harness, recordSet("w.example.org", "A", "192.0.2.1"));
  await harness.stop();
});

function rewritten(answer: FakeAnswer, as: (body: unknown) => unknown): FakeAnswer {
  return answer.body === undefined ? answer : { ...answer, body: as(answer.body) };
}

/** What the back end has, of the types that it takes. */
async function given(harness: ProviderHarness): Promise<readonly RecordSet[]> {
  const session = harness.open();
  const { types } = session.capabilities;
  session.close();
  const sets = SETS.filter(({ type }) => types.has(type));
  for (const set of sets) await harness.addForeign(set);
  await harness.settle();
  return sets;
}

/** By a new session: all of the zone, and names one by one. */
async function readBy(harness: ProviderHarness, sets: readonly RecordSet[]) {
  const session = harness.open();
  try {
    const zone = await zoneOf(session);
    const some: readonly DnsName[] = sets.slice(0, 2).map(({ name }) => name);
    const named = await session.records(zone, some, soon());
    const whole = await session.records(zone, null, soon());
    return { zone, named: named.sets, sets: whole.sets };
  } finally {
    session.close();
  }
}

/** Created, replaced and removed, each by a new session. */
async function writeBy(harness: ProviderHarness, set: RecordSet): Promise<void> {
  const next = withTtl({ ...set, values: ["192.0.2.9"] }, 1200);
  for (const group of [create(set), replace(set, next), remove(next)]) {
    const session = harness.open();
    await session.records(await zoneOf(session), [set.name], soon());
    await mustApply(session, [group]).finally(() => session.close());
  }
  expect(await harness.poll(set.name, set.type)).toBeNull();
}
