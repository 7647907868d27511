/**
 * BIND 9 as a primary that takes signed updates. Everything lies in its own folder; notifications
 * and the control channel are off unless asked for, so that nothing leaves 127.0.0.1.
 */
import { runOk } from "../programs/run.ts";
import {
  type Launch,
  type RealServer,
  type ServerKey,
  type ServerOptions,
  type Site,
  startServer,
  TEST_KEY,
  writeSiteFile,
  zoneText,
} from "./real-server.ts";

/**
 * Starts named; ready when its SOA answers. Throws with named-checkconf's words when the records
 * are bad.
 */
export function startBind(options: ServerOptions): Promise<RealServer> {
  return startServer("bind", options, prepare);
}

async function prepare(site: Site): Promise<Launch> {
  for (const zone of zonesOf(site))
    for (const { name } of viewsOf(site))
      writeSiteFile(site, zoneFile(site, zone, name), zoneText({ ...site.options, zone }));
  const { tls } = site.options;
  if (tls !== undefined) {
    writeSiteFile(site, "tls.crt", tls.certificate);
    writeSiteFile(site, "tls.key", tls.key);
  }
  const config = writeSiteFile(site, "named.conf", configText(site));
  await runOk("named-checkconf", ["-z", config]);
  return { command: "named", args: ["-f", "-c", config, "-p", String(site.port), "-n", "1"] };
}

function zonesOf({ options }: Site): readonly string[] {
  return [options.zone, ...(options.moreZones ?? [])];
}

/** One without a name, or one for each key of `viewKeys`, and then the first one for the rest. */
function viewsOf({ options }: Site): readonly { readonly name: string; readonly match: string }[] {
  const { viewKeys = [], key = TEST_KEY } = options;
  if (viewKeys.length === 0) return [{ name: "", match: "" }];
  const own = viewKeys.map(({ name }) => ({ name, match: `key "${name}";` }));
  return [...own, { name: key.name, match: "any;" }];
}

/** The first zone's file has a name that tests know. */
function zoneFile({ options }: Site, zone: string, view = ""): string {
  if (view !== "") return `${view}.zone`;
  return zone === options.zone ? "primary.zone" : `${zone}.zone`;
}

/**
 * `max-ixfr-ratio`: without it a small zone is always transferred whole, and no test would see a
 * real IXFR.
 */
function configText(site: Site): string {
  const { folder, port, options } = site;
  const peer = options.notifyPort;
  const key = options.key ?? TEST_KEY;
  const keys = [key, ...(options.moreKeys ?? []), ...(options.viewKeys ?? [])];
  const rules = options.grants ?? ["zonesub ANY"];
  const notify =
    peer === undefined
      ? "notify no;"
      : `notify explicit; also-notify { 127.0.0.1 port ${peer} key "${key.name}"; };`;
  const { tls } = options;
  const secure = tls === undefined ? "" : `listen-on port ${tls.port} tls site { 127.0.0.1; };`;
  const { statisticsPort } = options;
  const statistics = statisticsPort === undefined ? "" : `inet 127.0.0.1 port ${statisticsPort};`;
  const channel = (name: string): string => `category ${name} { out; };`;
  return `
${keys.map(keyText).join("\n")}
${tls === undefined ? "" : tlsText(folder)}
options {
  directory "${folder}";
  pid-file "${folder}/named.pid";
  session-keyfile "${folder}/session.key";
  managed-keys-directory "${folder}";
  listen-on port ${port} { 127.0.0.1; };
  ${secure}
  listen-on-v6 { none; };
  recursion no;
  empty-zones-enable no;
  dnssec-validation no;
  allow-query { any; };
  allow-transfer { none; };
  notify no;
  notify-delay 0;
  minimal-responses yes;
};
controls { };
statistics-channels { ${statistics} };
logging {
  channel out { stderr; severity info; print-time yes; print-category yes; };
  ${["default", "update", "update-security", "xfer-out", "notify"].map(channel).join(" ")}
};
${viewsOf(site)
  .map(({ name: view, match }) => {
    const writers = view === "" ? keys : keys.filter(({ name }) => name === view);
    const zones = zonesOf(site)
      .map((zone) => zoneClause(site, { view, zone, keys: writers, rules, notify }))
      .join("\n");
    return view === "" ? zones : `view "${view}" { match-clients { ${match} };\n${zones}\n};`;
  })
  .join("\n")}
`;
}

interface ZoneClause {
  readonly view: string;
  readonly zone: string;
  readonly keys: readonly ServerKey[];
  readonly rules: readonly string[];
  readonly notify: string;
}

function zoneClause(site: Site, { view, zone, keys, rules, notify }: ZoneClause): string {
  const file = `${site.folder}/${zoneFile(site, zone, view)}`;
  const writers = keys.filter(({ lacks }) => lacks !== "update");
  const readers = keys.filter(({ lacks }) => lacks !== "transfer");
  return `zone "${zone}" {
  type primary;
  file "${file}";
  journal "${file.replace(/zone$/, "jnl")}";
  update-policy { ${writers.flatMap(({ name }) => rules.map((rule) => `grant ${name} ${rule};`)).join(" ")} };
  allow-transfer { ${readers.map(({ name }) => `key "${name}";`).join(" ")} };
  ${notify}
  max-ixfr-ratio unlimited;
};`;
}

function keyText({ name, algorithm, bits, secretBase64 }: ServerKey): string {
  const truncated = bits === undefined ? "" : `-${bits}`;
  return `key "${name}" { algorithm ${algorithm}${truncated}; secret "${secretBase64}"; };`;
}

function tlsText(folder: string): string {
  const files = `cert-file "${folder}/tls.crt"; key-file "${folder}/tls.key";`;
  return `tls site { ${files} protocols { TLSv1.3; }; };`;
}
