/** Lines about a plan that its text form and its Markdown form share. Pure. */
import type { ListingObject } from "../../../../controllers/zone-choice/listing-objects.ts";
import { printable } from "../../../../model/printable.ts";
import { PROOFS } from "../../../../plan/removal/proofs.ts";
import type { HeldSetStatus } from "../../../../sync/contract/zone-status.ts";
import { providerLine } from "../../../api/blind-spots.ts";
import {
  type BlindSpots,
  type HeldCounts,
  type OtherClasses,
  type PlanDocument,
  type PlanZone,
  workOf,
} from "../../../api/plan/document.ts";
import type { PlanData, PlanGroup, PlanItem } from "../../../api/plan/groups.ts";
import { ownerIdsText } from "./rights-text.ts";

/** In the order of the columns. */
export const KINDS = ["create", "replace", "remove", "marker", "held"] as const;

const SIGNS: Readonly<Record<PlanItem["op"], string>> = {
  create: "+",
  replace: "~",
  remove: "-",
  marker: "=",
  held: "!",
};

/** The possible effects of a held change, in the order in which counts are listed. */
const HELD_KINDS = [
  ["create", "to create"],
  ["replace", "to replace"],
  ["remove", "to remove"],
  ["marker", "marker only"],
] as const;

const SETS: Readonly<Record<HeldSetStatus["kind"], string>> = {
  removals: "a set of removals",
  "next-removals": "the next set, removals that came later,",
  updates: "a set of updates",
  "not-selected":
    "a set of removals from objects that exist, after a change of version or configuration,",
  "first-contact": "what first contact would remove and replace",
};

/**
 * `+ www.example.org A 300 192.0.2.1   Wanted, service/default/web`. `isTitled`: the title of its
 * group says why it is held.
 */
export function itemLine(item: PlanItem, isTitled = false): string {
  return printable(lineOf(item, isTitled));
}

function lineOf(item: PlanItem, isTitled: boolean): string {
  const { op, name, type, setIdentifier, code, message, object, gap, failure } = item;
  const key = `${name} ${type}${setIdentifier === null ? "" : ` [${setIdentifier}]`}`;
  const whose = object === null ? "" : `, ${object}`;
  const why = isTitled ? "" : ` ${code}: ${message}`;
  const would = wouldText(item);
  if (op === "held") return `! ${key}${would === "" ? "" : ` (${would})`}${why}${whose}`;
  const pause = gap ? ", no answer in between" : "";
  const failed = failure === undefined ? "" : `; the last try failed: ${failure}`;
  return `${SIGNS[op]} ${key}${dataText(item)}   ${code}${whose}${pause}${failed}`;
}

function dataText({ from, to, op, message }: PlanItem): string {
  if (op === "marker") return ` marker only: ${message}`;
  if (from !== null && to !== null) return ` ${valuesText(from)} -> ${valuesText(to)}`;
  return ` ${valuesText(to ?? from)}`;
}

/**
 * `300 192.0.2.3 removed: its object was deleted`: what a held change would do; empty where that is
 * not known.
 */
export function wouldText(item: Pick<PlanItem, "heldOp" | "from" | "to" | "proof">): string {
  const { heldOp, from, to, proof } = item;
  switch (heldOp) {
    case null:
      return "";
    case "marker":
      return "marker only";
    case "create":
      return `${valuesText(to)} created`;
    case "replace":
      return `${valuesText(from)} -> ${valuesText(to)}`;
    case "remove":
      return `${valuesText(from)} removed${proof === null ? "" : `: ${PROOFS[proof]}`}`;
  }
}

/** ` (2 to create, 5 to remove)`; empty where nothing held is known to do anything. */
export function heldCountsText(counts: HeldCounts): string {
  const counted = HELD_KINDS.flatMap(([op, label]) =>
    counts[op] === 0 ? [] : [`${counts[op]} ${label}`],
  );
  return counted.length === 0 ? "" : ` (${counted.join(", ")})`;
}

function valuesText(data: PlanData | null): string {
  if (data === null) return "";
  const ttl = data.ttlSeconds === null ? "" : `${data.ttlSeconds} `;
  return `${ttl}${data.values.join(", ")}`;
}

/**
 * `example.org: create, 9000 (13 shown)`, `example.org: held, Paused, to remove, 9000 (13 shown)`.
 */
export function groupTitle({ zone, op, code, heldOp, count, items }: PlanGroup): string {
  const would = HELD_KINDS.find(([kind]) => kind === heldOp);
  const held = would === undefined ? `held, ${code}` : `held, ${code}, ${would[1]}`;
  const what = code === null ? op : held;
  const part = items.length < count ? ` (${items.length} shown)` : "";
  const message = messageOfAll(items);
  const why = message === null ? "" : `: ${message}`;
  return printable(`${zone}: ${what}, ${count}${part}${why}`);
}

/** True = the title of the group says why its items are held, and they do not. */
export function isTitled({ items }: PlanGroup): boolean {
  return messageOfAll(items) !== null;
}

/** The message that several held items share, so that it is written once; null = they differ. */
function messageOfAll(items: readonly PlanItem[]): string | null {
  const [first, ...others] = items;
  if (first?.op !== "held" || others.length === 0) return null;
  return others.every(({ message }) => message === first.message) ? first.message : null;
}

/**
 * `10000 changes, 3 of markers only, 12 held (12 to remove), 1 object not published as now
 * wanted (paused: example.org)`.
 */
