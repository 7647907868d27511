/** Fakes answer as recorded answers of the vendors do (found-by-use, 2.2). */
import { afterEach, describe, expect, test } from "vitest";
import { AZURE_SECRET, makeAzure } from "./azure/harness.ts";
import { FakeDnsZone } from "./cloudflare/dns-zone.ts";
import type { FakeApi } from "./fake-api.ts";
import { FakeGrid } from "./infoblox/grid.ts";
import { FakeHostedZone } from "./route53/hosted-zone.ts";
import { changesOf, recordSetXml } from "./route53/record-set-xml.ts";
import { parseXml } from "./route53/xml.ts";

let running: FakeApi | null = null;
afterEach(() => running?.stop());

describe("Route 53", () => {
  const set = { Name: "www.example.org.", Type: "A", TTL: 60 } as const;
  const values = (...all: readonly string[]) => all.map((Value) => ({ Value }));

  test("a set has one kind of policy and an identifier, or neither, and each value once", () => {
    const zone = new FakeHostedZone("Z1", "example.org");
    const create = (more: object) =>
      zone.apply([
        { action: "CREATE", set: { ...set, ResourceRecords: values("192.0.2.1"), ...more } },
      ]);
    expect(create({ SetIdentifier: "a" })).toEqual([expect.stringContaining("Missing field")]);
    expect(create({ Weight: 1 })).toEqual([expect.stringContaining("Missing field")]);
    expect(create({ ResourceRecords: values("192.0.2.1", "192.0.2.1") })).toEqual([
      "Duplicate Resource Record: '192.0.2.1'",
    ]);
    expect(create({ SetIdentifier: "a", Weight: 1 })).toEqual([]);
  });

  test("a GeoProximityLocation stays", () => {
    const shown = recordSetXml({
      ...set,
      SetIdentifier: "a",
      GeoProximityLocation: { Coordinates: { Latitude: "49", Longitude: "8" }, Bias: 5 },
    });
    const request = `<ChangeResourceRecordSetsRequest><ChangeBatch><Changes><Change><Action>CREATE</Action>${shown}</Change></Changes></ChangeBatch></ChangeResourceRecordSetsRequest>`;
    expect(changesOf(parseXml(request))[0]?.set.GeoProximityLocation).toEqual({
      Coordinates: { Latitude: "49", Longitude: "8" },
      Bias: 5,
    });
  });
});

test("Cloudflare shows the fields of a service in their own order", () => {
  const zone = new FakeDnsZone("z", "example.org", "free");
  const data = { port: 443, weight: 10, target: "srv.example.net", priority: 1 };
  expect(zone.add({ type: "SRV", name: "_s._tcp", ttl: 60, data }).content).toBe(
    "1 10 443 srv.example.net",
  );
});

test("Azure lists zones of a group, sets of a type, and shows that a set follows nothing", async () => {
  const fake = makeAzure();
  running = fake;
  const endpoint = await fake.start();
  fake
    .addZone("example.org")
    .put("A", "www", { TTL: 60, ARecords: [{ ipv4Address: "192.0.2.1" }] });
  fake.addZone("example.net", false, "other");
  const get = async (path: string) => {
    const url = `${endpoint}/subscriptions/${AZURE_SECRET.AZURE_SUBSCRIPTION_ID}${path}?api-version=2018-05-01`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${fake.grant()}` } });
    const { value } = (await answer.json()) as { readonly value: readonly Named[] };
    return value;
  };
  const ofGroup = "/resourceGroups/My-Group/providers/Microsoft.Network/dnsZones";
  expect((await get(ofGroup)).map(({ name }) => name)).toEqual(["example.org"]);
  const sets = await get(`${ofGroup}/example.org/A`);
  expect(sets).toMatchObject([{ name: "www", properties: { targetResource: {} } }]);
});

interface Named {
  readonly name: string;
}

test("Infoblox shows the fields that a kind has by default", () => {
  const grid = new FakeGrid();
  grid.addZone("example.org");
  grid.create("record:txt", { name: "www.example.org", text: "x" });
  expect(grid.find("zone_auth", {}, null)).toMatchObject([
    { fqdn: "example.org", view: "default" },
  ]);
  expect(grid.find("record:txt", {}, null)).toMatchObject([{ text: "x", view: "default" }]);
});
