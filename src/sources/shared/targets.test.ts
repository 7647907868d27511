import { expect, test } from "vitest";
import { readTargets } from "./targets.ts";

function read(target: string): string {
  const typed = readTargets([target]);
  if (!typed.ok) return typed.error.message;
  return typed.value.map(({ type, values }) => `${type} ${values.join()}`).join();
}

test.each([
  ["192.0.2.1/32", "it is a network; write one address, without /…"],
  ["2001:db8::/64", "it is a network; write one address, without /…"],
  ["192.0.2.1:80", "a DNS record holds no port; write it without :…"],
  ["lb.example.net:443", "a DNS record holds no port; write it without :…"],
  [
    "http://lb.example.net",
    "it is a URL; write its host name alone, without scheme, port and path",
  ],
  [
    "https://[2001:db8::1]/x",
    "it is a URL; write its host name alone, without scheme, port and path",
  ],
  ["[2001:db8::2]", "write the IPv6 address without brackets and without a port"],
  ["[2001:db8::2]:443", "write the IPv6 address without brackets and without a port"],
  ["fe80::1%eth0", "a zone index (%…) has a meaning on one host only; write an address without it"],
  [
    "lb.example.1",
    'it is no host name, because its last label "1" is a number; write an address or a host name',
  ],
  ["lb.example.net/x", "it is no host name, because it has a /; write the host name alone"],
  ["*.example.net", "it is a wildcard; write one host name"],
  ["a:", "it ends with a colon; write an address or a host name alone"],
  ["192.0.2.1:", "it ends with a colon; write an address or a host name alone"],
  ["tcp:a", "it has a : and is no IPv6 address; write an address or a host name alone"],
  ["a, b", "it holds more than one target; write each as a target of its own"],
  ["192.0.2.1 192.0.2.2", "it holds more than one target; write each as a target of its own"],
  [
    "[http://lb.example.net]",
    "it is a URL; write its host name alone, without scheme, port and path",
  ],
  [
    "<https://lb.example.net/>",
    "it is a URL; write its host name alone, without scheme, port and path",
  ],
  [
    "\u0661\u0669\u0662.\u0660.\u0662.\u0661",
    'it has the digit "\u0661" of another script; write the digits 0 to 9',
  ],
  [
    "\uff11\uff19\uff12.0.2.1",
    'it has the digit "\uff11" of another script; write the digits 0 to 9',
  ],
  ["2001:db8::\u0661", 'it has the digit "\u0661" of another script; write the digits 0 to 9'],
  [
    "0xc0000201",
    'it is no host name, because its last label "0xc0000201" is a number; write an address or a host name',
  ],
  [
    "192.0.2.0x1",
    'it is no host name, because its last label "0x1" is a number; write an address or a host name',
  ],
  [" ", "it is empty; write an address or a host name"],
  ["192.0.2.999", '"192.0.2.999" is no IPv4 address; write one such as 192.0.2.1'],
  ["2001:db8::x", '"2001:db8::x" is no IPv6 address; write one such as 2001:db8::1'],
])("the target %s is refused in words of its own", (target, message) => {
  expect(read(target)).toBe(`invalid target ${JSON.stringify(target.trim())}: ${message}`);
});

test.each([
  ["192.0.2.1", "A 192.0.2.1"],
  ["2001:DB8::1", "AAAA 2001:db8::1"],
  ["::ffff:192.0.2.1", "AAAA ::ffff:192.0.2.1"],
  ["lb.example.net.", "CNAME lb.example.net"],
  ["_acme.example.net", "CNAME _acme.example.net"],
  ["1.example.net", "CNAME 1.example.net"],
  ["0x1.example.net", "CNAME 0x1.example.net"],
  ["1.0/25.2.0.192.in-addr.arpa", "CNAME 1.0/25.2.0.192.in-addr.arpa"],
])("the target %s is a record", (target, record) => {
  expect(read(target)).toBe(record);
});
