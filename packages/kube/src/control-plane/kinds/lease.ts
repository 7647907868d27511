/** coordination.k8s.io/v1 Lease: who leads. */
import { LEASE } from "../../objects/kinds.ts";
import { AGE_COLUMN, columnAt, NAME_COLUMN } from "../objects/columns.ts";
import { schemaOf } from "../schema/schema-table.ts";
import { builtInKind } from "./built-in-kind.ts";
import { all, passes } from "./rules.ts";

const SCHEMA = schemaOf(
  "Leadership that has to be renewed.",
  `
  spec                          | Who holds it and until when.
    holderIdentity              | The holder; empty = free.
    leaseDurationSeconds int32  | How long it holds after a renewal.
    acquireTime micro-time      | When the holder got it.
    renewTime micro-time        | When it was renewed last.
    leaseTransitions int32      | How often the holder changed.
    strategy                    | How a holder is chosen.
    preferredHolder             | Who should take over.
  `,
);

/** A Lease. */
export const LEASE_KIND = builtInKind(LEASE, {
  unconditionalUpdate: false,
  schema: SCHEMA,
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
