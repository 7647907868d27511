/** Opens the last look before anything is sent, one for each zone: pause, then the fuse. */
import type { PauseConfig, PublishConfig } from "../config/shared-config.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { StateStore } from "../ports/state-store.ts";
import type { EngineOptions } from "../sync/engine.ts";
import { FuseGuard } from "../sync/fuse-guard.ts";
import { PauseBook } from "../sync/pause-book.ts";
import { PauseGuard } from "../sync/pause-guard.ts";
import { VERSION } from "./version.ts";

/** What guards are opened with. */
export interface GuardsOptions {
  /** Where counters survive a restart. */
  readonly state: StateStore;
  readonly pauses: PauseBook;
  readonly owner: string;
  /** Version and configuration of ours; a change arms the fuse's rule for updates. */
  readonly version: string;
  /** Removals that each have their own DELETED event trip the fuse from this many on; default 10. */
  readonly strongMin?: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** For `compose`. */
export function openGuards(options: GuardsOptions): EngineOptions["openGuard"] {
  const { pauses, owner, ...ports } = options;
  return ({ zone }, recheck) => {
    const key = `fuse/${owner}/${zone.providerType}/${zone.endpoint}/${zone.id}`;
    const fuse = new FuseGuard({ ...ports, key, zone: zone.name, onSighted: recheck });
    return new PauseGuard(fuse, { pauses, zone: zone.name, onResumed: recheck });
  };
}

/** What pauses are kept with. */
export interface PausesOptions {
  /** Where they survive a restart, beside the fuse's counters. */
  readonly state: StateStore;
  readonly owner: string;
  readonly given: PauseConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** For `compose` and `openGuards`; one for each term. */
export function openPauses({ state, owner, given, clock, log }: PausesOptions): PauseBook {
  return new PauseBook({ key: `pause/${owner}`, state, given, clock, log });
}

/** Our version and what of the configuration decides about records. */
export function versionText(publish: PublishConfig): string {
  return JSON.stringify([VERSION, Object.entries(publish).sort()]);
}
