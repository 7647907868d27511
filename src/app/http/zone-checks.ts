/** Readiness from the states of caches and zones. Pure. */
import type { KindRef } from "../../model/kubernetes.ts";
import { kindText } from "../../model/kubernetes.ts";
import type { KindState } from "../../ports/cluster-view.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import type { HealthCheck } from "./instance.ts";

/**
 * A cache is well once it was listed: a stale one serves its last content, and a kind that is
 * absent or forbidden will not come by waiting. Only `syncing` is not ready.
 */
export function cacheCheck(cluster: string, kind: KindRef, state: KindState): HealthCheck {
  const name = `cache ${cluster}/${kindText(kind)}`;
  if (state === "syncing") return { name, ok: false, message: "not listed yet" };
  return { name, ok: true, message: state === "live" ? "" : state };
}

/**
 * A zone is well when it was loaded, or when loading failed with a reason: restarting us would not
 * help it.
 */
export function zoneCheck(status: ZoneStatus): HealthCheck {
  const name = `zone ${status.zone.name}`;
  if (status.state === "loading" && status.message === null)
    return { name, ok: false, message: "not loaded yet" };
  return { name, ok: true, message: zoneRemark(status) };
}

function zoneRemark({ state, message, fence }: ZoneStatus): string {
  if (state === "ready") return fence?.mode === "stopped" ? `stopped: ${fence.message}` : "";
  return message === null ? state : `${state}: ${message}`;
}
