/**
 * Other people's programs judge the fakes of vendors' APIs, PowerDNS and our own requests: boto3,
 * cloudflare and alibabacloud-alidns check each answer against the vendor's description,
 * infoblox-client our fields, octoDNS keeps a zone, moto takes what we send to Route 53.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { RECORD_OBJECTS } from "../../src/providers/infoblox/objects.ts";
import type { ProviderSession } from "../../src/providers/provider.ts";
import {
  applyOnce,
  create,
  mustApply,
  recordSet,
  remove,
  soon,
  zoneOf,
} from "../conformance/provider-harness.ts";
import { ANY_AWS_KEY, runJudge, startMoto } from "../support/clients/provider-judges.ts";
import { ALIDNS_SECRET, makeFake as makeAliDns } from "../support/fakes/alidns/harness.ts";
import { CLOUDFLARE_SECRET, makeFake } from "../support/fakes/cloudflare/harness.ts";
import {
  INFOBLOX_SECRET,
  makeFake as makeInfoblox,
  openInfoblox,
} from "../support/fakes/infoblox/harness.ts";
import { openPowerDns } from "../support/fakes/powerdns/harness.ts";
import { openRoute53 } from "../support/fakes/route53/harness.ts";
import { FakeRoute53 } from "../support/fakes/route53/server.ts";
import { eventually } from "../support/ports/eventually.ts";
import { makeTempFolder } from "../support/ports/temp-folder.ts";
import { blocksOf } from "../support/programs/documented-commands.ts";
import { RunInstance } from "../support/programs/run-instance.ts";
import { RunSession } from "../support/programs/run-session.ts";
import { describeReal } from "../support/real-servers/availability.ts";
import { startPowerDns } from "../support/real-servers/powerdns.ts";
import { account, entry, object, together } from "../support/values/cluster-objects.ts";
import { RealZone } from "../support/values/real-zone.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function startRoute53(): Promise<{ readonly fake: FakeRoute53; readonly endpoint: string }> {
  const fake = new FakeRoute53();
  const endpoint = await fake.start();
  ends.push(() => fake.stop());
  fake.addZone("Z0123456789", "example.org");
  // botocore reads no text in the other form.
  fake.errorForm = "common";
  return { fake, endpoint };
}

describeReal("judges of Route 53", ["provider-judges"], () => {
  test("boto3 finds each answer of the fake as the vendor describes it", async () => {
    const { fake, endpoint } = await startRoute53();
    fake.addZone("Z9876543210", "example.net", true);
    fake.pendingAnswers = 1;
    expect(await runJudge(["route53.py", endpoint, "Z0123456789"])).toEqual(SEEN_BY_BOTO3);
  });

  test("octoDNS fills a zone of the fake, finds nothing to do, changes it and empties it", async () => {
    const { endpoint } = await startRoute53();
    const env = { ...ANY_AWS_KEY, AWS_ENDPOINT_URL: endpoint };
    const session = openRoute53(endpoint);
    ends.push(() => session.close());
    const account = { class: "octodns_route53.Route53Provider", ...ROUTE53_KEYS };
    await keepsZone(account, env, async () => expect(await seenBy(session)).toEqual(SEEN_BY_US));
    expect(await seenBy(session)).toEqual([]);
  });

  test("moto takes what we send, and gives it back", async () => {
    const moto = await startMoto();
    ends.push(() => moto.stop());
    const made = await runJudge(["moto_zone.py", moto.endpoint, "make"], ANY_AWS_KEY);
    expect(made).toEqual(["made"]);
    const session = openRoute53(moto.endpoint);
    ends.push(() => session.close());
    const zone = await zoneOf(session);
    const www = recordSet("www.example.org", "A", "192.0.2.1");
    const text = recordSet("a-www.example.org", "TXT", String.raw`"heritage=\"x\" \\ é"`);
    await mustApply(session, [
      create(www),
      create(text),
      create(recordSet("*.w.example.org", "A", "192.0.2.7")),
    ]);
    const [again] = await applyOnce(session, [create(www)]);
    expect(again?.status).toBe("precondition-failed");
    expect(await runJudge(["moto_zone.py", moto.endpoint, "show"], ANY_AWS_KEY)).toEqual([
      String.raw`a-www.example.org. TXT 900 "heritage=\"x\" \\ \303\251"`,
      String.raw`\052.w.example.org. A 900 192.0.2.7`,
      "www.example.org. A 900 192.0.2.1",
    ]);
    const { sets } = await session.records(zone, [www.name, text.name], soon());
    expect(sets).toEqual([session.normalize(text, zone), session.normalize(www, zone)]);
    await mustApply(session, [remove(www)]);
    expect((await session.records(zone, [www.name], soon())).sets).toEqual([]);
  });
});

describeReal("aliases of AWS", ["provider-judges", "kubectl-1.32"], () => {
  test("a load balancer at the apex becomes an alias, and those of external-dns 0.21 stay", async () => {
    const moto = await startMoto();
    ends.push(() => moto.stop());
    const shown = () => runJudge(["moto_zone.py", moto.endpoint, "show"], ANY_AWS_KEY);
    await runJudge(["moto_zone.py", moto.endpoint, "make-aliased"], ANY_AWS_KEY);
    const before = await shown();
    const session = await RunSession.open();
    ends.push(() => session.close());
    const balanced = async (name: string, host: string, hostname: string): Promise<void> => {
      const annotations = { "external-dns.alpha.kubernetes.io/hostname": host };
      const spec = { type: "LoadBalancer", ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] };
      await session.user.apply(object("Service", name, { metadata: { annotations }, spec }));
      const status = JSON.stringify({ status: { loadBalancer: { ingress: [{ hostname }] } } });
      const how = ["--subresource=status", "--type=merge", "-p", status];
      await session.user.kubectl.ok(["patch", "service", name, ...how]);
    };
    await balanced("www", "www.example.org", "lb-2.us-east-1.elb.amazonaws.com");
    const instance = await RunInstance.start({
      kubeconfig: session.kubeconfig,
      owner: "",
      args: [
        ...["--dialect=external-dns", "--provider=aws", "--source=service", "--policy=sync"],
        ...["--txt-owner-id=team", "--fence=off"],
      ],
      env: { ...ANY_AWS_KEY, AWS_ENDPOINT_URL: moto.endpoint },
    });
    ends.push(() => instance.remove());
    await instance.hasNothingToDo();
    expect(await shown()).toEqual(before);
    await balanced("top", "example.org", "net-1.elb.eu-central-1.amazonaws.com");
    const after = await eventually("the apex is an alias", shown, ({ length }) => length > 4);
    const target = "net-1.elb.eu-central-1.amazonaws.com. Z3F0SRJ5LGBH90 True";
    expect(after.filter((line) => line.startsWith("example.org. "))).toEqual([
      `example.org. A ${target}`,
      `example.org. AAAA ${target}`,
    ]);
    expect(after).toEqual(expect.arrayContaining([...before]));
  });
});

describeReal("judges of Cloudflare", ["provider-judges"], () => {
  test("cloudflare's own client finds each answer of the fake as its types say", async () => {
    const fake = makeFake();
    const endpoint = await fake.start();
    ends.push(() => fake.stop());
    const zone = fake.addZone("023e105f4ecef8ad9ca31a8372d0c353", "example.org", "pro");
    const args = [
      "cloudflare_records.py",
      endpoint,
      zone.id,
      CLOUDFLARE_SECRET.CLOUDFLARE_API_TOKEN,
    ];
    expect(await runJudge(args)).toEqual(SEEN_BY_CLOUDFLARE);
  });
});

describeReal("judges of Alibaba Cloud DNS", ["provider-judges"], () => {
  test("the vendor's own client finds each answer of the fake as its models say", async () => {
    const fake = makeAliDns();
    const { host } = new URL(await fake.start());
    ends.push(() => fake.stop());
    fake.addDomain("00efd71a-770e-4255-b54e-6fe5659baffe", "example.org");
    const { ACCESS_KEY_ID, ACCESS_KEY_SECRET } = ALIDNS_SECRET;
    const args = ["alidns_records.py", host, ACCESS_KEY_ID, ACCESS_KEY_SECRET];
    expect(await runJudge(args)).toEqual(SEEN_BY_ALIDNS);
  });
});

describeReal("judges of Infoblox", ["provider-judges"], () => {
  test("infoblox-client knows each field that we use, and keeps a zone with us", async () => {
    const fake = makeInfoblox();
    const origin = await fake.start();
    ends.push(() => fake.stop());
    fake.grid.addZone("example.org");
    const session = openInfoblox(origin);
    ends.push(() => session.close());
    const text = recordSet("a-ours.example.org", "TXT", '"heritage=x" "y z"');
    await mustApply(session, [
      create(recordSet("ours.example.org", "A", "192.0.2.1")),
      create(text),
    ]);
    const kinds = RECORD_OBJECTS.map((kind): [string, object] => {
      const changes = kind.isChangeable && !kind.isReadOnly ? kind.form.map(([name]) => name) : [];
      const fields = kind.fields.split(",");
      return [kind.object, { fields, changes, searches: ["name", "zone", "view"] }];
    });
    const asked = JSON.stringify(Object.fromEntries(kinds));
    const { USERNAME: user, PASSWORD: password } = INFOBLOX_SECRET;
    const seen = await runJudge(["infoblox_records.py", origin, user, password, asked]);
    const known = kinds.map(([object]) => `kind ${object} unknown: nothing`);
    expect(seen).toEqual([...known, ...SEEN_BY_INFOBLOX_CLIENT]);
    expect(await seenBy(session)).toEqual([
      'a-ours.example.org TXT "heritage=x" "y z"',
      "ours.example.org A 192.0.2.1",
      'text.example.org TXT "a b" "c"',
      "theirs.example.org A 192.0.2.8",
    ]);
  });
});

describeReal("judges of PowerDNS", ["provider-judges", "powerdns", "kubectl-1.32", "dig"], () => {
  test("octoDNS and we agree on a zone that both write", async () => {
    const server = await startPowerDns({ zone: "example.org" });
    ends.push(() => server.stop());
    const { hostname, port, origin } = new URL(server.api.url);
    const target = {
      class: "octodns_powerdns.PowerDnsProvider",
      host: hostname,
      port,
      api_key: server.api.key,
    };
    const session = openPowerDns(origin);
    ends.push(() => session.close());
    await keepsZone(target, {}, async () => {
      expect(await seenBy(session)).toEqual(SEEN_BY_US);
      await mustApply(session, [create(recordSet("ours.example.org", "A", "192.0.2.9"))]);
    });
    expect(await seenBy(session)).toEqual([]);
  });

  test("the filter of the guide keeps octoDNS from what Zonekeeper publishes, and from nothing else", async () => {
    const records = ["www 300 A 192.0.2.7", "stray 300 A 192.0.2.8"];
    const server = await startPowerDns({ zone: "example.org", records });
    ends.push(() => server.stop());
    const zone = new RealZone(server);
    const session = await RunSession.open();
    ends.push(() => session.close());
    const names = { plain: "shop", wildcard: "*.wild", long: "x".repeat(62), apex: "@" };
    const entries = Object.entries(names).map(([name, label]) =>
      entry(name, zone.name(label), { targets: ["192.0.2.1"] }),
    );
    const text = entry("text", zone.name("note"), { text: ["of ours"] });
    await session.user.apply(together(account("org", server), text, ...entries));
    const instance = await session.run("beside");
    await instance.hasNothingToDo();
    const published = (await zone.content()).filter((line) => !/^(?:www|stray)\./.test(line));
    await syncsFiltered(server.api);
    expect(await zone.content()).toEqual([...published, "www.example.org. A 192.0.2.9"].sort());
  });
});

/** What the vendor's servers have no part in. */
async function seenBy(session: ProviderSession): Promise<readonly string[]> {
  const { sets } = await session.records(await zoneOf(session), null, soon());
  const own = sets.filter(({ type }) => type !== "NS" && type !== "SOA");
  return own.map(({ name, type, values }) => [name, type, ...values].join(" "));
}

