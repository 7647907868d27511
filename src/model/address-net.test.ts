import { expect, test } from "vitest";
import { isInNet, parseAddressNet } from "./address-net.ts";

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
