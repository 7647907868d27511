import { createServer } from "node:tls";
import type { TlsClientOptions } from "@zonekeeper/base/ports/net";
import { expect, test } from "vitest";
import { issueCertificates } from "../../../test/support/ports/certificates.ts";
import { RealNet } from "./real-net.ts";

const net = new RealNet();
const FREE = { host: "127.0.0.1", port: 0 };
const certificates = await issueCertificates(["127.0.0.1", "dns.example.org"]);
const client = (changes: Partial<TlsClientOptions> = {}): TlsClientOptions => ({
  serverName: null,
  caCertificates: certificates.caCertificate,
  client: null,
  alpn: "dot",
  ...changes,
});

/** Listens with TLS and says back what it hears. */
function listenAndReturn() {
  const tls = { ...certificates.server, alpn: "dot" };
  return net.listenTcp(
    FREE,
    (stream) => void stream.read(5000).then((bytes) => stream.write(bytes ?? new Uint8Array(0))),
    tls,
  );
}

test.each([
  ["by its address", null],
  ["by a name of its certificate", "dns.example.org"],
])("bytes go both ways; the server is known %s", async (_how, serverName) => {
  const listener = await listenAndReturn();
  const tls = client({ serverName });
  const stream = await net.connectTcp(listener.local, { timeoutMs: 5000, tls });
  await stream.write(new Uint8Array([1, 2, 3]));
  expect([...((await stream.read(5000)) ?? [])]).toEqual([1, 2, 3]);
  stream.close();
  await listener.close();
});

test.each([
  ["an authority that is not trusted", { caCertificates: null }, /certificate/],
  ["another name", { serverName: "other.example.org" }, /other\.example\.org/],
  ["another application protocol", { alpn: "h2" }, /./],
])("%s: no connection", async (_what, changes, message) => {
  const listener = await listenAndReturn();
  const tls = client(changes);
  await expect(net.connectTcp(listener.local, { timeoutMs: 5000, tls })).rejects.toMatchObject({
    code: "ConnectFailed",
    message: expect.stringMatching(message),
  });
  await listener.close();
});

test("a server that chooses no application protocol is not believed to speak DNS", async () => {
  const { certificate: cert, key } = certificates.server;
  const server = createServer({ cert, key }, (socket) => socket.on("error", () => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  await expect(
    net.connectTcp({ host: "127.0.0.1", port }, { timeoutMs: 5000, tls: client() }),
  ).rejects.toMatchObject({ code: "ConnectFailed", message: expect.stringMatching(/ALPN/) });
  await new Promise((resolve) => server.close(resolve));
});

test("closing the listener ends clients that never finish their handshake", async () => {
  const listener = await listenAndReturn();
  const silent = await net.connectTcp(listener.local, { timeoutMs: 5000 });
  const ended = silent.read(5000).catch(() => null);
  await listener.close();
  expect(await ended).toBeNull();
});
