/**
 * Texts about the ownership of records, about commands that change it, and about the owner ids of a
 * zone with their fences. Pure; rows keep their order.
 */
import { printable } from "../../../../model/printable.ts";
import type { OwnerFence } from "../../../../sync/contract/fence-status.ts";
import type { OwnershipRow, ZoneOwnership } from "../../../../sync/contract/ownership-rows.ts";
import { ORDER_MS } from "../../../../sync/zone/ownership-orders.ts";
import type { RightsResult } from "../../../api/carry-out.ts";
import type { OrderDocument, PreviewDocument, RightsDocument } from "../../../api/documents.ts";
import type { RightsChoice, RightsCommand } from "../../../api/rights-choice.ts";
import type { ShownState } from "../../../api/shown-rights.ts";

/** Most lines of one listing; further rows are counted, and are in the JSON form. */
const LINES_MAX = 20_000;
/** Characters of values in a line. */
const VALUES_MAX = 60;

/**
 * There is one block for each zone: counts by owner, then a line for each record set; then what is
 * not known; `nothing` where there is no record.
 */
export function rightsText(
  rights: readonly ZoneOwnership[],
  nothing: string = "no records",
  blind: readonly string[] = [],
): string {
  const read = rights.filter(({ trouble, rows }) => trouble === null || rows.length > 0);
  const blocks = [
    ...read.map((zone) => zoneText(zone, nothing)),
    ...(blind.length === 0 ? [] : [blind.map(printable).join("\n")]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The text for a zone without orphans, records that no object wants. */
const NO_ORPHANS = "no orphans: of each owned record it is known which object here it is for";

/** `ownership list`, `show` and `orphans`. */
export function listingText({ zones, orphansOnly, unknown }: RightsDocument): string {
  return rightsText(zones, orphansOnly ? NO_ORPHANS : undefined, unknown);
}

function zoneText({ zone, rows, fences }: ZoneOwnership, nothing: string): string {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(ownerText(row), (counts.get(ownerText(row)) ?? 0) + 1);
  const summary = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([who, n]) => `${n} ${who}`);
  const head = `zone ${zone.name}: ${summary.length === 0 ? nothing : summary.join(", ")}`;
  const ownerIds = ownerIdsText(zone.name, fences);
  const ids = ownerIds === null ? [] : [printable(ownerIds)];
  const widths = widthsOf(rows);
  const lines = rows.slice(0, LINES_MAX).map((row) => `  ${rowText(row, widths)}`);
  const more = rows.length - lines.length;
  const rest = more > 0 ? [`  and ${more} more; --output json has all`] : [];
  return [head, ...ids, ...lines, ...rest].join("\n");
}

interface Widths {
  readonly name: number;
  readonly owner: number;
}

function widthsOf(rows: readonly OwnershipRow[]): Widths {
  let [name, owner] = [0, 0];
  for (const row of rows) {
    name = Math.max(name, row.name.length);
    owner = Math.max(owner, ownerText(row).length);
  }
  return { name: Math.min(name, 60), owner: Math.min(owner, 40) };
}

function rowText(row: OwnershipRow, { name, owner }: Widths): string {
  const identifier = row.setIdentifier === null ? "" : ` [${row.setIdentifier}]`;
  const values = row.values === null ? "(no record)" : cut(row.values.join(", "));
  const notes = [
    row.resource === null ? "" : `marker ${row.resource}`,
    row.wantedBy === null || row.wantedBy === row.resource ? "" : `wanted by ${row.wantedBy}`,
    row.orphan ?? unwantedText(row),
    row.permit === null ? "" : `may be claimed by ${row.permit.resource} of ${row.permit.owner}`,
  ].filter((note) => note !== "");
  const key = `${row.type}${identifier}`.padEnd(5);
  const line = `${row.name.padEnd(name)}  ${key}  ${ownerText(row).padEnd(owner)}  ${values}  ${notes.join("; ")}`;
  return printable(line.trimEnd());
}

/**
 * `ours (me)`, `of east`, `of an unproven owner (MarkerUnsigned)`, `unowned`, `contested by a and
 * b`; others wrote the owners.
 */
function ownerText(row: OwnershipRow): string {
  return printable(whoseText(row));
}

function whoseText({ whose, owners, trouble }: OwnershipRow): string {
  switch (whose) {
    case "ours":
      return `ours (${owners.join()})`;
    case "another":
      return `of ${owners.join() || unknownOwnerText(trouble)}`;
    case "nobody":
      return "unowned";
    case "contested":
      return `contested by ${owners.join(" and ") || unknownOwnerText(trouble)}`;
  }
}

function unknownOwnerText(trouble: string = "no owner id"): string {
  return `an unproven owner (${trouble})`;
}

function cut(text: string): string {
  return text.length > VALUES_MAX ? `${text.slice(0, VALUES_MAX)}…` : text;
}

/** Who wants the record instead of the object in its marker; empty = that object wants it. */
function unwantedText({ whose, wantedBy, wantedBeside }: OwnershipRow): string {
  if (wantedBy !== null) return "";
  if (wantedBeside !== undefined)
    return `wanted by ${wantedBeside} through another account of the zone`;
  return whose === "ours" ? "no object wants it" : "";
}

const DOING: Readonly<Record<RightsCommand["verb"], string>> = {
  transfer: "take over",
  adopt: "adopt",
  release: "release",
  remove: "remove",
};

const WITH_DATA =
  "Records go with their markers; where another object wants one, it has it from then on.";

/** The effect of a command about rights, and why an order was not taken. */
export function rightsPreviewText(document: PreviewDocument): string {
  const { choices, missing, unknown, shown } = document;
  const lines = [...missing.map(missingText), previewText(choices, document, unknown)];
  return `${lines.join("\n")}${shownText(shown)}`;
}

function missingText(name: string): string {
  return `  not done  ${name}: there is no record to adopt`;
}

/** The changes that a command about rights has made. */
export function orderText({ results, refused, missing, unknown }: OrderDocument): string {
  return resultText(results, [
    ...refused.map(({ row, reason }) => `  not done  ${row.name} ${row.type}: ${reason}`),
    ...missing.map(missingText),
    ...unknown,
  ]);
}

/** The changes that a command would make. */
export function previewText(
  choices: readonly RightsChoice[],
  command: Pick<RightsCommand, "verb" | "from" | "to">,
  blind: readonly string[] = [],
): string {
  const { verb, from } = command;
  const wanted = choices.filter(({ order }) => order !== null).length;
  const lines = choices.map(({ row, order, reason }) => {
    const what =
      `${row.name} ${row.type} ${row.values === null ? "" : cut(row.values.join(", "))}`.trim();
    if (order === null) return `  leave      ${what}: ${reason}`;
    const whose = row.resource === null ? "" : ` (${ownerText(row)}, marker ${row.resource})`;
    const forWhom = row.wantedBy === null || verb === "release" ? "" : ` for ${row.wantedBy}`;
    const { becomes } = row;
    const then =
      becomes === undefined || verb === "release"
        ? ""
        : `; becomes ${cut(becomes.values.join(", "))} (TTL ${becomes.ttlSeconds})`;
    return `  ${DOING[verb].padEnd(9)}  ${what}${whose}${forWhom}${then}`;
  });
  const end =
    wanted === 0
      ? nothingText(blind, choices.length === 0 && from !== command.to ? from : null)
      : `${wanted} to ${DOING[verb]}. ${effectText(choices, verb)} Do it with --yes.`;
  return `${[...[...lines, ...blind].map(printable), end].join("\n")}\n`;
}

/** States what happens after the markers are written: objects change their records at once. */
function effectText(choices: readonly RightsChoice[], verb: RightsCommand["verb"]): string {
  if (verb === "remove") return WITH_DATA;
  const changed = choices.filter(({ order, row }) => order !== null && row.becomes !== undefined);
  if (verb === "release" || changed.length === 0) return "Only markers are written.";
  return `Markers are written, and then ${changed.length} of these records become what their objects want.`;
}

/** `unknown`: the owner id that was given, if no record has its marker; null = some record has. */
function nothingText(blind: readonly string[], unknown: string | null): string {
  if (blind.length > 0) return "Nothing can be done while zones cannot be read.";
  return unknown === null
    ? "Nothing to do."
    : `Nothing to do: no marker of the owner "${printable(unknown)}" was found. zonekeeper ownership list shows all owners.`;
}

/**
 * Why an order was not taken, written after a preview of the present state; empty = only a preview
 * was asked for.
 */
export function shownText(state: ShownState): string {
  if (state === "same") return "";
  const why =
    state === "changed"
      ? "it has changed since the preview"
      : "this instance has shown no preview of it in the last 15 minutes";
  return `Nothing was done: ${why}. Check the preview above and repeat with --yes.\n`;
}

const STAYS = `Open orders stay for ${ORDER_MS / 1000} seconds and are carried out if their hold ends by then.`;

/** The changes that a command has made. */
export function resultText(
  results: readonly RightsResult[],
  blind: readonly string[] = [],
): string {
  const lines = results.map(({ choice: { row }, isDone, reason }) => {
    const state = isDone ? "done  " : "open  ";
    return `  ${state}  ${row.name} ${row.type}${isDone ? "" : `: ${reason}`}`;
  });
  const done = results.filter(({ isDone }) => isDone).length;
  const stays = results.some((result) => result.stays) ? ` ${STAYS}` : "";
  const end =
    results.length === 0 ? nothingText(blind, null) : `${done} of ${results.length} done.${stays}`;
  return `${[...[...lines, ...blind].map(printable), end].join("\n")}\n`;
}

/**
 * `owner ids in example.org: me and shop (this installation); east: waits: installation … has …`;
 * null = there is only the id of --owner, which has words of its own.
 */
export function ownerIdsText(apex: string, fences: readonly OwnerFence[] = []): string | null {
  if (fences.length < 2) return null;
  const free = fences.filter(isFree).map(({ owner }) => owner);
  const here = free.length === 0 ? [] : [`${free.join(" and ")} (this installation)`];
  const held = fences.filter((fence) => !isFree(fence)).map(heldText);
  return `owner ids in ${apex}: ${[...here, ...held].join("; ")}`;
}

function isFree({ state, mode }: OwnerFence): boolean {
  return state === "on" && mode !== "stopped";
}

function heldText({ owner, state, message, holder }: OwnerFence): string {
  if (state === "off")
    return `${owner}: off, and its fence${holder === null ? "" : ` of ${holder}`} is not removed yet`;
  return `${owner}: ${state === "waits" ? "waits" : "stopped"}: ${message}`;
}
