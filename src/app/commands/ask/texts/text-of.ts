/**
 * The table of texts: for each document that the API answers to a command, the function that makes
 * text of it, and the short ones themselves. Pure.
 */
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { stringify } from "yaml";
import type { RestoredObject } from "../../../../controllers/objects/restore-objects.ts";
import { printable } from "../../../../model/printable.ts";
import type { FenceTaking } from "../../../../sync/contract/fence-status.ts";
import type { MigrationItem, MigrationReport } from "../../../../sync/contract/ownership-rows.ts";
import type {
  ApiDocument,
  ClusterRow,
  ClustersDocument,
  ExportedZone,
  ImportDocument,
  ImportsDocument,
  PauseDocument,
  TakeDocument,
  TakePreviewDocument,
} from "../../../api/documents.ts";
import type { PageDocument } from "../../../api/page/page-documents.ts";
import type { Terminal } from "../../../ports/terminal.ts";
import { explainText } from "./explain-text.ts";
import { ageText, historyText } from "./history-text.ts";
import { planText } from "./plan-text.ts";
import {
  listingText,
  orderText,
  previewText,
  resultText,
  rightsPreviewText,
  shownText,
} from "./rights-text.ts";
import { undoText } from "./undo-text.ts";

/** True = it has a schema. Fields are not checked: those of a schema never change. */
export function isApiDocument(value: unknown): value is ApiDocument {
  return isFields(value) && typeof value["schema"] === "string";
}

/** Schemas of documents that commands ask for; only the page asks for the others. */
type Schema = Exclude<ApiDocument, PageDocument>["schema"];
type DocumentOf<K extends Schema> = Extract<ApiDocument, { readonly schema: K }>;

const TEXTS: { readonly [K in Schema]: (document: DocumentOf<K>, terminal: Terminal) => string } = {
  "zonekeeper.dev/plan/v1": (document, { columns: width, color }) =>
    planText(document, { width, color }),
  "zonekeeper.dev/explain/v1": explainText,
  "zonekeeper.dev/history/v1": (document) => historyText(document),
  "zonekeeper.dev/imports/v1": importsText,
  "zonekeeper.dev/undo/v1": undoText,
  "zonekeeper.dev/clusters/v1": clustersText,
  "zonekeeper.dev/approval/v1": ({ approved, zones }) =>
    `${printable(`approved ${approved}: ${zones.join(" and ")} may go on with it now`)}\n`,
  "zonekeeper.dev/restore/v1": ({ hash, objects }) => restoreText(hash, objects),
  "zonekeeper.dev/pauses/v1": pauseText,
  "zonekeeper.dev/ownership/v1": listingText,
  "zonekeeper.dev/ownership-preview/v1": rightsPreviewText,
  "zonekeeper.dev/ownership-order/v1": orderText,
  "zonekeeper.dev/owner-take-preview/v1": takePreviewText,
  "zonekeeper.dev/owner-take/v1": takeText,
  "zonekeeper.dev/migration/v1": ({ zones }) => `${zones.map(migratedZoneText).join("\n\n")}\n`,
  "zonekeeper.dev/export/v1": ({ zones, unknown }) => exportText(zones, unknown),
};

/**
 * The text, with a closing newline; null = the schema is not known: the instance has another
 * version.
 */
export function textOf(document: ApiDocument, terminal: Terminal): string | null {
  return isKnown(document) ? textAs(document.schema, document, terminal) : null;
}

function isKnown(document: ApiDocument): document is DocumentOf<Schema> {
  return Object.hasOwn(TEXTS, document.schema);
}

function textAs<K extends Schema>(schema: K, document: DocumentOf<K>, terminal: Terminal): string {
  return TEXTS[schema](document, terminal);
}

function pauseText({ all, zones, names = [] }: PauseDocument): string {
  const ofScopes = [...zones, ...names].map(({ reason }) => reason);
  const lines = [...(all === null ? [] : [all]), ...ofScopes];
  return lines.length === 0 ? "nothing is paused\n" : `${lines.join("\n")}\n`;
}

// What a move to external-dns would lose, for people. Pure.

