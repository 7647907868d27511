/**
 * From a configuration, what zones are opened with: the registry (format of ownership), the guards
 * (pause, signatures, fuse) and the fence (proof of leadership in the zone).
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Random } from "@zonekeeper/base/ports/random";
import type { RegistryConfig } from "../../config/ownership-options.ts";
import type { PublishConfig } from "../../config/publish-options.ts";
import type { FenceConfig, FuseConfig } from "../../config/safety-options.ts";
import { TXT_DEFAULTS, type TxtConfig } from "../../config/txt-options.ts";
import { type OpenOwnership, openRegistry } from "../../ownership/index.ts";
import type { RegistryRow } from "../../ownership/registry.ts";
import type { RegistryStore } from "../../ports/registry-store.ts";
import type { StateStore } from "../../ports/state-store.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";
import type { FenceOptions } from "../../sync/fence/zone-fence.ts";
import type { JournalStorage } from "../../sync/report/change-journal.ts";
import { RealCrypto } from "../ports/real-crypto.ts";
import { RealGzip } from "../ports/real-gzip.ts";
import type { ComposeOptions } from "./compose.ts";
import { type MarkerKeys, readMarkerKeys } from "./marker-keys.ts";
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
