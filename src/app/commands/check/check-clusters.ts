/**
 * The part of `zonekeeper check` that asks clusters: reachable, definitions and what `run` would do
 * with them, rights, the Lease, and whether the definitions that a cluster serves have the fields
 * that this version reads and writes (by OpenAPI, which every user may read).
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Clock } from "@zonekeeper/base/ports/clock";
import { readClusterId } from "@zonekeeper/kube/client/access/cluster-id";
import { isAllowed } from "@zonekeeper/kube/client/access/reviews";
import { otherInstallation, recordOfLease } from "@zonekeeper/kube/client/lease/lease-record";
import type { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { discoverKind } from "@zonekeeper/kube/client/watch/discovery";
import { ApiClusterWriter } from "@zonekeeper/kube/client/write/cluster-writer";
import { definitionOf as contentOf } from "@zonekeeper/kube/control-plane/crd/definition";
import { CUSTOM_RESOURCE_DEFINITION, isBuiltIn, LEASE } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { RunConfig } from "../../../config/run-config.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../../model/kinds.ts";
import type { SourceRow } from "../../../sources/source.ts";
import { missingNeeds, needsOf, OWN_GROUPS, reviewByAsking } from "../run/cluster-needs.ts";
import { definitionOf } from "../run/definitions.ts";
import type { Connections } from "../run/open-clusters.ts";
import { installationText } from "../run/open-state.ts";
import {
  type DefinitionAct,
  judgeDefinition,
  type WantedDefinition,
  wantedDefinitions,
} from "../run/own-definitions.ts";
import { actualCluster, type LogicalCluster } from "../run/right-facts.ts";
import { strangeLeader } from "../run/running-instance.ts";
import { type Finding, failed, problem, tried, well } from "./finding.ts";

/** Everything that a check of the clusters works with. */
export interface ClustersContext {
  readonly config: RunConfig;
  readonly connections: Connections;
  /** Rows of sources, those of plug-ins included. */
  readonly sources: readonly SourceRow[];
  readonly clock: Clock;
}

/** The findings, in the order in which one thing needs the other. */
export async function checkClusters(context: ClustersContext): Promise<readonly Finding[]> {
  const reached = await reachable(context);
  if (reached.some(({ state }) => state !== "ok")) return reached;
  const { findings, comes } = await checkDefinitions(context.config, context.connections);
  const [needs, kinds, fields, lease] = await Promise.all([
    needsFindings(context, comes),
    kindFindings(context),
    fieldFindings(context, comes),
    leaseFindings(context),
  ]);
  return [...reached, ...findings, ...needs, ...kinds, ...fields, ...lease];
}

function reachable({ connections, clock }: ClustersContext): Promise<readonly Finding[]> {
  const { source, target, provider } = connections;
  const distinct = [...new Set([source, target, provider])];
  return Promise.all(
    distinct.map(async ({ client, origin, id }) => {
      const subject = `cluster of ${origin}`;
      const writer = new ApiClusterWriter({ clusterId: origin, client, clock });
      return tried(subject, async () => {
        const uid = id ?? (await readClusterId(writer));
        return well(subject, `reached; its id is ${uid}`);
      });
    }),
  );
}

/** Kinds whose definition `run` installs by itself: that they are missing is no problem. */
type Comes = DefinitionFindings["comes"];

async function needsFindings(context: ClustersContext, comes: Comes): Promise<readonly Finding[]> {
  const { config, connections, sources } = context;
  const subject = "definitions and rights";
  const leaseNamespace = leaseNamespaceOf(context);
  const needs = [
    ...needsOf("run", config, { leaseNamespace, sources }),
    ...needsOf("restore", config),
  ];
  try {
    const reviewSecrets = reviewByAsking(config, connections.provider);
    const all = await missingNeeds(needs, connections, reviewSecrets);
    const missing = all.filter(({ cluster, kind }) => !comes.has(`${cluster} ${kindText(kind)}`));
    const absent = await missingNeeds(
      needsOf("optional", config, { sources }),
      connections,
      reviewSecrets,
    );
    const optional = absent.map(({ kind, message }) =>
      well(kindText(kind), `it does without: ${message}`),
    );
    const problems = missing.map(({ kind, message }) => problem(kindText(kind), message));
    const complete = well(subject, "everything that this configuration needs is there");
    return [...(missing.length > 0 ? problems : [complete]), ...optional];
  } catch (error) {
    return [failed(subject, error)];
  }
}

