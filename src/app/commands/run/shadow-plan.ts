/**
 * Says why a standby should not take the lead: its plan would change zones, or it does not know
 * enough. A change counts only after a minute, as the present leader may be about to make it.
 */

import { zoneKeyText } from "../../../sync/contract/zone.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import type { HealthCheck } from "../../compose/instance.ts";

/** Milliseconds; longer than a standby takes to read what the leader wrote. */
const OPEN_MS = 60_000;

/** There is one for the life of the process. */
export class ShadowPlan {
  #openSinceMs = new Map<string, number>();

  /** Why it should not lead; null = its plan changes nothing. `nowMs` is monotonic. */
  trouble(
    zones: readonly ZoneStatus[],
    checks: readonly HealthCheck[],
    nowMs: number,
  ): string | null {
    const before = this.#openSinceMs;
    const open = zones.flatMap(({ key, open: names }) => {
      const changed = names.filter(({ changes }) => changes.length > 0);
      return changed.map(({ name }) => `${zoneKeyText(key)}|${name}`);
    });
    this.#openSinceMs = new Map(open.map((id) => [id, before.get(id) ?? nowMs]));
    const bad = checks.find(({ ok }) => !ok);
    if (bad !== undefined) return `${bad.name}: ${bad.message}`;
    const unread = zones.find(({ state, isPlanning }) => state !== "ready" || isPlanning === true);
    if (unread !== undefined) return `zone ${unread.zone.name} is not planned yet`;
    const held = zones.find(({ heldSets }) => heldSets.length > 0);
    if (held !== undefined) return `it would hold changes of zone ${held.zone.name}; see its plan`;
    const old = [...this.#openSinceMs.values()].filter((sinceMs) => nowMs - sinceMs > OPEN_MS);
    return old.length === 0 ? null : `it would change ${old.length} names; see its plan`;
  }
}
