import { describe, expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import type { SourceOptions } from "../shared/source-options.ts";
import { dnsEndpoint } from "./dnsendpoint.ts";

const OPTIONS: SourceOptions = { dnsClass: "gardendns", toAscii: null, targetNamespace: null };
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
  ])("%s", (_, endpoint, expected) => {
    const read = found({ endpoints: [endpoint] });
    expect([lines(read), read.complete, read.problems]).toEqual([[expected], true, []]);
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
    const unset = found({});
    for (const { items, complete } of [deleting, empty, unset])
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
    ["a set identifier", { ...A, setIdentifier: "x" }, "setIdentifier", /is not supported/],
    [
      "properties",
      { ...A, providerSpecific: [{ name: "a" }] },
      "providerSpecific",
      /not supported/,
    ],
    [
      "properties that are no list",
      { ...A, providerSpecific: 5 },
      "providerSpecific",
      /not supported/,
    ],
    ["a bad TTL", { ...A, recordTTL: -1 }, "recordTTL", /./],
    ["no targets", { ...A, targets: [] }, "targets", /at least one text/],
    ["targets that are no texts", { ...A, targets: [1] }, "targets", /at least one text/],
    ["a bad address", { ...A, targets: ["x"] }, "targets", /invalid target "x"/],
    ["a bad host", { ...A, recordType: "CNAME", targets: ["a b"] }, "targets", /invalid target/],
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
