import { describe, expect, test } from "vitest";
import { trustedDnsName } from "../../model/dns-name.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { type ApexView, twinOf } from "./twin-zone.ts";

const APEX = trustedDnsName("example.org");

function apex(type: string, values: readonly string[]): RecordSet {
  const plain = { setIdentifier: null, properties: {}, routingPolicy: null };
  return { ...plain, name: APEX, type, ttlSeconds: 300, values };
}

function view(endpoint: string, serial: number, servers = ["ns1.example.org"]): ApexView {
  const zone: Zone = { id: APEX, name: APEX, providerType: "rfc2136", endpoint, view: "" };
  const soa = `ns1.example.org hostmaster.example.org ${serial} 3600 600 86400 60`;
  return { zone, apex: [apex("SOA", [soa]), apex("NS", servers)] };
}

describe("Z-18 one zone under two identities", () => {
  test("equal SOA and NS make a twin, whatever serial each reading saw", () => {
    expect(twinOf(view("192.0.2.1:53", 7), [view("[2001:db8::1]:53", 9)])?.endpoint).toBe(
      "[2001:db8::1]:53",
    );
  });

  test("other name servers make another zone", () => {
    expect(twinOf(view("a", 7), [view("b", 7, ["ns2.example.org"])])).toBeNull();
  });

  test("the same identity through another account is the zone itself", () => {
    expect(twinOf(view("a", 7), [view("a", 7)])).toBeNull();
  });

  test("what was not read yet says nothing", () => {
    expect(twinOf(view("a", 7), [{ ...view("b", 7), apex: null }])).toBeNull();
    expect(twinOf({ ...view("a", 7), apex: null }, [view("b", 7)])).toBeNull();
  });
});
