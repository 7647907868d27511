/**
 * How a back end asserts the preconditions of a group in the call that writes it. What it cannot
 * assert is read right before the call, and again after it (Z-8).
 */

import { isSameKey, type RecordSetKey } from "../../model/record-set.ts";
import type { ChangeGroup, Precondition } from "../../plan/changes.ts";
import type { Assertion, Capabilities } from "../../providers/provider.ts";

/** The capabilities that decide. */
export type AssertionCapabilities = Pick<Capabilities, "preconditions" | "cnameConflicts">;

/** True = the name is read right before the call, which would not notice that it has changed. */
export function mustReadFirst(
  group: Pick<ChangeGroup, "changes" | "preconditions" | "resumes">,
  capabilities: AssertionCapabilities,
): boolean {
  return group.resumes === true || !isAsserted(group, capabilities);
}

/**
 * True = the call fails if a record set that it writes is not as it was read. Record sets that it
 * does not write need no assertion for that: another writer that takes the name meanwhile finds a
 * record set that this call writes.
 */
export function isAsserted(
  group: Pick<ChangeGroup, "changes" | "preconditions">,
  capabilities: AssertionCapabilities,
): boolean {
  const { written, others } = capabilities.preconditions;
  const assertions = [written.exact, written.absent, others.exact, others.absent];
  if (!assertions.includes("never")) return true;
  return group.preconditions.every(
    (one) =>
      one.is === "name-unused" ||
      !isWritten(one.is === "exact" ? one.set : one.key, group) ||
      assertionOf(one, group, capabilities) !== "never",
  );
}

/** How this precondition is asserted. */
export function assertionOf(
  precondition: Precondition,
  group: Pick<ChangeGroup, "changes">,
  { preconditions: { written, others }, cnameConflicts }: AssertionCapabilities,
): Assertion {
  if (precondition.is === "exact")
    return isWritten(precondition.set, group) ? written.exact : others.exact;
  if (precondition.is === "absent" && isWritten(precondition.key, group)) return written.absent;
  const refusesConflict = cnameConflicts === "refused" && written.absent === "implied";
  return refusesConflict && isConflict(precondition, group) ? "implied" : others.absent;
}

/** The key with its set identifier, or the plain key of a member that is written. */
function isWritten(key: RecordSetKey, { changes }: Pick<ChangeGroup, "changes">): boolean {
  return changes.some((change) =>
    isSameKey(change.op === "remove" ? change.previous : change.next, key),
  );
}

/** The record set would be a CNAME beside other data, or other data beside a CNAME. */
function isConflict(
  precondition: Exclude<Precondition, { readonly is: "exact" }>,
  { changes }: Pick<ChangeGroup, "changes">,
): boolean {
  const isAny = precondition.is === "name-unused";
  const name = isAny ? precondition.name : precondition.key.name;
  return changes.some(
    (change) =>
      change.op !== "remove" &&
      change.next.name === name &&
      (change.next.type === "CNAME" || (!isAny && precondition.key.type === "CNAME")),
  );
}

/**
 * A CNAME beside other data may be dropped in silence (RFC 2136 §3.4.2.2): a changed name is read
 * after it (Z-8).
 */
export function mayHaveDropped(
  group: ChangeGroup,
  { cnameConflicts }: Pick<Capabilities, "cnameConflicts">,
): boolean {
  if (cnameConflicts === "refused") return false;
  const usesCname = group.changes.some((c) => c.op !== "remove" && c.next.type === "CNAME");
  return usesCname && !group.preconditions.some((p) => p.is === "name-unused");
}
