/** Readiness from the states of caches and zones. Pure. */
import type { KindRef } from "../../model/kubernetes.ts";
import { kindText } from "../../model/kubernetes.ts";
import type { ClusterView } from "../../ports/cluster-view.ts";
import type { ZoneStatus } from "../../sync/contract/zone-status.ts";
import { OBJECTS_CHECK } from "../first-pass.ts";
import type { HealthCheck } from "./instance.ts";

const CACHE_CHECK = "cache ";
/** Of what a cluster was and is (Z-30). */
const IDENTITY_CHECK = "identity of cluster ";

/** Nothing is wrong. */
export function isOk({ ok }: HealthCheck): boolean {
  return ok;
}

/**
 * A cache is well once it was listed: a stale one serves its last content, and a kind that is
 * absent or forbidden will not come by waiting. Only `syncing` is not ready.
 */
export function cacheCheck(view: ClusterView, kind: KindRef): HealthCheck {
  const name = `${CACHE_CHECK}${view.clusterId}/${kindText(kind)}`;
  const state = view.state(kind);
  if (state === "live") return { name, ok: true, message: "" };
  const trouble = view.trouble(kind);
  const what = state === "syncing" ? "not listed yet" : state;
  return {
    name,
    ok: state !== "syncing",
    message: trouble === null ? what : `${what}: ${trouble}`,
  };
}

/**
 * What is not read yet, for answers about objects that cannot be complete without it. Empty = all
 * was read once.
 */
export function unreadKinds(checks: readonly HealthCheck[]): readonly string[] {
  const isOfObjects = ({ name }: HealthCheck): boolean =>
    name.startsWith(CACHE_CHECK) || name.startsWith(OBJECTS_CHECK);
  return checks
    .filter((check) => !check.ok && isOfObjects(check))
    .map(({ name, message }) => `${name}: ${message}`);
}

/** Empty message = the cluster is the one it was. */
export function identityCheck(cluster: string, message: string): HealthCheck {
  return { name: `${IDENTITY_CHECK}${cluster}`, ok: true, message };
}

/** What is wrong with clusters, with what a person can do. */
export function clusterTroubles(checks: readonly HealthCheck[]): readonly string[] {
  return checks
    .filter(({ name, message }) => name.startsWith(IDENTITY_CHECK) && message !== "")
    .map(({ message }) => message);
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

function zoneRemark({ state, message, fence, fences = [] }: ZoneStatus): string {
  const waits = fences.filter((one) => one.state === "waits");
  if (state === "ready" && fence?.mode === "stopped") return `stopped: ${fence.message}`;
  if (state === "ready")
    return waits.map((one) => `owner id ${one.owner} waits: ${one.message}`).join("; ");
  return message === null ? state : `${state}: ${message}`;
}
