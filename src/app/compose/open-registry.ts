/**
 * Opens the registry, the format in which ownership of records is stored for a zone, that the
 * configuration names (`--registry`), with its keys.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Random } from "@zonekeeper/base/ports/random";
import type { RegistryConfig } from "../../config/ownership-options.ts";
import type { PublishConfig } from "../../config/publish-options.ts";
import { TXT_DEFAULTS, type TxtConfig } from "../../config/txt-options.ts";
import { type OpenOwnership, openRegistry } from "../../ownership/index.ts";
import type { RegistryRow } from "../../ownership/registry.ts";
import type { RegistryStore } from "../../ports/stores.ts";
import { RealCrypto } from "../ports/real-crypto.ts";
import { RealGzip } from "../ports/real-gzip.ts";
import { type MarkerKeys, readMarkerKeys } from "./marker-keys.ts";

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
