/**
 * Knot DNS as a primary that takes signed updates: the second independent reading of RFC 2136. The
 * zone file stays as written; changes live in the journal.
 */
import { mkdirSync } from "node:fs";
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
 * Starts knotd; ready when its SOA answers. Throws with knotc's words when the configuration is
 * bad.
 */
export function startKnot(options: ServerOptions): Promise<RealServer> {
  return startServer("knot", options, prepare);
}

async function prepare(site: Site): Promise<Launch> {
  for (const name of ["db", "zones"]) mkdirSync(join(site.folder, name));
  writeSiteFile(site, `zones/${site.options.zone}.zone`, zoneText(site.options));
  const config = writeSiteFile(site, "knot.conf", configText(site));
  await runOk("knotc", ["-c", config, "conf-check"]);
  return { command: "knotd", args: ["-c", config] };
}

function configText({ folder, port, options }: Site): string {
  const peer = options.notifyPort;
  const key = options.key ?? TEST_KEY;
  const remote =
    peer === undefined
      ? ""
      : `remote:\n  - id: peer\n    address: 127.0.0.1@${peer}\n    key: ${key.name}\n`;
  return `
server:
    rundir: "${folder}"
    listen: 127.0.0.1@${port}
    udp-workers: 1
    tcp-workers: 2
    background-workers: 2
    # Its 500 ms end a transfer to a reader that a loaded machine keeps waiting.
    tcp-io-timeout: 20000
log:
  - target: stderr
    any: info
database:
    storage: "${folder}/db"
key:
  - id: ${key.name}
    algorithm: ${key.algorithm}
    secret: ${key.secretBase64}
${remote}acl:
  - id: writer
    key: ${key.name}
    action: [update, transfer]
template:
  - id: default
    storage: "${folder}/zones"
    file: "%s.zone"
    acl: writer
${peer === undefined ? "" : "    notify: peer\n"}    semantic-checks: on
    zonefile-sync: -1
    zonefile-load: whole
    journal-content: changes
    serial-policy: increment
zone:
  - domain: ${options.zone}
`;
}
