/**
 * Runs without our definitions in the cluster, as external-dns does: a cluster whose objects of our
 * API group and Secrets are kept in memory. The memory holds the DNSProvider that external-dns's
 * flags describe, and its Secret; none of them is read from the cluster or written to it. All other
 * kinds are the cluster's own.
 */

import type { Clock } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { PreviewCluster } from "@zonekeeper/kube/client/preview/preview-cluster";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import { type KindRef, type KubeObject, kindText } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import type { ExternalDnsConfig } from "../../config/external-dns/translate.ts";
import { classAnnotations } from "../../model/dns-class.ts";
import { FLAGS_NAMESPACE } from "../../model/external-dns-rules.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import type { ClusterAccess } from "./controllers-options.ts";

/** Whether a kind is kept in memory. */
export function isKept(kind: KindRef): boolean {
  return kind.group === DNS_PROVIDER.group || kindText(kind) === kindText(SECRET);
}

/** The DNSProvider and the Secret that the flags describe. */
function objectsOf(
  { provider, rules, zones }: ExternalDnsConfig,
  { dnsClass, set }: Pick<KeptKindsOptions, "dnsClass" | "set">,
): readonly (readonly [KindRef, KubeObject])[] {
  const encoded = Object.entries(provider.secret).map(([key, text]) => [
    key,
    Buffer.from(text).toString("base64"),
  ]);
  const { below, patterns = null } = rules.scope;
  // Expressions take the place of the lists, and an excluded `.x` is not x itself.
  const include = patterns === null ? rules.scope.include : [];
  const isWhole = (one: DnsName): boolean => below?.exclude.includes(one) !== true;
  const exclude = patterns === null ? rules.scope.exclude.filter(isWhole) : [];
  const key = { namespace: FLAGS_NAMESPACE, name: set?.replace("/", ".") || "external-dns" };
  return [
    [
      SECRET,
      { apiVersion: "v1", kind: "Secret", metadata: key, data: Object.fromEntries(encoded) },
    ],
    [
      DNS_PROVIDER,
      {
        apiVersion: `${DNS_PROVIDER.group}/${DNS_PROVIDER.version}`,
        kind: DNS_PROVIDER.kind,
        metadata: { ...key, annotations: classAnnotations(dnsClass) },
        spec: {
          type: provider.type,
          secretRef: { name: key.name },
          providerConfig: provider.config,
          domains: { include, exclude },
          zones: { include: zones },
        },
      },
    ],
  ];
}

/** The flags, and how the objects are named. */
export interface KeptKindsOptions {
  readonly externalDns: ExternalDnsConfig;
  readonly dnsClass: string;
  /**
   * Name of the set of flags, where the process replaces several external-dns; absent or empty =
   * the only one.
   */
  readonly set?: string;
  readonly clock: Clock;
}

/** Reads kept kinds from memory, all others from the cluster past its cache. */
export async function keptReader(
  real: ObjectReader,
  options: KeptKindsOptions,
): Promise<ObjectReader> {
  const kept = await keptKinds("", options);
  const of = (kind: KindRef): ObjectReader => (isKept(kind) ? kept : real);
  return {
    read: (ref) => of(ref.kind).read(ref),
    readAll: (kind, namespace) => of(kind).readAll(kind, namespace),
  };
}

/** The cluster with its kept kinds. Events of these go to the log. */
export async function withKeptKinds(
  { view, writer, recorder }: ClusterAccess,
  { log, ...options }: KeptKindsOptions & { readonly log: Log },
): Promise<ClusterAccess> {
  const kept = await keptKinds(view.clusterId, options);
  const read = (kind: KindRef): ClusterView => (isKept(kind) ? kept : view);
  const write = (kind: KindRef): ClusterWriter => (isKept(kind) ? kept : writer);
  const { clusterId } = view;
  return {
    view: {
      clusterId,
      get: (kind, namespace, name) => read(kind).get(kind, namespace, name),
      list: (kind, namespace) => read(kind).list(kind, namespace),
      indexed: (index, value, namespace) => read(index.kind).indexed(index, value, namespace),
      state: (kind, namespace) => read(kind).state(kind, namespace),
      trouble: (kind, namespace) => read(kind).trouble(kind, namespace),
      newest: (kind) => read(kind).newest(kind),
      subscribe: (kind, listener) => read(kind).subscribe(kind, listener),
      readIn: (kind, namespace) => read(kind).readIn?.(kind, namespace) ?? (() => {}),
    },
    writer: {
      clusterId,
      read: (ref) => write(ref.kind).read(ref),
      readAll: (kind, namespace) => write(kind).readAll(kind, namespace),
      create: (kind, object) => write(kind).create(kind, object),
      update: (kind, object) => write(kind).update(kind, object),
      patch: (ref, patch) => write(ref.kind).patch(ref, patch),
      patchStatus: (ref, patch) => write(ref.kind).patchStatus(ref, patch),
      remove: (ref, preconditions) => write(ref.kind).remove(ref, preconditions),
    },
    recorder: {
      record: (object, note) => {
        if (object.kind !== DNS_PROVIDER.kind) recorder.record(object, note);
        else
          log[note.type === "Warning" ? "warn" : "info"]("provider by flags", {
            ...{ reason: note.reason, message: note.message },
          });
      },
      refusal: () => recorder.refusal?.() ?? null,
    },
  };
}

async function keptKinds(
  clusterId: string,
  { externalDns, clock, ...names }: KeptKindsOptions,
): Promise<PreviewCluster> {
  const reader: ObjectReader = { read: async () => null, readAll: async () => [] };
  const kept = new PreviewCluster({ view: emptyView(clusterId), reader, clock });
  for (const [kind, object] of objectsOf(externalDns, names)) await kept.create(kind, object);
  return kept;
}

/** Every kind is read, and has no object. */
function emptyView(clusterId: string): ClusterView {
  const none = { state: "value", value: [] } as const;
  return {
    clusterId,
    get: () => ({ state: "absent" }),
    list: () => none,
    indexed: () => none,
    state: () => "live",
    trouble: () => null,
    newest: () => null,
    subscribe: () => () => {},
  };
}
