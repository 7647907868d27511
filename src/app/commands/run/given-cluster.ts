/** A further source cluster as somebody named it: by option, by file, or by Secret. */
import { fail, type Result } from "@zonekeeper/base/result";
import type { ClusterAccess } from "@zonekeeper/kube/client/access/cluster-access";
import { untrustedAccess } from "@zonekeeper/kube/client/access/untrusted-kubeconfig";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { CLUSTER_ID, CLUSTER_ID_RULE } from "../../../config/further-options.ts";
import { fingerprint64 } from "../../../model/fingerprint.ts";
import type { MayDial } from "../../ports/guarded-lookup.ts";

/** One id with its kubeconfig. */
export interface GivenCluster {
  readonly id: string;
  /** For people: `--source-cluster eu=eu.yaml`, `Secret dns/clusters, key eu`. */
  readonly origin: string;
  /** `observe`: `plan` tells what would be published, and nothing is. */
  readonly mode: "observe" | "active";
  /** Of clusters that want a new name the lowest has it; null = after all that have one. */
  readonly rank: number | null;
  /** Empty = none. */
  readonly region: string;
  /** What becomes of its records when its Secret is deleted. */
  readonly onRemoval: "retain" | "delete";
  /** The error names origin, field and remedy. */
  readonly access: Result<ClusterAccess>;
  /** Another one is another kubeconfig. */
  readonly print: string;
  /** Which addresses may be dialled (Z-29); absent = all. */
  readonly mayDial?: MayDial;
  /** What is wrong beside the kubeconfig; empty = nothing. */
  readonly remark: string;
  /** The Secret that it is from; null = a file. */
  readonly secret: KubeObject | null;
}

/** One that a file names. */
export const OF_FILE = {
  mode: "active",
  rank: null,
  region: "",
  onRemoval: "retain",
  remark: "",
  secret: null,
} as const;

/** What a stranger wrote under this id. `origin` as above. Pure. */
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
