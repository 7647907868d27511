/**
 * Computes which definitions and rights `run` needs in its clusters, from the table of rights
 * (right-rows.ts) and the configuration, and asks which of them are missing; of rights to Secrets
 * that are not granted in all namespaces, in which namespaces with DNSProviders.
 */
import { distinctBy, groupedBy } from "@zonekeeper/base/grouped-by";
import { type Access, deniedVerbs, whoAmI } from "@zonekeeper/kube/client/access/reviews";
import { discoverKind } from "@zonekeeper/kube/client/watch/discovery";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import { type RunConfig, setsOf } from "../../../config/run-config.ts";
import { hasOtherType } from "../../../gardener/dns-provider/provider-spec.ts";
import { grantSecrets, userIn } from "../../../gardener/dns-provider/secret-namespaces.ts";
import { isOfClass } from "../../../model/dns-class.ts";
import {
  DNS_ANNOTATION,
  DNS_ENDPOINT,
  DNS_ENTRY,
  DNS_OWNER,
  DNS_PROVIDER,
} from "../../../model/kinds.ts";
import { SOURCES } from "../../../sources/index.ts";
import type { SourceRow } from "../../../sources/source.ts";
import { isKept } from "../../compose/kept-kinds.ts";
import type { AskedBy } from "./cluster-reach.ts";
import { actualCluster, holds, type LogicalCluster } from "./right-facts.ts";
import { LEASE_NAME, READ, type RightPart, type RightRow, rightRows } from "./right-rows.ts";

/** Something that is not there. */
export interface MissingNeed {
  readonly cluster: LogicalCluster;
  readonly kind: KindRef;
  /** For people: what is missing, and the command that mends it. */
  readonly message: string;
}

interface NeedsOptions {
  /** Namespace of the Lease and its ConfigMaps; absent = it does not matter. */
  readonly leaseNamespace?: string;
  readonly sources?: readonly SourceRow[];
}

/** The needs for this purpose (`RightRow`), one for each resource, cluster and namespace. */
export function needsOf(
  purpose: RightRow["for"],
  config: RunConfig,
  options: NeedsOptions = {},
): readonly Need[] {
  return joinedVerbs(setsOf(config).flatMap((one) => needsOfSet(purpose, one, options)));
}

function needsOfSet(
  purpose: RightRow["for"],
  config: RunConfig,
  { leaseNamespace = "", sources = SOURCES }: NeedsOptions,
): readonly Need[] {
  const isNeeded = ({ kind }: RightRow): boolean => config.externalDns === null || !isKept(kind);
  const rows = rightRows(sources).filter(
    (row) => row.for === purpose && holds(row.when, config) && isNeeded(row),
  );
  const needs = rows.flatMap((row) => {
    const verbs = config.publish.dryRun
      ? row.verbs.filter((verb) => READ.includes(verb))
      : row.verbs;
    const names = row.names.length === 0 ? [null] : row.names;
    const { part, cluster, kind, subresource } = row;
    const of = { part, cluster, kind, subresource, verbs, namespace: null };
    return verbs.length === 0 ? [] : names.map((name) => ({ ...of, name }));
  });
  return needs.map((one) => ({
    ...one,
    cluster: actualCluster(one.cluster, config),
    name: one.name === LEASE_NAME ? (config.lease?.name ?? null) : one.name,
    namespace: namespaceOf(one, config, leaseNamespace),
  }));
}

function namespaceOf(
  { part, kind }: Pick<Need, "part" | "kind">,
  { namespace, webhook, further }: RunConfig,
  leaseNamespace: string,
): string | null {
  if (part === "lease") return leaseNamespace;
  if (part === "clusters") return further.namespace;
  if (part === "webhook") return webhook?.namespace ?? null;
  return kind.namespaced ? namespace : null;
}

/**
 * Joins the verbs of equal resources, and leaves out needs for single objects that a wider need
 * includes.
 */
