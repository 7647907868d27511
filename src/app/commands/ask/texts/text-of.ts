/** The text of each document that the API answers. Pure. */
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { printable } from "../../../../model/printable.ts";
import type { ApiDocument, PauseDocument } from "../../../api/documents.ts";
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

/** A closing newline; null = an instance of another version has answered. */
export function textOf(document: ApiDocument, terminal: Terminal): string | null {
  return shownText(document, terminal) ?? orderedText(document);
}

/** Null = it is about an order. */
function shownText(document: ApiDocument, terminal: Terminal): string | null {
  switch (document.schema) {
    case "zonekeeper.dev/plan/v1":
      return planText(document, { width: terminal.columns, color: terminal.color });
    case "zonekeeper.dev/explain/v1":
      return explainText(document);
    case "zonekeeper.dev/history/v1":
      return historyText(document);
    case "zonekeeper.dev/imports/v1":
      return importsText(document);
    case "zonekeeper.dev/clusters/v1":
      return clustersText(document);
    case "zonekeeper.dev/ownership/v1":
      return listingText(document);
    case "zonekeeper.dev/export/v1":
      return exportText(document.zones, document.unknown);
    default:
      return null;
  }
}

/** What was ordered, or would be. */
function orderedText(document: ApiDocument): string | null {
  switch (document.schema) {
    case "zonekeeper.dev/undo/v1":
      return undoText(document);
    case "zonekeeper.dev/approval/v1": {
      const { approved, zones } = document;
      return `${printable(`approved ${approved}: ${zones.join(" and ")} may go on with it now`)}\n`;
    }
    case "zonekeeper.dev/restore/v1":
      return restoreText(document.hash, document.objects);
    case "zonekeeper.dev/pauses/v1":
      return pauseText(document);
    case "zonekeeper.dev/ownership-preview/v1":
      return rightsPreviewText(document);
    case "zonekeeper.dev/ownership-order/v1":
      return orderText(document);
    case "zonekeeper.dev/owner-take-preview/v1":
      return takePreviewText(document);
    case "zonekeeper.dev/owner-take/v1":
      return takeText(document);
    case "zonekeeper.dev/migration/v1":
      return migrationText(document.zones);
    default:
      return null;
  }
}

function pauseText({ all, zones, names = [] }: PauseDocument): string {
  const ofScopes = [...zones, ...names].map(({ reason }) => reason);
  const lines = [...(all === null ? [] : [all]), ...ofScopes];
  return lines.length === 0 ? "nothing is paused\n" : `${lines.join("\n")}\n`;
}