export function totalText(
  document: Pick<PlanDocument, "summary" | "zones" | "unpublished">,
): string {
  const { zones, unpublished = [] } = document;
  const { counts, heldCounts } = document.summary;
  const changes = workOf(counts) - counts.held - counts.marker;
  const markers = counts.marker === 0 ? "" : `, ${counts.marker} of markers only`;
  const held = `${counts.held} held${heldCountsText(heldCounts)}`;
  const paused = zones.filter((zone) => zone.paused !== null).map(({ name }) => name);
  const pause = paused.length === 0 ? "" : ` (paused: ${paused.join(", ")})`;
  const objects = new Set(unpublished.map(({ object }) => object)).size;
  const noun = objects === 1 ? "object" : "objects";
  const rest = objects === 0 ? "" : `, ${objects} ${noun} not published as now wanted`;
  return `${changes} ${changes === 1 ? "change" : "changes"}${markers}, ${held}${rest}${pause}`;
}

/** The state of a zone in words; empty = there are changes, and no trouble. */
export function zoneNote(zone: PlanZone): string {
  const { state, message, paused, trouble = null, counts, endpoint } = zone;
  if (state === "failed") return printable(`failed at ${endpoint}: ${message ?? ""}`);
  if (state === "loading") return "loading: nothing is known yet";
  if (paused !== null) return "paused";
  if (trouble !== null) return "its next change would not be written";
  return workOf(counts) === 0 ? "nothing to do" : "";
}

/** Lines about what the plan does not know or show. */
export function blindLines(document: BlindSpots & Pick<PlanDocument, "filter">): readonly string[] {
  const { caches, clusters = [], providers, unread, otherClasses } = document;
  const { observed = [], unpublished = [], filter } = document;
  return [
    ...[...clusters, ...caches].map(printable),
    ...providers.map(providerLine),
    ...unpublishedLines(unpublished, filter.limit === null),
    ...unreadLines(unread),
    // Nothing is to do, unless the class was forgotten.
    ...(otherClasses === undefined ? [] : [othersText(otherClasses)]),
    ...observedLines(observed, filter.limit === null),
  ];
}

/** Objects that are shown one by one, unless everything is asked for. */
const UNPUBLISHED_SHOWN_MAX = 10;

/** `dnsentry/default/www is Stale: spec.targets: …`. */
function unpublishedLines(objects: readonly ListingObject[], isAll: boolean): readonly string[] {
  const shown = isAll ? objects : objects.slice(0, UNPUBLISHED_SHOWN_MAX);
  const lines = shown.map(({ object, name, state, message }) =>
    printable(`${name} is not published as ${object} has it: ${state}: ${message}`),
  );
  const more = objects.length - shown.length;
  const rest = `and ${more} more names are not published as their objects have them: zonekeeper plan --all`;
  return more === 0 ? lines : [...lines, rest];
}

/** `3 objects are left to others: …`; nothing is to do, unless the class was forgotten. */
function othersText({ count, object, message }: OtherClasses): string {
  const all = count === 1 ? "1 object is left to others" : `${count} objects are left to others`;
  return printable(`${all}, such as ${object}: ${message} (--dns-class)`);
}

/** Of clusters that are only observed; no work of this plan. */
function observedLines(
  names: NonNullable<BlindSpots["observed"]>,
  isAll: boolean,
): readonly string[] {
  const shown = isAll ? names : names.slice(0, UNPUBLISHED_SHOWN_MAX);
  const lines = shown.map(
    ({ cluster, object, name, type, values, would }) =>
      `observed cluster ${cluster}: ${name} ${type} ${values.join(", ")} of ${object}: ${would}`,
  );
  const more = names.length - shown.length;
  return [
    ...lines.map(printable),
    ...(more === 0 ? [] : [`and ${more} more names of observed clusters: --all lists them`]),
  ];
}

/** `12 services and 3 ingresses have names …`. */
function unreadLines(unread: BlindSpots["unread"]): readonly string[] {
  const [first] = unread.flatMap(({ objects }) => objects);
  if (first === undefined) return [];
  const counts = unread.map(({ kind, count }) => {
    if (count === 1) return `1 ${kind}`;
    return `${count} ${kind}${kind.endsWith("s") ? "es" : "s"}`;
  });
  const total = unread.reduce((sum, { count }) => sum + count, 0);
  const verb = total === 1 ? "has" : "have";
  return [
    `${counts.join(" and ")} ${verb} names for external-dns only, in its annotations or in the rules of an ingress; Zonekeeper does not read them: zonekeeper explain '${first.name}', docs/guides/ownership.md#coming-from-external-dns`,
  ];
}

/** Remarks about a zone, besides its counts. */
export function zoneRemarks(zone: PlanZone): readonly string[] {
  const { name, paused, ownerQuestion = null, fence, fences, gaps, heldSets } = zone;
  const ownerIds = ownerIdsText(name, fences);
  const steps = `${gaps} ${gaps === 1 ? "name changes" : "names change"} type in ${name}, whose provider takes one record set a call: each has no answer between two calls`;
  return [
    ...(ownerQuestion === null ? [] : [ownerQuestion]),
    ...(paused === null ? [] : [paused]),
    ...(fence === null ? [] : [fence]),
    ...(ownerIds === null ? [] : [ownerIds]),
    ...heldSets
      .filter(({ kind }) => kind !== "first-contact")
      .map(
        ({ hash, kind, changes }) =>
          `the fuse of ${name} holds ${SETS[kind]} (${changes}); zonekeeper approve ${hash} approves it`,
      ),
    ...(gaps === 0 ? [] : [steps]),
  ].map(printable);
}
