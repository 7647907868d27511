/** coordination.k8s.io/v1 Lease: who leads. */
import { LEASE } from "../../objects/kinds.ts";
import { AGE_COLUMN, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import { builtInKind } from "./built-in-kind.ts";
import { all, passes } from "./rules.ts";

/** A Lease. */
export const LEASE_KIND = builtInKind(LEASE, {
  unconditionalUpdate: false,
  columns: [NAME_COLUMN, columnAt("Holder", ".spec.holderIdentity"), AGE_COLUMN],
  check: all(
    passes("spec.leaseDurationSeconds", (value) => Number(value) > 0, "must be greater than 0"),
    passes(
      "spec.leaseTransitions",
      (value) => Number(value) >= 0,
      "must be greater than or equal to 0",
    ),
  ),
});
