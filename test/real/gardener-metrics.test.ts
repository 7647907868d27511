/**
 * /metrics with the names of Gardener's manager, scraped from a `run` with two BIND servers:
 * entries that come, fail and go, two accounts, an owner id that is switched off, requests.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeOnBoth } from "../support/api-servers/on-both.ts";
import { eventually } from "../support/ports/eventually.ts";
import type { RunInstance } from "../support/programs/run-instance.ts";
import type { RunSession } from "../support/programs/run-session.ts";
import { startBind } from "../support/real-servers/bind.ts";
import type { RealServer } from "../support/real-servers/real-server.ts";
import { account, entry, object, provider, together } from "../support/values/cluster-objects.ts";

const PREFIX = "external_dns_management_";
const shop = (active: boolean): string =>
  object("DNSOwner", "shop", {
    metadata: { namespace: undefined },
    spec: { ownerId: "shop", active },
  });

describeOnBoth("metrics of Gardener's names", ["bind"], (server) => {
  const servers: RealServer[] = [];
  let session: RunSession;
  let instance: RunInstance;

  beforeAll(async () => {
    for (const zone of ["example.net", "example.com"]) servers.push(await startBind({ zone }));
    session = await server.open();
    instance = await session.run("me");
    const [net, com] = servers;
    if (net === undefined || com === undefined) throw new Error("no servers");
    await session.user.apply(together(account("net", net), account("com", com), shop(true)));
  });
  afterAll(async () => {
    await session?.close();
    await Promise.all(servers.map((one) => one.stop()));
  });

  /** Values by labels. */
  const scraped = async (name: string): Promise<Readonly<Record<string, number>>> => {
    const { text } = await instance.fetch("/metrics");
    const start = `${PREFIX}${name}{`;
    const lines = text.split("\n").filter((line) => line.startsWith(start));
    const pairs = lines.map((line) => line.slice(start.length).split("} "));
    return Object.fromEntries(pairs.map(([labels = "", value]) => [labels, Number(value)]));
  };
  const becomes = (name: string, wanted: Readonly<Record<string, number>>): Promise<unknown> =>
    eventually(
      `${name} is ${JSON.stringify(wanted)}`,
      () => scraped(name),
      (values) => JSON.stringify(sorted(values)) === JSON.stringify(sorted(wanted)),
    );
  const sorted = (values: Readonly<Record<string, number>>) => Object.entries(values).sort();
  const inZone = (zone: string, state: string) =>
    `providertype="rfc2136",zone="${zone}",state="${state}"`;
  const none = (state: string) => `providertype="",zone="",state="${state}"`;
  const ofOwner = (owner: string, name: string) =>
    `owner="${owner}",providertype="rfc2136",provider="default/${name}"`;

  test("entries by zone and state, also those that fail", async () => {
    const targets = ["192.0.2.1"];
    await session.user.apply(
      together(
        entry("one", "one.example.net", { targets }),
        entry("two", "two.example.net", { targets, ownerId: "shop" }),
        entry("three", "three.example.com", { targets }),
        entry("away", "away.example.org", { targets }),
        entry("both", "both.example.net", { targets, text: ["and a text"] }),
      ),
    );
    await becomes("dns_entries", {
      [inZone("example.net", "Ready")]: 2,
      [inZone("example.com", "Ready")]: 1,
      [none("Error")]: 1,
      [none("Invalid")]: 1,
    });
    await becomes("dns_owners", {
      [ofOwner("me", "net")]: 1,
      [ofOwner("shop", "net")]: 1,
      [ofOwner("me", "com")]: 1,
    });
  });

  test("deleted entries are counted no more, and one that is corrected changes its place", async () => {
    await session.user.delete("dnse", "one", "away");
    await session.user.apply(entry("both", "both.example.net", { targets: ["192.0.2.2"] }));
    await becomes("dns_entries", {
      [inZone("example.net", "Ready")]: 2,
      [inZone("example.com", "Ready")]: 1,
    });
  });

  test("an owner id that is off: its entries are stale", async () => {
    await session.user.apply(shop(false));
    const zone = (name: string) => `providertype="rfc2136",zone="${name}"`;
    await becomes("dns_entries_stale", { [zone("example.net")]: 1, [zone("example.com")]: 0 });
    expect(Object.keys(await scraped("dns_owners"))).toContain(ofOwner("shop", "net"));
    await session.user.apply(shop(true));
    await becomes("dns_entries_stale", { [zone("example.net")]: 0, [zone("example.com")]: 0 });
  });

  test("two accounts, one of them shared", async () => {
    await session.user.apply(provider("more", { secretRef: { name: "net" } }));
    const values = async () => Object.values(await scraped("account_providers")).sort();
    await eventually("a shared account", values, (seen) => `${seen}` === "1,2");
    await session.user.delete("dnspr", "more");
    await eventually("nobody shares", values, (seen) => `${seen}` === "1,1");
  });

  test("requests: at least one write for each account, and no more than there were changes", async () => {
    const perZone = await scraped("requests_per_zone");
    const writes = (zone: string): number =>
      Object.entries(perZone)
        .filter(([labels]) => labels.endsWith(`requesttype="update_records",zone="${zone}"`))
        .reduce((sum, [, value]) => sum + value, 0);
    // The fence, one entry.
    expect(writes("example.com")).toBeGreaterThanOrEqual(1);
    expect(writes("example.com")).toBeLessThanOrEqual(3);
    expect(writes("example.net")).toBeGreaterThanOrEqual(3);
    const total = await scraped("total_provider_requests");
    const hashes = Object.keys(total).map((labels) => /accounthash="(\w+)"/.exec(labels)?.[1]);
    expect(new Set(hashes).size).toBe(2);
    const sum = (values: Readonly<Record<string, number>>, type: string): number =>
      Object.entries(values)
        .filter(([labels]) => labels.includes(`requesttype="${type}"`))
        .reduce((all, [, value]) => all + value, 0);
    expect(sum(total, "update_records")).toBe(
      sum(await scraped("requests_per_zone"), "update_records"),
    );
    expect(sum(total, "list_zones")).toBeGreaterThanOrEqual(2);
  });
});
