import { expect, test } from "vitest";
import { parseHostPort } from "./host-port.ts";

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
