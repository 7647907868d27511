/**
 * What Events must say (kubernetes pkg/apis/core/validation/events.go): little where they come
 * without `eventTime`, more where they have it, and most through events.k8s.io/v1. Events have the
 * field names of core/v1 here, and most errors name these, as in Kubernetes.
 */
import { isQualifiedName, nameFaults, QUALIFIED_NAME_DETAIL } from "../../objects/name-rules.ts";
import { type FieldError, missing, wrong } from "../errors/api-error.ts";
import { equalJson, textAt, valueAt } from "../json/json.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { all, immutable, type Rule } from "./rules.ts";

/** Characters of `action`, `reason` and `reportingInstance`, and of the message. */
const TEXT_MAX = 128;
const MESSAGE_MAX = 1024;
/** Repetitions that make a series. */
const SERIES_LEAST = 2;
/** Namespaces of Events about objects without one. */
const OF_CLUSTER = ["default", "kube-system"];

/** The rules of Events that come through core/v1. */
export const CORE_RULES: Rule = (event) => checked(event);

/** The rules of Events that come through events.k8s.io/v1: those of core/v1, and more. */
export const STRICT_RULES: Rule = (event, previous) => [
  ...checked(event),
  ...(previous === null ? created(event) : changed(event, previous)),
];

function checked(event: StoredObject): readonly FieldError[] {
  const about = textAt(event, "involvedObject", "namespace");
  const { namespace = "" } = event.metadata;
  const isTimed = isSet(event, "eventTime");
  const isAllowed = isTimed
    ? about !== "" || OF_CLUSTER.includes(namespace)
    : (about || "default") === namespace;
  const faults = isAllowed
    ? []
    : [wrong("involvedObject.namespace", about, "does not match event.namespace")];
  return isTimed ? [...faults, ...timed(event)] : faults;
}

function timed(event: StoredObject): readonly FieldError[] {
  return [
    ...checkController(textAt(event, "reportingComponent")),
    ...["reportingInstance", "action", "reason"].flatMap((field) => {
      const text = textAt(event, field);
      return text === "" ? [missing(field)] : tooLong(field, text, TEXT_MAX);
    }),
    ...tooLong("message", textAt(event, "message"), MESSAGE_MAX),
  ];
}

/** Errors have the field name of events.k8s.io/v1, also for Events that come through core/v1. */
function checkController(name: string): readonly FieldError[] {
  const field = "reportingController";
  const empty =
    name === "" ? [missing(field), wrong(field, "", "name part must be non-empty")] : [];
  return isQualifiedName(name) ? [] : [...empty, wrong(field, name, QUALIFIED_NAME_DETAIL)];
}

function created(event: StoredObject): readonly FieldError[] {
  const type = textAt(event, "type");
  const source = [textAt(event, "source", "component"), textAt(event, "source", "host")].join("");
  const unset: readonly (readonly [string, boolean])[] = [
    ["firstTimestamp", isSet(event, "firstTimestamp")],
    ["lastTimestamp", isSet(event, "lastTimestamp")],
    ["count", (event["count"] ?? 0) !== 0],
    ["source", source !== ""],
  ];
  return [
    ...nameFaults(event.metadata.name, "subdomain").map((fault) =>
      wrong("metadata.name", event.metadata.name, fault),
    ),
    ...checkSeries(event),
    ...(isSet(event, "eventTime") ? [] : [missing("eventTime")]),
    ...(["Normal", "Warning"].includes(type)
      ? []
      : [wrong("type", "", `has invalid value: ${type}`)]),
    ...unset.flatMap(([field, isThere]) =>
      isThere ? [wrong(field, "", "needs to be unset")] : [],
    ),
  ];
}

/** What happened stays what happened; only its series goes on. */
const STAYS: Rule = all(
  ...["involvedObject", "reason", "message", "source", "firstTimestamp", "lastTimestamp"].map(
    immutable,
  ),
  ...["count", "type", "eventTime", "action", "related"].map(immutable),
);

function changed(event: StoredObject, previous: StoredObject): readonly FieldError[] {
  const hasOtherSeries = !equalJson(event["series"], previous["series"]);
  const reporters = [
    ["reportingComponent", "reportingController"],
    ["reportingInstance", "reportingInstance"],
  ] as const;
  return [
    ...(hasOtherSeries ? checkSeries(event) : []),
    ...STAYS(event, previous),
    ...reporters.flatMap(([kept, field]) =>
      immutable(kept)(event, previous).map((error) => ({ ...error, field })),
    ),
  ];
}

function checkSeries(event: StoredObject): readonly FieldError[] {
  const series = valueAt(event, "series");
  if (series === undefined || series === null) return [];
  const count = valueAt(series, "count");
  return [
    ...(typeof count === "number" && count >= SERIES_LEAST
      ? []
      : [wrong("series.count", "", `should be at least ${SERIES_LEAST}`)]),
    ...(textAt(series, "lastObservedTime") === "" ? [missing("series.lastObservedTime")] : []),
  ];
}

function tooLong(field: string, text: string, max: number): readonly FieldError[] {
  return text.length > max ? [wrong(field, "", `can have at most ${max} characters`)] : [];
}

function isSet(event: StoredObject, field: string): boolean {
  return textAt(event, field) !== "";
}