function joinedVerbs(needs: readonly Need[]): readonly Need[] {
  const all = joined(needs, (one) => `${resourceKey(one)} ${one.name ?? ""}`);
  const ofAny = new Map(
    all.filter(({ name }) => name === null).map((one) => [resourceKey(one), one.verbs]),
  );
  return all.filter(
    (one) =>
      one.name === null ||
      !one.verbs.every((verb) => ofAny.get(resourceKey(one))?.includes(verb) === true),
  );
}

/** One need for each key, with the verbs of all. */
function joined(needs: readonly Need[], keyOf: (one: Need) => string): readonly Need[] {
  return [...groupedBy(needs, keyOf).values()].flatMap((group) => {
    const verbs = [...new Set(group.flatMap((one) => one.verbs))];
    return group.slice(0, 1).map((one) => ({ ...one, verbs }));
  });
}

function resourceKey({ cluster, kind, subresource, namespace }: Need): string {
  return [cluster, kind.group, kind.plural, subresource ?? "", namespace ?? ""].join(" ");
}

const MAY_LACK = new Set([DNS_ANNOTATION, DNS_OWNER]);
/** Definitions that deploy/crds has. */
export const OWN_GROUPS: ReadonlySet<string> = new Set([DNS_ENTRY.group, DNS_ENDPOINT.group]);

/** The needs that are missing now. Throws OperationError when a cluster does not answer. */
export async function missingNeeds(
  needs: readonly Need[],
  connections: Readonly<Record<LogicalCluster, AskedBy>>,
  reviewSecrets: SecretReview,
): Promise<readonly MissingNeed[]> {
  const absent = await absentKinds(needs, connections);
  const isAbsent = ({ cluster, kind }: Need): boolean =>
    absent.some((one) => one.cluster === cluster && one.kind === kind);
  const asked = needs.filter((one) => !isAbsent(one));
  const reviewed = await Promise.all(
    asked.map(async (one) => ({
      ...one,
      verbs: await deniedVerbs(connections[one.cluster].client, one),
    })),
  );
  const forbidden = reviewed.filter(({ verbs }) => verbs.length > 0);
  const isOfSecrets = ({ part }: Need): boolean => part === "secrets";
  const secrets = await Promise.all(
    forbidden.filter(isOfSecrets).map((one) => secretsMissing(one, reviewSecrets)),
  );
  const others = merged(forbidden.filter((one) => !isOfSecrets(one)));
  return [...absent, ...others, ...secrets.flat()];
}

/** Namespaces that a message names. */
const NAMED_MAX = 5;

/**
 * Rights to Secrets are enough in each namespace that has a DNSProvider: which of those lack them.
 */
async function secretsMissing(
  forbidden: Need,
  review: SecretReview,
): Promise<readonly MissingNeed[]> {
  const { namespaces, user } = await review(forbidden);
  const [first] = namespaces;
  if (first === undefined) return [];
  const more = namespaces.length - NAMED_MAX;
  const named = namespaces.slice(0, NAMED_MAX).join(", ");
  const where = more > 0 ? `${named} and ${more} more` : named;
  const { cluster, kind, verbs } = forbidden;
  const message = `the ${cluster} cluster does not let this program ${verbs.join(", ")} secrets in namespaces that have DNSProviders: ${where}; in each of them: ${grantSecrets(first, user)} (in all namespaces: kubectl apply -f deploy/rbac/, and bind what secrets-role.yaml has)`;
  return [{ cluster, kind, message }];
}

async function absentKinds(
  needs: readonly Need[],
  connections: Readonly<Record<LogicalCluster, AskedBy>>,
): Promise<readonly MissingNeed[]> {
  // Kinds that may lack a definition: then there certainly are no objects (ADR 0048).
  const own = needs.filter(({ kind }) => !MAY_LACK.has(kind) && OWN_GROUPS.has(kind.group));
  const distinct = distinctBy(own, ({ cluster, kind }) => `${cluster} ${kindText(kind)}`);
  const found = await Promise.all(
    distinct.map(async ({ cluster, kind }) => {
      if ((await discoverKind(connections[cluster].client, kind)) === "served") return [];
      const message = `the ${cluster} cluster has no definition of ${kindText(kind)}; install it: kubectl apply -f deploy/crds/`;
      return [{ cluster, kind, message }];
    }),
  );
  return found.flat();
}

