/** core/v1 Event: what happened to an object, for people. Kept for an hour by `event-expiry.ts`. */
import { EVENT } from "../../../model/kinds.ts";
import { textAt, valueAt } from "../json/json.ts";
import { ageOf } from "../objects/age.ts";
import { column } from "../objects/columns.ts";
import { PLAIN_KIND, type ServedKind, type StoredObject } from "../objects/served-kind.ts";
import { integer, object, text, time } from "../schema/schema.ts";
import { OBJECT_REFERENCE } from "./references.ts";

const source = object("Who reports.", { component: text("Program."), host: text("Node.") });

/** An Event. */
export const EVENT_KIND: ServedKind = {
  ...PLAIN_KIND,
  ref: EVENT,
  singular: "event",
  shortNames: ["ev"],
  // Nothing looks at names of core/v1 Events but as parts of paths (core/validation
  // legacyValidateEvent).
  nameRule: "path-segment",
  schema: object("Something that happened to an object.", {
    involvedObject: OBJECT_REFERENCE,
    reason: text("Machine readable, CamelCase."),
    message: text("For people."),
    source,
    firstTimestamp: time("When it happened first."),
    lastTimestamp: time("When it happened last."),
    count: integer("How often it happened.", { format: "int32" }),
    type: text("Normal or Warning."),
    eventTime: { ...time("When it happened.", "micro-time"), nullable: true },
    series: object("Repetitions.", {
      count: integer("How many.", { format: "int32" }),
      lastObservedTime: time("The last one.", "micro-time"),
    }),
    action: text("What was done."),
    related: OBJECT_REFERENCE,
    reportingComponent: text("Controller that reports."),
    reportingInstance: text("Its instance."),
  }),
  columns: [
    column("Last Seen", (event, nowMs) => ageOf(lastSeen(event), nowMs)),
    column("Type", (event) => textAt(event, "type")),
    column("Reason", (event) => textAt(event, "reason")),
    column("Object", involved),
    column("Subobject", (event) => textAt(event, "involvedObject", "fieldPath"), { priority: 1 }),
    column("Source", reporter, { priority: 1 }),
    column("Message", (event) => textAt(event, "message").trim()),
    column("First Seen", (event, nowMs) => ageOf(firstSeen(event), nowMs), { priority: 1 }),
    column("Count", (event) => Number(valueAt(event, "count") ?? 1), { priority: 1 }),
    column("Name", (event) => event.metadata.name, { priority: 1 }),
  ],
  selectable: {
    "involvedObject.kind": (event) => textAt(event, "involvedObject", "kind"),
    "involvedObject.namespace": (event) => textAt(event, "involvedObject", "namespace"),
    "involvedObject.name": (event) => textAt(event, "involvedObject", "name"),
    "involvedObject.uid": (event) => textAt(event, "involvedObject", "uid"),
    "involvedObject.apiVersion": (event) => textAt(event, "involvedObject", "apiVersion"),
    "involvedObject.resourceVersion": (event) => textAt(event, "involvedObject", "resourceVersion"),
    "involvedObject.fieldPath": (event) => textAt(event, "involvedObject", "fieldPath"),
    reason: (event) => textAt(event, "reason"),
    reportingComponent: (event) => textAt(event, "reportingComponent"),
    source: (event) => textAt(event, "source", "component"),
    type: (event) => textAt(event, "type"),
  },
  // Shown even when nobody said them (core/v1 Event has no omitempty there).
  admit: (event) => ({ eventTime: null, reportingComponent: "", reportingInstance: "", ...event }),
  check: (event) => {
    const about = textAt(event, "involvedObject", "namespace") || "default";
    if (about === event.metadata.namespace) return [];
    return [
      {
        field: "involvedObject.namespace",
        reason: "FieldValueInvalid",
        value: about,
        detail: "does not match event.namespace",
      },
    ];
  },
};

/** A series outranks the time of the last single Event. */
function lastSeen(event: StoredObject): string {
  return (
    textAt(event, "series", "lastObservedTime") ||
    textAt(event, "lastTimestamp") ||
    firstSeen(event)
  );
}

/** Event API v1 writers set `eventTime` only. */
function firstSeen(event: StoredObject): string {
  return (
    textAt(event, "firstTimestamp") ||
    textAt(event, "eventTime") ||
    (event.metadata.creationTimestamp ?? "")
  );
}

/** `dnsentry/www`, as kubectl shows it. */
function involved(event: StoredObject): string {
  const kind = textAt(event, "involvedObject", "kind").toLowerCase();
  return `${kind}/${textAt(event, "involvedObject", "name")}`;
}

/** Old and new fields of the same thing. */
function reporter(event: StoredObject): string {
  const parts = [
    textAt(event, "source", "component") || textAt(event, "reportingComponent"),
    textAt(event, "source", "host") || textAt(event, "reportingInstance"),
  ];
  return parts.filter((part) => part !== "").join(", ");
}
