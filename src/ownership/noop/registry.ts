/**
 * No registry: nothing in the zone is ours, so nothing is changed or removed, save under the
 * domains that the operator says are ours (Z-14, `--noop-owns`). Under other names it creates
 * records where none exists, and does no more.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { Hold, KeyChange, Marker, NamePlan, OwnedRecordSet } from "../../plan/changes.ts";
import { holdAt } from "../../plan/hold-at.ts";
import { setAt } from "../../plan/preconditions.ts";
import type { Ownership, Prepared, ZoneContent } from "../ownership.ts";
import type { RegistryRow } from "../registry.ts";
import { dataGroup } from "../shared/write-order.ts";

/** What is ours without any marker. */
export interface NoopOptions {
  /** Every record of a managed type at or below these names is ours; default none. */
  readonly owns?: readonly DnsName[];
  /** The owner id that is shown for them. */
  readonly owner?: string;
  /** True when the changes of a name go in one all-or-nothing call; default true. */
  readonly atomic?: boolean;
}

/** What people see as the object of a record that is ours whatever object wants it. */
const SHOWN = "*";

/** Opens the registry without owners. Keeps no state. */
export function openNoopOwnership(options: NoopOptions = {}): Ownership {
  const { owns = [], owner = "", atomic = true } = options;
  const isOwn = (name: DnsName): boolean => owns.some((domain) => isAtOrBelow(name, domain));
  const labels = { owner, resource: SHOWN };
  const marker: Marker = { ...labels, cluster: null, labels, record: null, anyObject: true };
  const viewOf = (set: RecordSet): OwnedRecordSet => {
    const { name, type, setIdentifier } = set;
    const key = { name, type, setIdentifier };
    return { ...key, data: set, marker: isOwn(name) ? marker : null, contested: false };
  };
  return {
    format: "noop",
    read: async (sets) => sets.map(viewOf),
    affected: (name) => [name],
    related: (name) => [name],
    prepare: async (plan, content) => {
      // All other changes, adoption included, need ownership, which nothing states here.
      const others = plan.changes.filter(({ change }) => change?.op !== "create");
      const isForbidden = !isOwn(plan.name) && others.length > 0;
      if (isForbidden) return { ok: false, holds: others.map(forbidden) };
      return write(plan, content, atomic);
    },
    confirm: async () => undefined,
  };
}

/** The group of the plan; asserts that each record set of the plan is as it was read. */
function write(plan: NamePlan, content: ZoneContent, atomic: boolean): Prepared {
  const more = plan.changes.flatMap(({ key }) => {
    const set = setAt(key, content);
    return set === undefined ? [] : [{ is: "exact", set } as const];
  });
  return dataGroup(plan, content, { atomic, more });
}

function forbidden({ key, desired }: KeyChange): Hold {
  const message =
    "without a registry records are created and never changed; name the domain in --noop-owns if all of it is yours";
  const provenance = desired?.provenance ?? null;
  return holdAt(key, { code: "PolicyForbids", message, provenance });
}

/** `--registry noop`. */
export const NOOP_REGISTRY: RegistryRow = {
  name: "noop",
  doc: "nowhere: records are created and never changed",
  open({ owner, owns }) {
    return ({ atomic }) => openNoopOwnership({ owner, owns, atomic });
  },
};
