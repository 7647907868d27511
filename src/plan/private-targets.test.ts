import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { parseOwned } from "../../test/support/values/zone-text.ts";
import { privateBlocker } from "./blockers.ts";

const name = trustedDnsName("example.org");

test.each([
  ["A", "10.1.2.3", true],
  ["A", "172.31.255.255", true],
  ["A", "172.32.0.1", false],
  ["A", "192.168.0.1", true],
  ["A", "100.127.0.1", true],
  ["A", "100.128.0.1", false],
  ["A", "240.1.2.3", true],
  ["A", "192.0.2.1", false],
  ["AAAA", "fd12:3456::1", true],
  ["AAAA", "2001:db8::1", false],
  ["TXT", "10.1.2.3", false],
])("%s %s in a public zone is held: %s", (type, value, isHeld) => {
  const desired = { type, values: ["192.0.2.9", value] };
  const held = privateBlocker(desired, undefined, { visibility: "public", name });
  expect(held?.code).toBe(isHeld ? "PrivateTarget" : undefined);
  expect(privateBlocker(desired, undefined, { visibility: "private", name })).toBeNull();
  expect(privateBlocker(desired, undefined, { name })).toBeNull();
});

test("what is private already goes on, what becomes private does not", () => {
  const desired = { type: "A", values: ["10.0.0.2"] };
  const zone = { visibility: "public", name } as const;
  const [inside] = parseOwned("www 300 A 10.0.0.1");
  const [outside] = parseOwned("www 300 A 192.0.2.1");
  expect(privateBlocker(desired, inside, zone)).toBeNull();
  expect(privateBlocker(desired, outside, zone)).toMatchObject({
    code: "PrivateTarget",
    message: "10.0.0.2 is a private address, and everybody can ask the zone example.org",
  });
  expect(privateBlocker(desired, { data: null }, zone)?.code).toBe("PrivateTarget");
});
