/**
 * PowerDNS Authoritative with SQLite as a primary that takes signed updates, and with its HTTP API.
 * The zone is loaded before the start; the key is installed through the API once it runs, as an
 * operator would.
 */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { claimPort } from "../ports/free-port.ts";
import { runOk } from "../programs/run.ts";
import {
  type Launch,
  type RealServer,
  type ServerOptions,
  type Site,
  startServer,
  TEST_KEY,
  writeSiteFile,
  zoneText,
} from "./real-server.ts";

const SCHEMA = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
const API_KEY = "test-api-key";

/** PowerDNS has an HTTP API besides. */
export interface PowerDnsServer extends RealServer {
  readonly api: {
    /** `http://127.0.0.1:PORT/api/v1/servers/localhost`. */
    readonly url: string;
    /** Value of `X-API-Key`. */
    readonly key: string;
  };
}

/**
 * Starts pdns_server with a gsqlite3 back end; ready when its SOA answers and updates are allowed
 * by key.
 */
export async function startPowerDns(options: ServerOptions): Promise<PowerDnsServer> {
  const apiPort = await claimPort();
  const api = {
    url: `http://127.0.0.1:${apiPort.port}/api/v1/servers/localhost`,
    key: API_KEY,
  };
  try {
    const server = await startServer("powerdns", options, (site) => prepare(site, apiPort.port));
    await installKey(api, options.zone).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    const stop = async (): Promise<void> => {
      await server.stop();
      apiPort.release();
    };
    return {
      host: server.host,
      port: server.port,
      zone: server.zone,
      key: server.key,
      folder: server.folder,
      api,
      stop,
      kill9: () => server.kill9(),
      restart: () => server.restart(),
      logTail: () => server.logTail(),
    };
  } catch (error) {
    apiPort.release();
    throw error;
  }
}

async function prepare(site: Site, apiPort: number): Promise<Launch> {
  const { folder, options } = site;
  chmodSync(folder, 0o755);
  writeSiteFile(site, "pdns.conf", configText(site, apiPort));
  const zoneFile = writeSiteFile(site, "primary.zone", zoneText(options));
  await runOk("sqlite3", [join(folder, "pdns.sqlite3"), `.read ${SCHEMA}`]);
  await runOk("pdnsutil", [`--config-dir=${folder}`, "load-zone", options.zone, zoneFile]);
  return { command: "pdns_server", args: [`--config-dir=${folder}`] };
}

/**
 * The metadata end point refuses TSIG-ALLOW-AXFR (422); the zone's `master_tsig_key_ids` is the
 * same thing.
 */
async function installKey(api: PowerDnsServer["api"], zone: string): Promise<void> {
  const call = async (method: string, path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${api.url}${path}`, {
      method,
      headers: { "X-API-Key": api.key, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok)
      throw new Error(`PowerDNS ${method} ${path}: ${answer.status} ${await answer.text()}`);
  };
  const setMetadata = (kind: string, value: string): Promise<void> =>
    call("PUT", `/zones/${zone}./metadata/${kind}`, { kind, metadata: [value] });
  await call("POST", "/tsigkeys", {
    name: TEST_KEY.name,
    algorithm: TEST_KEY.algorithm,
    key: TEST_KEY.secretBase64,
  });
  await setMetadata("TSIG-ALLOW-DNSUPDATE", TEST_KEY.name);
  await setMetadata("SOA-EDIT-DNSUPDATE", "INCREASE");
  await call("PUT", `/zones/${zone}.`, { master_tsig_key_ids: [`${TEST_KEY.name}.`] });
}

/**
 * Caches are off so that answers follow writes at once; the security poll would leave 127.0.0.1.
 */
function configText({ folder, port }: Site, apiPort: number): string {
  return `
local-address=127.0.0.1
local-port=${port}
socket-dir=${folder}
daemon=no
guardian=no
write-pid=no
disable-syslog=yes
log-timestamp=yes
loglevel=4
primary=yes
api=yes
api-key=${API_KEY}
webserver=yes
webserver-address=127.0.0.1
webserver-port=${apiPort}
webserver-allow-from=127.0.0.1
webserver-loglevel=none
dnsupdate=yes
allow-dnsupdate-from=127.0.0.0/8
forward-dnsupdate=no
allow-axfr-ips=
zone-cache-refresh-interval=0
cache-ttl=0
negquery-cache-ttl=0
query-cache-ttl=0
receiver-threads=1
distributor-threads=1
max-tcp-connections=100
security-poll-suffix=
only-notify=
launch=gsqlite3
gsqlite3-database=${folder}/pdns.sqlite3
gsqlite3-dnssec=yes
gsqlite3-pragma-journal-mode=wal
`;
}
