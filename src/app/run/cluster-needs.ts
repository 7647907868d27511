/**
 * What `run` needs of its clusters (definitions and rights), and which of that is missing. The same
 * rights as deploy/rbac/clusterrole.yaml, for the controllers that are chosen.
 */
import { type Access, isAllowed } from "../../cluster/access/access-review.ts";
import type { ApiClient } from "../../cluster/requests/api-client.ts";
import { discoverKind } from "../../cluster/watch/discovery.ts";
import type { RunConfig } from "../../config/run-config.ts";
import {
  CONFIG_MAP,
  DNS_ANNOTATION,
  DNS_ENDPOINT,
  DNS_ENTRY,
  DNS_OWNER,
  DNS_PROVIDER,
  EVENT,
  LEASE,
  NAMESPACE,
  SECRET,
} from "../../model/kinds.ts";
import { type KindRef, kindText } from "../../model/kubernetes.ts";
import { SOURCES } from "../../sources/index.ts";
import type { SourceRow } from "../../sources/source.ts";

/** The clusters by what they are for (docs/architecture.md#clusters), and that of the Lease. */
export type LogicalCluster = "source" | "target" | "provider" | "lease";

/** Verbs on one resource of one cluster. */
export interface Need extends Omit<Access, "verb"> {
  readonly cluster: LogicalCluster;
  readonly verbs: readonly string[];
}

/** Something that is not there. */
export interface MissingNeed {
  readonly cluster: LogicalCluster;
  readonly kind: KindRef;
  /** For people: what is missing, and the command that mends it. */
  readonly message: string;
}

const READ = ["get", "list", "watch"];

/** `leaseNamespace`: of the Lease and its ConfigMaps. */
export function needsOf(config: RunConfig, leaseNamespace: string): readonly Need[] {
  const { controllers } = config;
  const chosen = SOURCES.filter(
    ({ name, publishes }) => publishes !== "itself" && controllers.has(name),
  );
  const makesEntries = chosen.some(({ publishes }) => publishes === "entries");
  const needs = [
    ...namespaceNeeds(config),
    ...chosen.flatMap(sourceNeeds),
    ...(controllers.has("compound") ? COMPOUND : []),
    ...(makesEntries ? [need("target", DNS_ENTRY, ["create", "patch", "delete"])] : []),
    ...(config.webhook === null ? [] : [webhookNeed(config.webhook.namespace)]),
    ...(config.lease === null ? [] : leaseNeeds(config.data !== null)),
  ].map((one) => (one.cluster === "lease" ? { ...one, namespace: leaseNamespace } : one));
  const scoped = inClusters(needs, config);
  return config.publish.dryRun ? scoped.flatMap(onlyReads) : scoped;
}

function webhookNeed(namespace: string): Need {
  const verbs = ["create", "update", "delete"];
  return { ...need("target", DNS_ENDPOINT, verbs), namespace };
}

/** What `zonekeeper restore` needs besides: without it the command prints manifests. */
export function restoreNeedsOf(config: RunConfig): readonly Need[] {
  if (config.publish.dryRun) return [];
  const { controllers } = config;
  const clusters: readonly LogicalCluster[] = ["source", "target"];
  const readsEndpoints = SOURCES.some(
    ({ name, primary }) => primary === DNS_ENDPOINT && controllers.has(name),
  );
  const endpoints = clusters.map((cluster) => need(cluster, DNS_ENDPOINT, ["create"]));
  const entries = controllers.has("compound") ? [need("target", DNS_ENTRY, ["create"])] : [];
  return inClusters([...entries, ...(readsEndpoints ? endpoints : [])], config);
}

/** Each once, in the cluster and the namespace that the configuration says. */
function inClusters(needs: readonly Need[], config: RunConfig): readonly Need[] {
  const { namespace } = config;
  return distinct(
    needs.map((one) => ({ ...one, cluster: actualCluster(one.cluster, config) })),
  ).map((one) => ({
    ...one,
    namespace: one.namespace ?? (one.kind.namespaced ? namespace : null),
  }));
}

/** Where a logical cluster falls back to another one, that one is named. */
export function actualCluster(cluster: LogicalCluster, config: RunConfig): LogicalCluster {
  if (cluster === "provider" && config.providers.kubeconfig === null)
    return actualCluster("target", config);
  return cluster === "target" && config.target.kubeconfig === null ? "source" : cluster;
}

/** Who publishes asks whether objects end with their namespace. */
function namespaceNeeds({ controllers, source }: RunConfig): readonly Need[] {
  if (controllers.has("compound")) return NAMESPACES;
  return source.id === null ? [IDENTITY] : [];
}

function distinct(needs: readonly Need[]): readonly Need[] {
  return [...new Map(needs.map((one) => [JSON.stringify(one), one])).values()];
}

function need(cluster: LogicalCluster, kind: KindRef, verbs: readonly string[]): Need {
  return { cluster, kind, verbs, namespace: null, subresource: null, name: null };
}

function statusNeed(cluster: LogicalCluster, kind: KindRef): Need {
  return { ...need(cluster, kind, ["patch"]), subresource: "status" };
}

