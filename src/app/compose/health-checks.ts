/** The checks of a composition, for `/readyz`, `plan`, `explain` and metrics. Reads only. */
import { compareText } from "@zonekeeper/base/compare-text";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import type { ImportStatus } from "../../source-controllers/imports/import-controller.ts";
import type { ZoneHealth } from "../../sync/contract/zone-status.ts";
import type { ProgramOptions } from "./controllers-options.ts";
import type { CacheStatus, HealthCheck } from "./instance.ts";
import { type Controllers, watchedKinds } from "./start-controllers.ts";
import { cacheCheck, importCheck, providerCheck, zoneCheck } from "./zone-checks.ts";

/** The parts of the program that have checks, besides caches. */
interface HealthInput {
  readonly pass: Checked;
  readonly pinned: Checked;
  readonly refused: Checked;
  readonly controllers: Pick<Controllers, "directory">;
  readonly engine: { health(): readonly ZoneHealth[] };
  readonly imports: { statuses(): readonly ImportStatus[] } | null;
}

interface Checked {
  checks(): readonly HealthCheck[];
}

/** A kind of one cluster. */
export interface CachedKind {
  readonly view: ClusterView;
  readonly kind: KindRef;
}

const PROVIDER_KINDS: readonly KindRef[] = [DNS_PROVIDER, SECRET];

/** All checks of a program that serves zones. */
export function healthOf(
  options: ProgramOptions,
  { pass, pinned, refused, controllers, engine, imports }: HealthInput,
): readonly HealthCheck[] {
  return [
    ...checksOf(options, cachedKinds(options)),
    ...[pass, pinned, refused].flatMap((one) => one.checks()),
    ...controllers.directory.troubles(null).map(providerCheck),
    ...engine.health().map(zoneCheck),
    ...(imports?.statuses() ?? []).map(importCheck),
  ];
}

/** The checks of the caches of sources and entries. */
export function cacheChecks(options: ProgramOptions): readonly HealthCheck[] {
  return checksOf(options, watchedKinds(options));
}

/** True = no kind is `syncing` any more. */
export function areListed(kinds: readonly CachedKind[]): boolean {
  return kinds.every(({ view, kind }) => view.state(kind) !== "syncing");
}

/** All kinds that a program which serves zones reads. */
export function cachedKinds(options: ProgramOptions): readonly CachedKind[] {
  const { view } = options.provider;
  return [...watchedKinds(options), ...PROVIDER_KINDS.map((kind) => ({ view, kind }))];
}

/** The state of one kind, for people. */
export function cacheStatus({ view, kind }: CachedKind): CacheStatus {
  const objects = view.list(kind);
  return {
    cluster: view.clusterId,
    kind: kindText(kind),
    state: view.state(kind),
    message: view.trouble(kind) ?? "",
    objects: objects.state === "value" ? objects.value.length : null,
    ageMs: view.ageMs?.(kind) ?? null,
  };
}

/** The checks of these kinds. The trouble of a further cluster makes no Pod unready. */
function checksOf(
  { further }: ProgramOptions,
  kinds: readonly CachedKind[],
): readonly HealthCheck[] {
  const ids = new Set(further?.clusters.map(({ view }) => view.clusterId));
  return kinds
    .map(({ view, kind }): HealthCheck => {
      const check = cacheCheck(view, kind);
      return ids.has(view.clusterId) ? { ...check, readyAnyway: true } : check;
    })
    .sort((a, b) => compareText(a.name, b.name));
}
