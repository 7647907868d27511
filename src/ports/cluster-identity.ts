/** Whether a cluster is the one that it was (Z-30). */
import type { KindRef } from "@zonekeeper/kube/objects/kubernetes";

/** What differs, for people. */
export interface ClusterTrouble {
  readonly message: string;
  /** By which a person accepts the cluster as it is now. */
  readonly hash: string;
}

/** As of now; all are read at each use. */
export interface ClusterIdentity {
  /** Its UID and lists were compared since it was listed last. */
  readonly isChecked: boolean;
  /** That was so at least once in this process. */
  readonly wasChecked: boolean;
  /**
   * When the newest object of the kind that an earlier process ever saw here was created, Unix
   * milliseconds. Null = none is known. Absent = nothing is kept.
   */
  newestMs?(kind: KindRef): number | null;
  /** Null = nothing differs, as far as it was compared. */
  readonly trouble: ClusterTrouble | null;
}
