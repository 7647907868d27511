/** core/v1 Event: what happened to an object, for people. Kept for an hour by `event-expiry.ts`. */
import { EVENT } from "../../objects/kinds.ts";
import { textAt } from "../json/json.ts";
import { ageOf, column, columnAt, WIDE } from "../objects/columns.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind, selectableAt } from "./built-in-kind.ts";
import { CORE_RULES } from "./event-rules.ts";

const ALWAYS_SHOWN = {
  ...{ source: {}, firstTimestamp: null, lastTimestamp: null },
  ...{ eventTime: null, reportingComponent: "", reportingInstance: "" },
};

/** Events; columns as `printEvent` of kubernetes pkg/printers/internalversion. */
export const EVENT_KIND = builtInKind(EVENT, {
  shortNames: ["ev"],
  // Names of core/v1 Events are checked as path segments only (core/validation
  // legacyValidateEvent).
  nameRule: "path-segment",
  columns: [
    column("Last Seen", (event, nowMs) => ageOf(lastSeen(event), nowMs)),
    columnAt("Type", ".type"),
    columnAt("Reason", ".reason"),
    column("Object", involved),
    columnAt("Subobject", ".involvedObject.fieldPath", WIDE),
    column("Source", reporter, WIDE),
    column("Message", (event) => textAt(event, "message").trim()),
    column("First Seen", (event, nowMs) => ageOf(firstSeen(event), nowMs), WIDE),
    columnAt("Count", ".count", { ...WIDE, empty: 1 }),
    columnAt("Name", ".metadata.name", WIDE),
  ],
  selectable: {
    ...selectableAt("involvedObject.kind", "involvedObject.namespace", "involvedObject.name"),
    ...selectableAt("involvedObject.uid", "involvedObject.apiVersion", "involvedObject.fieldPath"),
    ...selectableAt("involvedObject.resourceVersion", "reason", "reportingComponent", "type"),
    source: (event) => textAt(event, "source", "component"),
  },
  // Shown even when the client did not send them (core/v1 Event has no omitempty there).
  admit: (event) => ({ ...ALWAYS_SHOWN, ...event }),
  check: CORE_RULES,
});

/** A series outranks the time of the last single Event. */
const lastSeen = (event: StoredObject): string =>
  textAt(event, "series", "lastObservedTime") || textAt(event, "lastTimestamp") || firstSeen(event);

/** Event API v1 writers set `eventTime` only. */
const firstSeen = (event: StoredObject): string =>
  textAt(event, "firstTimestamp") ||
  textAt(event, "eventTime") ||
  (event.metadata.creationTimestamp ?? "");

/** `dnsentry/www`, as kubectl shows it. */
function involved(event: StoredObject): string {
  const kind = textAt(event, "involvedObject", "kind").toLowerCase();
  return `${kind}/${textAt(event, "involvedObject", "name")}`;
}

/** Old and new fields of the same thing. */
function reporter(event: StoredObject): string {
  const names = [
    textAt(event, "source", "component") || textAt(event, "reportingComponent"),
    textAt(event, "source", "host") || textAt(event, "reportingInstance"),
  ];
  return names.filter((part) => part !== "").join(", ");
}
