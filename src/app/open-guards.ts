/** Opens the last look before anything is sent, one for each zone. */
import type { PublishConfig } from "../config/shared-config.ts";
import type { NamePlan } from "../plan/changes.ts";
import { holdAt } from "../plan/hold-reasons.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Metrics } from "../ports/metrics.ts";
import type { StateStore } from "../ports/state-store.ts";
import type { EngineOptions } from "../sync/engine.ts";
import { FuseGuard } from "../sync/fuse-guard.ts";
import type { Guard } from "../sync/guard.ts";
import { SigningGuard } from "../sync/signing-guard.ts";
import { VERSION } from "./version.ts";

/** What guards are opened with. */
export interface GuardsOptions {
  /** Where counters survive a restart. */
  readonly state: StateStore;
  /** Holds every change as `Paused`. */
  readonly paused: boolean;
  readonly owner: string;
  /** Refuses a zone while an unsigned marker of ours is in it; default false. */
  readonly requireSignatures?: boolean;
  /** Version and configuration of ours; a change arms the fuse's rule for updates. */
  readonly version: string;
  /** Removals that each have their own DELETED event trip the fuse from this many on; default 10. */
  readonly strongMin?: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** For `compose`. Several accounts that show one zone have one fuse between them: it counts what leaves the zone. */
export function openGuards(options: GuardsOptions): EngineOptions["openGuard"] {
  const { paused, owner, requireSignatures = false, ...ports } = options;
  const fuses = new Map<string, { readonly fuse: FuseGuard; readonly users: Set<() => void> }>();
  const fuseOf = (key: string, zone: string) => {
    const present = fuses.get(key);
    if (present !== undefined) return present;
    const users = new Set<() => void>();
    const onSighted = () => {
      for (const recheck of users) recheck();
    };
    const made = { fuse: new FuseGuard({ ...ports, key, zone, onSighted }), users };
    fuses.set(key, made);
    return made;
  };
  return ({ zone }, onSighted) => {
    if (paused) return PAUSED;
    const identity = [zone.providerType, zone.endpoint, zone.id, ...(zone.view && [zone.view])];
    const key = `fuse/${owner}/${identity.join("/")}`;
    const { fuse, users } = fuseOf(key, zone.name);
    const recheck = () => onSighted();
    users.add(recheck);
    const guard: Guard = {
      admit: (plans, counts) => fuse.admit(plans, counts),
      heldSets: () => fuse.heldSets(),
      approve: async (hash) => {
        const isApproved = await fuse.approve(hash);
        if (isApproved) for (const other of users) other();
        return isApproved;
      },
      close: () => {
        users.delete(recheck);
        if (users.size > 0) return;
        fuse.close();
        fuses.delete(key);
      },
    };
    return requireSignatures ? new SigningGuard(guard, recheck) : guard;
  };
}

/** Our version and what of the configuration decides about records. */
export function versionText(publish: PublishConfig): string {
  return JSON.stringify([VERSION, Object.entries(publish).sort()]);
}

const PAUSED: Guard = {
  admit: async (plans) => plans.map(pause),
  approve: async () => false,
  heldSets: () => [],
};

function pause(plan: NamePlan): NamePlan {
  const held = plan.changes.map(({ key, desired }) =>
    holdAt(key, {
      code: "Paused",
      message: "this instance was started with --pause; start it without to publish",
      provenance: desired?.provenance ?? null,
    }),
  );
  return { ...plan, changes: [], holds: [...plan.holds, ...held] };
}
