import { OperationError } from "@zonekeeper/base/operation-error";
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { NameServer } from "@zonekeeper/dns/name-server/name-server";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { afterAll, beforeAll, expect, test } from "vitest";
import { QUIET_LOG } from "../../../../test/support/name-server/quiet-log.ts";
import {
  APEX,
  APEX_TEXT,
  nameOf,
  setsFrom,
} from "../../../../test/support/name-server/zone-text.ts";
import type { Resolver } from "../../../ports/resolver.ts";
import { RealClock } from "../../ports/real-clock.ts";
import { RealCrypto } from "../../ports/real-crypto.ts";
import { RealNet } from "../../ports/real-net.ts";
import { OwnResolver } from "./start-dev-controllers.ts";

const ZONE_TEXT = `
www A 192.0.2.1
www AAAA 2001:db8::1
web CNAME www
shop CNAME shop.example.net.
loop CNAME pool
pool CNAME loop
note TXT "one" "two"
`;

const server = new NameServer({
  net: new RealNet(),
  clock: new RealClock(),
  crypto: new RealCrypto(),
  store: new MemoryStore(),
  log: QUIET_LOG,
  keys: [],
});
let resolver: OwnResolver;

/** Knows one name outside of the zone and fails for all others. */
const others: Resolver = {
  addressesOf: async (host) => {
    if (host === "shop.example.net") return { a: ["198.51.100.7"], aaaa: [] };
    throw new OperationError({ code: "LookupFailed", message: `${host}?`, retry: "backoff" });
  },
  textsOf: async (name) => [`text of ${name}`],
};

beforeAll(async () => {
  await server.addZone(APEX, setsFrom(APEX_TEXT + ZONE_TEXT));
  const { port } = await server.start();
  resolver = new OwnResolver({ zone: APEX, at: { host: "127.0.0.1", port } }, others);
});
afterAll(() => server.stop());

test.each([
  ["www", { a: ["192.0.2.1"], aaaa: ["2001:db8::1"] }],
  ["web", { a: ["192.0.2.1"], aaaa: ["2001:db8::1"] }],
  ["shop", { a: ["198.51.100.7"], aaaa: [] }],
  ["note", { a: [], aaaa: [] }],
  ["absent", { a: [], aaaa: [] }],
  ["loop", { a: [], aaaa: [] }],
])("the own server says what %s has, through aliases out of the zone", async (name, expected) => {
  expect(await resolver.addressesOf(nameOf(name))).toEqual(expected);
});

test("names outside of the zone are asked for where the program would", async () => {
  const host = trustedDnsName("shop.example.net");
  expect(await resolver.addressesOf(host)).toEqual({ a: ["198.51.100.7"], aaaa: [] });
  await expect(resolver.addressesOf(trustedDnsName("x.example.net"))).rejects.toThrow("?");
});

test("texts come from the same servers", async () => {
  expect(await resolver.textsOf(nameOf("note"))).toEqual(["onetwo"]);
  expect(await resolver.textsOf(trustedDnsName("example.net"))).toEqual(["text of example.net"]);
});
