/** Opens the guards of each zone, which admit a plan before it is sent: pause, then the fuse. */

import type { PauseConfig, PublishConfig } from "../config/shared-config.ts";
import { zoneIdentity } from "../model/zone.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { StateStore } from "../ports/state-store.ts";
import type { EngineOptions } from "../sync/engine.ts";
import { FuseGuard } from "../sync/guards/fuse-guard.ts";
import type { Guard } from "../sync/guards/guard.ts";
import { PauseGuard } from "../sync/guards/pause-guard.ts";
import { PauseRegistry } from "../sync/guards/pause-registry.ts";
import { SigningGuard } from "../sync/guards/signing-guard.ts";
import { VERSION } from "./version.ts";

/** What guards are opened with. */
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
   * Removals that each have their own DELETED event trip the fuse from this many on; default 10.
   */
  readonly strongMin?: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * For `compose`. Several accounts that list one zone share one fuse: it counts removals from the
 * zone.
 */
export function openGuards(options: GuardsOptions): EngineOptions["openGuard"] {
  const { pauses, owner, requireSignatures = false, ...ports } = options;
  const fuses = new Map<string, { readonly fuse: FuseGuard; readonly users: Set<() => void> }>();
  const fuseOf = (key: string, zone: string) => {
    const present = fuses.get(key);
    if (present !== undefined) return present;
    const users = new Set<() => void>();
    const recheckAll = () => {
      for (const recheck of users) recheck();
    };
    const fuse = new FuseGuard({ ...ports, key, zone, onStateReadable: recheckAll });
    const made = { fuse, users };
    fuses.set(key, made);
    return made;
  };
  return ({ zone }, onResumed) => {
    const key = `fuse/${owner}/${zoneIdentity(zone).join("/")}`;
    const { fuse, users } = fuseOf(key, zone.name);
    const recheck = () => onResumed();
    users.add(recheck);
    const guard: Guard = {
      admit: (plans, counts) => fuse.admit(plans, counts, recheck),
      heldSets: () => fuse.heldSets(),
      approve: async (hash) => {
        const isApproved = await fuse.approve(hash);
        if (isApproved) for (const other of users) other();
        return isApproved;
      },
      close: () => {
        users.delete(recheck);
        fuse.forgetAccount(recheck);
        if (users.size > 0) return;
        fuse.close();
        fuses.delete(key);
      },
    };
    const signed = requireSignatures ? new SigningGuard(guard, recheck) : guard;
    return new PauseGuard(signed, { pauses, zone: zone.name, onResumed: recheck });
  };
}

/** What pauses are kept with. */
export interface PausesOptions {
  /** Keeps them over a restart, with the fuse's counters. */
  readonly state: StateStore;
  readonly owner: string;
  readonly given: PauseConfig;
  readonly clock: Clock;
  readonly log: Log;
}

/** For `compose` and `openGuards`; one for each term. */
export function openPauses({ state, owner, given, clock, log }: PausesOptions): PauseRegistry {
  return new PauseRegistry({ key: `pause/${owner}`, state, given, clock, log });
}

/** Version of this program and the part of its configuration that decides about records. */
export function versionText(publish: PublishConfig): string {
  return JSON.stringify([VERSION, Object.entries(publish).sort()]);
}
