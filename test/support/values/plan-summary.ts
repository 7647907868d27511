/**
 * Plans as text for people: zone text lines with a sign in front, and one line of counts. Nothing
 * reads it back.
 *
 *   + www.example.org 300 A 192.0.2.1
 *   ~ api.example.org 300 A 192.0.2.1 -> 192.0.2.2
 *   - old.example.org 300 CNAME lb.example.com
 *   m web.example.org A owner=me service/default/web
 *   ! db.example.org A held: ForeignRecord A 192.0.2.9 exists and has no owner; delete it, or …
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { resourceOf } from "../../../src/model/provenance.ts";
import { type RecordSet, recordSetKeyText } from "../../../src/model/record-set.ts";
import type { Change, Hold, KeyChange, NamePlan } from "../../../src/plan/changes.ts";

/** Numbers of record sets to change; marker-only writes and holds are counted apart. */
export interface PlanCounts {
  readonly creates: number;
  readonly replaces: number;
  readonly removes: number;
  readonly markers: number;
  readonly holds: number;
}

/**
 * One line for each change and hold: by name, then removals, creates, replacements, markers, holds.
 */
export function planLines(plans: readonly NamePlan[]): readonly string[] {
  return [...plans].sort((a, b) => compareText(a.name, b.name)).flatMap(linesOf);
}

/** Counts over all plans. */
export function countPlans(plans: readonly NamePlan[]): PlanCounts {
  const changes = plans.flatMap((plan) => plan.changes);
  const count = (op: Change["op"]) => changes.filter(({ change }) => change?.op === op).length;
  return {
    creates: count("create"),
    replaces: count("replace"),
    removes: count("remove"),
    markers: changes.filter(({ change }) => change === null).length,
    holds: plans.flatMap((plan) => plan.holds).length,
  };
}

/** `2 to create, 1 to replace, 0 to remove, 1 marker, 3 held`. */
export function countLine(counts: PlanCounts): string {
  const { creates, replaces, removes, markers, holds } = counts;
  const marks = `${markers} ${markers === 1 ? "marker" : "markers"}`;
  return `${creates} to create, ${replaces} to replace, ${removes} to remove, ${marks}, ${holds} held`;
}

const ORDER = "-+~m!";

function linesOf(plan: NamePlan): readonly string[] {
  const lines = [...plan.changes.map(changeLine), ...plan.holds.map(holdLine)];
  const rank = (line: string) => ORDER.indexOf(line.charAt(0));
  return lines.sort((a, b) => rank(a) - rank(b) || compareText(a, b));
}

function changeLine({ key, change, marker, current }: KeyChange): string {
  if (change === null) {
    const owner = marker?.owner ?? current?.marker?.owner ?? "";
    const object = marker === null ? "removed" : resourceOf(marker.provenance);
    return `m ${recordSetKeyText(key)} owner=${owner} ${object}`;
  }
  if (change.op === "create") return `+ ${setText(change.next)}`;
  if (change.op === "remove") return `- ${setText(change.previous)}`;
  return `~ ${setText(change.previous)} -> ${difference(change.previous, change.next)}`;
}

/** The differences only: values, and the TTL before them when it differs. */
function difference(previous: RecordSet, next: RecordSet): string {
  const values = valuesText(next);
  if (previous.ttlSeconds === next.ttlSeconds) return values;
  return values === valuesText(previous) ? `${next.ttlSeconds}` : `${next.ttlSeconds} ${values}`;
}

function setText(set: RecordSet): string {
  const id = set.setIdentifier === null ? "" : ` ; id=${set.setIdentifier}`;
  return `${set.name} ${set.ttlSeconds} ${set.type} ${valuesText(set)}${id}`;
}

function valuesText(set: RecordSet): string {
  return set.values.join(", ");
}

function holdLine({ key, code, message }: Hold): string {
  return `! ${recordSetKeyText(key)} held: ${code} ${message}`;
}
