/**
 * The shape that every real name server of the tests has, and what they share: folder, port, key,
 * start and stop. The servers themselves are in bind.ts, knot.ts and powerdns.ts.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TsigAlgorithm } from "@zonekeeper/dns/wire/tsig/tsig-key";
import { soaAnswers } from "../clients/soa-probe.ts";
import { claimPort, type FreePort } from "../ports/free-port.ts";
import { makeTempFolder, type TempFolder } from "../ports/temp-folder.ts";
import { Child, waitUntilReady } from "../programs/child.ts";

/** A TSIG key as text. */
export interface ServerKey {
  /** Without trailing dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secretBase64: string;
  /** Bits of a truncated MAC; BIND only. */
  readonly bits?: number;
  /** The one right that it lacks; default none. BIND only. */
  readonly lacks?: "transfer" | "update";
}

/** May update and transfer every zone of the servers here. Worthless outside of tests. */
export const TEST_KEY: ServerKey = {
  name: "ddns-key",
  algorithm: "hmac-sha256",
  secretBase64: Buffer.from("zonekeeper test key, 32 bytes ok").toString("base64"),
};

/** Which zone to serve. */
export interface ServerOptions {
  /** Zone without trailing dot, e.g. `example.org`. */
  readonly zone: string;
  /**
   * Zone-file lines besides SOA and NS, e.g. `www 300 IN A 192.0.2.1`; relative names are below the
   * zone.
   */
  readonly records?: readonly string[];
  /** Gets NOTIFY from BIND, Knot and our own server on 127.0.0.1; absent = nobody does. */
  readonly notifyPort?: number;
  /** A port that the caller has claimed and releases; default a new one. */
  readonly port?: number;
  /** Default TEST_KEY. Taken by BIND, Knot and our own server. */
  readonly key?: ServerKey;
  /** Keys with the same rights. BIND only. */
  readonly moreKeys?: readonly ServerKey[];
  /**
   * Each has a view of its own of the zone, which its messages see; who has none of them sees that
   * of the first, `key`. BIND only, without `moreZones`.
   */
  readonly viewKeys?: readonly ServerKey[];
  /** Zones besides, with the same keys and the same first records. BIND only. */
  readonly moreZones?: readonly string[];
  /** DNS over TLS besides, on 127.0.0.1; PEM texts. Taken by BIND and our own server. */
  readonly tls?: ServerTls;
  /**
   * What the key may update, as rules of BIND's update-policy behind the key's name; default the
   * whole zone. BIND only.
   */
  readonly grants?: readonly string[];
  /** HTTP port on 127.0.0.1 that tells what was asked (`/json/v1/server`). BIND only. */
  readonly statisticsPort?: number;
}

/** What a server shows, and where. */
export interface ServerTls {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
}

/** A real name server with one primary zone that accepts signed updates and transfers. */
export interface RealServer {
  readonly host: "127.0.0.1";
  /** UDP and TCP. The same after `restart`. */
  readonly port: number;
  readonly zone: string;
  readonly key: ServerKey;
  /** Config, data and `server.log`. */
  readonly folder: string;
  /** Stops it by process id, then removes the folder. */
  stop(): Promise<void>;
  /** SIGKILL; data and port stay for `restart`. */
  kill9(): Promise<void>;
  /**
   * Starts it again on the same data and port (stops it first when it runs) and waits until it
   * answers.
   */
  restart(): Promise<void>;
  /** The end of its log. */
  logTail(): string;
}

/** What a server module says about how to start its program. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a server module builds its files from. */
export interface Site {
  readonly folder: string;
  readonly port: number;
  readonly options: ServerOptions;
}

/**
 * The text of the first zone file: SOA serial 1, minimum 60 s, one NS with its address, then
 * `records`.
 */
export function zoneText(options: ServerOptions): string {
  const { zone } = options;
  return [
    `$ORIGIN ${zone}.`,
    "$TTL 300",
    `@ IN SOA ns1.${zone}. hostmaster.${zone}. 1 3600 600 86400 60`,
    `@ IN NS ns1.${zone}.`,
    "ns1 IN A 127.0.0.1",
    ...(options.records ?? []),
    "",
  ].join("\n");
}

/** A file of a site; returns its path. */
export function writeSiteFile(site: Site, name: string, text: string): string {
  const path = join(site.folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

/**
 * Starts a server: claims a port, lets `prepare` write the files, waits for the SOA. Cleans up on
 * failure.
 */
export async function startServer(
  label: string,
  options: ServerOptions,
  prepare: (site: Site) => Promise<Launch>,
): Promise<RealServer> {
  const folder = makeTempFolder(label);
  const port =
    options.port === undefined
      ? await claimPort()
      : { port: options.port, release: (): void => undefined };
  const server = new StartedServer({ folder, port, options });
  try {
    server.launch = await prepare({ folder: folder.path, port: port.port, options });
    await server.restart();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

class StartedServer implements RealServer {
  readonly host = "127.0.0.1";
  readonly port: number;
  readonly zone: string;
  readonly key: ServerKey;
  readonly folder: string;
  launch: Launch = { command: "false", args: [] };
  readonly #folder: TempFolder;
  readonly #port: FreePort;
  #child: Child | null = null;

  constructor(pieces: {
    readonly folder: TempFolder;
    readonly port: FreePort;
    readonly options: ServerOptions;
  }) {
    this.#folder = pieces.folder;
    this.#port = pieces.port;
    this.folder = pieces.folder.path;
    this.port = pieces.port.port;
    this.zone = pieces.options.zone;
    this.key = pieces.options.key ?? TEST_KEY;
  }

  async restart(): Promise<void> {
    await this.#child?.stop();
    const child = await Child.start({
      ...this.launch,
      cwd: this.folder,
      logFile: join(this.folder, "server.log"),
    });
    this.#child = child;
    await waitUntilReady(child, () => soaAnswers(this));
  }

  async kill9(): Promise<void> {
    await this.#child?.kill9();
  }

  async stop(): Promise<void> {
    await this.#child?.stop();
    this.#port.release();
    this.#folder.remove();
  }

  logTail(): string {
    return this.#child?.logTail() ?? "";
  }
}
