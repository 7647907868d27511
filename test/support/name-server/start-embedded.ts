/**
 * Our embedded name server in the shape of the real ones, so that suites can run against it too:
 * own process, own folder, `kill -9` and restart on the same data.
 */
import { symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { build } from "esbuild";
import { ownPackages } from "../../../script/bundle.mjs";
import {
  type Launch,
  type RealServer,
  type ServerOptions,
  type Site,
  startServer,
  TEST_KEY,
  writeSiteFile,
} from "../real-servers/real-server.ts";
import type { ServeConfig } from "./serve.ts";
import { setsFrom } from "./zone-text.ts";

/** Starts it; ready when its SOA answers. */
export function startEmbedded(options: ServerOptions): Promise<RealServer> {
  return startServer("embedded", options, prepare);
}

/** Others stay outside the bundle (lmdb is native), so the folder borrows our node_modules. */
async function prepare(site: Site): Promise<Launch> {
  const bundle = join(site.folder, "serve.mjs");
  await build({
    entryPoints: [resolve("test/support/name-server/serve.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    plugins: [ownPackages],
    logLevel: "error",
  });
  symlinkSync(resolve("node_modules"), join(site.folder, "node_modules"));
  const config = writeSiteFile(site, "config.json", JSON.stringify(configOf(site)));
  return { command: process.execPath, args: ["--enable-source-maps", bundle, config] };
}

function configOf({ folder, port, options }: Site): ServeConfig {
  const { zone, records = [] } = options;
  const text = [
    `@ SOA ns1.${zone} hostmaster.${zone} 1 3600 600 86400 60`,
    "@ NS ns1",
    "ns1 A 127.0.0.1",
    ...records,
  ].join("\n");
  return {
    port,
    storeFile: join(folder, "store.lmdb"),
    zone,
    initialRecords: setsFrom(text, trustedDnsName(zone)),
    key: options.key ?? TEST_KEY,
    notifyPorts: options.notifyPort === undefined ? [] : [options.notifyPort],
    tls: options.tls ?? null,
  };
}