/** There is one message for each resource of a cluster. */
function merged(forbidden: readonly Need[]): readonly MissingNeed[] {
  const idOf = (one: Need): string => `${one.cluster} ${resourceText(one)}${whereText(one)}`;
  return joined(forbidden, idOf).map((one) => {
    const { cluster, kind, verbs, part, namespace } = one;
    const isOfNamespace = part === "lease" || part === "webhook" || part === "clusters";
    const role = isOfNamespace
      ? `Role: kubectl apply -n ${namespace} -f deploy/rbac/${part}-role.yaml`
      : "ClusterRole: kubectl apply -f deploy/rbac/";
    const lacks = `the ${cluster} cluster does not let this program ${verbs.join(", ")} ${resourceText(one)}${whereText(one)}`;
    const message = `${lacks}; give it the ${role}, and bind it (the file says how)`;
    return { cluster, kind, message };
  });
}

function resourceText({ kind, subresource }: Need): string {
  const [resource, ...group] = kindText(kind).split(".");
  return [`${resource}${subresource === null ? "" : `/${subresource}`}`, ...group].join(".");
}

function whereText({ namespace, name }: Need): string {
  const named = name === null ? "" : ` ${name}`;
  return namespace === null ? named : `${named} in namespace ${namespace}`;
}

/** Verbs on one resource of one cluster. */
export interface Need extends Omit<Access, "verb"> {
  /** The role that grants it. */
  readonly part: RightPart;
  readonly cluster: LogicalCluster;
  readonly verbs: readonly string[];
}

/** The namespaces without the right. */
export interface SecretNeeds {
  /** Sorted. */
  readonly namespaces: readonly string[];
  /** The user that this program is for the API server; null = not known. */
  readonly user: string | null;
}

/** `forbidden`: the need of Secrets, with the verbs that are not granted in all namespaces. */
export type SecretReview = (forbidden: Need) => Promise<SecretNeeds>;

/** Namespaces that are asked about at a time. */
const AT_ONCE = 16;

/** Asks the API server about each namespace. Throws OperationError as the reader does. */
export function reviewByAsking(
  config: RunConfig,
  { client, writer }: AskedBy & { readonly writer: ObjectReader },
): SecretReview {
  return async (forbidden) => {
    const providers = await writer.readAll(DNS_PROVIDER, config.namespace ?? undefined);
    const waiting = [...namespacesOf(providers, config)];
    const missing: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const denied = await deniedVerbs(client, { ...forbidden, namespace: next });
        if (denied.length > 0) missing.push(next);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const user = missing.length === 0 ? null : await whoAmI(client);
    return { namespaces: missing.sort(), user };
  };
}

/** The same by the watches of a running program; asks only where these say nothing. */
export function reviewByView(
  config: RunConfig,
  view: ClusterView,
  asking: SecretReview,
): SecretReview {
  return async (forbidden) => {
    const providers = view.list(DNS_PROVIDER);
    const isRead = forbidden.verbs.some((verb) => READ.includes(verb));
    if (!isRead || providers.state !== "value") return asking(forbidden);
    const namespaces = namespacesOf(providers.value, config).filter(
      (namespace) => view.state(SECRET, namespace) === "forbidden",
    );
    return { namespaces, user: userIn(view.trouble(SECRET, namespaces[0])) };
  };
}

/** Namespaces of the DNSProviders that are served here; sorted. */
function namespacesOf(
  providers: readonly KubeObject[],
  { publish: { dnsClasses }, providerTypes }: RunConfig,
): readonly string[] {
  const served = providers.filter(
    (one) => isOfClass(one, dnsClasses) && !hasOtherType(one, providerTypes),
  );
  return [...new Set(served.map(({ metadata }) => metadata.namespace ?? ""))].sort();
}
