/**
 * Health from the states of caches, DNSProviders and zones. A check is well only if the next change
 * would be read, or written. Pure.
 */
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ProviderTrouble } from "../../controllers/zone-choice/provider-facts.ts";
import {
  type ImportStatus,
  importTrouble,
} from "../../source-controllers/imports/import-controller.ts";
import type { ZoneHealth } from "../../sync/contract/zone-status.ts";
import { OBJECTS_CHECK } from "./first-pass.ts";
import type { HealthCheck } from "./instance.ts";

const CACHE_CHECK = "cache ";
/** Checks whether a cluster still is the same one (Z-30). */
const IDENTITY_CHECK = "identity of cluster ";
const EVENTS_CHECK = "refused Events of cluster ";

/** Ok = the next change of an object of the kind will be seen: it is live, or not served at all. */
export function cacheCheck(view: ClusterView, kind: KindRef): HealthCheck {
  const name = `${CACHE_CHECK}${view.clusterId}/${kindText(kind)}`;
  const state = view.state(kind);
  if (state === "live") return { name, ok: true, message: "" };
  const why = view.trouble(kind);
  const what = state === "syncing" ? "not listed yet" : state;
  return { name, ok: state === "absent", message: why === null ? what : `${what}: ${why}` };
}

/**
 * Kinds and objects that are not read yet: answers about objects are incomplete until then. Empty =
 * all were read once.
 */
export function unreadKinds(checks: readonly HealthCheck[]): readonly string[] {
  const isOfObjects = ({ name }: HealthCheck): boolean =>
    name.startsWith(CACHE_CHECK) || name.startsWith(OBJECTS_CHECK);
  return checks
    .filter((check) => !check.ok && isOfObjects(check))
    .map(({ name, message }) => `${name}: ${message}`);
}

/** Empty message = the cluster is the same one as before; else no removal is made (Z-30). */
export function identityCheck(cluster: string, message: string): HealthCheck {
  const name = `${IDENTITY_CHECK}${cluster}`;
  return message === "" ? { name, ok: true, message } : trouble(name, message);
}

/**
 * The message of the cluster's identity check; empty = the cluster is the same, as far as is known.
 */
export function identityTrouble(checks: readonly HealthCheck[], cluster: string): string {
  return checks.find(({ name }) => name === `${IDENTITY_CHECK}${cluster}`)?.message ?? "";
}

/** The cluster refuses our Events, so that objects do not show what is wrong with them. */
export function eventsCheck(cluster: string, message: string): HealthCheck {
  return trouble(`${EVENTS_CHECK}${cluster}`, message);
}

/** Ok = the ServiceEntries of the import follow the zone. */
export function importCheck(status: ImportStatus): HealthCheck {
  const name = `import ${status.zone} into ${status.namespace}`;
  const message = importTrouble(status);
  return message === "" ? { name, ok: true, message } : trouble(name, message);
}

/** A DNSProvider that serves nothing now. */
export function providerCheck({ provider, message }: ProviderTrouble): HealthCheck {
  return trouble(`provider ${provider}`, message);
}

/** A check that is not ok and makes no Pod unready. */
export function trouble(name: string, message: string): HealthCheck {
  return { name, ok: false, readyAnyway: true, message };
}

/** Number of checks that are not ok, by the first word of their names. */
export function troubleCounts(checks: readonly HealthCheck[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name, ok } of checks) {
    const subject = name.split(" ", 1)[0] ?? name;
    counts.set(subject, (counts.get(subject) ?? 0) + (ok ? 0 : 1));
  }
  return counts;
}

/** Messages of the checks of identity and Events of clusters. */
export function clusterTroubles(checks: readonly HealthCheck[]): readonly string[] {
  const isOfCluster = ({ name }: HealthCheck): boolean =>
    name.startsWith(IDENTITY_CHECK) || name.startsWith(EVENTS_CHECK);
  return checks
    .filter((check) => isOfCluster(check) && check.message !== "")
    .map(({ message }) => message);
}

/**
 * Ok = the next change of the zone would be written. A pause is a person's order, and no trouble.
 */
export function zoneCheck(status: ZoneHealth): HealthCheck {
  const name = `zone ${status.zone.name}`;
  const message = zoneTrouble(status);
  return message === null ? { name, ok: true, message: "" } : trouble(name, message);
}

/**
 * Why the next change would not be written, or not for one owner id; null = it would, unless a
 * person paused the zone: `plan` and the metrics say that by themselves.
 */
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
