import { expect, test } from "vitest";
import { environmentProxy } from "./environment-proxy.ts";

const PROXY = "http://proxy:3128";

test.each([
  ["https://api.example.org:6443", { HTTPS_PROXY: PROXY }, PROXY],
  ["https://api.example.org:6443", { https_proxy: "proxy:3128" }, PROXY],
  ["https://api.example.org", { HTTPS_PROXY: "", https_proxy: PROXY }, PROXY],
  ["https://api.example.org", { HTTP_PROXY: PROXY }, null],
  ["http://api.example.org", { HTTP_PROXY: PROXY }, PROXY],
  ["https://localhost:6443", { HTTPS_PROXY: PROXY }, null],
  ["https://127.0.0.1:6443", { HTTPS_PROXY: PROXY }, null],
  ["https://[::1]:6443", { HTTPS_PROXY: PROXY }, null],
  ["https://api.example.org", {}, null],
])("%s with %j goes through %s", (server, environment, expected) => {
  expect(environmentProxy(server, environment)).toBe(expected);
});

test.each([
  ["example.org", true],
  [" x.net , example.org", true],
  ["api.example.org:443", true],
  ["api.example.org:6443", false],
  [".example.org", true],
  ["*.example.org", true],
  [".api.example.org", false],
  ["pi.example.org", false],
  ["API.EXAMPLE.ORG", true],
  ["*", true],
  ["", false],
  [",", false],
  ["10.0.0.0/8", false],
])("NO_PROXY=%s excepts https://api.example.org: %s", (NO_PROXY, expected) => {
  const proxy = environmentProxy("https://api.example.org", { HTTPS_PROXY: PROXY, NO_PROXY });
  expect(proxy === null).toBe(expected);
});

test.each([
  ["https://10.1.2.3", "10.0.0.0/8", true],
  ["https://11.1.2.3", "10.0.0.0/8", false],
  ["https://10.1.2.3", "10.1.2.3", true],
  ["https://10.1.2.3:6443", "10.1.2.3:6443", true],
  ["https://10.1.2.3:6443", "10.1.2.3:443", false],
  ["https://10.1.2.3", "0.1.2.3", false],
  ["https://10.1.2.3", "10.0.0.0/99", false],
  ["https://10.1.2.3", "10.0.0.0/x", false],
  ["https://[2001:db8::1]", "2001:db8::/32", true],
  ["https://[2001:db8::1]", "2001:db8::1", true],
  ["https://[2001:db8::1]:6443", "[2001:db8::1]:6443", true],
  ["https://[2001:db8::1]", "10.0.0.0/8", false],
])("%s is excepted by NO_PROXY=%s: %s", (server, NO_PROXY, expected) => {
  expect(environmentProxy(server, { HTTPS_PROXY: PROXY, NO_PROXY }) === null).toBe(expected);
});

test.each(["socks5://secret:pw@proxy:1080", "http://", "::"])(
  "%s is refused without being told",
  (HTTPS_PROXY) => {
    expect(() => environmentProxy("https://api.example.org", { HTTPS_PROXY })).toThrow(
      "HTTPS_PROXY is no URL of an HTTP proxy; give http://host:port, or except the host with NO_PROXY",
    );
  },
);
