/** Providers behind a proxy: whom they ask it for, and what it is never asked for. */
import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { soon } from "../../../test/conformance/provider-harness.ts";
import { realEnvironment } from "../../../test/support/values/rfc2136-session.ts";
import { CLOUDFLARE_PROVIDER } from "../../providers/cloudflare/session.ts";
import { POWERDNS_PROVIDER } from "../../providers/powerdns/session.ts";
import type { OpenedSession, ProviderEnvironment } from "../../providers/provider.ts";
import { ROUTE53_PROVIDER } from "../../providers/route53/session.ts";
import { openHttp, RealHttpClient } from "./real-http-client.ts";

/** What it was asked to connect to; it connects nowhere. */
const asked: string[] = [];
const proxy = createServer();
proxy.on("connect", (request, socket) => {
  asked.push(request.url ?? "");
  socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
});
let proxyUrl = "";

beforeEach(async () => {
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const bound = proxy.address();
  proxyUrl = `http://user:s3cret@127.0.0.1:${typeof bound === "object" ? bound?.port : 0}`;
});
afterEach(async () => {
  asked.length = 0;
  proxy.closeAllConnections();
  await new Promise<void>((resolve) => proxy.close(() => resolve()));
});

const KEY = {
  AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
};
const ROLE = { AWS_ROLE_ARN: "arn:aws:iam::123456789012:role/zonekeeper" };
const TOKEN = { CLOUDFLARE_API_TOKEN: "Sn3lZJTBX6kkg7OdcBUAxOO963GEIyGQqnFTOFYY" };
const PDNS = { Server: "http://pdns.example.org:8081", ApiKey: "key" };

type Open = (environment: ProviderEnvironment) => OpenedSession;
const PROVIDERS: readonly (readonly [string, Open, string])[] = [
  [
    "aws-route53",
    (environment) => ROUTE53_PROVIDER.open({ secret: KEY, config: null }, environment),
    "route53.amazonaws.com:443",
  ],
  [
    "aws-route53 with a role",
    (environment) =>
      ROUTE53_PROVIDER.open({ secret: { ...KEY, ...ROLE }, config: null }, environment),
    "sts.us-east-1.amazonaws.com:443",
  ],
  [
    "cloudflare-dns",
    (environment) => CLOUDFLARE_PROVIDER.open({ secret: TOKEN, config: null }, environment),
    "api.cloudflare.com:443",
  ],
  [
    "powerdns",
    (environment) => POWERDNS_PROVIDER.open({ secret: PDNS, config: null }, environment),
    "pdns.example.org:8081",
  ],
];

test.each(PROVIDERS)(
  "%s asks the proxy of the environment for its API",
  async (_type, open, host) => {
    const variables = { HTTPS_PROXY: proxyUrl, HTTP_PROXY: proxyUrl };
    const opened = open(realEnvironment({ http: (target) => openHttp(target, variables) }));
    if (!opened.ok) throw new Error("not opened");
    const error = await opened.value.zones(soon()).catch((one: unknown) => one);
    opened.value.close();
    expect(asked).toEqual([host]);
    expect(JSON.stringify(error)).not.toContain("s3cret");
  },
);

function ask(client: ReturnType<typeof openHttp>): Promise<unknown> {
  const request = { method: "GET", path: "/", headers: {}, body: null, signal: soon() };
  return client.request(request).finally(() => client.close());
}

test("a host that NO_PROXY excepts is not asked for, nor is loopback", async () => {
  const variables = { HTTP_PROXY: proxyUrl, NO_PROXY: "192.0.2.0/24" };
  const port = new URL(proxyUrl).port;
  const client = openHttp({ origin: `http://127.0.0.1:${port}` }, variables);
  proxy.once("request", (_request, response) => response.end("direct"));
  await expect(ask(client)).resolves.toMatchObject({ status: 200 });
  expect(asked).toEqual([]);
});

test("a proxy that is none is told with each request, without its text", async () => {
  const client = openHttp(
    { origin: "https://api.example.org" },
    { HTTPS_PROXY: "socks5://u:pw@x" },
  );
  const message =
    "HTTPS_PROXY is no URL of an HTTP proxy; give http://host:port, or except the host with NO_PROXY";
  await expect(ask(client)).rejects.toMatchObject({ code: "ProviderUnavailable", message });
});

test("for a namespace that is not trusted the proxy is asked for an address that was judged (Z-29)", async () => {
  const client = (mayDial: (address: string) => boolean) =>
    new RealHttpClient({ origin: "http://localhost:8081", proxyUrl, mayDial });
  await expect(ask(client(() => false))).rejects.toMatchObject({ code: "ConnectFailed" });
  expect(asked).toEqual([]);
  await expect(ask(client(() => true))).rejects.toThrow("403");
  expect(asked).toEqual([expect.stringMatching(/^(127\.0\.0\.1|\[::1\]):8081$/)]);
});
