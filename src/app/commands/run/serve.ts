/**
 * The life of `run`: starts health and API, opens the clusters, then runs terms of leadership, each
 * with its own composition (the controllers of a term). A dry run, and a process without Lease,
 * have one term.
 */
import { isAllowed, reviewToken } from "@zonekeeper/kube/client/access/reviews";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { RunConfig } from "../../../config/run-config.ts";
import { EndpointObjects } from "../../api/webhook/endpoint-objects.ts";
import { startWebhookServer } from "../../api/webhook/webhook-server.ts";
import type { UserReviews } from "../../compose/instance.ts";
import { clusterTerm, folderTerm } from "../../compose/lease-epochs.ts";
import { trouble } from "../../compose/zone-checks.ts";
import { pluginText } from "../../plugins/plugin-module.ts";
import { addressText } from "../../ports/system-error.ts";
import { type Need, needsOf, reviewByAsking, reviewByView } from "./cluster-needs.ts";
import { NeedsWatch } from "./needs-watch.ts";
import { connectClusters, openClusters, type RunClusters } from "./open-clusters.ts";
import { givenByOptions, openFurther } from "./open-further.ts";
import { leaseNamespace, openState } from "./open-state.ts";
import { definitionInstaller, wantedDefinitions } from "./own-definitions.ts";
import { followLeader, PreviewState } from "./preview.ts";
import { openRunContext, type RunContext, type RunStart } from "./run-context.ts";
import { RunningInstance } from "./running-instance.ts";
import { startApi, startRunHttp } from "./start-run-http.ts";
import { beginTerm, type Serving, withLease } from "./start-term.ts";

/** Resolves when the stop was asked for and the term, if there was one, has ended in good order. */
export async function serve(config: RunConfig, start: RunStart): Promise<void> {
  const context = await openRunContext(config, start);
  const instance = new RunningInstance(context.metrics, {
    ...context.ports,
    ...config.page,
    isExternalDns: config.externalDns !== null,
    isDryRun: config.publish.dryRun,
  });
  start.onInstance?.(instance);
  // Kubeconfigs are read first, so that a mistake there is reported before a port that is in use.
  const connections = await connectClusters(context);
  const given = await givenByOptions(context);
  await startRunHttp(context, instance);
  await startApi(context, instance);
  const onWaiting = (reason: string | null) => instance.waitFor(reason);
  const clusters = await openClusters(context, connections, onWaiting);
  if (clusters === null) return;
  if (config.page.takesUsers) instance.reviews = userReviews(clusters);
  instance.addChecks(watchNeeds(context, clusters));
  instance.addChecks(tellLeftOff(context));
  await startWebhook(context, clusters);
  const isLeading = (): boolean => instance.standbyReply() === null;
  const further = openFurther(context, clusters, given, isLeading);
  instance.addFurther(further);
  await further.firstLists(context.ports.clock, context.stop);
  const serving = { instance, clusters, further };
  if (config.publish.dryRun) await preview(context, serving);
  else if (config.lease === null) await withoutLease(context, serving);
  else await withLease(context, serving, config.lease);
}

/** Reviews by the API server of the source cluster, whose objects readers see. */
function userReviews({ connections, lease, source }: RunClusters): UserReviews {
  const { client } = connections.source;
  return {
    cluster: source.view.clusterId,
    namespace: lease.namespace,
    userOf: (token) => reviewToken(client, token),
    isAllowed: (user, access) => isAllowed(client, access, undefined, user),
  };
}

/**
 * A check for each plug-in module that is loaded and not called because it looped ("left off"). It
 * makes no Pod unready.
 */
function tellLeftOff({ ports, rows }: RunContext) {
  const leftOff = rows.plugins.flatMap((plugin) =>
    plugin.leftOff === undefined
      ? []
      : trouble(`plug-in ${plugin.name}`, `the ${pluginText(plugin)} ${plugin.leftOff}`),
  );
  for (const { message } of leftOff) ports.log.error("a plug-in is left off", { message });
  return { checks: () => leftOff };
}

/**
 * Starts the webhook for an external-dns, on each replica: it only writes objects, and the leader
 * publishes them.
 */
async function startWebhook({ config, ports, teardown }: RunContext, { target }: RunClusters) {
  if (config.webhook === null) return;
  const { at, namespace, domainFilter } = config.webhook;
  const [dnsClass] = config.publish.sourceClasses;
  const objects = new EndpointObjects({ writer: target.writer, namespace, dnsClass });
  const log = ports.log.child({ part: "webhook" });
  const server = await startWebhookServer({ at, objects, domainFilter, log });
  teardown.add("webhook", () => server.close());
  log.info("webhook for external-dns listens", { address: addressText(server.local), namespace });
}

/** Starts the review of missing definitions and rights, which runs beside the terms. */
function watchNeeds(context: RunContext, clusters: RunClusters): NeedsWatch {
  const { lease, connections } = clusters;
  const { config, ports, teardown, rows } = context;
  const namespace = config.lease === null ? lease.namespace : leaseNamespace(config.lease, lease);
  const wanted = wantedDefinitions(config);
  const install = definitionInstaller({ wanted, rules: config.definitions, connections, ...ports });
  const needs = needsOf("run", config, { leaseNamespace: namespace, ...rows });
  const unreadable = () => unreadableKinds(needs, clusters);
  const asking = reviewByAsking(config, connections.provider);
  const reviewSecrets = reviewByView(config, clusters.provider.view, asking);
  const review = { needs, install, reviewSecrets, unreadable };
  const watch = new NeedsWatch({ ...review, connections, ...ports });
  const ended = new AbortController();
  void watch.run(ended.signal);
  teardown.add("review of needs", () => ended.abort());
  return watch;
}

/** Kinds whose watch is forbidden or broken. The cluster of the Lease has no watches. */
function unreadableKinds(needs: readonly Need[], clusters: RunClusters): ReadonlySet<string> {
  const isUnreadable = ({ cluster, kind }: Need): boolean =>
    cluster !== "lease" && ["forbidden", "stale"].includes(clusters[cluster].view.state(kind));
  const secrets = clusters.provider.view.trouble(SECRET);
  return new Set([
    ...needs.filter(isUnreadable).map(({ cluster, kind }) => `${cluster} ${kindText(kind)}`),
    ...(secrets === null ? [] : [secrets]),
  ]);
}

/** A dry run works beside the instance that writes, and never waits for it. */
async function preview(context: RunContext, serving: Serving): Promise<void> {
  const { config, ports, stop } = context;
  const { instance, clusters } = serving;
  ports.log.info("dry run: nothing is written to any zone");
  const state = new PreviewState(openState(context, clusters.lease));
  const end = beginTerm(context, serving, { state, term: null });
  const onLeader = (leader: string) => instance.standBy(leader);
  const followed = { cluster: clusters.lease, ...ports };
  if (config.lease === null) await aborted(stop);
  else await followLeader({ ...followed, lease: config.lease }, onLeader, stop);
  await end();
}

async function withoutLease(context: RunContext, serving: Serving): Promise<void> {
  const { folder, ports } = context;
  const { clusters } = serving;
  const { uid } = clusters.lease;
  const term = folder === null ? clusterTerm(uid) : await folderTerm(context.state, ports.random);
  const state = openState(context, clusters.lease);
  const end = beginTerm(context, serving, { state, term });
  await aborted(context.stop);
  await end();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
