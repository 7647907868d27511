/**
 * The table of every right that `run` may need, with its purpose and what happens without it. From
 * it the program asks for missing rights (cluster-needs.ts), and deploy/rbac, the rules of the
 * chart and docs/reference/rights.md are written. Pure.
 */
import {
  CONFIG_MAP,
  CUSTOM_RESOURCE_DEFINITION,
  EVENT,
  LEASE,
  NAMESPACE,
  SECRET,
  SUBJECT_ACCESS_REVIEW,
  TOKEN_REVIEW,
} from "@zonekeeper/kube/objects/kinds";
import { type KindRef, kindText } from "@zonekeeper/kube/objects/kubernetes";
import { SECRET_VERBS } from "../../../gardener/dns-provider/secret-namespaces.ts";
import {
  DNS_ANNOTATION,
  DNS_ENDPOINT,
  DNS_ENTRY,
  DNS_OWNER,
  DNS_PROVIDER,
  SERVICE_ENTRY,
} from "../../../model/kinds.ts";
import { SOURCES } from "../../../sources/index.ts";
import type { SourceRow } from "../../../sources/source.ts";
import type { LogicalCluster, When } from "./right-facts.ts";

/**
 * Which role grants it: `secrets` that of Secrets, in the whole cluster or in each namespace that
 * has a DNSProvider; `clusters`, `lease` and `webhook` those of one namespace; `cluster` all else.
 */
export type RightPart = "cluster" | "secrets" | "clusters" | "lease" | "webhook";

/** Verbs on one resource of one cluster. */
export interface RightRow {
  readonly part: RightPart;
  readonly cluster: LogicalCluster;
  readonly kind: KindRef;
  readonly subresource: "status" | null;
  /** Names of the only objects; `LEASE_NAME` is that of the Lease. Empty = all objects. */
  readonly names: readonly string[];
  readonly verbs: readonly string[];
  readonly when: When;
  /**
   * `run`: a configured part does not work without it. `restore`: only that command needs it.
   * `optional`: all configured parts work without it.
   */
  readonly for: "run" | "restore" | "optional";
  /** States the purpose of the right: a phrase. */
  readonly why: string;
  /** Says what happens without the right: a phrase. */
  readonly without: string;
}

/** In names: the name of the Lease. */
export const LEASE_NAME = "{lease}";
/** Verbs that change nothing: a dry run has no others. */
export const READ: readonly string[] = ["get", "list", "watch"];

/** Kinds whose definitions the program brings along (own-definitions.ts). */
const OWN_KINDS = [DNS_ANNOTATION, DNS_ENTRY, DNS_OWNER, DNS_PROVIDER, DNS_ENDPOINT];

const UNKNOWN = "nothing of it is published, changed or removed";
const ASKED = "the names of objects that ask for it stay as they are";
const RESTORE = { why: "zonekeeper restore", without: "it prints manifests" } as const;
const EVENTS = {
  ...{ kind: EVENT, verbs: ["create", "patch"] },
  why: "Events of objects that are published",
  without: "no Events; statuses and the log say the same",
} as const;
const COMPOUND: When = { chosen: ["compound"] };
const BLANK = { part: "cluster", subresource: null, names: [], for: "run" } as const;

type Given = Pick<RightRow, "cluster" | "kind" | "verbs" | "when" | "why" | "without"> &
  Partial<RightRow>;

function right(given: Given): RightRow {
  return { ...BLANK, ...given };
}

/** All rights, in the order of the roles. */
export function rightRows(sources: readonly SourceRow[] = SOURCES): readonly RightRow[] {
  const chosen = sources.filter(({ publishes }) => publishes !== "itself");
  const rows = [
    ...identityRows(),
    ...chosen.flatMap(sourceRows),
    ...entryRows(chosen),
    ...COMPOUND_ROWS,
    ...IMPORT_ROWS,
    ...REVIEW_ROWS,
    ...CLUSTERS_ROWS,
    ...WEBHOOK_ROWS,
    ...LEASE_ROWS,
  ];
  return [...rows, ...definitionRows(rows)];
}

/**
 * Rights to namespaces: the UID of kube-system identifies a cluster, and the deletion of a
 * namespace deletes its objects.
 */
