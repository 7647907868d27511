import { expect, test } from "vitest";
import {
  isInNet,
  isInternalAddress,
  isLoopback,
  parseAddressNet,
  parseHostPort,
} from "./addresses.ts";

function net(text: string) {
  const read = parseAddressNet(text);
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

test.each([
  ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0", "a00::"]],
  ["192.0.2.64/26", ["192.0.2.64", "192.0.2.127"], ["192.0.2.63", "192.0.2.128"]],
  ["192.0.2.1/32", ["192.0.2.1"], ["192.0.2.0", "192.0.2.2"]],
  ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "lb.example.org", ""]],
  ["fc00::/7", ["fc00::1", "fdff::"], ["fe00::", "253.0.0.0"]],
  ["::ffff:0:0/96", ["::ffff:192.0.2.1"], ["192.0.2.1"]],
])("%s holds %j and not %j", (text, inside, outside) => {
  expect(inside.filter((one) => !isInNet(one, net(text)))).toEqual([]);
  expect(outside.filter((one) => isInNet(one, net(text)))).toEqual([]);
});

test.each([
  ["10.0.0.0", "a length of 0 to 32"],
  ["10.0.0.0/33", "a length of 0 to 32"],
  ["10.0.0.0/", "a length of 0 to 32"],
  ["fd00::/129", "a length of 0 to 128"],
  ["10.0.0.1/8", "bits behind the prefix"],
  ["10/8", "write one such as"],
  ["10.0.0.0/8/8", "write one such as"],
  ["intern", "write one such as"],
  ["", "write one such as"],
])("%j is no network", (text, says) => {
  const read = parseAddressNet(text);
  expect(read.ok ? "" : read.error).toContain(says);
});

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

test.each([
  ["192.0.2.1", { host: "192.0.2.1", port: 53 }],
  ["192.0.2.1:5353", { host: "192.0.2.1", port: 5353 }],
  ["ns.example.org:1", { host: "ns.example.org", port: 1 }],
  ["[2001:db8::1]:65535", { host: "2001:db8::1", port: 65_535 }],
  ["2001:db8::1", { host: "2001:db8::1", port: 53 }],
  ["", null],
  ["192.0.2.1:0", null],
  ["192.0.2.1:65536", null],
  ["a b", null],
  ["https://ns.example.org", null],
])("%s", (text, value) => {
  expect(parseHostPort(text, 53)).toEqual(value);
});
