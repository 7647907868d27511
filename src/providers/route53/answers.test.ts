/**
 * Answers in every form that the API's description allows (service-2.json of API version
 * 2013-04-01): absent and empty fields, fields that nobody knows, and the forms of errors.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  applyOnce,
  create,
  recordSet,
  soon,
  zoneOf,
} from "../../../test/conformance/provider-harness.ts";
import { openRoute53 } from "../../../test/support/fakes/route53/harness.ts";
import { FakeRoute53 } from "../../../test/support/fakes/route53/server.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../provider.ts";

let fake: FakeRoute53;
let session: ProviderSession;
let zone: Zone;

beforeEach(async () => {
  fake = new FakeRoute53();
  fake.addZone("Z1", "example.org");
  session = openRoute53(await fake.start());
  zone = await zoneOf(session);
});
afterEach(async () => {
  session.close();
  await fake.stop();
});

/** The next call of this kind is answered so. */
function answer(at: RegExp, status: number, body: string): void {
  fake.breakNext(at, { is: "refused", status, body, headers: { "content-type": "text/xml" } });
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const listing = (sets: string, more = "<IsTruncated>false</IsTruncated>"): string =>
  `${HEAD}<ListResourceRecordSetsResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${sets}${more}</ListResourceRecordSetsResponse>`;
const SOA = `<ResourceRecordSet><Name>example.org.</Name><Type>SOA</Type><TTL>900</TTL><ResourceRecords><ResourceRecord><Value>ns-1.awsdns-1.org. hostmaster.example.org. 1 7200 900 1209600 86400</Value></ResourceRecord></ResourceRecords></ResourceRecordSet>`;
const one = (fields: string): string =>
  listing(
    `<ResourceRecordSets>${SOA}<ResourceRecordSet>${fields}</ResourceRecordSet></ResourceRecordSets>`,
  );
const NAMED = "<Name>a.example.org.</Name><Type>A</Type>";
const VALUE =
  "<ResourceRecords><ResourceRecord><Value>192.0.2.1</Value></ResourceRecord></ResourceRecords>";

async function read(): Promise<readonly RecordSet[]> {
  return (await session.records(zone, null, soon())).sets;
}

describe("record sets", () => {
  test.each<[string, string, Partial<RecordSet>]>([
    ["as usual", `${NAMED}<TTL>60</TTL>${VALUE}`, { ttlSeconds: 60, values: ["192.0.2.1"] }],
    ["in another order", `${VALUE}<TTL>60</TTL>${NAMED}`, { ttlSeconds: 60 }],
    ["on lines of their own", `\n  ${NAMED}\n  <TTL>60</TTL>\n  ${VALUE}\n`, { ttlSeconds: 60 }],
    [
      "with unknown elements",
      `${NAMED}<TTL>60</TTL><New a="b"><X/></New>${VALUE}`,
      { ttlSeconds: 60 },
    ],
    ["without values and TTL", NAMED, { ttlSeconds: 0, values: [] }],
    ["with an empty list of values", `${NAMED}<TTL>60</TTL><ResourceRecords/>`, { values: [] }],
    [
      "with the weight 0",
      `${NAMED}<SetIdentifier>b</SetIdentifier><Weight>0</Weight><TTL>60</TTL>${VALUE}`,
      { routingPolicy: { type: "weighted", parameters: { weight: "0" } } },
    ],
    [
      "of a kind that is not written",
      `${NAMED}<SetIdentifier>b</SetIdentifier><GeoProximityLocation><Bias>1</Bias></GeoProximityLocation><TTL>60</TTL>${VALUE}`,
      { routingPolicy: { type: "other", parameters: {} } },
    ],
    [
      "that are aliases",
      `${NAMED}<AliasTarget><HostedZoneId>Z2</HostedZoneId><DNSName>LB.Example.NET.</DNSName><EvaluateTargetHealth>false</EvaluateTargetHealth></AliasTarget>`,
      { values: ["lb.example.net"], properties: { alias: "true", aliasHostedZoneId: "Z2" } },
    ],
    ...[
      ["CNAME", String.raw`\052.W.example.net.`, "*.w.example.net"],
      ["CNAME", String.raw`1.0\05725.2.0.192.in-addr.arpa`, "1.0/25.2.0.192.in-addr.arpa"],
      ["MX", String.raw`10 a\056b\100.example.net.`, String.raw`10 a\.b\@.example.net`],
      ["SRV", String.raw`0 1 443 \052.example.net.`, "0 1 443 *.example.net"],
      ["NAPTR", String.raw`1 2 "S" "" "" \052.example.net.`, '1 2 "S" "" "" *.example.net'],
      ["CAA", String.raw`0 issue "a\073b"`, '0 issue "a;b"'],
      ["TXT", String.raw`"a\073b\377"`, String.raw`"a;b\255"`],
      ["CNAME", String.raw`a\400.example.net.`, "a\\400.example.net."],
    ].map(([type, value, expected = ""]): [string, string, Partial<RecordSet>] => [
      `with escapes: ${type} ${value}`,
      `<Name>a.example.org.</Name><Type>${type}</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>${value}</Value></ResourceRecord></ResourceRecords>`,
      { values: [expected] },
    ]),
    [
      "that are aliases of all names",
      String.raw`${NAMED}<AliasTarget><HostedZoneId>Z1</HostedZoneId><DNSName>\052.example.org.</DNSName><EvaluateTargetHealth>false</EvaluateTargetHealth></AliasTarget>`,
      { values: ["*.example.org"] },
    ],
    [
      "with entities",
      "<Name>a.example.org.</Name><Type>TXT</Type><TTL>60</TTL><ResourceRecords><ResourceRecord><Value>&quot;a&amp;b &lt;&#39;&#x41;&quot;</Value></ResourceRecord></ResourceRecords>",
      { values: [`"a&b <'A"`] },
    ],
  ])("%s", async (_what, fields, expected) => {
    answer(/rrset/, 200, one(fields));
    const [found, soa] = await read();
    expect(found).toMatchObject({ name: "a.example.org", ...expected });
    expect(soa?.type).toBe("SOA");
  });

  test.each([
    [
      "more pages without a next name",
      200,
      listing("<ResourceRecordSets/>", "<IsTruncated>true</IsTruncated>"),
    ],
    ["an empty list", 200, listing("<ResourceRecordSets/>")],
    ["no list", 200, listing("")],
    [
      "no more pages, with a next name",
      200,
      listing("<ResourceRecordSets/>", "<IsTruncated>false</IsTruncated><NextRecordName/>"),
    ],
    ["nothing", 200, ""],
    ["a page of a proxy", 200, "<html><body>Log in</body></html>"],
    ["no word about further pages", 200, listing("<ResourceRecordSets/>", "")],
    ["a record set without a name", 200, one("<Type>A</Type><TTL>60</TTL>")],
    ["half an element", 200, `${HEAD}<ListResourceRecordSetsResponse><Res`],
    ["another element", 200, `${HEAD}<ListHostedZonesResponse/>`],
    ["a page of a proxy", 502, "<html><body>Bad gateway</body></html>"],
    ["nothing", 500, ""],
  ])("%s (%i) is no zone", async (_what, status, body) => {
    answer(/rrset/, status, body);
    await expect(read()).rejects.toMatchObject({ name: "OperationError" });
  });
});

describe("zones", () => {
  const zones = (text: string): string =>
    `${HEAD}<ListHostedZonesResponse xmlns="https://route53.amazonaws.com/doc/2013-04-01/">${text}<Marker></Marker><IsTruncated>false</IsTruncated></ListHostedZonesResponse>`;

  test.each([
    [
      "without a configuration",
      "<HostedZone><Id>/hostedzone/Z7</Id><Name>Example.NET.</Name></HostedZone>",
      "Z7 example.net",
    ],
    [
      "with an empty one",
      "<HostedZone><Id>Z7</Id><Name>example.net.</Name><Config/></HostedZone>",
      "Z7 example.net",
    ],
    [
      "with an escape",
      String.raw`<HostedZone><Id>Z7</Id><Name>0\05764.2.0.192.in-addr.arpa.</Name></HostedZone>`,
      "Z7 0/64.2.0.192.in-addr.arpa",
    ],
  ])("%s", async (_what, text, expected) => {
    answer(/hostedzone/, 200, zones(`<HostedZones>${text}</HostedZones>`));
    const found = await session.zones(soon());
    expect(
      found.map(({ id, name, visibility = "public" }) => `${id} ${name} ${visibility}`),
    ).toEqual([`${expected} public`]);
  });

  test("an empty list is none", async () => {
    answer(/hostedzone/, 200, zones("<HostedZones/>"));
    expect(await session.zones(soon())).toEqual([]);
  });

  test.each(["", "<html><body>Log in</body></html>", `${HEAD}<ListHostedZonesResponse/>`])(
    "%s is no listing",
    async (body) => {
      answer(/hostedzone/, 200, body);
      await expect(session.zones(soon())).rejects.toMatchObject({ code: "ProviderUnavailable" });
    },
  );
});

describe("errors of a batch", () => {
  const batch = [
    create(recordSet("bad.example.org", "A", "192.0.2.1")),
    create(recordSet("good.example.org", "A", "192.0.2.1")),
  ];
  const text =
    "[Tried to create resource record set [name='bad.example.org.', type='A'] but it already exists]";
  const message = text.slice(1, -1);
  const NS = 'xmlns="https://route53.amazonaws.com/doc/2013-04-01/"';

  test.each([
    [
      "of its own",
      `<InvalidChangeBatch ${NS}><Messages><Message>${message}</Message></Messages><RequestId>1</RequestId></InvalidChangeBatch>`,
    ],
    [
      "of its own, without a request",
      `<InvalidChangeBatch ${NS}><Messages><Message>${message}</Message></Messages></InvalidChangeBatch>`,
    ],
    [
      "that all errors have",
      `<ErrorResponse ${NS}><Error><Type>Sender</Type><Code>InvalidChangeBatch</Code><Message>${text}</Message></Error><RequestId>1</RequestId></ErrorResponse>`,
    ],
    [
      "without a type",
      `<ErrorResponse ${NS}><Error><Code>InvalidChangeBatch</Code><Message>${text}</Message></Error></ErrorResponse>`,
    ],
    [
      "of both",
      `<ErrorResponse ${NS}><Error><Code>InvalidChangeBatch</Code><Messages><Message>${message}</Message></Messages></Error></ErrorResponse>`,
    ],
  ])("in the form %s are understood", async (_form, body) => {
    answer(/^POST/, 400, HEAD + body);
    const failed = { status: "precondition-failed", message };
    expect(await applyOnce(session, batch)).toMatchObject([failed, failed]);
  });

  test.each([
    [400, `<InvalidChangeBatch ${NS}><Messages/></InvalidChangeBatch>`, "rejected"],
    [
      400,
      `<ErrorResponse ${NS}><Error><Code>InvalidChangeBatch</Code></Error></ErrorResponse>`,
      "rejected",
    ],
    [
      400,
      `<ErrorResponse ${NS}><Error><Code>InvalidInput</Code><Message/></Error></ErrorResponse>`,
      "rejected",
    ],
    [400, "", "retry"],
    [403, "<html><body>Forbidden</body></html>", "retry"],
    [500, "", "unknown"],
    [503, "<html><body>Try later</body></html>", "unknown"],
    [200, "", "unknown"],
    [200, "<html><body>Log in</body></html>", "unknown"],
    [200, `<ChangeResourceRecordSetsResponse ${NS}/>`, "unknown"],
  ])("%i %s is %s for all", async (status, body, expected) => {
    answer(/^POST/, status, body);
    const outcomes = await applyOnce(session, batch);
    expect(outcomes.map((outcome) => outcome.status)).toEqual([expected, expected]);
    for (const outcome of outcomes) if ("message" in outcome) expect(outcome.message).not.toBe("");
  });
});
