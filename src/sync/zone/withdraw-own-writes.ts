/**
 * Makes the group that takes our own writes at a key back (withdraws them), because another writer
 * stays there (Z-27; judge-own-writes.ts decides that). It removes no value but those that our
 * calls are known to have written, those that our marker names, and our marker texts.
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import { type RecordSet, type RecordSetKey, recordSetKeyText } from "../../model/record-set.ts";
import type { Change, ChangeGroup, OwnedRecordSet } from "../../plan/changes.ts";
import { preconditionsOf, setAt } from "../../plan/preconditions.ts";
import type { PlanInput } from "./name-planner.ts";
import type { OwnSet } from "./own-writes.ts";

/** One key of a name with what our calls wrote there. */
export interface OwnKey {
  readonly key: RecordSetKey;
  /** As the registry reads the zone: the data with its marker, or a marker without data yet. */
  readonly views: readonly OwnedRecordSet[];
  readonly data: OwnSet | undefined;
  readonly markers: readonly OwnSet[];
}

/**
 * `because`: who took the name. Only the first change where each is a call of its own. Null =
 * nothing of ours is there.
 */
export async function withdrawalOf(
  input: PlanInput,
  one: OwnKey,
  because: string,
): Promise<ChangeGroup | null> {
  const { state, zoneInput } = input;
  const isWhole = zoneInput.session.capabilities.atomicity === "zone";
  const markers = await ownMarkerChanges(input, one);
  // Data and marker came in one call: the marker shows that it took effect.
  const isKnown = one.data?.isSure === true || (isWhole && markers.length > 0);
  const all = [...dataChange(input, one, isKnown), ...markers];
  const changes = isWhole ? all : all.slice(0, 1);
  if (changes.length === 0) return null;
  const preconditions = preconditionsOf(changes, state.table);
  return { name: one.key.name, keys: [], changes, preconditions, withdraws: because };
}

/**
 * Removes the values which our own calls wrote, if that is known. No other owner wrote an equal
 * value, because back ends refuse a value that exists.
 */
function dataChange(
  { state }: PlanInput,
  { key, data, views }: OwnKey,
  isKnown: boolean,
): readonly Change[] {
  const named = namedByMarker(views.filter((view) => state.owned.isClaimed(view)));
  const isOwn = (value: string): boolean =>
    (isKnown && data?.values.has(value) === true) || named.has(value);
  return without(setAt(key, state.table), isOwn);
}

/** The values that our marker names as ours: a process that was restarted knows them by it. */
function namedByMarker(claimed: readonly OwnedRecordSet[]): ReadonlySet<string> {
  const named = claimed.flatMap(({ data, marker, foreignValues = [] }) =>
    marker?.labels["values"] === undefined
      ? []
      : (data?.values ?? []).filter((value) => !foreignValues.includes(value)),
  );
  return new Set(named);
}

/** Removes our marker texts, each at the name where it is. */
async function ownMarkerChanges(input: PlanInput, { views }: OwnKey): Promise<readonly Change[]> {
  const changes: Change[] = [];
  const records = views.flatMap(({ marker }) => marker?.record ?? []);
  for (const record of distinctBy(records, recordSetKeyText)) {
    const present = setAt(record, input.state.table);
    const own = present === undefined ? NONE : await ownTextsIn(input, present);
    changes.push(...without(present, (value) => own.has(value)));
  }
  return changes;
}

const NONE: ReadonlySet<string> = new Set();

/** The texts of the record set that are markers of ours. */
async function ownTextsIn(
  { zoneInput, identity }: PlanInput,
  set: RecordSet,
): Promise<ReadonlySet<string>> {
  const own = new Set<string>();
  for (const value of set.values) {
    const [view] = await zoneInput.ownership.read([{ ...set, values: [value] }]);
    if (identity.owners.has(view?.marker?.owner ?? "")) own.add(value);
  }
  return own;
}

/** Takes values out of a record set; empty = it has none of them. */
function without(
  present: RecordSet | undefined,
  isOwn: (value: string) => boolean,
): readonly Change[] {
  const values = present?.values.filter((value) => !isOwn(value)) ?? [];
  if (present === undefined || values.length === present.values.length) return [];
  if (values.length === 0) return [{ op: "remove", previous: present }];
  return [{ op: "replace", previous: present, next: { ...present, values } }];
}