const SEEN_BY_US = [
  "*.wild.example.org A 192.0.2.4",
  "_sip._tcp.example.org SRV 1 2 5060 sip.example.net",
  "alias.example.org CNAME www.example.org",
  "example.org MX 10 mx.example.net",
  'example.org TXT "v=spf1 -all"',
  'text.example.org TXT "v=DKIM1; k=rsa" "with, comma = sign"',
  "www.example.org A 192.0.2.1 192.0.2.2",
  "www.example.org AAAA 2001:db8::1",
];

const SEEN_BY_INFOBLOX_CLIENT = [
  "zone example.org default",
  "read ours.example.org 192.0.2.1 900",
  'read a-ours.example.org heritage=x "y z"',
  "created theirs.example.org 192.0.2.7 record:a",
  "refused same InfobloxCannotCreateObject Client.Ibap.Data.Conflict The record 'theirs.example.org' already exists.",
  "refused outside InfobloxCannotCreateObject Client.Ibap.Data.Conflict The action is not allowed. A parent was not found.",
  "refused field InfobloxCannotCreateObject Client.Ibap.Proto Unknown argument/field: 'address'",
  "changed 192.0.2.8",
  "refused gone InfobloxCannotDeleteObject Client.Ibap.Data.NotFound Reference record:a/HANDLE:theirs.example.org/default not found",
  'text "a b" c',
  "refused key InfobloxBadWAPICredential None None",
];

