/**
 * From a configuration, what zones are opened with: the registry (format of ownership) and its
 * keys, the guards (pause, signatures, fuse), the fence (proof of leadership in the zone) and the
 * journal (the changes that zones have taken). No message holds a key.
 */

import { readFileSync } from "node:fs";
import { messageOf, type OperationError, permanent } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Cipher, Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Random } from "@zonekeeper/base/ports/random";
import type { RegistryConfig } from "../../config/ownership-options.ts";
import type { PublishConfig } from "../../config/publish-options.ts";
import type { FenceConfig, FuseConfig } from "../../config/safety-options.ts";
import { TXT_DEFAULTS, type TxtConfig } from "../../config/txt-options.ts";
import { type OpenOwnership, openRegistry } from "../../ownership/index.ts";
import type { RegistryRow } from "../../ownership/registry.ts";
import type { MarkerEncryption } from "../../ownership/txt/marker-codec.ts";
import type { MarkerSigning, SigningKey } from "../../ownership/txt/signature.ts";
import type { Gzip } from "../../ports/gzip.ts";
import type { RegistryStore, StateStore } from "../../ports/stores.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";
import type { FenceOptions } from "../../sync/fence/zone-fence.ts";
import type { JournalStorage } from "../../sync/report/change-journal.ts";
import { RealCrypto } from "../ports/real-crypto.ts";
import { RealGzip } from "../ports/real-gzip.ts";
import type { ComposeOptions } from "./controllers-options.ts";
import { type GuardsOptions, openGuards, type Selection, versionText } from "./open-guards.ts";

/** The configuration of `run`, of one of its sets, or of `dev`. */
export interface OpenersConfig extends Selection, Pick<ConfiguredRegistryOptions, "registry"> {
  readonly owner: string;
  readonly publish: PublishConfig;
  readonly txt: TxtConfig;
  readonly fuse: FuseConfig;
  readonly fence: FenceConfig;
}

/** The parts that all sets of a process share. */
export interface OpenersContext
  extends Pick<ConfiguredRegistryOptions, "keys" | "rows" | "store">,
    Pick<GuardsOptions, "state" | "pauses" | "clock" | "log" | "metrics"> {
  /** Null = nothing is written: a dry run. */
  readonly term: WriterTerm | null;
  /** Owner ids of other parts of the process; default none. */
  readonly otherOwners?: ReadonlySet<string>;
}

/** Options for `compose`. */
export function zoneOpeners(
  config: OpenersConfig,
  context: OpenersContext,
): Pick<ComposeOptions, "openOwnership" | "openGuard" | "fence"> {
  const { term, otherOwners = new Set() } = context;
  return {
    openOwnership: configuredRegistry({ ...config, ...context }),
    openGuard: openGuards({
      ...context,
      owner: config.owner,
      requireSignatures: config.txt.signing === "require",
      version: versionText(config.publish, config),
      fuse: config.fuse,
    }),
    ...(term === null ? {} : { fence: { term, otherOwners, ...FENCES[config.fence] } }),
  };
}

const FENCES: Readonly<Record<FenceConfig, Omit<FenceOptions, "term">>> = {
  auto: { record: true },
  shared: { record: true, shared: true },
  off: { record: false },
};

/** Everything that registries are opened with. */
export interface ConfiguredRegistryOptions {
  /** Owner id of this group. */
  readonly owner: string;
  /** Default `txt`. */
  readonly registry?: RegistryConfig;
  /** The registry formats to choose from; default our own ones. */
  readonly rows?: readonly RegistryRow[];
  /** Default TXT_DEFAULTS. */
  readonly txt?: TxtConfig;
  /** The answer of `configuredKeys`; default none. */
  readonly keys?: MarkerKeys;
  /** Stores ownership for formats that keep it outside of the zone; default none. */
  readonly store?: RegistryStore;
  /** Options for plug-in modules; default none. */
  readonly publish?: Pick<PublishConfig, "pluginOptions">;
  readonly clock: Clock;
  readonly log: Log;
}

const TXT: RegistryConfig = { format: "txt", owns: [], clusterAliases: new Map() };
const NO_KEYS: MarkerKeys = { encryption: null, signing: null };

/** The registry of each zone, for one term of leadership. */
export function configuredRegistry(options: ConfiguredRegistryOptions): OpenOwnership {
  const { owner, registry = TXT, txt = TXT_DEFAULTS, keys = NO_KEYS } = options;
  const { store = null, clock, log, rows, publish } = options;
  const context = {
    owner,
    owns: registry.owns,
    clusterAliases: registry.clusterAliases,
    txt: { ...txt, ...keys },
    store,
    clock,
    log,
    pluginOptions: publish?.pluginOptions ?? {},
  };
  return openRegistry(registry.format, context, rows);
}

