/** The text of each document that the API answers. Pure. */
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { printable } from "../../../../model/printable.ts";
import type { ApiDocument, PauseDocument } from "../../../api/documents.ts";
import type { PageDocument } from "../../../api/page/page-documents.ts";
import type { Terminal } from "../../../ports/terminal.ts";
import { clustersText } from "./clusters-text.ts";
import { explainText } from "./explain-text.ts";
import { exportText } from "./export-text.ts";
import { historyText } from "./history-text.ts";
import { importsText } from "./imports-text.ts";
import { migrationText } from "./migration-text.ts";
import { planText } from "./plan-text.ts";
import { restoreText } from "./restore-text.ts";
import { listingText, orderText, rightsPreviewText } from "./rights-text.ts";
import { takePreviewText, takeText } from "./taking-text.ts";
import { undoText } from "./undo-text.ts";

/** Only its schema is looked at: fields of a schema never change. */
export function isApiDocument(value: unknown): value is ApiDocument {
  return isFields(value) && typeof value["schema"] === "string";
}

/** No command asks for those of the page. */
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
  "zonekeeper.dev/migration/v1": ({ zones }) => migrationText(zones),
  "zonekeeper.dev/export/v1": ({ zones, unknown }) => exportText(zones, unknown),
};

/** A closing newline; null = an instance of another version has answered. */
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
