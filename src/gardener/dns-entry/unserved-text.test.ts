import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { readEntry } from "./entry.ts";
import { unservedText } from "./shown-entry.ts";

const object = {
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name: "web", namespace: "default" },
};
const ZONE = trustedDnsName("example.org");
const statusZone = { key: { account: "acc", zone: "Z1" }, zone: ZONE, isBlocked: true };

function textOf(name: string): string {
  const wanted: DesiredRecordSet = {
    ...{ name: trustedDnsName(name), type: "A", values: ["192.0.2.1"], ttlSeconds: null },
    ...{ setIdentifier: null, properties: {}, routingPolicy: null, owner: null, createdAtMs: 0 },
    provenance: { cluster: "c1", kind: "dnsentry", namespace: "default", name: "web" },
  };
  const entry = readEntry(object, "c1", DEFAULT_CLASSES);
  return unservedText({ entry, selection: { kind: "none" }, statusZone }, [wanted]);
}

test("a name in a blocked zone says so, and that its record stays", () => {
  expect(textOf("www.example.org")).toBe(
    "No responsible provider found: zone Z1, where www.example.org is published, is blocked by --blocked-zone; its record stays as it is, and follows once the program is started without it",
  );
});

test("a name elsewhere has nothing to do with it", () => {
  expect(textOf("www.example.net")).toMatch(/^No responsible provider found: no DNSProvider that/);
});
