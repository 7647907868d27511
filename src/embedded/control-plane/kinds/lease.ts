/** coordination.k8s.io/v1 Lease: who leads. */
import { LEASE } from "../../../model/kinds.ts";
import type { FieldError } from "../errors/api-error.ts";
import { textAt, valueAt } from "../json/json.ts";
import { AGE_COLUMN, column, NAME_COLUMN } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind } from "../objects/served-kind.ts";
import { integer, object, text, time } from "../schema/schema.ts";

/** A Lease. */
export const LEASE_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: LEASE,
  singular: "lease",
  unconditionalUpdate: false,
  schema: object("Leadership that has to be renewed.", {
    spec: object("Who holds it and until when.", {
      holderIdentity: text("The holder; empty = free."),
      leaseDurationSeconds: integer("How long it holds after a renewal.", { format: "int32" }),
      acquireTime: time("When the holder got it.", "micro-time"),
      renewTime: time("When it was renewed last.", "micro-time"),
      leaseTransitions: integer("How often the holder changed.", { format: "int32" }),
      strategy: text("How a holder is chosen."),
      preferredHolder: text("Who should take over."),
    }),
  }),
  columns: [
    NAME_COLUMN,
    column("Holder", (lease) => textAt(lease, "spec", "holderIdentity")),
    AGE_COLUMN,
  ],
  check: (lease) => {
    const errors: FieldError[] = [];
    const duration = valueAt(lease, "spec", "leaseDurationSeconds");
    if (typeof duration === "number" && duration <= 0)
      errors.push(mustBe("spec.leaseDurationSeconds", duration, "must be greater than 0"));
    const transitions = valueAt(lease, "spec", "leaseTransitions");
    if (typeof transitions === "number" && transitions < 0)
      errors.push(
        mustBe("spec.leaseTransitions", transitions, "must be greater than or equal to 0"),
      );
    return errors;
  },
};

/** A number out of its range. */
const mustBe = (field: string, value: unknown, detail: string): FieldError => ({
  field,
  reason: "FieldValueInvalid",
  value,
  detail,
});
