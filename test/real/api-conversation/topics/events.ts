/**
 * Events of events.k8s.io/v1, which is stricter than core/v1, and those of core/v1 that say when
 * they happened: what is taken, what is refused, and what may change later.
 */
import { type JsonRecord, PATCH, type Step, type Topic } from "../step.ts";

const STRICT = "/apis/events.k8s.io/v1/namespaces/default/events";
const CORE = "/api/v1/namespaces/default/events";
/** More than a text of so many characters may have. */
const TOO_LONG = { short: "x".repeat(129), long: "x".repeat(1025) };

/** As the recorder of client-go writes it. */
const event = (more: JsonRecord, name = "strict.1"): JsonRecord => ({
  apiVersion: "events.k8s.io/v1",
  kind: "Event",
  metadata: { name },
  eventTime: "2026-01-02T03:04:05.000001Z",
  reportingController: "example.org/dns",
  reportingInstance: "dns-1",
  action: "Publish",
  reason: "Done",
  regarding: { kind: "Secret", namespace: "default", name: "a", apiVersion: "v1" },
  note: "published",
  type: "Normal",
  ...more,
});
const timed = (more: JsonRecord): JsonRecord => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "timed.1" },
  involvedObject: { kind: "Secret", namespace: "default", name: "a" },
  eventTime: "2026-01-02T03:04:05.000001Z",
  reportingComponent: "dns",
  reportingInstance: "dns-1",
  action: "Publish",
  reason: "Done",
  ...more,
});
const tried = (name: string, path: string, body: JsonRecord): Step => ({
  name: `strict-event-${name}`,
  method: "POST",
  path: `${path}?dryRun=All`,
  body,
});
const bad = (name: string, more: JsonRecord): Step => tried(name, STRICT, event(more));
const changed = (name: string, body: JsonRecord): Step => ({
  name: `strict-event-change-${name}`,
  method: "PATCH",
  path: `${STRICT}/strict.1`,
  headers: PATCH.merge,
  body,
});
const series = { count: 2, lastObservedTime: "2026-01-02T03:05:05.000000Z" };

/** See above. */
export const EVENTS: Topic = {
  title: "Events of events.k8s.io/v1",
  steps: [
    bad("no-time", { eventTime: null }),
    bad("no-controller", { reportingController: "" }),
    bad("controller", { reportingController: "a b" }),
    bad("no-instance", { reportingInstance: "" }),
    bad("long-instance", { reportingInstance: TOO_LONG.short }),
    bad("no-action", { action: "" }),
    bad("long-action", { action: TOO_LONG.short }),
    bad("no-reason", { reason: "" }),
    bad("long-reason", { reason: TOO_LONG.short }),
    bad("long-note", { note: TOO_LONG.long }),
    bad("no-type", { type: "" }),
    bad("type", { type: "Loud" }),
    bad("first", { deprecatedFirstTimestamp: "2026-01-02T03:04:05Z" }),
    bad("last", { deprecatedLastTimestamp: "2026-01-02T03:04:05Z" }),
    bad("count", { deprecatedCount: 2 }),
    bad("source", { deprecatedSource: { component: "x" } }),
    bad("series-once", { series: { ...series, count: 1 } }),
    bad("series-time", { series: { count: 2, lastObservedTime: null } }),
    bad("elsewhere", { regarding: { kind: "Secret", namespace: "other", name: "a" } }),
    bad("cluster-wide", { regarding: { kind: "Node", name: "a" } }),
    tried("name", STRICT, event({}, "Not_A_Name")),
    tried("core-timed", CORE, timed({})),
    tried("core-no-action", CORE, timed({ action: "" })),
    tried("core-no-controller", CORE, timed({ reportingComponent: "" })),
    tried("core-controller", CORE, timed({ reportingComponent: "a b" })),
    tried("core-long-message", CORE, timed({ message: TOO_LONG.long })),
    tried("core-type", CORE, timed({ type: "Loud", count: 3 })),
    { name: "strict-event-create", method: "POST", path: STRICT, body: event({}) },
    changed("series", { series }),
    changed("series-once", { series: { count: 1 } }),
    ...["reason", "note", "action", "type", "reportingController", "reportingInstance"].map(
      (field) => changed(field, { [field]: "Other" }),
    ),
    changed("time", { eventTime: "2026-01-02T03:04:06.000001Z" }),
    changed("regarding", { regarding: { name: "b" } }),
    changed("related", { related: { kind: "Secret", namespace: "default", name: "a" } }),
    changed("count", { deprecatedCount: 2 }),
    changed("labels", { metadata: { labels: { a: "b" } } }),
    { name: "strict-event-delete", method: "DELETE", path: `${STRICT}/strict.1` },
  ],
};