const WWW = "resource record set [name='www.example.org.', type='A']";
const SEEN_BY_BOTO3 = [
  "zone /hostedzone/Z0123456789 example.org.",
  "zone /hostedzone/Z9876543210 example.net.",
  "by name /hostedzone/Z0123456789",
  "servers 2",
  "health checks 0",
  "created PENDING",
  "insync INSYNC",
  `refused second InvalidChangeBatch [Tried to create ${WWW} but it already exists]`,
  `refused other values InvalidChangeBatch [Tried to delete ${WWW} but the values provided do not match the current values]`,
  "refused zone NoSuchHostedZone No hosted zone found with ID: Z404",
  "refused change NoSuchChange A change with ID C404 does not exist",
  "refused bad address InvalidChangeBatch [Invalid Resource Record: FATAL problem: ARRDATAIllegalIPv4Address (Value is not a valid IPv4 address) encountered with '300.1.1.1']",
  "read w.example.org. 192.0.2.5 10",
  String.raw`read \052.wild.example.org. 192.0.2.4 `,
  "read www.example.org. 192.0.2.3 ",
];

const SEEN_BY_ALIDNS = [
  "zone 00efd71a-770e-4255-b54e-6fe5659baffe example.org mianfei dns7.hichina.com dns8.hichina.com",
  "details example.org 600 dns7.hichina.com dns8.hichina.com",
  "created True",
  "refused same 400 DomainRecordDuplicate",
  "refused bad 400 InvalidValue.A",
  "refused ttl 400 InvalidTTL",
  "refused cname 400 DomainRecordConflict",
  "updated True",
  "listed 4 1 500",
  "read A www 192.0.2.2 1200 default ENABLE False None",
  "read MX @ mx.example.net 600 default ENABLE False 10",
  "read SRV _sip._tcp 1 2 5060 sip.example.net 600 default ENABLE False None",
  "read TXT *.w v=spf1 -all; ~(x)!*' 600 default ENABLE False None",
  "asked ['192.0.2.2']",
  "deleted True",
  "refused gone 400 DomainRecordNotBelongToUser",
  "refused zone 400 InvalidDomainName.NoExist",
  "refused key 400 SignatureDoesNotMatch",
];