function identityRows(): readonly RightRow[] {
  const identity = {
    ...{ kind: NAMESPACE, verbs: ["get"], names: ["kube-system"] },
    why: "the cluster's id is the uid of kube-system",
    without: "run waits, unless the id is given (`--kubeconfig.id`)",
  };
  const endings = (["source", "target"] as const).map((cluster) =>
    right({
      ...{ cluster, kind: NAMESPACE, verbs: ["get"], when: COMPOUND },
      why: "the cluster's id; and whether objects are deleted with their namespace",
      without: "what is deleted with its namespace counts as deleted by itself",
    }),
  );
  return [
    ...endings,
    right({ ...identity, cluster: "source", when: { not: ["sourceId"] } }),
    right({ ...identity, cluster: "target", when: { not: ["targetId"] } }),
    right({ ...identity, cluster: "provider", when: { not: ["providersId"] } }),
  ];
}

/** Rights for one source; some sources also read the target cluster. */
function sourceRows(row: SourceRow): readonly RightRow[] {
  const clusters: readonly LogicalCluster[] =
    row.inTarget === true ? ["source", "target"] : ["source"];
  return [...clusters.flatMap((cluster) => readRows(row, cluster)), ...statusRows(row)];
}

function readRows(row: SourceRow, cluster: LogicalCluster): readonly RightRow[] {
  const { name, primary, secondary, onDemand = [] } = row;
  const when = { chosen: [name] };
  const why = `source ${name}`;
  const status = right({
    ...{ cluster, kind: primary, subresource: "status", verbs: ["patch"], when },
    why: `status of what ${name} publishes`,
    without: "the status is not written",
  });
  const restore = right({
    ...{ cluster, kind: primary, verbs: ["create"], when, for: "restore" },
    ...RESTORE,
  });
  return [
    ...[primary, ...secondary].map((kind) =>
      right({ cluster, kind, verbs: READ, when, why, without: UNKNOWN }),
    ),
    ...onDemand.map(({ kind }) =>
      right({ cluster, kind, verbs: READ, when, why, without: ASKED, for: "optional" }),
    ),
    ...(row.writesStatus === true ? [status] : []),
    ...(primary === DNS_ENDPOINT ? [restore] : []),
    right({ ...EVENTS, cluster, when }),
  ];
}

function statusRows({ name, primary, secondary, publishesEither }: SourceRow): readonly RightRow[] {
  const annotation = right({
    ...{ cluster: "source", kind: primary, verbs: ["patch"], for: "optional" },
    when: { chosen: [name], not: ["omitStatusAnnotation"] },
    why: "the annotation zonekeeper.dev/status with --publish direct",
    without: "the annotation is left out",
  });
  const ofAnnotations = right({
    ...{ cluster: "source", kind: DNS_ANNOTATION, subresource: "status", verbs: ["patch"] },
    when: { chosen: [name] },
    why: "status of DNSAnnotations",
    without: "the status is not written",
  });
  return [
    ...(publishesEither === true ? [annotation] : []),
    ...(secondary.includes(DNS_ANNOTATION) ? [ofAnnotations] : []),
  ];
}

const IMPORT_ROWS: readonly RightRow[] = [
  right({
    ...{ cluster: "source", kind: SERVICE_ENTRY, verbs: [...READ, "create", "patch", "delete"] },
    when: { chosen: ["compound"], all: ["imports"] },
    why: "ServiceEntries of zones that are imported",
    without: "nothing is imported; what was stays as it is",
  }),
];

const REVIEW_ROWS: readonly RightRow[] = [TOKEN_REVIEW, SUBJECT_ACCESS_REVIEW].map((kind) =>
  right({
    ...{ cluster: "source", kind, verbs: ["create"], when: { all: ["apiUsers"] } },
    why: "whose a token is, and of which namespaces it may see names",
    without: "only the token of the API lets in",
  }),
);

/** Rights to the DNSEntries that sources generate. */
function entryRows(sources: readonly SourceRow[]): readonly RightRow[] {
  const makers = sources.filter(({ publishes }) => publishes === "entries");
  const made = { cluster: "target", kind: DNS_ENTRY } as const;
  const when = { chosen: makers.map(({ name }) => name) };
  const why = "DNSEntries that are made of annotated objects";
  return [
    right({ ...made, verbs: READ, when, why, without: UNKNOWN }),
    right({ ...made, verbs: ["create", "patch", "delete"], when, why, without: UNKNOWN }),
  ];
}

const SECRET_ROW: RightRow = right({
  ...{ part: "secrets", cluster: "provider", kind: SECRET, verbs: SECRET_VERBS },
  when: COMPOUND,
  why: "credentials of DNSProviders; patch holds a Secret by a finalizer while one needs it",
  without: "a DNSProvider of that namespace is not Ready; its records stay as they are",
});

