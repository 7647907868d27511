/**
 * A right that is needed, of the table of rights (right-rows.ts) for one configuration.
 */
import type { Access } from "@zonekeeper/kube/client/access/reviews";
import type { LogicalCluster } from "./right-facts.ts";
import type { RightPart } from "./right-rows.ts";

/** Verbs on one resource of one cluster. */
export interface Need extends Omit<Access, "verb"> {
  /** The role that grants it. */
  readonly part: RightPart;
  readonly cluster: LogicalCluster;
  readonly verbs: readonly string[];
}
