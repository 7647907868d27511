/** What text and Markdown say about a plan in the same words. Pure. */
import { printable } from "../../../model/printable.ts";
import type { HeldSetStatus } from "../../../sync/contract.ts";
import type { PlanCounts, PlanData, PlanGroup, PlanItem, PlanZone } from "./document.ts";
import { workOf } from "./document.ts";

/** In the order of the columns. */
export const KINDS = ["create", "replace", "remove", "marker", "held"] as const;

const SIGNS: Readonly<Record<PlanItem["op"], string>> = {
  create: "+",
  replace: "~",
  remove: "-",
  marker: "=",
  held: "!",
};

const SETS: Readonly<Record<HeldSetStatus["kind"], string>> = {
  removals: "a set of removals",
  "next-removals": "the next set, removals that came later,",
  updates: "a set of updates",
};

/** `+ www.example.org A 300 192.0.2.1   Wanted, service/default/web`. */
export function itemLine(item: PlanItem): string {
  return printable(lineOf(item));
}

function lineOf(item: PlanItem): string {
  const { op, name, type, setIdentifier, code, message, object, gap } = item;
  const key = `${name} ${type}${setIdentifier === null ? "" : ` [${setIdentifier}]`}`;
  const whose = object === null ? "" : `, ${object}`;
  if (op === "held") return `! ${key}${heldText(item)} ${code}: ${message}${whose}`;
  const pause = gap ? ", no answer in between" : "";
  return `${SIGNS[op]} ${key}${dataText(item)}   ${code}${whose}${pause}`;
}

function dataText({ from, to, op, message }: PlanItem): string {
  if (op === "marker") return ` marker only: ${message}`;
  if (from !== null && to !== null) return ` ${valuesText(from)} -> ${valuesText(to)}`;
  return ` ${valuesText(to ?? from)}`;
}

/** What would be done, where that is known. */
function heldText(item: PlanItem): string {
  const isKnown = item.from !== null || item.to !== null;
  const removal = item.to === null ? " removed" : "";
  return isKnown ? ` (${dataText(item).trim()}${removal})` : "";
}

function valuesText(data: PlanData | null): string {
  if (data === null) return "";
  const ttl = data.ttlSeconds === null ? "" : `${data.ttlSeconds} `;
  return `${ttl}${data.values.join(", ")}`;
}

/** `example.org: create, 9000 (13 shown)`. */
export function groupTitle({ zone, op, code, count, items }: PlanGroup): string {
  const what = code === null ? op : `held, ${code}`;
  const part = items.length < count ? ` (${items.length} shown)` : "";
  return printable(`${zone}: ${what}, ${count}${part}`);
}

/** `10000 changes, 12 held`. */
export function totalText(counts: PlanCounts): string {
  const changes = workOf(counts) - counts.held;
  return `${changes} ${changes === 1 ? "change" : "changes"}, ${counts.held} held`;
}

/** The state of a zone in words; empty = there is something to do and nothing to say. */
export function zoneNote({ state, message, paused, counts, endpoint }: PlanZone): string {
  if (state === "failed") return printable(`failed at ${endpoint}: ${message ?? ""}`);
  if (state === "loading") return "loading: nothing is known yet";
  if (paused !== null) return "paused";
  return workOf(counts) === 0 ? "nothing to do" : "";
}

/** What a person has to know of a zone besides its counts. */
export function zoneRemarks({ name, paused, fence, gaps, heldSets }: PlanZone): readonly string[] {
  const steps = `${gaps} ${gaps === 1 ? "name changes" : "names change"} type in ${name}, whose provider takes one record set a call: each has no answer between two calls`;
  return [
    ...(paused === null ? [] : [paused]),
    ...(fence === null ? [] : [fence]),
    ...heldSets.map(
      ({ hash, kind, changes }) =>
        `the fuse of ${name} holds ${SETS[kind]} (${changes}); zonekeeper approve ${hash} lets it pass`,
    ),
    ...(gaps === 0 ? [] : [steps]),
  ].map(printable);
}
