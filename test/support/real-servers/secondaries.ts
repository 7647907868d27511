/**
 * BIND, Knot and NSD as secondaries: each copies one zone from a primary on 127.0.0.1, signed with
 * the primary's key, and follows its NOTIFYs. The judges of what our own server serves.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runOk } from "../programs/run.ts";
import type { RealProgram } from "./availability.ts";
import {
  type Launch,
  type RealServer,
  type ServerKey,
  type Site,
  startServer,
  writeSiteFile,
} from "./real-server.ts";

/** Whose zone is copied, and from where. */
export interface SecondaryOptions {
  readonly zone: string;
  /** May transfer at the primary, and signs its NOTIFYs. */
  readonly key: ServerKey;
  readonly primaryPort: number;
  /** The port on which it listens; the caller knows it before, so that the primary can. */
  readonly port: number;
  /** Transfers by TLS from `primaryPort`, trusting this PEM text. BIND only. */
  readonly caCertificate?: string;
}

/** One kind of secondary. */
export interface SecondaryEntry {
  readonly name: "BIND" | "Knot" | "NSD";
  readonly needs: RealProgram;
  /** Ready when it answers the SOA of the zone, so after its first transfer. */
  start(options: SecondaryOptions): Promise<RealServer>;
}

/** All of them. */
export const SECONDARIES: readonly SecondaryEntry[] = [
  { name: "BIND", needs: "bind", start: (options) => start("bind-2nd", options, prepareBind) },
  { name: "Knot", needs: "knot", start: (options) => start("knot-2nd", options, prepareKnot) },
  { name: "NSD", needs: "nsd", start: (options) => start("nsd-2nd", options, prepareNsd) },
];

type Prepare = (site: Site, options: SecondaryOptions) => Promise<Launch>;

function start(label: string, options: SecondaryOptions, prepare: Prepare): Promise<RealServer> {
  const { zone, key, port } = options;
  return startServer(label, { zone, key, port }, (site) => prepare(site, options));
}

async function prepareBind(site: Site, options: SecondaryOptions): Promise<Launch> {
  const { folder, port } = site;
  const { key, zone, primaryPort, caCertificate } = options;
  if (caCertificate !== undefined) writeSiteFile(site, "ca.crt", caCertificate);
  const tls = `tls upstream { ca-file "${folder}/ca.crt"; remote-hostname "127.0.0.1"; };`;
  const config = writeSiteFile(
    site,
    "named.conf",
    `
key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secretBase64}"; };
${caCertificate === undefined ? "" : tls}
options {
  directory "${folder}"; pid-file "${folder}/named.pid"; session-keyfile "${folder}/session.key";
  managed-keys-directory "${folder}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; empty-zones-enable no; dnssec-validation no; notify no;
  allow-query { any; }; allow-transfer { key "${key.name}"; };
  min-refresh-time 3600;
};
controls { };
statistics-channels { };
logging {
  channel out { stderr; severity debug 1; print-category yes; };
  category default { out; }; category xfer-in { out; }; category notify { out; };
};
zone "${zone}" {
  type secondary;
  file "copy.zone";
  masterfile-format text;
  primaries { 127.0.0.1 port ${primaryPort} key "${key.name}" ${caCertificate === undefined ? "" : "tls upstream"}; };
  allow-notify { key "${key.name}"; };
};
`,
  );
  await runOk("named-checkconf", [config]);
  return { command: "named", args: ["-f", "-c", config, "-p", String(port), "-n", "1"] };
}

async function prepareKnot(site: Site, options: SecondaryOptions): Promise<Launch> {
  const { folder, port } = site;
  const { key, zone, primaryPort } = options;
  for (const name of ["db", "zones"]) mkdirSync(join(folder, name));
  const config = writeSiteFile(
    site,
    "knot.conf",
    `
server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
log:
  - target: stderr
    any: debug
database:
    storage: "${folder}/db"
key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secretBase64}
remote:
  - id: primary
    address: 127.0.0.1@${primaryPort}
    key: ${key.name}
acl:
  - id: notifier
    key: ${key.name}
    action: [notify, transfer]
zone:
  - domain: ${zone}
    storage: "${folder}/zones"
    master: primary
    acl: notifier
    semantic-checks: on
`,
  );
  await runOk("knotc", ["-c", config, "conf-check"]);
  return { command: "knotd", args: ["-c", config] };
}

async function prepareNsd(site: Site, options: SecondaryOptions): Promise<Launch> {
  const { folder, port } = site;
  const { key, zone, primaryPort } = options;
  mkdirSync(join(folder, "xfr"));
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
  xfrdir: "${folder}/xfr"
  verbosity: 2
  xfrd-reload-timeout: 0
  zonefiles-write: 0
remote-control:
  control-enable: no
key:
  name: "${key.name}"
  algorithm: ${key.algorithm}
  secret: "${key.secretBase64}"
zone:
  name: "${zone}"
  zonefile: "copy.zone"
  store-ixfr: yes
  request-xfr: 127.0.0.1@${primaryPort} ${key.name}
  allow-notify: 127.0.0.1 ${key.name}
  provide-xfr: 127.0.0.1 ${key.name}
`,
  );
  await runOk("nsd-checkconf", [config]);
  return { command: "nsd", args: ["-d", "-c", config] };
}
