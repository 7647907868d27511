/**
 * The base of each guard that wraps another one (order: guard.ts). It decides in `admit` alone, and
 * passes every other question on to the inner guard.
 */
import type { NamePlan } from "../../plan/changes.ts";
import type { HeldSet } from "../../plan/fuse-state.ts";
import type { Guard, ZoneCounts } from "./guard.ts";

/** A guard that wraps another one. */
export abstract class OuterGuard implements Guard {
  protected readonly inner: Guard;

  constructor(inner: Guard) {
    this.inner = inner;
  }

  abstract admit(plans: readonly NamePlan[], zone: ZoneCounts): Promise<readonly NamePlan[]>;

  approve(hash: string): Promise<boolean> {
    return this.inner.approve(hash);
  }

  heldSets(): readonly HeldSet[] {
    return this.inner.heldSets();
  }

  isMet(): boolean {
    return this.inner.isMet?.() === true;
  }

  pauseReason(): string | null {
    return this.inner.pauseReason?.() ?? null;
  }

  removalTrouble(): string | null {
    return this.inner.removalTrouble?.() ?? null;
  }

  close(): void {
    this.inner.close?.();
  }
}
