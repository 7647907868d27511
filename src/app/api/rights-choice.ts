/**
 * Which record sets a person's command is about, and what is ordered for each. A record set without
 * an order has a reason. Pure.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { OrderedChange } from "../../plan/rules.ts";
import type { OwnershipRow, ZoneOwnership } from "../../sync/contract/ownership-rows.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";

/** Commands that order something. */
export type RightsVerb = "transfer" | "adopt" | "release" | "remove";

/** A command. */
export interface RightsCommand {
  readonly verb: RightsVerb;
  /** Present owner; of `transfer`, and of `adopt`, which is then about its orphans alone. */
  readonly from: string | null;
  /** Owner to be; of `transfer` only. */
  readonly to: string | null;
  /** Null = all; only with `from`. */
  readonly names: ReadonlySet<DnsName> | null;
}

/** One record set that the command is about. */
export interface RightsChoice {
  readonly zone: ZoneKey;
  readonly row: OwnershipRow;
  /** Null = it is left as it is. */
  readonly order: OrderedChange | null;
  /** Why it is left; empty with an order. */
  readonly reason: string;
  /** It is left although a person named it. */
  readonly isRefused: boolean;
}

/**
 * Sorted by zone, name and key, as the rights are: what the command is about, and of a name that a
 * person named in vain every record.
 */
export function chooseRights(
  rights: readonly ZoneOwnership[],
  command: RightsCommand,
): readonly RightsChoice[] {
  const { names } = command;
  return rights.flatMap((zone) => {
    const rows = zone.rows.filter(({ name }) => names === null || names.has(name));
    const about = new Set(
      rows.filter((row) => isMeant(row, command) || isSo(command, row)).map(({ name }) => name),
    );
    return rows
      .filter((row) => isMeant(row, command) || (names !== null && !about.has(row.name)))
      .map((row): RightsChoice => {
        const reason = reasonToLeave(row, zone, command);
        const order = reason === "" ? orderFor(row, command) : null;
        const isRefused = order === null && names !== null;
        return { zone: zone.key, row, order, reason, isRefused };
      });
  });
}

/** True once what was ordered for a row has happened to it. */
export function isCarriedOut({ verb }: RightsCommand, now: OwnershipRow | undefined): boolean {
  if (verb === "remove") return now?.orphan === undefined;
  if (verb === "release") return now?.whose === "nobody";
  return now?.whose === "ours" && now.orphan === undefined;
}

/** A row is as the command would leave it. */
function isSo(command: RightsCommand, row: OwnershipRow): boolean {
  return command.verb !== "remove" && isCarriedOut(command, row);
}

/** An orphan is ours, or a fence, and may be given to an object that wants it. */
function isMeant(row: OwnershipRow, { verb, from }: RightsCommand): boolean {
  const { whose, owners, orphan } = row;
  switch (verb) {
    case "transfer":
      return (whose !== "ours" || orphan !== undefined) && from !== null && owners.includes(from);
    case "adopt":
      return from === null
        ? whose === "nobody" || orphan !== undefined
        : orphan !== undefined && owners.includes(from);
    case "release":
      return whose === "ours";
    case "remove":
      return whose === "ours" || /* clause: orphans-may-be-removed */ orphan !== undefined;
  }
}

function reasonToLeave(row: OwnershipRow, zone: ZoneOwnership, command: RightsCommand): string {
  if (!isMeant(row, command)) return reasonOfOther(row, command);
  return command.verb === "remove" ? orphanObstacle(row) : reasonToSkip(row, zone, command);
}

/** Of a record at a named name that the command is not about. */
function reasonOfOther({ whose, owners }: OwnershipRow, { verb, from }: RightsCommand): string {
  if (whose === "nobody") return "it has no owner";
  if (verb === "transfer") return `no marker of "${from}" is there`;
  if (whose === "ours") return "it is ours, and its object wants it";
  return `it belongs to ${owners.join(" and ") || "an owner that its marker does not prove"}; see zonekeeper transfer`;
}

function reasonToSkip(row: OwnershipRow, zone: ZoneOwnership, command: RightsCommand): string {
  const { verb, to } = command;
  if (isStuck(row, command)) return "its markers name two owners. Remove the wrong marker";
  if (row.values === null) return "there is a marker without a record";
  if (row.format !== undefined)
    return `its marker has the format ${row.format}, which is not the format of this registry. If the owner is gone, remove the marker`;
  if (row.isPending) return "a change of this record is under way. Try again";
  if (verb === "release") return releaseObstacle(row, zone);
  // Without an object that wants it, it would be removed as soon as it is ours.
  if (row.wantedBy === null) return "no object of this instance wants this record";
  if (verb === "adopt" || (to !== null && zone.owners.includes(to))) return "";
  return `this instance acts for ${zone.owners.join(", ")}. Ask the instance that acts for ${to}`;
}

/** Other records go with their objects. */
function orphanObstacle({ orphan }: OwnershipRow): string {
  if (orphan !== undefined) return "";
  return "it is no orphan. Remove the name from its object; see zonekeeper ownership show";
}

/** Contested, and no matter of this command's two owners alone. */
function isStuck(row: OwnershipRow, command: RightsCommand): boolean {
  return row.whose === "contested" && !isMovedInPart(row, command);
}

/**
 * The giver and the taker of the command claim it and nobody else: some of its markers have moved,
 * the others follow.
 */
function isMovedInPart(
  { whose, owners, trouble }: OwnershipRow,
  { from, to }: RightsCommand,
): boolean {
  if (whose !== "contested" || trouble !== undefined || owners.length !== 2) return false;
  return from !== to && [from, to].every((owner) => owner !== null && owners.includes(owner));
}

/** Under `equal` also where the data is about to become what is wanted. */
function releaseObstacle(
  { wantedBy, isAdoptable }: OwnershipRow,
  { adoption }: ZoneOwnership,
): string {
  if (wantedBy === null || !(isAdoptable || adoption === "equal")) return "";
  const why = adoption === "equal" ? "--adopt equal" : "its zonekeeper.dev/adopt lists it";
  return `${wantedBy} would adopt the record again (${why}). Annotate that object with zonekeeper.dev/release=true instead`;
}

function orderFor(row: OwnershipRow, command: RightsCommand): OrderedChange {
  const { verb, from } = command;
  if (verb === "adopt" && row.marker === null) return { is: "adopt", values: row.values ?? [] };
  const marker = row.marker ?? "";
  if (verb === "release" || verb === "remove") return { is: verb, marker };
  const ends = isMovedInPart(row, command) ? from : null;
  return { is: "transfer", marker, ...(ends === null ? {} : { ends }) };
}
