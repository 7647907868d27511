import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import type { SourceOptions } from "../source.ts";
import { dnsEndpoint } from "./dnsendpoint.ts";

const OPTIONS: SourceOptions = {
  dnsClasses: DEFAULT_CLASSES,
  targetNamespace: null,
};
const VIEW = new MemoryCluster("c1", () => 0);

function found(spec: unknown, metadata: object = {}) {
  const object = {
    apiVersion: "externaldns.k8s.io/v1alpha1",
    kind: "DNSEndpoint",
    metadata: { name: "web", namespace: "default", ...metadata },
    spec,
  };
  return dnsEndpoint(OPTIONS).endpoints(object, VIEW);
}

const dnsName = "www.example.org";
const A = { dnsName, recordType: "A", targets: ["192.0.2.1"] };
const texts = (of: Readonly<Record<string, string>>) =>
  Object.entries(of).map(([name, value]) => ({ name, value }));
const lines = ({ items }: ReturnType<typeof found>) =>
  items.map(
    ({ name, ttlSeconds, type, values }) => `${name} ${ttlSeconds} ${type} ${values.join()}`,
  );

describe("what a DNSEndpoint publishes", () => {
  test.each<[string, object, string]>([
    ["an address", A, `${dnsName} null A 192.0.2.1`],
    ["a TTL of 0, which is no wish", { ...A, recordTTL: 0 }, `${dnsName} null A 192.0.2.1`],
    ["a TTL", { ...A, recordTTL: 60 }, `${dnsName} 60 A 192.0.2.1`],
    ["a null TTL", { ...A, recordTTL: null }, `${dnsName} null A 192.0.2.1`],
    ["no provider properties", { ...A, providerSpecific: [] }, `${dnsName} null A 192.0.2.1`],
    [
      "a host",
      { dnsName, recordType: "CNAME", targets: ["A.Example.NET."] },
      `${dnsName} null CNAME a.example.net`,
    ],
    ["a plain text", { dnsName, recordType: "TXT", targets: ["a b"] }, `${dnsName} null TXT "a b"`],
    [
      "a quoted text",
      { dnsName, recordType: "TXT", targets: ['"a" "b"'] },
      `${dnsName} null TXT "a" "b"`,
    ],
    [
      "a mail exchange",
      { dnsName, recordType: "MX", targets: ["10 mail.example.org"] },
      `${dnsName} null MX 10 mail.example.org`,
    ],
    ["no mail exchange", { dnsName, recordType: "MX", targets: ["0 ."] }, `${dnsName} null MX 0 .`],
    [
      "a server",
      { dnsName, recordType: "SRV", targets: ["0 0 80 www.example.org"] },
      `${dnsName} null SRV 0 0 80 www.example.org`,
    ],
  ])("%s", (_, endpoint, expected) => {
    const read = found({ endpoints: [endpoint] });
    expect([lines(read), read.complete, read.problems]).toEqual([[expected], true, []]);
  });

  test("two endpoints with a CNAME for one name are no CNAME with two targets", () => {
    const to = (target: string) => ({ dnsName, recordType: "CNAME", targets: [target] });
    const endpoints = ["a.example.net", "b.example.net", "a.example.net"].map(to);
    expect(found({ endpoints }).items.map(({ values }) => values)).toEqual([
      ["a.example.net"],
      ["b.example.net"],
    ]);
  });

  test("two endpoints for one name and type are one record set, with the first one's TTL", () => {
    const other = { ...A, targets: ["192.0.2.2"], recordTTL: 60 };
    expect(lines(found({ endpoints: [{ ...A, recordTTL: 30 }, other] }))).toEqual([
      `${dnsName} 30 A 192.0.2.1,192.0.2.2`,
    ]);
  });

  test("nothing, when it is being deleted or lists nothing", () => {
    const deleting = found({ endpoints: [A] }, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    const empty = found({ endpoints: [] });
    for (const { items, complete } of [deleting, empty])
      expect([items, complete]).toEqual([[], true]);
  });

  test("a permit that its annotations give goes with every record", () => {
    const annotations = { "zonekeeper.dev/claim": "true" };
    const [item] = found({ endpoints: [A] }, { annotations }).items;
    expect(item?.transfer).toMatchObject({ claim: true });
  });
});

describe("an endpoint that cannot be read keeps what stands (Z-5), and says which field", () => {
  test.each<[string, object, string, RegExp]>([
    ["another type", { ...A, recordType: "SOA" }, "recordType", /"SOA" is none of A, AAAA/],
    ["no type", { ...A, recordType: undefined }, "recordType", /is none of/],
    ["a set identifier alone", { ...A, setIdentifier: "x" }, "setIdentifier", /write both or none/],
    ["a set identifier that is no text", { ...A, setIdentifier: 1 }, "setIdentifier", /not a text/],
    [
      "a policy without a set identifier",
      { ...A, providerSpecific: [{ name: "aws/weight", value: "1" }] },
      "setIdentifier",
      /write both or none/,
    ],
    [
      "two policies",
      {
        ...A,
        setIdentifier: "x",
        providerSpecific: texts({ "aws/weight": "1", "aws/region": "r" }),
      },
      "providerSpecific",
      /two routing policies: aws\/weight and aws\/region/,
    ],
    [
      "an unknown property",
      { ...A, providerSpecific: texts({ a: "b" }) },
      "providerSpecific",
      /a is not supported; known are aws/,
    ],
    [
      "a property that is no text",
      { ...A, providerSpecific: [{ name: "aws/weight", value: 1 }] },
      "providerSpecific",
      /is not a text; write it in quotes/,
    ],
    [
      "properties that are no list",
      { ...A, providerSpecific: 5 },
      "providerSpecific",
      /is not a list/,
    ],
    [
      "an alias to an address",
      { ...A, providerSpecific: texts({ alias: "true" }) },
      "targets",
      /invalid target/,
    ],
    ["a bad TTL", { ...A, recordTTL: -1 }, "recordTTL", /./],
    ["no targets", { ...A, targets: [] }, "targets", /at least one text/],
    ["targets that are no texts", { ...A, targets: [1] }, "targets", /at least one text/],
    ["a bad address", { ...A, targets: ["x"] }, "targets", /invalid target "x"/],
    ["a bad host", { ...A, recordType: "CNAME", targets: ["a b"] }, "targets", /invalid target/],
    [
      "an address as mail exchange",
      { ...A, recordType: "MX", targets: ["10 192.0.2.1"] },
      "targets",
      /invalid target "10 192.0.2.1"/,
    ],
    [
      "an address as server",
      { ...A, recordType: "SRV", targets: ["0 0 80 192.0.2.9"] },
      "targets",
      /invalid target/,
    ],
    [
      "two aliases",
      { ...A, recordType: "CNAME", targets: ["a.example.net", "b.example.net"] },
      "targets",
      /exactly one target/,
    ],
  ])("%s", (_, endpoint, field, message) => {
    const { items, waiting, problems, complete } = found({ endpoints: [endpoint] });
    expect([items, complete, waiting.map(({ name }) => name)]).toEqual([[], false, [dnsName]]);
    expect(problems).toMatchObject([
      {
        code: "InvalidEndpoint",
        field: `spec.endpoints[0].${field}`,
        message: expect.stringMatching(message),
      },
    ]);
  });

  test.each([
    ["no name", { ...A, dnsName: undefined }],
    ["a bad name", { ...A, dnsName: "a..b" }],
  ])("%s: nothing is known, and the others are published", (_, endpoint) => {
    const read = found({ endpoints: [endpoint, A] });
    expect([lines(read).length, read.waiting, read.complete]).toEqual([1, [], false]);
    expect(read.problems).toMatchObject([{ field: "spec.endpoints[0].dnsName" }]);
  });

  test.each([
    ["no list", "x", /not a list/],
    ["no endpoints, as of a misspelt field", undefined, /no list of endpoints; write one/],
    [
      "far too many",
      Array.from({ length: 1001 }, () => A),
      /1001 endpoints are listed, at most 1000/,
    ],
  ])("%s", (_, endpoints, message) => {
    const { items, complete, problems } = found({ endpoints });
    expect([items, complete]).toEqual([[], false]);
    expect(problems).toMatchObject([
      { field: "spec.endpoints", message: expect.stringMatching(message) },
    ]);
  });
});

describe("set identifier and properties of an endpoint", () => {
  const member = (of: Readonly<Record<string, string>>) =>
    found({ endpoints: [{ ...A, setIdentifier: "x", providerSpecific: texts(of) }] });

  test.each<[Readonly<Record<string, string>>, string, object]>([
    [{ "aws/weight": "10" }, "weighted", { weight: "10" }],
    [{ "aws/region": "eu-west-1" }, "latency", { region: "eu-west-1" }],
    [{ "aws/failover": "PRIMARY" }, "failover", { failoverRecordType: "primary" }],
    [{ "aws/multi-value-answer": "" }, "multivalue", {}],
    [
      { "aws/geolocation-country-code": "US", "aws/geolocation-subdivision-code": "CA" },
      "geolocation",
      { location: "country=US,subdivision=CA" },
    ],
    [{ "aws/geolocation-continent-code": "EU" }, "geolocation", { location: "continent=EU" }],
    [
      { "aws/weight": "1", "aws/health-check-id": "h1" },
      "weighted",
      { weight: "1", healthCheckID: "h1" },
    ],
  ])("%o is the policy %s", (of, type, parameters) => {
    expect(member(of)).toMatchObject({
      complete: true,
      items: [{ setIdentifier: "x", routingPolicy: { type, parameters }, properties: {} }],
    });
  });

  test("members of one name stay apart, and equal ones are joined", () => {
    const endpoint = (setIdentifier: string, target: string) => ({
      ...{ ...A, setIdentifier, targets: [target] },
      providerSpecific: texts({ "aws/weight": "1" }),
    });
    const { items } = found({
      endpoints: [
        endpoint("x", "192.0.2.1"),
        endpoint("y", "192.0.2.2"),
        endpoint("x", "192.0.2.3"),
      ],
    });
    expect(items.map(({ setIdentifier, values }) => `${setIdentifier} ${values.join()}`)).toEqual([
      "x 192.0.2.1,192.0.2.3",
      "y 192.0.2.2",
    ]);
  });

  test("an alias of a CNAME answers for both kinds of addresses", () => {
    const alias = { dnsName, recordType: "CNAME", targets: ["LB.example.net."] };
    const of = {
      alias: "true",
      "aws/evaluate-target-health": "false",
      "aws/target-hosted-zone": "Z9",
    };
    const { items } = found({ endpoints: [{ ...alias, providerSpecific: texts(of) }] });
    const properties = { alias: "true", aliasHostedZoneId: "Z9" };
    expect(items).toMatchObject([
      { type: "A", values: ["lb.example.net"], properties },
      { type: "AAAA", values: ["lb.example.net"], properties },
    ]);
    const plain = found({ endpoints: [{ ...alias, providerSpecific: texts({ alias: "false" }) }] });
    expect(plain.items).toMatchObject([{ type: "CNAME", properties: {} }]);
  });

  test.each(["external-dns.kubernetes.io", "external-dns.alpha.kubernetes.io"])(
    "%s/cloudflare-proxied is the property proxied",
    (prefix) => {
      const providerSpecific = texts({ [`${prefix}/cloudflare-proxied`]: "true" });
      const { items } = found({ endpoints: [{ ...A, providerSpecific }] });
      expect(items).toMatchObject([{ properties: { proxied: "true" } }]);
    },
  );
});
