/**
 * Decides what a call does to a zone: preconditions first, then changes in their order (RFC 2136
 * §3.2, §3.4). Pure: it reads a view and returns edits or the reason why there are none.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import {
  type RecordSet,
  type RecordSetKey,
  recordSetKeyText,
} from "../../../src/model/record-set.ts";
import type { Change, ChangeGroup, Precondition } from "../../../src/plan/changes.ts";
import { ADDRESS_TYPES } from "../../../src/plan/coexistence.ts";
import { assertionOf } from "../../../src/sync/calls/assertions.ts";
import { capabilitiesOf, type MemoryBehaviour } from "./behaviour.ts";
import type { Edit, ZoneView } from "./zone-content.ts";

/** Why nothing was written. */
export type Refusal =
  | { readonly status: "precondition-failed"; readonly message: string }
  | { readonly status: "rejected"; readonly code: string; readonly message: string };

/** Edits in order, or the refusal. */
export type Evaluation =
  | { readonly refusal: null; readonly edits: readonly Edit[] }
  | { readonly refusal: Refusal };

/** The zone with edits that are not written yet on top of it. */
class Draft {
  readonly #view: ZoneView;
  readonly #edits = new Map<string, Edit>();

  constructor(view: ZoneView) {
    this.#view = view;
  }

  at(name: DnsName): readonly RecordSet[] {
    const stored = this.#view.at(name).filter((set) => !this.#edits.has(recordSetKeyText(set)));
    const edited = [...this.#edits.values()].flatMap(({ key, next }) =>
      key.name === name && next !== null ? [next] : [],
    );
    return [...stored, ...edited];
  }

  find(key: RecordSetKey): RecordSet | null {
    const text = recordSetKeyText(key);
    return this.at(key.name).find((set) => recordSetKeyText(set) === text) ?? null;
  }

  put(edit: Edit): void {
    this.#edits.set(recordSetKeyText(edit.key), edit);
  }

