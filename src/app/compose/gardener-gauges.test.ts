/** The metrics of Gardener's names, of the whole program. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { expect, test } from "vitest";
import { objectOf, programWorld } from "../../../test/support/worlds/program-world.ts";
import { DNS_ENTRY, DNS_OWNER, DNS_PROVIDER } from "../../model/kinds.ts";
import { setGardenerGauges } from "./gauges.ts";

const API = "dns.gardener.cloud/v1alpha1";
const PREFIX = "external_dns_management_";

function world() {
  const made = programWorld({ controllers: ["compound"] });
  const { cluster, clock, metrics } = made;
  const running = made.start();
  const entry = (name: string, spec: object, metadata = {}) =>
    cluster.apply(DNS_ENTRY, objectOf(API, "DNSEntry", name, { metadata, spec }));
  const at = (name: string, more: object = {}) =>
    entry(name, { dnsName: `${name}.example.org`, targets: ["192.0.2.1"], ...more });
  /** The lines of a scrape about a metric, sorted. */
  const scraped = async (name: string): Promise<readonly string[]> => {
    await clock.advance(60_000);
    setGardenerGauges(metrics, running.figures());
    const { text } = await metrics.scrape();
    const lines = text.split("\n").filter((line) => line.startsWith(`${PREFIX}${name}{`));
    return lines.map((line) => line.slice(PREFIX.length + name.length)).sort();
  };
  return { ...made, running, entry, at, scraped };
}

test("entries are counted by zone and state as they come, fail and go", async () => {
  const { at, entry, scraped, cluster, running } = world();
  at("one");
  at("two");
  entry("bad", { dnsName: "bad.example.org", targets: ["192.0.2.1"], text: ["both"] });
  entry("away", { dnsName: "away.example.net", targets: ["192.0.2.1"] });
  const ready = '{providertype="memory",zone="example.org",state="Ready"}';
  const invalid = '{providertype="",zone="",state="Invalid"}';
  const error = '{providertype="",zone="",state="Error"}';
  expect(await scraped("dns_entries")).toEqual([`${error} 1`, `${invalid} 1`, `${ready} 2`]);
  cluster.delete(DNS_ENTRY, "default", "two");
  cluster.delete(DNS_ENTRY, "default", "away");
  expect(await scraped("dns_entries")).toEqual([`${invalid} 1`, `${ready} 1`]);
  expect(await scraped("dns_entries_stale")).toEqual([
    '{providertype="memory",zone="example.org"} 0',
  ]);
  await running.stop();
});

test("owners are counted with ids of entries, of their DNSProvider and of --owner; off is stale", async () => {
  const { at, scraped, cluster, running } = world();
  const shop = (active: boolean) =>
    cluster.apply(DNS_OWNER, {
      apiVersion: API,
      kind: "DNSOwner",
      metadata: { name: "shop" },
      spec: { ownerId: "shop", active },
    } as KubeObject);
  shop(true);
  at("one", { ownerId: "shop" });
  at("two");
  const row = (owner: string) => `{owner="${owner}",providertype="memory",provider="default/p"} 1`;
  expect(await scraped("dns_owners")).toEqual([row("me"), row("shop")]);
  shop(false);
  expect(await scraped("dns_owners")).toEqual([row("me"), row("shop")]);
  expect(await scraped("dns_entries_stale")).toEqual([
    '{providertype="memory",zone="example.org"} 1',
  ]);
  const metadata = { annotations: { "dns.gardener.cloud/owner-id": "team" } };
  const spec = { type: "memory", secretRef: { name: "s" } };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "p", { metadata, spec }));
  expect(await scraped("dns_owners")).toEqual([row("shop"), row("team")]);
  await running.stop();
});

test("the id that an entry inherits by reference counts, also while it has a mistake", async () => {
  const { at, entry, scraped, cluster, running } = world();
  cluster.apply(DNS_OWNER, {
    apiVersion: API,
    kind: "DNSOwner",
    metadata: { name: "shop" },
    spec: { ownerId: "shop" },
  } as KubeObject);
  at("one", { ownerId: "shop" });
  entry("ref", { dnsName: "ref.example.org", reference: { name: "one" } });
  const row = '{owner="shop",providertype="memory",provider="default/p"}';
  expect(await scraped("dns_owners")).toEqual([`${row} 2`]);
  entry("ref", { dnsName: "ref.example.org", reference: { name: "one" }, text: ["both"] });
  expect(await scraped("dns_owners")).toEqual([`${row} 2`]);
  cluster.delete(DNS_ENTRY, "default", "ref");
  expect(await scraped("dns_owners")).toEqual([`${row} 1`]);
  await running.stop();
});

test("accounts are counted with the DNSProviders that share them; their name is no secret's hash", async () => {
  const { scraped, cluster, running } = world();
  const counted = await scraped("account_providers");
  expect(counted).toEqual([
    expect.stringMatching(/^\{providertype="memory",accounthash="[0-9a-f]{32}"\} 1$/),
  ]);
  const spec = { type: "memory", secretRef: { name: "s" } };
  cluster.apply(DNS_PROVIDER, objectOf(API, "DNSProvider", "q", { spec }));
  expect(await scraped("account_providers")).toEqual([counted[0]?.replace(/1$/, "2")]);
  const requests = await scraped("total_provider_requests");
  expect(requests.join("\n")).toMatch(/requesttype="list_zones"\} [1-9]/);
  expect((await scraped("requests_per_zone")).join("\n")).toMatch(
    /requesttype="list_records",zone="example.org"\} [1-9]/,
  );
  cluster.delete(DNS_PROVIDER, "default", "p");
  cluster.delete(DNS_PROVIDER, "default", "q");
  expect(await scraped("account_providers")).toEqual([]);
  await running.stop();
});
