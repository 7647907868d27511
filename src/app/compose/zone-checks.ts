/**
 * Health from the states of caches, DNSProviders and zones. A check is well only if the next change
 * would be read, or written. Pure.
 */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ProviderTrouble } from "../../controllers/zone-choice/unserved-names.ts";
import {
  type ImportStatus,
  importTrouble,
} from "../../source-controllers/imports/import-controller.ts";
import type { ZoneHealth } from "../../sync/contract/zone-status.ts";
import { OBJECTS_CHECK } from "./first-pass.ts";
import type { HealthCheck } from "./instance.ts";

const CACHE_CHECK = "cache ";
/** Of what a cluster was and is (Z-30). */
const IDENTITY_CHECK = "identity of cluster ";
const EVENTS_CHECK = "refused Events of cluster ";

/** The next change of an object is seen only if its kind is live, or not served at all. */
export function cacheCheck(view: ClusterView, kind: KindRef): HealthCheck {
  const name = `${CACHE_CHECK}${view.clusterId}/${kindText(kind)}`;
  const state = view.state(kind);
  if (state === "live") return { name, ok: true, message: "" };
  const why = view.trouble(kind);
  const what = state === "syncing" ? "not listed yet" : state;
  return {
    name,
    ok: state === "absent",
    message: why === null ? what : `${what}: ${why}`,
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

/** Empty message = the cluster is the one it was; else no removal is made (Z-30). */
export function identityCheck(cluster: string, message: string): HealthCheck {
  const name = `${IDENTITY_CHECK}${cluster}`;
  return message === "" ? { name, ok: true, message } : trouble(name, message);
}

/** Empty = the cluster is the one it was, as far as is known. */
export function identityTrouble(checks: readonly HealthCheck[], cluster: string): string {
  return checks.find(({ name }) => name === `${IDENTITY_CHECK}${cluster}`)?.message ?? "";
}

/** What a cluster says of Events: where it refuses them, nobody reads there what is wrong. */
export function eventsCheck(cluster: string, message: string): HealthCheck {
  return trouble(`${EVENTS_CHECK}${cluster}`, message);
}

/** Hosts that come in: well while their objects follow the zone. */
export function importCheck(status: ImportStatus): HealthCheck {
  const name = `import ${status.zone} into ${status.namespace}`;
  const message = importTrouble(status);
  return message === "" ? { name, ok: true, message } : trouble(name, message);
}

/** A DNSProvider that serves nothing now. */
export function providerCheck({ provider, message }: ProviderTrouble): HealthCheck {
  return trouble(`provider ${provider}`, message);
}

/** Not well, and no reason to take the Pod out of service. */
export function trouble(name: string, message: string): HealthCheck {
  return { name, ok: false, readyAnyway: true, message };
}

/** How many checks are not well, by the first word of their names. */
export function troubleCounts(checks: readonly HealthCheck[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name, ok } of checks) {
    const subject = name.split(" ", 1)[0] ?? name;
    counts.set(subject, (counts.get(subject) ?? 0) + (ok ? 0 : 1));
  }
  return counts;
}

/** What is wrong with clusters, with what a person can do. */
export function clusterTroubles(checks: readonly HealthCheck[]): readonly string[] {
  const isOfCluster = ({ name }: HealthCheck): boolean =>
    name.startsWith(IDENTITY_CHECK) || name.startsWith(EVENTS_CHECK);
  return checks
    .filter((check) => isOfCluster(check) && check.message !== "")
    .map(({ message }) => message);
}

/** Well when its next change would be written. A pause is a person's order, and no trouble. */
export function zoneCheck(status: ZoneHealth): HealthCheck {
  const name = `zone ${status.zone.name}`;
  const message = zoneTrouble(status);
  return message === null ? { name, ok: true, message: "" } : trouble(name, message);
}

/** Why the next change would not be written, or not for one owner id; null = it would. */
export function zoneTrouble(status: ZoneHealth): string | null {
  const { state, message, fence, fences = [], removalTrouble } = status;
  if (state === "loading" && message === null) return "not loaded yet";
  if (state !== "ready") return message === null ? state : `${state}: ${message}`;
  if (fence?.mode === "stopped") return `stopped: ${fence.message}`;
  const waits = fences.filter((one) => one.state === "waits");
  const texts = waits.map((one) => `owner id ${one.owner} waits: ${one.message}`);
  if (removalTrouble !== undefined)
    texts.push(`no record is removed: the counters of the fuse cannot be used: ${removalTrouble}`);
  return texts.length === 0 ? null : texts.join("; ");
}