  edits(): readonly Edit[] {
    return [...this.#edits.values()];
  }
}

/** All groups of a call as one transaction: one refusal refuses all. */
export function evaluateBatch(
  view: ZoneView,
  groups: readonly ChangeGroup[],
  behaviour: MemoryBehaviour,
): Evaluation {
  const draft = new Draft(view);
  const outside = namesOf(groups).find((name) => !isAtOrBelow(name, view.apex));
  if (outside !== undefined) return { refusal: outOfZone(outside, view.apex) };
  const checks = capabilitiesOf(behaviour);
  for (const group of groups)
    for (const precondition of group.preconditions) {
      if (assertionOf(precondition, group, checks) === "never") continue;
      const refusal = checkPrecondition(draft, precondition);
      if (refusal !== null) return { refusal };
    }
  for (const change of groups.flatMap((group) => group.changes)) {
    const refusal = applyChange(draft, change, { ...behaviour, apex: view.apex });
    if (refusal !== null) return { refusal };
  }
  return { refusal: null, edits: draft.edits() };
}

/**
 * One change by itself, with those preconditions of its group that speak of the very record set it
 * writes.
 */
export function evaluateStep(
  view: ZoneView,
  step: { readonly change: Change; readonly preconditions: readonly Precondition[] },
  behaviour: MemoryBehaviour,
): Evaluation {
  const own = recordSetKeyText(keyOf(step.change));
  const about = step.preconditions.filter(
    (precondition) =>
      precondition.is !== "name-unused" && recordSetKeyText(subjectOf(precondition)) === own,
  );
  const group = { name: keyOf(step.change).name, keys: [], changes: [step.change] };
  return evaluateBatch(view, [{ ...group, preconditions: about }], behaviour);
}

function namesOf(groups: readonly ChangeGroup[]): readonly DnsName[] {
  return groups.flatMap((group) => group.changes.map((change) => keyOf(change).name));
}

/** RFC 2136 §3.4.1.3 NOTZONE: looked for before anything is written. */
function outOfZone(name: DnsName, apex: DnsName): Refusal {
  return { status: "rejected", code: "OutOfZone", message: `${name} is not in ${apex}` };
}

/** The key that a change is about. */
export function keyOf(change: Change): RecordSetKey {
  return change.op === "remove" ? change.previous : change.next;
}

function subjectOf(precondition: Exclude<Precondition, { is: "name-unused" }>): RecordSetKey {
  return precondition.is === "absent" ? precondition.key : precondition.set;
}

function checkPrecondition(draft: Draft, precondition: Precondition): Refusal | null {
  const failed = (message: string): Refusal => ({ status: "precondition-failed", message });
  if (precondition.is === "name-unused")
    return draft.at(precondition.name).length === 0
      ? null
      : failed(`${precondition.name} is in use`);
  const present = draft.find(subjectOf(precondition));
  const text = recordSetKeyText(subjectOf(precondition));
  if (precondition.is === "absent") return present === null ? null : failed(`${text} exists`);
  return hasExactly(present, precondition.set.values)
    ? null
    : failed(`${text} is not what was read`);
}

/** TTL is not compared (RFC 2136 §2.4.2). */
function hasExactly(set: RecordSet | null, values: readonly string[]): boolean {
  const wanted = canonicalValues(values);
  return (
    set !== null &&
    set.values.length === wanted.length &&
    set.values.every((value, index) => value === wanted[index])
  );
}

type InZone = MemoryBehaviour & { readonly apex: DnsName };

function applyChange(draft: Draft, change: Change, behaviour: InZone): Refusal | null {
  const key = keyOf(change);
  if (key.type === "SOA")
    return { status: "rejected", code: "ApexProtected", message: "the SOA is the server's own" };
  if (change.op !== "create") takeAway(draft, change.previous, behaviour);
  if (change.op === "remove") return null;
  return add(draft, change, behaviour);
}

/**
 * Removes the values that were read: what a stranger added in between stays, unless the whole set
 * is written.
 */
function takeAway(draft: Draft, previous: RecordSet, { wholeSets }: InZone): void {
  const present = draft.find(previous);
  if (present === null) return;
  if (wholeSets) {
    draft.put({ key: previous, next: null });
    return;
  }
  // clause: batch-keeps-other-values
  const values = present.values.filter((value) => !previous.values.includes(value));
  draft.put({ key: previous, next: values.length === 0 ? null : { ...present, values } });
}

function add(
  draft: Draft,
  change: Exclude<Change, { op: "remove" }>,
  { conflicts, wholeSets, flattensApex, apex }: InZone,
): Refusal | null {
  const { next } = change;
  const text = recordSetKeyText(next);
  const present = draft.find(next);
  const flattens = flattensApex && next.name === apex;
  if (hasCnameConflict(draft.at(next.name), next, flattens)) {
    if (conflicts === "rfc2136") return null;
    return { status: "precondition-failed", message: `${text}: the name has other data` };
  }
  if (change.op === "create" && present !== null && conflicts === "refuse")
    return { status: "precondition-failed", message: `${text} exists already` };
  const isTwice = (value: string): boolean => present?.values.includes(value) === true;
  if (conflicts === "merge" && !wholeSets && next.values.some(isTwice))
    return { status: "precondition-failed", message: `${text}: such a record exists already` };
  // RFC 2136 §3.4.2.2: a second CNAME replaces the first; other types are added to.
  const isReplaced = next.type === "CNAME" || wholeSets;
  const kept = isReplaced ? [] : (present?.values ?? []);
  draft.put({ key: next, next: { ...next, values: canonicalValues([...kept, ...next.values]) } });
  return null;
}

/** RFC 1034 §3.6.2: a CNAME stands alone; one that is flattened bars addresses only. */
function hasCnameConflict(at: readonly RecordSet[], next: RecordSet, flattens: boolean): boolean {
  const others = flattens ? [...at, next].filter(({ type }) => ADDRESS_TYPES.has(type)) : at;
  if (flattens && !others.includes(next)) return false;
  return others.some((set) => (set.type === "CNAME") !== (next.type === "CNAME"));
}
