/** A further source cluster as somebody named it: by option, by file, or by Secret. */
import { fail, type Result } from "@zonekeeper/base/result";
import type { ClusterAccess } from "@zonekeeper/kube/client/access/cluster-access";
import { untrustedAccess } from "@zonekeeper/kube/client/access/kubeconfig";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { CLUSTER_ID, CLUSTER_ID_RULE } from "../../../config/further-options.ts";
import { fingerprint64 } from "../../../model/fingerprint.ts";
import type { MayDial } from "../../ports/guarded-lookup.ts";

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
