/** Fakes answer as recorded answers of the vendors do (found-by-use, 2.2). */
import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { ALIDNS_SECRET, makeFake } from "./alidns/harness.ts";
import { rpcStringToSign } from "./alidns/rpc-signature.ts";
import { AZURE_SECRET, makeAzure } from "./azure/harness.ts";
import { FakeDnsZone } from "./cloudflare/dns-zone.ts";
import type { FakeApi } from "./fake-api.ts";
import { FakeGrid } from "./infoblox/grid.ts";
import { FakeHostedZone } from "./route53/hosted-zone.ts";
import { changesOf, recordSetXml } from "./route53/record-set-xml.ts";
import { parseXml } from "./route53/xml.ts";
import { FakeWebhook } from "./webhook/server.ts";

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

describe("AliDNS takes the signatures of RPC-style calls, as external-dns's client sends them", () => {
  /** "Request signatures" of the vendor's documents, with their parameters, key and answer. */
  test("signed as in the document's example", () => {
    const url = new URL(
      "http://ecs.aliyuncs.com/?Timestamp=2016-02-23T12%3A46%3A24Z&Format=XML&AccessKeyId=testid&Action=DescribeRegions&SignatureMethod=HMAC-SHA1&SignatureNonce=3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf&Version=2014-05-26&SignatureVersion=1.0&Signature=x",
    );
    const signed = createHmac("sha1", "testsecret&").update(
      rpcStringToSign("GET", url.searchParams),
    );
    expect(signed.digest("base64")).toBe("OLeaidS1JvxuMvnyHOwuJ+uX5qY=");
  });

  test.each(["GET", "POST"])(
    "%s: read, written, and refused with another secret",
    async (method) => {
      const fake = makeFake();
      running = fake;
      const endpoint = await fake.start();
      fake.addDomain("d", "example.org");
      const { ACCESS_KEY_ID: id, ACCESS_KEY_SECRET } = ALIDNS_SECRET;
      const call = async (Action: string, input: object, secret: string = ACCESS_KEY_SECRET) => {
        const query = new URLSearchParams({
          ...{ Action, Format: "JSON", Version: "2015-01-09", AccessKeyId: id },
          ...{ SignatureMethod: "HMAC-SHA1", SignatureVersion: "1.0", SignatureNonce: "1" },
          ...{ Timestamp: "2026-11-29T00:00:00Z", ...input },
        });
        const text = rpcStringToSign(method, query);
        query.set("Signature", createHmac("sha1", `${secret}&`).update(text).digest("base64"));
        const answer = await (method === "GET"
          ? fetch(`${endpoint}/?${query}`)
          : fetch(`${endpoint}/`, { method, body: query }));
        return (await answer.json()) as Readonly<Record<string, unknown>>;
      };
      const www = { DomainName: "example.org", RR: "www", Type: "A", Value: "192.0.2.1" };
      expect(await call("AddDomainRecord", www)).toMatchObject({ RecordId: expect.any(String) });
      const listed = await call("DescribeDomainRecords", { DomainName: "example.org" });
      expect(listed).toMatchObject({ DomainRecords: { Record: [{ RR: "www" }] } });
      const wrong = await call("DescribeDomains", {}, "another");
      expect(wrong).toMatchObject({ Code: "SignatureDoesNotMatch" });
    },
  );
});

test("a webhook asks for no Accept with changes, as external-dns's client sends none; what it asks for is 406 or 415", async () => {
  const fake = new FakeWebhook();
  running = fake;
  const endpoint = await fake.start();
  const type = "application/external.dns.webhook+json;version=1";
  const ask = async (method: string, path: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(`${endpoint}${path}`, { method, headers, ...(method === "POST" && BODY) })).status;
  expect(await ask("POST", "/records", { "content-type": type })).toBe(204);
  expect(await ask("POST", "/records", { "content-type": "application/json" })).toBe(415);
  expect(await ask("POST", "/records", { "content-type": "" })).toBe(406);
  expect(await ask("GET", "/records", { accept: type })).toBe(200);
  expect(await ask("GET", "/records", { accept: "*/*" })).toBe(415);
  expect(await ask("POST", "/adjustendpoints", { "content-type": type })).toBe(415);
  expect(await ask("POST", "/adjustendpoints", { accept: type })).toBe(406);
});

/** Bytes have no type of their own. */
const BODY = { body: new TextEncoder().encode("{}") };
