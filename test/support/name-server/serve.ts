/**
 * The embedded name server as a process of its own, for tests that kill it: `node serve.mjs CONFIG.json`, with the
 * real ports and an lmdb store. SIGTERM stops it in order. Bundled and started by start-embedded.ts.
 */
import { readFileSync } from "node:fs";
import { LmdbStore } from "../../../src/app/ports/lmdb-store.ts";
import { makeLog } from "../../../src/app/ports/pino-log.ts";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import { RealCrypto } from "../../../src/app/ports/real-crypto.ts";
import { RealNet } from "../../../src/app/ports/real-net.ts";
import { NameServer } from "../../../src/embedded/name-server/name-server.ts";
import type { ZoneRecordSet } from "../../../src/embedded/name-server/zone/zone-version.ts";
import { trustedDnsName } from "../../../src/model/dns-name.ts";

/** What stands in the configuration file. */
export interface ServeConfig {
  readonly port: number;
  readonly storeFile: string;
  readonly zone: string;
  /** Only for a store that has no such zone. */
  readonly initialRecords: readonly ZoneRecordSet[];
  /** hmac-sha256; may do everything. */
  readonly key: { readonly name: string; readonly secretBase64: string };
}

const config: ServeConfig = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const store = LmdbStore.open(config.storeFile);
const server = new NameServer({
  net: new RealNet(),
  clock: new RealClock(),
  crypto: new RealCrypto(),
  log: makeLog({ level: "debug", format: "json" }),
  store,
  keys: [
    {
      name: trustedDnsName(config.key.name),
      algorithm: "hmac-sha256",
      secret: Buffer.from(config.key.secretBase64, "base64"),
      zones: "all",
      mayUpdate: true,
      mayTransfer: true,
    },
  ],
});
await server.addZone(trustedDnsName(config.zone), config.initialRecords);
await server.start({ address: { host: "127.0.0.1", port: config.port } });
process.once("SIGTERM", () => {
  void server
    .stop()
    .then(() => store.close())
    .then(() => process.exit(0));
});
