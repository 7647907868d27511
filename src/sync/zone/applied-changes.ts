/**
 * The changes that a zone has taken with one group (all changes of a name with their markers, the
 * records that state the owner), key by key: for the log and the journal. Pure.
 */
import { resourceOf } from "../../model/provenance.ts";
import { isPart, isSameKey, type RecordSet } from "../../model/record-set.ts";
import { type ChangeGroup, type KeyChange, ORDERED_PROOFS } from "../../plan/changes.ts";
import type { RecordData, ZoneChange } from "../contract/zone-change.ts";

/** The call that made a change. */
export interface CallFacts
  extends Pick<ZoneChange, "zone" | "providers" | "callMs" | "atMs" | "answeredMs"> {
  /** Somebody else had changed the records, and no object had changed since. */
  readonly isDrift: boolean;
  /** Generation of the object that contributes the record; absent = none does. */
  readonly generationOf: (resource: string) => number | undefined;
}

/** The changes that this group made, in the order of its keys. */
export function changesOf(group: ChangeGroup, facts: CallFacts): readonly ZoneChange[] {
  return group.keys.flatMap((key) => {
    const is = whatIs(key, group);
    return is === null ? [] : [changeOf(key, is, facts)];
  });
}

const WRITTEN = { create: "created", replace: "changed", remove: "removed" } as const;

/** Null = this step of a sequence (Z-10) did not write the key, or wrote only its marker. */
function whatIs(
  { key, change }: KeyChange,
  { changes, rest, resumes }: ChangeGroup,
): ZoneChange["is"] | null {
  if (change === null) return rest === undefined && resumes !== true ? "marker" : null;
  // The parts of several clusters are one record set: a call that writes one writes all of them.
  if (isPart(change.op === "remove" ? change.previous : change.next)) return WRITTEN[change.op];
  const isWritten = changes.some((one) =>
    isSameKey(one.op === "remove" ? one.previous : one.next, key),
  );
  return isWritten ? WRITTEN[change.op] : null;
}

function changeOf(
  key: KeyChange,
  is: ZoneChange["is"],
  { generationOf, isDrift, ...call }: CallFacts,
): ZoneChange {
  const { desired, proof, reason, approved: hash } = key;
  const { name, type, setIdentifier } = key.key;
  const why = proof ?? reason.code;
  // A removal is never drift: its proof is the end or a change of an object.
  const plain = isDrift && is !== "removed" ? "drift" : "edit";
  const cause = why === "Undone" ? "undo" : ORDERED.has(why) ? "order" : plain;
  const whose = whoseIs(key);
  const isOfObject = desired !== null && cause !== "undo";
  const generation = isOfObject ? generationOf(whose.object) : undefined;
  return {
    ...call,
    ...{ name, type, is, why, cause, ...whose },
    ...(setIdentifier === null ? {} : { setIdentifier }),
    ...(generation === undefined ? {} : { generation }),
    ...(hash === undefined ? {} : { hash }),
    ...contentOf(key),
  };
}

/** The object and the owner in the marker after the change; of a removal, in the one before. */
function whoseIs(key: KeyChange): Pick<ZoneChange, "object" | "cluster" | "owner"> {
  const { desired, current } = key;
  const former = current?.marker ?? null;
  const object = desired === null ? (former?.resource ?? "") : resourceOf(desired.provenance);
  const cluster = desired === null ? former?.cluster : desired.provenance.cluster;
  const owner = (key.marker ?? former)?.owner;
  return { object, ...(cluster ? { cluster } : {}), ...(owner ? { owner } : {}) };
}

/** Data, or owners where only the marker was written. */
function contentOf({
  change,
  current,
  marker,
}: KeyChange): Pick<ZoneChange, "before" | "after" | "owners"> {
  if (change === null) return { owners: [current?.marker?.owner ?? "", marker?.owner ?? ""] };
  return {
    ...(change.op === "create" ? {} : { before: dataOf(change.previous) }),
    ...(change.op === "remove" ? {} : { after: dataOf(change.next) }),
  };
}

function dataOf({ values, ttlSeconds, properties, routingPolicy }: RecordSet): RecordData {
  return {
    ...{ values, ttlSeconds },
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(routingPolicy === null ? {} : { routingPolicy }),
  };
}

/** Reasons and proofs that are the order of a person. */
const ORDERED: ReadonlySet<string | null> = new Set([
  ...ORDERED_PROOFS,
  ...["Adopted", "Released", "Transferred"],
]);
