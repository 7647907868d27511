/**
 * The embedded name server as a process of its own, for tests that kill it: `node serve.mjs
 * CONFIG.json`, with the real ports and an lmdb store. SIGTERM stops it in order. Bundled and
 * started by start-embedded.ts.
 */
import { readFileSync } from "node:fs";
import { NameServer } from "@zonekeeper/dns/name-server/name-server";
import type { ZoneRecordSet } from "@zonekeeper/dns/name-server/zone/zone-version";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { TsigAlgorithm, TsigKey } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { LmdbStore } from "../../../src/app/ports/lmdb-store.ts";
import { makeLog } from "../../../src/app/ports/pino-log.ts";
import { RealClock } from "../../../src/app/ports/real-clock.ts";
import { RealCrypto, RealRandom } from "../../../src/app/ports/real-crypto.ts";
import { RealNet } from "../../../src/app/ports/real-net.ts";

/** What stands in the configuration file. */
export interface ServeConfig {
  readonly port: number;
  readonly storeFile: string;
  readonly zone: string;
  /** Only for a store that has no such zone. */
  readonly initialRecords: readonly ZoneRecordSet[];
  /** May do everything. */
  readonly key: {
    readonly name: string;
    readonly algorithm: TsigAlgorithm;
    readonly secretBase64: string;
  };
  /** Ports on 127.0.0.1 that get signed NOTIFYs. */
  readonly notifyPorts: readonly number[];
  /** Null = no DNS over TLS. PEM texts. */
  readonly tls: {
    readonly port: number;
    readonly certificate: string;
    readonly key: string;
  } | null;
}

const config: ServeConfig = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const store = LmdbStore.open(config.storeFile);
const key: TsigKey = {
  name: trustedDnsName(config.key.name),
  algorithm: config.key.algorithm,
  secret: Buffer.from(config.key.secretBase64, "base64"),
};
const server = new NameServer({
  net: new RealNet(),
  clock: new RealClock(),
  crypto: new RealCrypto(),
  log: makeLog({ level: "debug", format: "json" }),
  store,
  keys: [{ ...key, zones: "all", mayUpdate: true, mayTransfer: true }],
  notify: {
    secondaries: config.notifyPorts.map((port) => ({ address: { host: "127.0.0.1", port }, key })),
    random: new RealRandom(),
  },
});
await server.addZone(trustedDnsName(config.zone), config.initialRecords);
await server.start({
  address: { host: "127.0.0.1", port: config.port },
  ...(config.tls === null ? {} : { tls: config.tls }),
});
process.once("SIGTERM", () => {
  void server
    .stop()
    .then(() => store.close())
    .then(() => process.exit(0));
});