const COMPOUND_ROWS: readonly RightRow[] = [
  right({
    ...{ cluster: "target", kind: DNS_ENTRY, verbs: [...READ, "patch"], when: COMPOUND },
    why: "DNSEntries, which are held by a finalizer while their record exists",
    without: UNKNOWN,
  }),
  right({
    ...{ cluster: "target", kind: DNS_ENTRY, verbs: ["create"], when: COMPOUND, for: "restore" },
    ...RESTORE,
  }),
  right({
    ...{ cluster: "provider", kind: DNS_PROVIDER, verbs: [...READ, "patch"], when: COMPOUND },
    why: "DNSProviders, which are held by a finalizer while their entries exist",
    without: "no zone is opened",
  }),
  right({
    ...{ cluster: "target", kind: DNS_OWNER, verbs: READ, when: COMPOUND },
    why: "owner ids that are switched on and off",
    without: "there is the one of --owner",
  }),
  ...(
    [
      ["target", DNS_ENTRY],
      ["target", DNS_OWNER],
      ["provider", DNS_PROVIDER],
    ] as const
  ).map(([cluster, kind]) =>
    right({
      ...{ cluster, kind, subresource: "status", verbs: ["patch"], when: COMPOUND },
      why: "status",
      without: "records are published, and no status says so",
    }),
  ),
  ...(["target", "provider"] as const).map((cluster) =>
    right({ ...EVENTS, cluster, when: COMPOUND }),
  ),
  SECRET_ROW,
];

const WEBHOOK_ROWS: readonly RightRow[] = [
  right({
    ...{ part: "webhook", cluster: "target", kind: DNS_ENDPOINT },
    verbs: ["get", "list", "create", "update", "delete"],
    when: { all: ["webhook"] },
    why: "what an external-dns wants is kept as DNSEndpoints in --webhook-namespace",
    without: "the webhook answers 500",
  }),
];

/** A right to Secrets cannot be restricted to a label: it is needed in that one namespace. */
const CLUSTERS_ROWS: readonly RightRow[] = [
  right({
    ...{ part: "clusters", cluster: "source", kind: SECRET, verbs: READ },
    when: { all: ["clustersNamespace"] },
    why: "kubeconfigs of further source clusters, in --clusters-namespace",
    without: "these clusters are not read; their records stay as they are",
  }),
];

const STATE = {
  why: "what has to outlive a restart, without --data: the counters of the fuse",
  without: "nothing is removed (FuseBlind)",
  when: { not: ["omitLease", "data"] },
} as const;
const REGISTRY = {
  why: "rows of --registry configmap",
  without: "nothing is written to a zone (RegistryUnusable)",
  when: { all: ["configMapRegistry"] },
} as const;
const ELECTION = {
  why: "election of the leader among replicas",
  without: "nobody leads, and nothing is written",
  when: { not: ["omitLease"] },
} as const;

const LEASE_ROWS: readonly RightRow[] = [
  inLease({ ...ELECTION, kind: LEASE, verbs: ["create"] }),
  inLease({ ...ELECTION, kind: LEASE, verbs: ["get", "update"], names: [LEASE_NAME] }),
  ...[STATE, REGISTRY].map((what) =>
    inLease({ ...what, kind: CONFIG_MAP, verbs: ["get", "create", "update"] }),
  ),
];

function inLease(given: Omit<Given, "part" | "cluster">): RightRow {
  return right({ ...given, part: "lease", cluster: "lease" });
}

/** Rights to install and update the definitions of our own kinds. */
function definitionRows(rows: readonly RightRow[]): readonly RightRow[] {
  const what = {
    cluster: "source",
    kind: CUSTOM_RESOURCE_DEFINITION,
    for: "optional",
    why: "its own definitions, where they are missing or of an older version",
    without: "kubectl apply -f deploy/crds/ at each upgrade",
  } as const;
  const not = ["foreignDefinitions", "dryRun"] as const;
  const of = (own: KindRef) => {
    const chosen = chosenIn(rows.filter(({ kind }) => kind === own));
    const named = { verbs: ["get", "update"], names: [kindText(own)] };
    return right({ ...what, ...named, when: { chosen, not } });
  };
  return [
    right({ ...what, verbs: ["create"], when: { chosen: chosenIn(rows), not } }),
    ...OWN_KINDS.map(of),
  ];
}

function chosenIn(rows: readonly RightRow[]): readonly string[] {
  return [...new Set(rows.flatMap(({ when }) => when.chosen ?? []))];
}
