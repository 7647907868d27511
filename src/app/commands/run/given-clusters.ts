/**
 * Further source clusters as somebody named them: by option, by the files of a folder (file name =
 * id, content = kubeconfig), or by Secrets of a namespace: each key of a labelled Secret is the id
 * of a cluster, with its kubeconfig. Follows folder and Secrets, and never writes them.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@zonekeeper/base/operation-error";
import { sleep } from "@zonekeeper/base/ports/clock";
import { fail, type Result } from "@zonekeeper/base/result";
import type { ClusterAccess } from "@zonekeeper/kube/client/access/cluster-access";
import { untrustedAccess } from "@zonekeeper/kube/client/access/kubeconfig";
import { rankOf } from "@zonekeeper/kube/client/lease/lease-record";
import type { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { WatchCache } from "@zonekeeper/kube/client/watch/watch-cache";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, namespacedName, textOf } from "@zonekeeper/kube/objects/object-fields";
import { CLUSTER_ID, CLUSTER_ID_RULE } from "../../../config/further-options.ts";
import {
  MODE_ANNOTATION,
  ON_REMOVAL_ANNOTATION,
  RANK_ANNOTATION,
  REGION_ANNOTATION,
} from "../../../model/annotation-keys.ts";
import { fingerprint64 } from "../../../model/fingerprint.ts";
import type { MayDial } from "../../ports/guarded-lookup.ts";
import type { ProgramPorts } from "../../ports/real-ports.ts";

/** An id with its kubeconfig. */
export interface GivenCluster {
  readonly id: string;
  /** For people: `--source-cluster eu=eu.yaml`, `Secret dns/clusters, key eu`. */
  readonly origin: string;
  /** `observe`: nothing is published; `plan` shows what would be. */
  readonly mode: "observe" | "active";
  /**
   * Among clusters that want one new name, the lowest rank gets it; null = after all with a rank.
   */
  readonly rank: number | null;
  /** Region of the cluster; a replica of that region takes its rank from it. Empty = none. */
  readonly region: string;
  /** States what becomes of its records when its Secret is deleted. */
  readonly onRemoval: "retain" | "delete";
  /** The error names origin, field and remedy. */
  readonly access: Result<ClusterAccess>;
  /** Fingerprint of the kubeconfig. */
  readonly print: string;
  /** Which addresses may be dialled (Z-29); absent = all. */
  readonly mayDial?: MayDial;
  /** The faults of its other settings; empty = none. */
  readonly remark: string;
  /** The Secret that it is from; null = a file. */
  readonly secret: KubeObject | null;
}

/** The settings of a cluster that a file names. */
export const OF_FILE = {
  mode: "active",
  rank: null,
  region: "",
  onRemoval: "retain",
  remark: "",
  secret: null,
} as const;

/** Reads a kubeconfig that others wrote (it may run no command). `origin` as above. Pure. */
export function readCluster(
  id: string,
  origin: string,
  text: string,
): Pick<GivenCluster, "id" | "origin" | "access" | "print"> {
  const access = CLUSTER_ID.test(id)
    ? untrustedAccess({ path: origin, text })
    : fail(`${origin}: ${CLUSTER_ID_RULE}`);
  return { id, origin, access, print: fingerprint64(text) };
}

const POLL_MS = 2_000;
/** Endings of file names that are no part of the id. */
const ENDING = /\.(ya?ml|kubeconfig)$/;

/**
 * Calls the listener with all clusters, at first and after each change, until the signal aborts.
 * While the folder cannot be read, the clusters of before stay.
 */
export async function followFolder(
  folder: string,
  { clock, log }: Pick<ProgramPorts, "clock" | "log">,
  listener: (given: readonly GivenCluster[]) => void,
  signal: AbortSignal,
): Promise<void> {
  let last = "";
  let trouble = "";
  while (!signal.aborted) {
    try {
      const given = await givenByFiles(folder);
      const print = given.map((one) => `${one.origin} ${one.print}`).join("\n");
      if (print !== last || trouble !== "") listener(given);
      [last, trouble] = [print, ""];
    } catch (error) {
      const reason = messageOf(error);
      const text = "the folder of kubeconfigs cannot be read: what it named goes on";
      if (reason !== trouble) log.warn(text, { folder, reason });
      trouble = reason;
    }
    await sleep(clock, POLL_MS, signal);
  }
}