const SEEN_BY_CLOUDFLARE = [
  "zone 023e105f4ecef8ad9ca31a8372d0c353 example.org full",
  "details example.org",
  "created www.example.org 192.0.2.1 60.0 False",
  "refused same 400 81058 An identical record already exists.",
  "refused bad 400 9005 Content for A record must be a valid IPv4 address.",
  "batch 1 4",
  "refused gone 400 81044 Record does not exist.",
  "read A www.example.org 192.0.2.2 60.0",
  "read MX example.org mx.example.org 1",
  "read SRV _sip._tcp.example.org 1 2 5060 sip.example.org 1",
  'read TXT example.org "v=spf1 -all" 120.0',
  "edited 90.0",
  "deleted True",
  "refused key 403 9109 Invalid access token",
];

const ROUTE53_KEYS = {
  access_key_id: ANY_AWS_KEY.AWS_ACCESS_KEY_ID,
  secret_access_key: ANY_AWS_KEY.AWS_SECRET_ACCESS_KEY,
} as const;

const FIRST = `---
'':
  - type: MX
    values:
      - exchange: mx.example.net.
        preference: 10
  - type: TXT
    value: v=spf1 -all
'*.wild':
  type: A
  value: 192.0.2.4
_sip._tcp:
  type: SRV
  values:
    - port: 5060
      priority: 1
      target: sip.example.net.
      weight: 2
alias:
  type: CNAME
  value: www.example.org.
text:
  type: TXT
  values:
    - with, comma = sign
    - v=DKIM1\\; k=rsa
www:
  - type: A
    values: [192.0.2.1, 192.0.2.2]
  - type: AAAA
    value: 2001:db8::1
`;

