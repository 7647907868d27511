/** The conformance harness of rfc2136 on the embedded name server; dns-packet judges. */
import { MemoryStore } from "@zonekeeper/base/store/memory-store";
import { NameServer } from "@zonekeeper/dns/name-server/name-server";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { RealClock } from "../../src/app/ports/real-clock.ts";
import { RealCrypto } from "../../src/app/ports/real-crypto.ts";
import { RealNet } from "../../src/app/ports/real-net.ts";
import { query } from "../support/clients/dns-query.ts";
import { TEST_KEY } from "../support/real-servers/real-server.ts";
import { openSession, realEnvironment } from "../support/values/rfc2136-session.ts";
import { applyStatus, group, type ProviderHarness } from "./provider-harness.ts";
import { rfc2136Harness } from "./rfc2136-harness.ts";

const ZONE = "example.org";
const apex = trustedDnsName(ZONE);
const NEXT_KEY = { ...TEST_KEY, name: "next-key", secretBase64: btoa("the next secret of tests") };

async function startEmbedded(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const server = new NameServer({
    net: new RealNet(),
    clock: new RealClock(),
    crypto: new RealCrypto(),
    store: new MemoryStore(),
    log: realEnvironment().log,
    keys: [TEST_KEY, NEXT_KEY].map(({ name, secretBase64 }) => ({
      name: trustedDnsName(name),
      algorithm: "hmac-sha256",
      secret: new Uint8Array(Buffer.from(secretBase64, "base64")),
      zones: "all",
      mayUpdate: true,
      mayTransfer: true,
    })),
  });
  await server.addZone(apex, [
    { name: apex, type: "NS", ttlSeconds: 300, values: [`ns1.${ZONE}`] },
    {
      name: apex,
      type: "SOA",
      ttlSeconds: 300,
      values: [`ns1.${ZONE} hostmaster.${ZONE} 1 3600 600 86400 60`],
    },
  ]);
  const { port } = await server.start();
  return { port, stop: () => server.stop() };
}

/** With one zone, `example.org`. */
export async function startEmbeddedHarness(): Promise<ProviderHarness> {
  const { port, stop } = await startEmbedded();
  const server = { host: "127.0.0.1", port, zone: ZONE, key: TEST_KEY } as const;
  const outsider = openSession(server);
  return rfc2136Harness({
    server,
    nextKey: NEXT_KEY,
    ask: (name, type) => query(port, name, type),
    addForeign: async (next) => {
      const status = await applyStatus(outsider, group(next.name, [{ op: "create", next }]));
      if (status !== "applied") throw new Error(`the stranger's write: ${status}`);
    },
    stop: async () => {
      outsider.close();
      await stop();
    },
  });
}