/**
 * Whether kinds that other programs define are served. `run` works without them, and reads them as
 * soon as they are.
 */
async function kindFindings(context: ClustersContext): Promise<readonly Finding[]> {
  const { config, connections, sources } = context;
  const chosen = sources.filter(({ name }) => config.controllers.has(name));
  const kinds = new Set(chosen.flatMap(({ primary, secondary }) => [primary, ...secondary]));
  const others = [...kinds].filter((kind) => !isBuiltIn(kind) && !OWN_GROUPS.has(kind.group));
  return Promise.all(
    others.map((kind) => {
      const subject = kindText(kind);
      return tried(subject, async () => {
        const isServed = (await discoverKind(connections.source.client, kind)) === "served";
        return well(subject, isServed ? "is served" : `is not served: ${NOT_SERVED}`);
      });
    }),
  );
}

const NOT_SERVED =
  "nothing of it is published; run reads it as soon as its definition is installed";

async function fieldFindings(
  { config, connections, sources }: ClustersContext,
  comes: Comes,
): Promise<readonly Finding[]> {
  const asked: readonly (readonly [LogicalCluster, KindRef, unknown])[] = [
    ...(config.controllers.has("compound")
      ? ([
          ["target", DNS_ENTRY, schemaOf(DNS_ENTRY)],
          ["provider", DNS_PROVIDER, schemaOf(DNS_PROVIDER)],
        ] as const)
      : []),
    ...sources
      .filter(({ name, writesStatus }) => writesStatus && config.controllers.has(name))
      .map(({ primary }) => ["source", primary, CONDITIONS_ALONE] as const),
  ];
  const present = asked.filter(
    ([cluster, kind]) => !comes.has(`${actualCluster(cluster, config)} ${kindText(kind)}`),
  );
  const found = await Promise.all(
    present.map(([cluster, kind, wanted]) =>
      fieldFinding(connections[cluster].client, kind, wanted),
    ),
  );
  return found.flat();
}

/** The only field that is checked in definitions of others: status conditions, which we write. */
const CONDITIONS_ALONE = { properties: { status: { properties: { conditions: {} } } } };

const schemaOf = (kind: KindRef): unknown =>
  contentOf(definitionOf(kindText(kind))).versions[0]?.schema;

async function fieldFinding(
  client: ApiClient,
  kind: KindRef,
  wanted: unknown,
): Promise<readonly Finding[]> {
  const subject = `definition of ${kindText(kind)}`;
  const path = `/openapi/v3/apis/${apiVersionOf(kind)}`;
  try {
    const document = await client.json({ method: "GET", path, subject });
    const served = servedSchema(document, kind.group, kind.kind);
    // A missing definition is a finding of `needsFindings`.
    if (served === null) return [];
    const missing = lacking(fieldsOf(wanted), served, "").sort();
    if (missing.join() === CONDITIONS) return [well(subject, NO_CONDITIONS)];
    if (missing.length === 0) return [well(subject, "has all fields of this version")];
    const lacks = `it is another version's: it lacks ${missing.join(", ")}; kubectl apply -f deploy/crds/`;
    return [problem(subject, lacks)];
  } catch (error) {
    if (error instanceof OperationError && error.code === "NotFound") return [];
    return [failed(subject, error)];
  }
}

const CONDITIONS = "status.conditions";
const NO_CONDITIONS =
  "it has no status.conditions: kubectl wait --for=condition=Ready finds none; status.state of DNSEntries and DNSProviders and Events are right";

async function leaseFindings(context: ClustersContext): Promise<readonly Finding[]> {
  const { config, connections } = context;
  if (config.lease === null) return [];
  const [namespace, { name }] = [leaseNamespaceOf(context), config.lease];
  const subject = `lease ${namespace}/${name}`;
  const found = await tried(subject, async () => {
    const lease = await connections.lease.writer.read({ kind: LEASE, namespace, name });
    const record = lease === null ? null : recordOfLease(lease);
    const other = record === null ? null : otherInstallation(record, installationText(config));
    const holder = record?.holder ?? "";
    const message = holder === "" ? "nobody holds it" : `${holder} holds it`;
    if (other === null) return well(subject, message);
    return problem(subject, `${message}, ${strangeLeader(other)}`);
  });
  return [found];
}

