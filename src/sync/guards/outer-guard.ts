/**
 * What every guard that stands before another one has in common: all but its own look is the inner
 * guard's.
 */
import type { NamePlan } from "../../plan/changes.ts";
import type { HeldSet } from "../../plan/fuse.ts";
import type { Guard, ZoneCounts } from "./guard.ts";

/**
 * Hands on whatever it does not decide itself, so that nothing that the inner guard says is lost on
 * the way out.
 */
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

  pauseReason(): string | null {
    return this.inner.pauseReason?.() ?? null;
  }

  close(): void {
    this.inner.close?.();
  }
}
