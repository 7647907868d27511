import { expect, test } from "vitest";
import { isImplausible } from "./target-form.ts";

test.each([
  "127.0.0.1",
  "0.0.0.0",
  "169.254.1.1",
  "224.0.0.1",
  "239.255.255.250",
  "255.255.255.255",
  "::",
  "::1",
  "fe80::1",
  "::ffff:192.0.2.1",
  "ff02::1",
  "localhost",
  "a.localhost",
  "localhost.localdomain",
  "ip6-localhost",
  "ip6-loopback",
])("no other host reaches one host at %s", (text) => {
  expect(isImplausible(text)).toBe(true);
});

test.each([
  "192.0.2.1",
  "10.0.0.1",
  "223.255.255.255",
  "240.0.0.1",
  "255.255.255.254",
  "2001:db8::1",
  "fd00::1",
  "lb.example.com",
  "localhost.example.com",
  "loopback",
  "300.1.1.1",
  "",
])("%s may be one, or is told about elsewhere", (text) => {
  expect(isImplausible(text)).toBe(false);
});