function leaseNamespaceOf({ config, connections }: ClustersContext): string {
  return config.lease?.namespace ?? connections.lease.namespace;
}

type Schema = Readonly<Record<string, unknown>>;

/** Paths of fields of `wanted` that the served schema of the kind lacks: `spec.ttl`. */
function lacking(wanted: Schema, served: Schema, path: string): string[] {
  const known = fieldsOf(served["properties"]);
  // The server keeps all fields there, so that none of ours is lost.
  if (served["x-kubernetes-preserve-unknown-fields"] === true) return [];
  return Object.entries(fieldsOf(wanted["properties"])).flatMap(([name, schema]) => {
    const at = path === "" ? name : `${path}.${name}`;
    if (known[name] === undefined) return [at];
    return lacking(inner(schema), inner(known[name]), at);
  });
}

/** For a list or map, the schema of its items. */
function inner(schema: unknown): Schema {
  const fields = fieldsOf(schema);
  const [wrapped] = Array.isArray(fields["allOf"]) ? fields["allOf"] : [];
  const next = fields["items"] ?? wrapped;
  return next === undefined ? fields : inner(next);
}

/** The schema of a kind in an OpenAPI document of its group version; null = it has none. */
function servedSchema(document: unknown, group: string, kind: string): Schema | null {
  const schemas = fieldsOf(fieldsOf(fieldsOf(document)["components"])["schemas"]);
  for (const schema of Object.values(schemas)) {
    const marks = fieldsOf(schema)["x-kubernetes-group-version-kind"];
    const isKind = (mark: unknown): boolean =>
      fieldsOf(mark)["group"] === group && fieldsOf(mark)["kind"] === kind;
    if (Array.isArray(marks) && marks.some(isKind)) return fieldsOf(schema);
  }
  return null;
}

/** The findings about the definitions, and which ones `run` will write by itself. */
interface DefinitionFindings {
  readonly findings: readonly Finding[];
  /**
   * The ones that `run` writes itself, cluster and name: `target dnsentries.dns.gardener.cloud`.
   */
  readonly comes: ReadonlySet<string>;
}

/**
 * There is one finding for each definition that `run` looks after; none where it may not read or
 * write it.
 */
async function checkDefinitions(
  config: RunConfig,
  connections: Connections,
): Promise<DefinitionFindings> {
  const wanted = wantedDefinitions(config);
  const each = await Promise.all(wanted.map((one) => findingOf(one, config, connections)));
  return {
    findings: each.flatMap((one) => (one === null ? [] : [one.finding])),
    comes: new Set(each.flatMap((one) => (one?.comes === true ? [one.key] : []))),
  };
}

async function findingOf(
  { cluster, name }: WantedDefinition,
  config: RunConfig,
  connections: Connections,
): Promise<{ readonly key: string; readonly finding: Finding; readonly comes: boolean } | null> {
  const { client, writer } = connections[cluster];
  const access = { kind: CUSTOM_RESOURCE_DEFINITION, subresource: null, namespace: null };
  try {
    const ref = { kind: CUSTOM_RESOURCE_DEFINITION, namespace: "", name };
    const judged = judgeDefinition(await writer.read(ref), config.definitions);
    const verb = judged.act;
    const writes = verb === "create" || verb === "update";
    const named = verb === "create" ? null : name;
    if (writes && !(await isAllowed(client, { ...access, verb, name: named }))) return null;
    const finding = well(`definition ${name}`, messageOf(judged, cluster));
    return { key: `${cluster} ${name}`, finding, comes: writes };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return null;
  }
}

function messageOf(judged: DefinitionAct, cluster: string): string {
  switch (judged.act) {
    case "create":
      return `is missing in the ${cluster} cluster; run installs it`;
    case "update":
      return `is maintained by ${whose(judged.maintainer)}; run replaces it with the one of this version`;
    case "keep":
      return "is ours, of this version or a later one";
    case "leave":
      return `is maintained by ${whose(judged.maintainer)} (annotation crds.gardener.cloud/maintainer); run leaves it as it is, unless ${judged.maintainer === "" ? "--force-crd-update" : `--accepted-maintainers ${judged.maintainer}`} is given`;
  }
}

function whose(maintainer: string): string {
  return maintainer === "" ? "nobody that it names" : maintainer;
}
