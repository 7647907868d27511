/**
 * Which names an edit of an object brings, over all zones: a name of one zone may be in place of
 * one in another (Z-32). Pure.
 */
import type { DnsName } from "../../model/dns-name.ts";
import type { Contribution } from "../../sync/contract/contribution.ts";

/** Names of `now` that were not there before. */
export function takenNames(
  before: readonly Contribution[],
  now: readonly Contribution[],
): readonly DnsName[] {
  const known = new Set(before.flatMap(namesIn));
  return [...new Set(now.flatMap(namesIn))].filter((name) => !known.has(name));
}

/** The contribution, with those of the names that are not its own. */
export function withTaken(contribution: Contribution, taken: readonly DnsName[]): Contribution {
  const own = new Set(namesIn(contribution));
  const renamedTo = taken.filter((name) => !own.has(name));
  return renamedTo.length === 0 ? contribution : { ...contribution, renamedTo };
}

function namesIn({ found }: Contribution): readonly DnsName[] {
  return [...found.items, ...found.waiting].map(({ name }) => name);
}