/** Rejects where folder or file cannot be read. */
async function givenByFiles(folder: string): Promise<readonly GivenCluster[]> {
  // Kubernetes mounts Secrets with links whose names begin with a dot; these are no clusters.
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path, "utf8");
      const read = readCluster(name.replace(ENDING, ""), path, text);
      return { ...read, ...OF_FILE };
    }),
  );
}

/** Label of such Secrets; Istio's own label of its remote secrets. */
const CLUSTERS_LABEL = "istio/multiCluster";

/** Where Secrets are read. */
export interface ClusterSecretsOptions {
  readonly client: ApiClient;
  readonly clusterId: string;
  readonly namespace: string;
  /** Which addresses their kubeconfigs may name; absent = all. */
  readonly mayDial?: MayDial;
  readonly ports: ProgramPorts;
}

/**
 * Calls the listener with all clusters, each time the complete list of Secrets has changed. While
 * Secrets cannot be read, it is not called: the clusters of before stay. The answer ends it.
 */
export function watchClusterSecrets(
  { ports, mayDial, ...where }: ClusterSecretsOptions,
  listener: (given: readonly GivenCluster[]) => void,
): () => Promise<void> {
  const view = new WatchCache({ ...ports, ...where });
  const settle = (): void => {
    const list = view.state(SECRET) === "live" ? view.list(SECRET) : null;
    if (list?.state !== "value") return;
    listener(givenBySecrets(list.value, mayDial));
  };
  view.subscribe(SECRET, { onChange: settle, onState: settle });
  return () => view.stop();
}

/**
 * The clusters, those of the oldest Secret first: of two with one id the first one gets it. Pure.
 */
export function givenBySecrets(
  secrets: readonly KubeObject[],
  mayDial?: MayDial,
): readonly GivenCluster[] {
  const age = ({ metadata }: KubeObject): string =>
    `${metadata.creationTimestamp ?? ""} ${metadata.name}`;
  return secrets
    .filter(({ metadata }) => metadata.labels?.[CLUSTERS_LABEL] === "true")
    .sort((a, b) => (age(a) < age(b) ? -1 : 1))
    .flatMap((secret) => clustersIn(secret))
    .map((one) => (mayDial === undefined ? one : { ...one, mayDial }));
}

function clustersIn(secret: KubeObject): readonly GivenCluster[] {
  const stated = statedBy(secret);
  return Object.entries(fieldsOf(secret["data"])).map(([id, data]) => {
    const origin = `Secret ${namespacedName(secret)}, key ${id}`;
    const text = Buffer.from(textOf(data) ?? "", "base64").toString("utf8");
    return { ...readCluster(id, origin, text), ...stated, secret };
  });
}

type Stated = Pick<GivenCluster, "mode" | "rank" | "region" | "onRemoval" | "remark">;

/**
 * The settings in the annotations of the Secret. A text that is not valid counts as absent: the
 * cluster is only observed, and its records are never removed.
 */
function statedBy({ metadata: { annotations = {} } }: KubeObject): Stated {
  const remarks: string[] = [];
  const choice = <T extends string>(key: string, [first, second]: readonly [T, T]): T => {
    const text = annotations[key] ?? first;
    if (text === second) return second;
    if (text !== first) remarks.push(slip(key, text, `${first} or ${second}`));
    return first;
  };
  const mode = choice(MODE_ANNOTATION, ["observe", "active"]);
  const onRemoval = choice(ON_REMOVAL_ANNOTATION, ["retain", "delete"]);
  const text = annotations[RANK_ANNOTATION];
  const rank = rankOf(text);
  if (text !== undefined && rank === null)
    remarks.push(slip(RANK_ANNOTATION, text, "a whole number up to 9999"));
  const region = annotations[REGION_ANNOTATION] ?? "";
  return { mode, onRemoval, rank, region, remark: remarks.join("; ") };
}

function slip(key: string, text: string, wanted: string): string {
  return `metadata.annotations[${key}] is ${JSON.stringify(text)}, which is not ${wanted}: it counts as if it were not there`;
}
