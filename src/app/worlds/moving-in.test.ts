/** A zone that external-dns kept is taken over: what equals its objects is left as it is. */
import { SERVICE } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import {
  keptByExternalDns,
  serialOf,
  writeTo,
} from "../../../test/support/worlds/arrival-world.ts";

describe("Z-21: a Service that says no TTL has no wish", () => {
  test("a zone that another program wrote with TTL 0 is taken over without a write", async () => {
    const world = keptByExternalDns();
    const before = serialOf(world);
    world.start();
    world.provider("p", { defaultTTL: 600 });
    await world.pass(10_000);
    const states = Object.values(world.entries());
    expect(states).toHaveLength(4);
    expect(states).toEqual(states.map(() => "Ready: dns entry active"));
    expect(serialOf(world)).toBe(before);
  });

  test("its record is created with the TTL of the DNSProvider, and keeps the one it has", async () => {
    const world = keptByExternalDns();
    world.start();
    world.provider("p", { defaultTTL: 600 });
    world.service("new", "new.example.org", "192.0.2.7");
    world.service("s0", "www.example.org", "192.0.2.9");
    await world.pass(10_000);
    expect(world.zone()).toContain("new.example.org 600 A 192.0.2.7");
    expect(world.zone()).toContain("www.example.org 0 A 192.0.2.9");
  });

  test("a TTL that a Service says is a wish", async () => {
    const world = keptByExternalDns();
    world.start();
    world.provider();
    const names = { "dns.gardener.cloud/dnsnames": "www.example.org" };
    world.annotate(SERVICE, "s0", { ...names, "dns.gardener.cloud/ttl": "120" });
    await world.pass(10_000);
    expect(world.zone()).toContain("www.example.org 120 A 192.0.2.1");
  });

  test("a DNSEntry that a person wrote without a TTL gets one", async () => {
    const world = keptByExternalDns();
    world.start();
    world.provider("p", { defaultTTL: 600 });
    world.entry("hand", { dnsName: "hand.example.org", targets: ["192.0.2.8"] });
    await world.pass(10_000);
    expect(world.zone()).toContain("hand.example.org 600 A 192.0.2.8");
    writeTo(world, "hand 5 A 192.0.2.8");
    await world.pass(3_600_000);
    expect(world.zone()).toContain("hand.example.org 600 A 192.0.2.8");
  });
});