/** octoDNS keeps www and the name server, with the guide's processor; its next plan is empty. */
async function syncsFiltered(api: { readonly url: string; readonly key: string }): Promise<void> {
  const folder = makeTempFolder("octodns");
  ends.push(() => folder.remove());
  const guide = readFileSync("docs/guides/beside-other-tools.md", "utf8");
  const [filter = ""] = blocksOf(guide, "octoDNS", "python");
  const [settings = ""] = blocksOf(guide, "octoDNS", "yaml");
  const { hostname: host, port } = new URL(api.url);
  const target = { class: "octodns_powerdns.PowerDnsProvider", host, port, api_key: api.key };
  const config = { class: "octodns.provider.yaml.YamlProvider", directory: folder.path };
  const providers = JSON.stringify({ config, target });
  const file = join(folder.path, "config.yaml");
  writeFileSync(file, `providers: ${providers}\n${settings}`);
  writeFileSync(join(folder.path, "zonekeeper_filter.py"), filter);
  const kept = { ns1: { type: "A", value: "127.0.0.1" }, www: { type: "A", value: "192.0.2.9" } };
  writeFileSync(join(folder.path, "example.org.yaml"), JSON.stringify(kept));
  const env = { PYTHONPATH: folder.path };
  await runJudge(["octodns.cmds.sync", "--config-file", file, "--doit", "--force"], env);
  expect(await runJudge(["octodns_plan.py", file], env)).toEqual(["no changes"]);
}

/** octoDNS writes a zone, changes it and empties it; each time its next plan is empty. */
async function keepsZone(
  target: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>>,
  full: () => Promise<void> = async () => undefined,
): Promise<void> {
  const folder = makeTempFolder("octodns");
  ends.push(() => folder.remove());
  mkdirSync(join(folder.path, "zones"));
  const config = {
    providers: {
      config: {
        class: "octodns.provider.yaml.YamlProvider",
        directory: join(folder.path, "zones"),
      },
      target,
    },
    zones: { "example.org.": { sources: ["config"], targets: ["target"] } },
  };
  const file = join(folder.path, "config.json");
  writeFileSync(file, JSON.stringify(config));
  const sync = async (zone: string): Promise<void> => {
    writeFileSync(join(folder.path, "zones", "example.org.yaml"), zone);
    const args = ["octodns.cmds.sync", "--config-file", file];
    await runJudge([...args, "--doit", "--force"], env);
    const next = await runJudge(["octodns_plan.py", file], env);
    expect(next).toEqual(["no changes"]);
  };
  await sync(FIRST);
  await full();
  await sync(FIRST.replace("192.0.2.2", "192.0.2.3").replace("alias:", "other:"));
  await sync("---\n{}\n");
}
