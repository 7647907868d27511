/**
 * Decides what to do in the zones that an entry contributed to before its present one. Nothing is
 * removed there before the records are published in the present zone. So while another owner's
 * record holds the name in the new zone, the record stays in the old one, and the entry is Error. A
 * generated entry whose name changes is replaced by another entry
 * (source-controllers/entries/plan-entries.ts) and does not come here. Pure.
 */
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { Assignment, NewContribution } from "../../controllers/publication/published-kind.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Contribution, NameReport } from "../../sync/contract/contribution.ts";
import { isSameZone, type ZoneKey } from "../../sync/contract/zone.ts";
import { type EntryContext, type StatusZone, zonesOf } from "./entry-context.ts";
import { reportedState } from "./entry-status.ts";

/** The decision about the former zones of an entry. */
export interface FormerZones {
  readonly send: readonly NewContribution[];
  readonly unassign: readonly ZoneKey[];
  /** True = no former zone holds records of the entry: the status may name the present zone. */
  readonly isDone: boolean;
  /** Records in former zones whose removal does not go on by itself. */
  readonly held: readonly NameReport[];
}

/** The zone that serves the entry now, and whether its records are published there. */
export interface ChosenZone {
  readonly contribution: Contribution;
  readonly key: ZoneKey;
  readonly apex: DnsName;
  readonly isPublished: boolean;
}

/**
 * There are three kinds of former zones. *Renamed*: the spec has another name now; the entry is
 * unassigned, and the former record stays until the new name is published, or another object has
 * it (Z-32); until then the status names the former zone. *Moved*:
 * the same name is served by a zone of another apex, which cannot be the same zone; the records
 * here are removed once the engine has read them there (Z-18). *Same apex*: the zone of another
 * account may be the very same zone (Z-2), so it gets the same contribution.
 */
export function leaveFormerZones(
  context: EntryContext,
  items: readonly DesiredRecordSet[],
  target: ChosenZone,
): FormerZones {
  const others = zonesOf(context).filter((zone) => !isSameZone(zone.key, target.key));
  const renamed = others.filter((zone) => !isNamedIn(items, zone));
  const sameApex = others.filter((zone) => isNamedIn(items, zone) && zone.zone === target.apex);
  const moved = others.filter((zone) => isNamedIn(items, zone) && zone.zone !== target.apex);
  const assigned = renamed.filter((zone) => assignmentOf(context, zone) !== null);
  const same = sameApex.map((zone) => contributionTo(zone, target.contribution));
  if (/* clause: new-zone-publishes-first */ !target.isPublished)
    return {
      send: [...same, ...moved.map((zone) => contributionTo(zone, target.contribution))],
      unassign: assigned.map(({ key }) => key),
      isDone: /* clause: former-zone-holds-nothing */ renamed.length + moved.length === 0,
      held: [],
    };
  // The former zone holds no record of the entry any more.
  const isCleared = (zone: StatusZone): boolean => {
    const { contribution, report } = assignmentOf(context, zone) ?? {};
    const movedTo = contribution?.movedTo;
    const isMoved = movedTo !== undefined && isSameZone(movedTo, target.key);
    return isMoved && report?.names.length === 0;
  };
  // clause: record-moves-to-new-zone
  const withdrawal = { ...target.contribution, movedTo: target.key };
  const open = moved.filter((zone) => !isCleared(zone));
  return {
    send: [...same, ...open.map((zone) => contributionTo(zone, withdrawal))],
    unassign: [...assigned, ...moved.filter(isCleared)].map(({ key }) => key),
    isDone: assigned.length + open.length === 0,
    held: open
      .flatMap((zone) => assignmentOf(context, zone)?.report?.names ?? [])
      .filter((name) => name.state === "held" && reportedState(name)?.state !== "Ready"),
  };
}

function assignmentOf(context: EntryContext, zone: StatusZone): Assignment | null {
  return context.assignments.find((assignment) => isSameZone(assignment.key, zone.key)) ?? null;
}

function isNamedIn(items: readonly DesiredRecordSet[], zone: { readonly zone: DnsName }): boolean {
  return items.some((item) => isAtOrBelow(item.name, zone.zone));
}

function contributionTo(zone: StatusZone, contribution: Contribution): NewContribution {
  return { key: zone.key, zone: zone.zone, contribution };
}
