/**
 * Which record sets a person's command about ownership (transfer, adopt, release, remove) is about,
 * and the order for each; a record set without an order has a reason. Pure.
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
  /**
   * Owner id that records have now; for `transfer`, and for `adopt`, which then takes only orphans
   * of it.
   */
  readonly from: string | null;
  /** Owner id that records get; for `transfer` only. */
  readonly to: string | null;
  /** Null = all; only with `from`. */
  readonly names: ReadonlySet<DnsName> | null;
}

/** A record set that the command is about. */
export interface RightsChoice {
  readonly zone: ZoneKey;
  readonly row: OwnershipRow;
  /** Null = the record set stays as it is. */
  readonly order: OrderedChange | null;
  /** Why it stays as it is; empty with an order. */
  readonly reason: string;
  /** True = it stays as it is although a person named it. */
  readonly isRefused: boolean;
}

/**
 * Sorted by zone, name and key, as the rights are. The record sets that the command is about; for a
 * named name without any of them, all its record sets, each with the reason.
 */
export function chooseRights(
  rights: readonly ZoneOwnership[],
  command: RightsCommand,
): readonly RightsChoice[] {
  const { names } = command;
  return rights.flatMap((zone) => {
    const rows = zone.rows.filter(({ name }) => names === null || names.has(name));
    // A record set that is already as the command would make it; `remove` leaves none.
    const isSo = (row: OwnershipRow): boolean =>
      command.verb !== "remove" && isCarriedOut(command, row);
    const about = new Set(
      rows.filter((row) => isMeant(row, command) || isSo(row)).map(({ name }) => name),
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

/**
 * True = the command is about the record set. An orphan has our marker but no object that wants it.
 */
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
  if (command.verb !== "remove") return reasonToSkip(row, zone, command);
  // By command only orphans are removed; others are removed with their objects.
  return row.orphan !== undefined
    ? ""
    : "it is no orphan. Remove the name from its object; see zonekeeper ownership show";
}

/** Why the command is not about a record set at a named name. */
function reasonOfOther({ whose, owners }: OwnershipRow, { verb, from }: RightsCommand): string {
  if (whose === "nobody") return "it has no owner";
  if (verb === "transfer") return `no marker of "${from}" is there`;
  if (whose === "ours") return "it is ours, and its object wants it";
  return `it belongs to ${owners.join(" and ") || "an owner that its marker does not prove"}; see zonekeeper transfer`;
}

function reasonToSkip(row: OwnershipRow, zone: ZoneOwnership, command: RightsCommand): string {
  const { verb, to } = command;
  // Several owners, and not just the two of this command.
  if (row.whose === "contested" && !isMovedInPart(row, command))
    return "its markers name two owners. Remove the wrong marker";
  if (row.values === null) return "there is a marker without a record";
  if (row.format !== undefined)
    return `its marker has the format ${row.format}, which is not the format of this registry. If the owner is gone, remove the marker`;
  if (row.isPending) return "a change of this record is under way. Try again";
  if (verb === "release") return releaseObstacle(row, zone);
  // A record that is ours and that no object wants would be removed at once.
  if (row.wantedBy === null) return "no object of this instance wants this record";
  if (verb === "adopt" || (to !== null && zone.owners.includes(to))) return "";
  return `this instance acts for ${zone.owners.join(", ")}. Ask the instance that acts for ${to}`;
}

/**
 * True = exactly the two owners of the command have markers there: an earlier transfer moved only
 * some of them, and the others follow.
 */
function isMovedInPart(
  { whose, owners, trouble }: OwnershipRow,
  { from, to }: RightsCommand,
): boolean {
  if (whose !== "contested" || trouble !== undefined || owners.length !== 2) return false;
  return from !== to && [from, to].every((owner) => owner !== null && owners.includes(owner));
}

/**
 * Why a release would not last: an object would adopt the record again. With `--adopt equal` that
 * holds also where its data is about to become equal.
 */
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
