/**
 * From a configuration, what zones are opened with: the registry (format of ownership), the guards
 * (pause, signatures, fuse) and the fence (proof of leadership in the zone).
 */
import type { PublishConfig } from "../../config/publish-options.ts";
import type { FenceConfig, FuseConfig } from "../../config/safety-options.ts";
import type { TxtConfig } from "../../config/txt-options.ts";
import type { WriterTerm } from "../../sync/contract/writer-term.ts";
import type { FenceOptions } from "../../sync/fence/zone-fence.ts";
import type { ComposeOptions } from "./compose.ts";
import { type GuardsOptions, openGuards, type Selection, versionText } from "./open-guards.ts";
import { type ConfiguredRegistryOptions, configuredRegistry } from "./open-registry.ts";

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
