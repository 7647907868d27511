/**
 * Opens the guards of each zone, which look at plans before they are sent and may hold changes:
 * pause, signatures (where required), fuse (a large removal waits for a person). Also records the
 * Events about held changes.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { PublishConfig } from "../../config/publish-options.ts";
import type { FuseConfig, PauseConfig } from "../../config/safety-options.ts";
import type { ProviderFacts } from "../../controllers/zone-choice/provider-facts.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import { zoneIdentity } from "../../model/zone.ts";
import type { StateStore } from "../../ports/stores.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import type { EngineOptions } from "../../sync/engine.ts";
import { FuseGuard } from "../../sync/guards/fuse-guard.ts";
import type { HeldNews } from "../../sync/guards/fuse-log.ts";
import { PauseGuard } from "../../sync/guards/pause-guard.ts";
import { PauseRegistry } from "../../sync/guards/pause-registry.ts";
import { SigningGuard } from "../../sync/guards/signing-guard.ts";
import { VERSION } from "../ports/version.ts";
import type { ClusterAccess } from "./controllers-options.ts";

/** Everything that guards are opened with. */
export interface GuardsOptions {
  /** Where counters survive a restart. */
  readonly state: StateStore;
  readonly pauses: PauseRegistry;
  readonly owner: string;
  /** True = nothing is written to a zone that has unsigned markers of ours; default false. */
  readonly requireSignatures?: boolean;
  /** Version and configuration of this program; a change arms the fuse's rule for updates. */
  readonly version: string;
  /**
   * Limits of the fuse, and namespaces whose removals it does not count; absent = the default
   * limits (Z-16), and no such namespaces.
   */
  readonly fuse?: FuseConfig;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** For `compose`. */
export function openGuards(options: GuardsOptions): EngineOptions["openGuard"] {
  const { pauses, owner, requireSignatures = false, fuse: config, ...others } = options;
  const ports = config === undefined ? others : { ...others, ...fuseOptions(config) };
  return ({ zone }, onResumed, onHeld) => {
    const key = `fuse/${owner}/${zoneIdentity(zone).join("/")}`;
    const fuse = new FuseGuard({ ...ports, key, zone: zone.name, onReleased: onResumed, onHeld });
    const signed = requireSignatures ? new SigningGuard(fuse, onResumed) : fuse;
    return new PauseGuard(signed, { pauses, zone: zone.name, onResumed });
  };
}

function fuseOptions({ limits, ephemeralNamespaces }: FuseConfig) {
  const isEphemeral = (namespace: string) =>
    ephemeralNamespaces.some((one) =>
      one.endsWith("*") ? namespace.startsWith(one.slice(0, -1)) : namespace === one,
    );
  return { limits, isEphemeral };
}

/** Everything that the registry of pauses is opened with. */
export interface PausesOptions {
  /** Keeps them over a restart, with the fuse's counters. */
  readonly state: StateStore;
  readonly owner: string;
  readonly given: PauseConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** The registry of pauses, for `compose` and `openGuards`; one for each term. */
export function openPauses({ state, owner, given, clock, log }: PausesOptions): PauseRegistry {
  return new PauseRegistry({ key: `pause/${owner}`, state, given, clock, log });
}

/** Options outside of `PublishConfig` that select objects. */
export interface Selection {
  /** Null = all. */
  readonly namespace: string | null;
  readonly controllers: ReadonlySet<string>;
}

/**
 * Version of this program and the part of its configuration that decides about records: what it
 * writes, and which objects it selects.
 */
export function versionText(publish: PublishConfig, { namespace, controllers }: Selection): string {
  return JSON.stringify([
    VERSION,
    Object.entries(publish).sort(),
    [namespace, [...controllers].sort()],
  ]);
}

/** Records a warning on the DNSProviders with these ids (`namespace/name`). */
export function warnProviders(
  { view, recorder }: Pick<ClusterAccess, "view" | "recorder">,
  ids: Iterable<string>,
  note: { readonly reason: string; readonly message: string },
): void {
  for (const id of ids) {
    const [namespace = "", name = ""] = id.split("/");
    const found = view.get(DNS_PROVIDER, namespace, name);
    if (found.state === "value") recorder.record(found.value, { type: "Warning", ...note });
  }
}

/**
 * The engine calls this: DNSProviders of a zone get an Event that says which set of changes waits
 * for approval (Z-16). `servingOf` = the DNSProviders of a zone.
 */
export function heldEvents(
  provider: Pick<ClusterAccess, "view" | "recorder">,
  servingOf: (ways: readonly ZoneKey[]) => readonly ProviderFacts[],
): NonNullable<EngineOptions["onHeld"]> {
  return (ways, zone, news) => {
    const ids = servingOf(ways).map(({ id }) => id);
    warnProviders(provider, ids, { reason: "ChangesHeld", message: heldText(zone, news) });
  };
}

/** The message: how much is held in the zone, and the command that approves it. */
function heldText(zone: DnsName, { hash, changes, removals, isComplete }: HeldNews): string {
  const updates = changes - removals;
  const counts = [
    ...(removals === 0 ? [] : [`removals (${removals})`]),
    ...(updates === 0 ? [] : [`updates (${updates})`]),
  ].join(" and ");
  const held = `zone ${zone}: ${counts} are held until a person approves them`;
  return isComplete
    ? `${held}: zonekeeper approve ${hash}; zonekeeper plan shows them`
    : `${held}, and more may join them; zonekeeper plan shows them and the hash to approve`;
}