/**
 * Reads the keys that the configuration names. Throws OperationError `MarkerKeyUnusable`.
 */
export function configuredKeys(
  config: TxtConfig,
  { crypto, random }: { readonly crypto: Crypto; readonly random: Random },
): MarkerKeys {
  return readMarkerKeys(config, { crypto, random, cipher: new RealCrypto(), gzip: new RealGzip() });
}

const LIMITS = {
  /** Each change is written at once. */
  folder: { changesMax: 10_000, gatherMs: 0 },
  /** Six ConfigMaps for each zone, written at most every five seconds, to spare the API server. */
  cluster: { changesMax: 500, gatherMs: 5_000 },
} as const;

/** `folder`: the data folder. `cluster`: ConfigMaps in the namespace of the Lease, or memory. */
export function journalIn(state: StateStore, where: keyof typeof LIMITS): JournalStorage {
  return { state, ...LIMITS[where] };
}

/** Everything that keys are used with. */
export interface MarkerPorts {
  readonly crypto: Crypto;
  readonly cipher: Cipher;
  readonly gzip: Gzip;
  readonly random: Random;
}

/** The keys of the TXT registry, ready to use; null = none. */
export interface MarkerKeys {
  readonly encryption: MarkerEncryption | null;
  readonly signing: MarkerSigning | null;
}

/** Bytes of an AES-256 key, and the least of a key for HMAC-SHA256 (RFC 2104 §3). */
const KEY_BYTES = 32;
const SIGNING_KEYS_MAX = 16;

/**
 * Throws OperationError `MarkerKeyUnusable` when a file cannot be read, or holds no key.
 */
export function readMarkerKeys(config: TxtConfig, ports: MarkerPorts): MarkerKeys {
  return { encryption: readEncryption(config, ports), signing: readSigning(config, ports) };
}

function readEncryption(
  { aesKey, aesKeyFile, encrypt }: TxtConfig,
  { cipher, gzip, random }: MarkerPorts,
): MarkerEncryption | null {
  const text = aesKeyFile === null ? aesKey : fileText("--txt-encrypt-aes-key-file", aesKeyFile);
  if (text === null) return null;
  const key = aesKeyOf(text);
  if (key !== null) return { key, write: encrypt, cipher, gzip, random };
  const option = aesKeyFile === null ? "--txt-encrypt-aes-key" : "--txt-encrypt-aes-key-file";
  throw unusable(option, "is no key: give 32 characters, or base64 of 32 bytes");
}

/** Exactly 32 bytes as given, else base64 of them (external-dns `registry/txt` @v0.22). */
function aesKeyOf(text: string): Uint8Array | null {
  const given = new TextEncoder().encode(text);
  if (given.length === KEY_BYTES) return given;
  const decoded = new Uint8Array(Buffer.from(text, "base64"));
  return decoded.length === KEY_BYTES ? decoded : null;
}

function readSigning(
  { signing: mode, signingKeysFile: file }: TxtConfig,
  { crypto }: MarkerPorts,
): MarkerSigning | null {
  if (mode === "off" || file === null) return null;
  const lines = fileText("--marker-signing-keys-file", file)
    .split(/\r?\n/)
    .map((line, index) => ({ line: line.trim(), at: index + 1 }))
    .filter(({ line }) => line !== "" && !line.startsWith("#"));
  const keys = lines.map(({ line, at }) => signingKey(line, `${file}:${at}`));
  const ids = new Set(keys.map(({ id }) => id));
  if (keys.length > 0 && keys.length <= SIGNING_KEYS_MAX && ids.size === keys.length)
    return { mode, keys, crypto };
  const message = `${file}: needs 1 to ${SIGNING_KEYS_MAX} keys, each id once; there are ${keys.length}`;
  throw unusable("--marker-signing-keys-file", message);
}

function signingKey(line: string, where: string): SigningKey {
  const [id = "", text = "", ...rest] = line.split(/[ \t]+/);
  const secret = new Uint8Array(Buffer.from(text, "base64"));
  if (/^[A-Za-z0-9_-]{1,16}$/.test(id) && secret.length >= KEY_BYTES && rest.length === 0)
    return { id, secret };
  const message = `${where}: is no key: write an id of at most 16 letters and digits, a blank, and base64 of at least ${KEY_BYTES} bytes`;
  throw unusable("--marker-signing-keys-file", message);
}

/** The file without the newline that editors add at its end. */
function fileText(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw unusable(option, `${file} cannot be read: ${messageOf(error)}`);
  }
}

function unusable(option: string, message: string): OperationError {
  return permanent("MarkerKeyUnusable", `${option}: ${message}`);
}