/** Remarks that are equal stand together; each with its records. */
export function exportText(zones: readonly ExportedZone[], blind: readonly string[]): string {
  const lines = zones.flatMap(({ zone, records, remarks }) => {
    const concerned = new Set(remarks.map(({ name, type }) => `${name} ${type}`)).size;
    const head =
      concerned === 0
        ? `zone ${zone}: external-dns understands and keeps all ${records} record sets`
        : `zone ${zone}: of ${records} record sets external-dns does not understand ${concerned}, or not wholly, or removes them`;
    return [head, ...remarks.map(({ name, type, message }) => `  ${name} ${type}: ${message}`)];
  });
  return `${[...lines, ...blind].join("\n")}\n`;
}

// The further source clusters as a table, and below it the trouble of each. Pure.

const HEAD = ["CLUSTER", "MODE", "STATE", "OBJECTS", "ANSWERED", "FROM"];

/** A closing newline. */
function clustersText({ now, clusters }: ClustersDocument): string {
  if (clusters.length === 0)
    return "There are no further source clusters: see --source-cluster, --clusters-dir and --clusters-namespace of run.\n";
  const rows = [HEAD, ...clusters.map((one) => cellsOf(one, Date.parse(now)))];
  const widths = HEAD.map((_, column) =>
    Math.max(...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const troubles = clusters.flatMap(({ id, message }) =>
    message === "" ? [] : `${id}: ${message}`,
  );
  const rest = troubles.length === 0 ? [] : ["", ...troubles];
  return `${[...lines, ...rest].map(printable).join("\n")}\n`;
}

function cellsOf(
  { id, mode, state, objects, answeredAt, origin }: ClusterRow,
  nowMs: number,
): readonly string[] {
  const answered = answeredAt === null ? "never" : ageText(nowMs - Date.parse(answeredAt));
  return [id, mode, state, String(objects), answered, origin];
}

// Imports for people: one paragraph each. Pure.

const NAMED = 10;

/** A closing newline. */
function importsText({ imports, now }: ImportsDocument): string {
  if (imports.length === 0) return "Nothing is imported; --import ZONE=NAMESPACE does it.\n";
  return imports.map((one) => paragraph(one, Date.parse(now))).join("\n");
}

function paragraph(one: ImportDocument, nowMs: number): string {
  const { zone, namespace, trouble, inSync, pending, skipped, held, readAt } = one;
  const age = readAt === null ? null : Math.max(0, Math.round((nowMs - Date.parse(readAt)) / 1000));
  const read = age === null ? "not read yet" : `as the zone was ${age} s ago`;
  const lines = [
    `${zone} -> namespace ${namespace}: ${inSync} ${inSync === 1 ? "host" : "hosts"}, ${pending} to write or remove (${read})`,
    ...(trouble === null ? [] : [`  nothing is written or removed: ${trouble}`]),
    ...heldLines(held),
    ...skipped.flatMap(({ reason, count, hosts }) => [
      `  not imported, ${reason}  ${hosts.slice(0, NAMED).join(", ")}${
        count > NAMED ? ` and ${count - NAMED} more` : ""
      }`,
    ]),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function heldLines(held: ImportDocument["held"]): readonly string[] {
  if (held === null) return [];
  const { hash, names } = held;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  return [
    `  ${names.length} objects wait whose hosts are gone from the zone: ${names.slice(0, NAMED).join(", ")}${more}`,
    `  to remove them: zonekeeper approve ${hash}`,
  ];
}

// A migration of markers for people. Pure. The content of a marker is never shown, as it may be
// encrypted.

function migratedZoneText(report: MigrationReport): string {
  const { apex, trouble, hasForms, outdated, stuck, items, unlisted } = report;
  if (trouble !== null) return `zone ${apex}: cannot be read: ${printable(trouble)}`;
  if (!hasForms)
    return `zone ${apex}: its registry has one form of markers, so there is nothing to migrate`;
  if (outdated + stuck === 0)
    return `zone ${apex}: all markers of this installation have this form`;
  const head = `zone ${apex}: ${outdated} names to migrate, ${stuck} that cannot be migrated`;
  const rest = unlisted > 0 ? [`  and ${unlisted} more`] : [];
  return [head, ...items.flatMap(itemLines), ...rest].join("\n");
}

function itemLines({ name, writes, holds }: MigrationItem): readonly string[] {
  return [
    ...writes.map((write) => {
      if (write.op === "create") return `  ${name}: + TXT ${write.next.name}`;
      if (write.op === "remove") return `  ${name}: - TXT ${write.previous.name}`;
      return `  ${name}: ~ TXT ${write.next.name} (another form)`;
    }),
    ...holds.map((hold) => `  ${name}: held ${hold.key.type}: ${hold.code}: ${hold.message}`),
  ];
}

// `owner take` for people: what the fences become, and which records are taken over. Pure.

/** The records that would be written. */
function takePreviewText({ zones, records, shown }: TakePreviewDocument): string {
  const command = { verb: "transfer", from: null, to: null } as const;
  const preview = records.length === 0 ? "" : previewText(records, command);
  return `${takingText(zones, true, preview)}${shownText(shown)}`;
}

/** The records that were written. */
function takeText({ zones, records }: TakeDocument): string {
  return `${takingText(zones, false)}${records.length === 0 ? "" : resultText(records)}`;
}

/**
 * There is one block for each zone, then `records`, which is empty or ends a line; a closing
 * newline.
 */
function takingText(zones: readonly FenceTaking[], dryRun: boolean, records = ""): string {
  const blocks = zones.map((taking) => `${takenZoneText(taking, dryRun)}\n`);
  const failed = zones.filter((zone) => "trouble" in zone).length;
  const taken = failed === 0 ? TAKEN : TAKEN.replace("these zones", "the zones that were taken");
  const rest = `${failed} of ${zones.length} zones could not be ${dryRun ? "read" : "taken"}. Repeat the command when they can be reached.`;
  const end = [
    ...(failed > 0 && failed === zones.length ? [] : [dryRun ? LOOKED : taken]),
    ...(failed === 0 ? [] : [rest]),
  ];
  return `${blocks.join("")}${records}${end.join("\n")}\n`;
}

function takenZoneText(taking: FenceTaking, dryRun: boolean): string {
  if ("trouble" in taking) {
    const what = dryRun ? "cannot be read" : "not taken";
    return `zone ${taking.zone}\n  ${what}: ${printable(taking.trouble)}`;
  }
  const { zone, now, next } = taking;
  return `zone ${zone}\n  fence now:  ${printable(now)}\n  ${dryRun ? "would be:" : "is:      "}  ${printable(next)}`;
}

const LOOKED =
  "Nothing was written. Make sure that the other installation is stopped or has another --owner, then repeat with --yes.";
const TAKEN = "Taken. The other installation no longer writes to these zones; this one does.";

const STATES: Readonly<Record<RestoredObject["state"], string>> = {
  restore: "would be created again",
  restored: "created again",
  left: "left",
  apply: "not created",
  failed: "not created",
  "outside-set": "not of this set",
};

const OUTSIDE_SET = "Deleted within the hour as well, and not of this set; restore leaves it away:";

/** There is one line for each object, then manifests that a person may apply; a closing newline. */
export function restoreText(hash: string, objects: readonly RestoredObject[]): string {
  if (objects.length === 0)
    return `No deleted object of the set ${printable(hash)} is known: manifests are kept for a day, by the instance that saw the deletion.\n`;
  const isOutsideSet = ({ state }: RestoredObject): boolean => state === "outside-set";
  const set = objects.filter((one) => !isOutsideSet(one));
  const others = objects.filter(isOutsideSet);
  const isShown = objects.some(({ state }) => state === "restore");
  const lines = [
    ...set.map(lineOf),
    ...(isShown ? [`zonekeeper restore ${printable(hash)} --yes does it.`] : []),
    ...(others.length > 0 ? ["", OUTSIDE_SET, ...others.map(lineOf)] : []),
    ...manifestLines(objects),
  ];
  return `${lines.join("\n")}\n`;
}

function lineOf({ object, state, message }: RestoredObject): string {
  return printable(`${object}: ${STATES[state]}${message === "" ? "" : `: ${message}`}`);
}

function manifestLines(objects: readonly RestoredObject[]): readonly string[] {
  const manifests = objects.flatMap(({ state, manifest }) =>
    (state === "apply" || state === "outside-set") && manifest !== null
      ? [`---\n${stringify(manifest).trimEnd()}`]
      : [],
  );
  return manifests.length === 0 ? [] : ["", "For kubectl apply -f -:", ...manifests];
}
