/** A cluster, opened: watch cache, writer and Events over one HTTP client. Knows no kubeconfig. */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { HttpClient } from "@zonekeeper/base/ports/http";
import { PreviewCluster } from "@zonekeeper/kube/client/preview/preview-cluster";
import { Reconciler } from "@zonekeeper/kube/client/queue/reconciler";
import { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import {
  ApiClusterWriter,
  type ApiClusterWriterOptions,
} from "@zonekeeper/kube/client/write/cluster-writer";
import { ApiEventRecorder } from "@zonekeeper/kube/client/write/event-recorder";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue } from "@zonekeeper/kube/ports/work-queue";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import { keptFields } from "../../sources/kept-fields.ts";
import type { SourceRow } from "../../sources/source.ts";
import type { ProgramPorts } from "../ports/real-ports.ts";
import type { ClusterAccess } from "./controllers-options.ts";

/** The cluster to open, and everything that it is opened with. */
export interface OpenClusterOptions {
  /** Bound to the API server and its credentials; closed by the caller. */
  readonly http: HttpClient;
  readonly clusterId: string;
  /** Null = all namespaces. */
  readonly namespace: string | null;
  /** Sources: they say which fields of objects the cache keeps. */
  readonly sources: readonly SourceRow[];
  readonly ports: ProgramPorts;
  /** Null = no limit; absent = the writer's default. */
  readonly writeRate?: ApiClusterWriterOptions["rate"];
  /**
   * True = a dry run: writes stay in memory, and the client refuses requests that write. Default
   * false.
   */
  readonly isPreview?: boolean;
}

/** A cluster that is watched from the first subscription on. */
export interface OpenCluster {
  readonly access: ClusterAccess;
  /** Ends watches, writes Events that wait. */
  close(): Promise<void>;
}

const EVENTS_GRACE_MS = 1000;

/** Asks nothing of the server yet. */
export function openCluster(options: OpenClusterOptions): OpenCluster {
  const { http, clusterId, namespace, sources, ports, writeRate, isPreview = false } = options;
  const { clock, metrics } = ports;
  const writesRefused = isPreview ? refuseInDryRun : () => null;
  const client = new ApiClient({ http, clock, metrics, host: clusterId, writesRefused });
  const writer = new ApiClusterWriter({
    clusterId,
    client,
    clock,
    ...(writeRate === undefined ? {} : { rate: writeRate }),
  });
  const events = new ApiEventRecorder({ ...ports, writer, urgentKinds: [DNS_PROVIDER.kind] });
  const { asTyped } = ports;
  const recorder = asTyped === undefined ? events : typedEvents(events, asTyped);
  const view = new WatchCache({
    ...ports,
    clusterId,
    client,
    projections: keptFields(sources),
    byNamespace: new Set([kindText(SECRET)]),
    ...(namespace === null ? {} : { namespace }),
  });
  const access = { view, writer, recorder };
  return {
    access: isPreview ? previewed(access, clock) : access,
    close: async () => {
      await events.stop(EVENTS_GRACE_MS);
      await view.stop();
    },
  };
}

function typedEvents(
  events: EventRecorder,
  asTyped: (text: string) => string,
): Required<EventRecorder> {
  return {
    record: (object, note) => events.record(object, { ...note, message: asTyped(note.message) }),
    refusal: () => events.refusal?.() ?? null,
  };
}

/**
 * The cluster with an overlay in memory that takes all writes, so that controllers see their
 * results.
 */
function previewed(
  { view, writer: reader }: Pick<ClusterAccess, "view" | "writer">,
  clock: Clock,
): ClusterAccess {
  const preview = new PreviewCluster({ view, reader, clock });
  return { view: preview, writer: preview, recorder: preview };
}

/**
 * Wraps clusters in their preview, if `isPreview`; the same cluster always gets the same preview.
 */
export function previewing(
  clock: Clock,
  isPreview: boolean,
): (one: ClusterAccess) => ClusterAccess {
  const made = new Map<ClusterAccess, ClusterAccess>();
  return (one) => {
    if (!isPreview) return one;
    const preview = made.get(one) ?? previewed(one, clock);
    made.set(one, preview);
    return preview;
  };
}

/** The refusal of each writing request in a dry run. */
export function refuseInDryRun(): string {
  return "this is a dry run; start without --dry-run to write";
}

/** Queues with workers over real or virtual time. */
export function queueStarter(ports: ProgramPorts): StartQueue {
  return (options) => new Reconciler({ ...options, backOff: BACK_OFF }, ports);
}

/**
 * Waits between repetitions of failed work. The first one is short: most failures are conflicts
 * with a cache that lags by milliseconds.
 */
const BACK_OFF = { firstMs: 100, maxMs: 600_000 };
