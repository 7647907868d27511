/**
 * NSD as a primary: it serves transfers, whole and incremental, and takes no updates at all (NSD
 * speaks no RFC 2136).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
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

/**
 * Starts nsd; ready when its SOA answers. Throws with nsd-checkconf's words when the configuration
 * is bad.
 */
export function startNsd(options: ServerOptions): Promise<RealServer> {
  return startServer("nsd", options, prepare);
}

/** Reads another zone file from now on, as an administrator would have it (SIGHUP, nsd(8)). */
export function reloadNsd(server: RealServer, text: string): void {
  const site = { folder: server.folder, port: server.port, options: { zone: server.zone } };
  writeSiteFile(site, "primary.zone", text);
  process.kill(Number(readFileSync(join(server.folder, "nsd.pid"), "utf8")), "SIGHUP");
}

async function prepare(site: Site): Promise<Launch> {
  const { folder, port, options } = site;
  const key = options.key ?? TEST_KEY;
  writeSiteFile(site, "primary.zone", zoneText(options));
  const config = writeSiteFile(
    site,
    "nsd.conf",
    `
server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  username: ""
  chroot: ""
  zonesdir: "${folder}"
  database: ""
  pidfile: "${folder}/nsd.pid"
  xfrdfile: "${folder}/xfrd.state"
  zonelistfile: "${folder}/zone.list"
  xfrdir: "${folder}"
remote-control:
  control-enable: no
key:
  name: "${key.name}"
  algorithm: ${key.algorithm}
  secret: "${key.secretBase64}"
zone:
  name: "${options.zone}"
  zonefile: "primary.zone"
  store-ixfr: yes
  create-ixfr: yes
  provide-xfr: 127.0.0.1 ${key.name}
`,
  );
  await runOk("nsd-checkconf", [config]);
  return { command: "nsd", args: ["-d", "-c", config] };
}
