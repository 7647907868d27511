import { expect, test } from "vitest";
import { isInternalAddress, isLoopback } from "./internal-address.ts";

test.each([
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "0.1.2.3",
  "169.254.169.254",
  "169.254.0.1",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "64:ff9b::100.100.100.200",
  "::",
  "::1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "::ffff:127.0.0.1",
  "::FFFF:7f00:1",
  "0:0:0:0:0:ffff:a9fe:a9fe",
  "::127.0.0.1",
  "64:ff9b::169.254.169.254",
  "::ffff:100.100.100.200",
  "64:ff9b::7f00:1",
  "localhost",
  "",
])("%s is refused", (address) => {
  expect(isInternalAddress(address)).toBe(true);
});

test.each([
  "192.0.2.1",
  "10.0.0.1",
  "128.0.0.1",
  "169.253.1.1",
  "100.100.100.201",
  "2001:db8::1",
  "fd00::1",
  "fec0::1",
  "::ffff:192.0.2.1",
  "64:ff9b::192.0.2.1",
  "2001:db8::127.0.0.1",
])("%s may be dialled", (address) => {
  expect(isInternalAddress(address)).toBe(false);
});

test.each([
  ["127.0.0.1", true],
  ["127.8.8.8", true],
  ["::1", true],
  ["localhost", true],
  ["127.example.org", false],
  ["localhost.example.org", false],
  ["192.0.2.1", false],
])("%s is loopback: %s", (host, is) => {
  expect(isLoopback(host)).toBe(is);
});