const HELD = [...READ, "patch"];
const IDENTITY: Need = { ...need("source", NAMESPACE, ["get"]), name: "kube-system" };
/** Identity, and whether objects end with their namespace (Z-16). */
const NAMESPACES: readonly Need[] = [
  need("source", NAMESPACE, ["get"]),
  need("target", NAMESPACE, ["get"]),
];
const COMPOUND: readonly Need[] = [
  need("target", DNS_ENTRY, HELD),
  statusNeed("target", DNS_ENTRY),
  need("target", DNS_OWNER, READ),
  statusNeed("target", DNS_OWNER),
  need("target", EVENT, ["create", "patch"]),
  need("provider", DNS_PROVIDER, HELD),
  statusNeed("provider", DNS_PROVIDER),
  need("provider", SECRET, HELD),
];

/** Objects of a zone source may be in the target cluster, too. */
function sourceNeeds(row: SourceRow): readonly Need[] {
  const clusters: readonly LogicalCluster[] =
    row.inTarget === true ? ["source", "target"] : ["source"];
  return clusters.flatMap((cluster) => [
    ...[row.primary, ...row.secondary].map((kind) => need(cluster, kind, READ)),
    ...(row.writesStatus === true ? [statusNeed(cluster, row.primary)] : []),
    need(cluster, EVENT, ["create", "patch"]),
  ]);
}

/** Without a data folder, what outlives a restart is kept in ConfigMaps. */
function leaseNeeds(hasFolder: boolean): readonly Need[] {
  const lease = need("lease", LEASE, ["get", "create", "update"]);
  return hasFolder
    ? [lease]
    : [lease, need("lease", CONFIG_MAP, ["get", "create", "update", "delete"])];
}

/** A dry run writes nothing and needs no Lease. */
function onlyReads(one: Need): readonly Need[] {
  const verbs = one.verbs.filter((verb) => READ.includes(verb));
  return one.cluster === "lease" || verbs.length === 0 ? [] : [{ ...one, verbs }];
}

/** Definitions that deploy/crds has. */
const MAY_LACK = new Set([DNS_ANNOTATION, DNS_OWNER]);
const OWN_GROUPS = new Set([DNS_ENTRY.group, DNS_ENDPOINT.group]);

/**
 * What is missing now, each once. Throws OperationError when a cluster does not answer.
 */
export async function missingNeeds(
  needs: readonly Need[],
  clients: Readonly<Record<LogicalCluster, ApiClient>>,
): Promise<readonly MissingNeed[]> {
  const absent = await absentKinds(needs, clients);
  const isAbsent = ({ cluster, kind }: Need): boolean =>
    absent.some((one) => one.cluster === cluster && one.kind === kind);
  const asked = needs.filter((one) => !isAbsent(one));
  const forbidden = await Promise.all(asked.map((one) => forbiddenOf(one, clients[one.cluster])));
  return [...absent, ...merged(forbidden.flat())];
}

async function absentKinds(
  needs: readonly Need[],
  clients: Readonly<Record<LogicalCluster, ApiClient>>,
): Promise<readonly MissingNeed[]> {
  // Where these are not served there are none, and that for certain (ADR 0048).
  const own = needs.filter(({ kind }) => !MAY_LACK.has(kind) && OWN_GROUPS.has(kind.group));
  const distinct = [
    ...new Map(own.map((one) => [`${one.cluster} ${kindText(one.kind)}`, one])).values(),
  ];
  const found = await Promise.all(
    distinct.map(async ({ cluster, kind }) => {
      if ((await discoverKind(clients[cluster], kind)) === "served") return [];
      const message = `the ${cluster} cluster has no definition of ${kindText(kind)}; install it: kubectl apply -f deploy/crds/`;
      return [{ cluster, kind, message }];
    }),
  );
  return found.flat();
}

async function forbiddenOf(one: Need, client: ApiClient): Promise<readonly Need[]> {
  const answers = await Promise.all(
    one.verbs.map(async (verb) => ((await isAllowed(client, { ...one, verb })) ? [] : [verb])),
  );
  const verbs = answers.flat();
  return verbs.length === 0 ? [] : [{ ...one, verbs }];
}

/** One message for each resource of a cluster. */
function merged(forbidden: readonly Need[]): readonly MissingNeed[] {
  const byResource = new Map<string, Need>();
  for (const one of forbidden) {
    const id = `${one.cluster} ${resourceText(one)}`;
    const verbs = [...new Set([...(byResource.get(id)?.verbs ?? []), ...one.verbs])];
    byResource.set(id, { ...one, verbs });
  }
  return [...byResource.values()].map((one) => ({
    cluster: one.cluster,
    kind: one.kind,
    message: `the ${one.cluster} cluster does not let this program ${one.verbs.join(", ")} ${resourceText(one)}${whereText(one)}; give it the ClusterRole: kubectl apply -f deploy/rbac/, and bind it (the file says how)`,
  }));
}

function resourceText({ kind, subresource }: Need): string {
  const [resource, ...group] = kindText(kind).split(".");
  return [`${resource}${subresource === null ? "" : `/${subresource}`}`, ...group].join(".");
}

function whereText({ namespace, name }: Need): string {
  if (name !== null) return ` ${name}`;
  return namespace === null ? "" : ` in namespace ${namespace}`;
}
