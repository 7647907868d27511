/**
 * events.k8s.io/v1 Event: the objects of core/v1 Event under newer names of some fields, as in
 * Kubernetes (pkg/apis/events/v1/conversion.go). Go controllers write their Events here.
 */
import { EVENTS_EVENT } from "../../objects/kinds.ts";
import type { StoredObject } from "../objects/served-kind.ts";
import { builtInKind } from "./built-in-kind.ts";
import { EVENT_KIND } from "./event.ts";
import { STRICT_RULES } from "./event-rules.ts";

/** Names of core/v1 to names here; others are the same. */
const NAMES: Readonly<Record<string, string>> = {
  involvedObject: "regarding",
  message: "note",
  reportingComponent: "reportingController",
  source: "deprecatedSource",
  firstTimestamp: "deprecatedFirstTimestamp",
  lastTimestamp: "deprecatedLastTimestamp",
  count: "deprecatedCount",
};
const CORE_NAMES = Object.fromEntries(Object.entries(NAMES).map(([core, name]) => [name, core]));

/** An Event as it is kept: with the names of core/v1. Idempotent. */
const asCore = (event: StoredObject): StoredObject => renamed(event, CORE_NAMES, "v1");

/** Events; columns are those of core/v1. */
export const EVENTS_EVENT_KIND = builtInKind(EVENTS_EVENT, {
  ...EVENT_KIND,
  ref: EVENTS_EVENT,
  columns: EVENT_KIND.columns.map((column) => ({
    ...column,
    cell: (event, nowMs) => column.cell(asCore(event), nowMs),
  })),
  selectable: Object.fromEntries(
    Object.entries(EVENT_KIND.selectable).map(([path, value]) => {
      const [field = "", ...below] = path.split(".");
      return [[NAMES[field] ?? field, ...below].join("."), value];
    }),
  ),
  present: (event) => renamed(event, NAMES, "events.k8s.io/v1"),
  defaults: asCore,
  check: STRICT_RULES,
});

function renamed(
  event: StoredObject,
  names: Readonly<Record<string, string>>,
  apiVersion: string,
): StoredObject {
  const { kind, metadata } = event;
  const fields = Object.entries(event).map(([name, value]) => [
    Object.hasOwn(names, name) ? names[name] : name,
    value,
  ]);
  return { ...Object.fromEntries(fields), apiVersion, kind, metadata };
}
