import { describe, expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { NO_TRANSFER } from "../../model/transfer-request.ts";
import type { SourceOptions } from "../source.ts";
import { dnsEntry } from "./dnsentry.ts";

const OPTIONS: SourceOptions = {
  dnsClasses: DEFAULT_CLASSES,
  targetNamespace: null,
};
const VIEW = new MemoryCluster("c1", () => 0);

function found(spec: object, annotations: Readonly<Record<string, string>> = {}) {
  const metadata = { name: "web", namespace: "default", annotations };
  const object = { apiVersion: "dns.gardener.cloud/v1alpha1", kind: "DNSEntry", metadata, spec };
  return dnsEntry(OPTIONS, []).endpoints(object, VIEW);
}

const dnsName = "www.example.org";
const targets = ["192.0.2.1"];
const many = Array.from({ length: 101 }, (_, index) => `192.0.2.${index}`);

describe("what does not validate keeps what stands, and says which field (Z-5)", () => {
  test.each<[string, object, string, string]>([
    ["a reference and targets", { targets, reference: { name: "x" } }, "InvalidReference", "spec"],
    ["a reference and text", { text: ["a"], reference: { name: "x" } }, "InvalidReference", "spec"],
    [
      "a reference without a name",
      { reference: { namespace: "default" } },
      "InvalidReference",
      "spec.reference.name",
    ],
    [
      "a reference to another namespace",
      { reference: { name: "x", namespace: "other" } },
      "InvalidReference",
      "spec.reference.namespace",
    ],
    [
      "an interval of look-ups of no time",
      { targets, cnameLookupInterval: 0 },
      "InvalidLookup",
      "spec.cnameLookupInterval",
    ],
    [
      "half a routing policy",
      { targets, routingPolicy: { type: "weighted" } },
      "InvalidRoutingPolicy",
      "spec.routingPolicy.setIdentifier",
    ],
    [
      "a routing policy that is a text",
      { targets, routingPolicy: "weighted" },
      "InvalidRoutingPolicy",
      "spec.routingPolicy",
    ],
    ["targets that are no list", { targets: "192.0.2.1" }, "InvalidSpec", "spec.targets"],
    ["targets that are numbers", { targets: [1] }, "InvalidSpec", "spec.targets"],
    ["text that is no list", { text: 5 }, "InvalidSpec", "spec.text"],
    ["too many targets", { targets: many }, "TooManyValues", "spec"],
    ["an alias of itself", { targets: [dnsName] }, "InvalidTarget", "spec.targets"],
    ["a target that is no name", { targets: ["a b"] }, "InvalidTarget", "spec.targets"],
    ["a target that is no address", { targets: ["2001:db8::x"] }, "InvalidTarget", "spec.targets"],
    ["a very long target", { targets: ["x".repeat(300)] }, "InvalidTarget", "spec.targets"],
    ["a bad TTL", { targets, ttl: -1 }, "InvalidTtl", "spec.ttl"],
    ["empty texts", { text: [" "] }, "InvalidText", "spec.text"],
  ])("%s", (_, spec, code, field) => {
    const { items, waiting, problems, complete } = found({ dnsName, ...spec });
    expect([items, complete, waiting.map(({ name }) => name)]).toEqual([[], false, [dnsName]]);
    expect(problems).toMatchObject([{ code, field, subject: "dnsentry/default/web" }]);
  });

  test("without a name nothing is known at all", () => {
    expect(found({ targets })).toMatchObject({ waiting: [], complete: false });
  });
});

describe("what the annotations say counts where the spec cannot be read", () => {
  const RELEASE = { "zonekeeper.dev/release": "true" };
  const object = { cluster: "c1", kind: "dnsentry", namespace: "default", name: "web" };

  test.each<[string, object]>([
    ["a mistake", { dnsName, targets: ["a b"] }],
    ["no name", { targets }],
    ["nothing to publish", { dnsName }],
  ])("%s", (_, spec) => {
    expect(found(spec, RELEASE).objectTransfer).toEqual({
      object,
      transfer: { ...NO_TRANSFER, release: true },
    });
    expect(found(spec).objectTransfer).toEqual({ object, transfer: NO_TRANSFER });
  });

  test.each(["true", "by-source"])("items say it themselves: %s", (value) => {
    const annotations = { "zonekeeper.dev/release": value };
    const { objectTransfer, items, problems } = found({ dnsName, targets }, annotations);
    expect(problems).toEqual([]);
    expect([objectTransfer, items[0]?.transfer?.release]).toEqual([undefined, true]);
  });
});

test("an entry of another class wants nothing here", () => {
  const other = found({ dnsName, targets }, { "dns.gardener.cloud/class": "other" });
  expect(other).toEqual({ items: [], waiting: [], problems: [], complete: true });
});

test("addresses of both kinds give two record sets, sorted by type", () => {
  const { items } = found({ dnsName, targets: ["2001:db8::1", "192.0.2.1"] });
  expect(items.map(({ type, values }) => [type, values])).toEqual([
    ["A", ["192.0.2.1"]],
    ["AAAA", ["2001:db8::1"]],
  ]);
});

test("all record sets of an entry are members of its routing policy", () => {
  const routingPolicy = { type: "weighted", setIdentifier: "blue", parameters: { weight: "1" } };
  const { items } = found({ dnsName, targets: ["2001:db8::1", "192.0.2.1"], routingPolicy });
  const member = {
    setIdentifier: "blue",
    routingPolicy: { type: "weighted", parameters: { weight: "1" } },
  };
  expect(items).toMatchObject([
    { type: "A", ...member },
    { type: "AAAA", ...member },
  ]);
});

test("an annotated TTL counts where the spec says none, and may be a mistake", () => {
  const read = (ttl: string, spec: object = {}) =>
    found({ dnsName, targets, ...spec }, { "dns.gardener.cloud/ttl": ttl });
  expect(read("77").items).toMatchObject([{ ttlSeconds: 77 }]);
  expect(read("77", { ttl: 60 }).items).toMatchObject([{ ttlSeconds: 60 }]);
  expect(read("0").items).toMatchObject([{ ttlSeconds: null }]);
  expect(read("soon").problems).toMatchObject([
    { code: "InvalidTtl", field: "metadata.annotations[dns.gardener.cloud/ttl]" },
  ]);
});
