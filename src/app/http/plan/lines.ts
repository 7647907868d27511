/** What text and Markdown say about a plan in the same words. Pure. */
import type { ProviderTrouble } from "../../../controllers/zone-choice/unserved-names.ts";
import { printable } from "../../../model/printable.ts";
import type { AbsenceProof } from "../../../plan/changes.ts";
import type { HeldSetStatus } from "../../../sync/contract/zone-status.ts";
import type {
  HeldCounts,
  PlanCounts,
  PlanData,
  PlanGroup,
  PlanItem,
  PlanZone,
} from "./document.ts";
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

/** What a held change would do, in the order in which counts are listed. */
const HELD_KINDS = [
  ["create", "to create"],
  ["replace", "to replace"],
  ["remove", "to remove"],
  ["marker", "marker only"],
] as const;

/** How it is known that nobody wants a record. */
const PROOFS: Readonly<Record<AbsenceProof, string>> = {
  "deleted-object": "its object was deleted",
  "object-omits-name": "its object no longer lists the name",
  "missing-from-list": "its object is missing from a complete list",
  "moved-zone": "the name moved to another zone",
  "no-targets-grace": "its object has had no address for too long",
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

function heldText(item: PlanItem): string {
  const would = wouldText(item);
  return would === "" ? "" : ` (${would})`;
}

/**
 * `300 192.0.2.3 removed: its object was deleted`: what a held change would do; empty where that is
 * not known.
 */
export function wouldText({
  heldOp,
  from,
  to,
  proof,
}: Pick<PlanItem, "heldOp" | "from" | "to" | "proof">): string {
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
  return printable(`${zone}: ${what}, ${count}${part}`);
}

/** `10000 changes, 12 held (12 to remove)`. */
export function totalText(counts: PlanCounts, heldCounts: HeldCounts): string {
  const changes = workOf(counts) - counts.held;
  const held = `${counts.held} held${heldCountsText(heldCounts)}`;
  return `${changes} ${changes === 1 ? "change" : "changes"}, ${held}`;
}

/** The state of a zone in words; empty = there is something to do and nothing to say. */
export function zoneNote({ state, message, paused, counts, endpoint }: PlanZone): string {
  if (state === "failed") return printable(`failed at ${endpoint}: ${message ?? ""}`);
  if (state === "loading") return "loading: nothing is known yet";
  if (paused !== null) return "paused";
  return workOf(counts) === 0 ? "nothing to do" : "";
}

/** `DNSProvider default/own serves no zone: …`. */
export function providerLine({ provider, message }: ProviderTrouble): string {
  return `DNSProvider ${provider} serves no zone: ${printable(message)}`;
}

/** What a person has to know of a zone besides its counts. */
export function zoneRemarks({ name, paused, fence, gaps, heldSets }: PlanZone): readonly string[] {
  const steps = `${gaps} ${gaps === 1 ? "name changes" : "names change"} type in ${name}, whose provider takes one record set a call: each has no answer between two calls`;
  return [
    ...(paused === null ? [] : [paused]),
    ...(fence === null ? [] : [fence]),
    ...heldSets.map(
      ({ hash, kind, changes }) =>
        `the fuse of ${name} holds ${SETS[kind]} (${changes}); zonekeeper approve ${hash} approves it`,
    ),
    ...(gaps === 0 ? [] : [steps]),
  ].map(printable);
}
