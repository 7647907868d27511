/**
 * The plan of a running instance as a document: a summary over all, then changes and held changes
 * in groups, as many as the limit allows. Text, Markdown and JSON are made from it; the JSON form
 * is `docs/reference/plan-json.md`. Pure.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type DnsName, isAtOrBelow } from "@zonekeeper/dns/names/dns-name";
import type { ListingObject } from "../../../controllers/zone-choice/listing-objects.ts";
import type { ProviderTrouble } from "../../../controllers/zone-choice/provider-facts.ts";
import { printable } from "../../../model/printable.ts";
import { resourceOf } from "../../../model/provenance.ts";
import { plainKey, type RecordSet } from "../../../model/record-set.ts";
import type { Change, Hold, KeyChange, NamePlan } from "../../../plan/changes.ts";
import { holdReason, isSatisfied } from "../../../plan/hold-reasons.ts";
import { PROBLEM_WAIT } from "../../../sources/shared/found.ts";
import type { FailingName, HeldSetStatus, ZoneStatus } from "../../../sync/contract/zone-status.ts";
import type { ObservedName } from "../../compose/observed-names.ts";
import { zoneTrouble } from "../../compose/zone-checks.ts";
import type { UnreadObjects } from "../blind-spots.ts";
import {
  groupsOf,
  limited,
  type PlanData,
  type PlanGroup,
  type PlanItem,
  type PlanOp,
} from "./groups.ts";

/** The version grows when a field is removed or gets another meaning, not with new fields. */
export const PLAN_SCHEMA = "zonekeeper.dev/plan/v1";

/** Which part of the plan is shown. */
export interface PlanFilter {
  /** Apex; null = all zones. */
  readonly zone: DnsName | null;
  /** Names at or below it; null = all. */
  readonly name: DnsName | null;
  /** Changes and holds that are listed; null = every one. */
  readonly limit: number | null;
}

/** Number of changes of each kind; `held` ones are not made. */
export type PlanCounts = Readonly<Record<PlanOp | "held", number>>;

/** The effect of held changes; `unknown` = nothing was planned, or it cannot be said. */
export type HeldCounts = Readonly<Record<PlanOp | "unknown", number>>;

/** A code and how often it occurs. */
export interface CodeCount {
  readonly code: string;
  readonly count: number;
}

/** A hold reason, with what ends it. */
export interface HeldReason extends CodeCount {
  readonly heldCounts: HeldCounts;
  readonly meaning: string;
  readonly remedy: string;
}

/** A zone. */
export interface PlanZone {
  readonly name: string;
  readonly provider: string;
  readonly endpoint: string;
  readonly state: ZoneStatus["state"];
  /** Why it failed, or null. */
  readonly message: string | null;
  /** Why nothing is written to it; null = it is not paused. */
  readonly paused: string | null;
  /** Why its next change would not be written, other than a pause; null or absent = it would. */
  readonly trouble?: string | null;
  /**
   * Question whether the owner id was changed: all wanted records exist with one other owner id.
   * Null or absent = they do not.
   */
  readonly ownerQuestion?: string | null;
  /**
   * State of the fence, which stops writers that no longer lead (Z-17), if it is unusual; null = it
   * is not.
   */
  readonly fence: string | null;
  /**
   * The fence of each owner id that this installation acts for or waits for; empty = none is
   * needed.
   */
  readonly fences?: Exclude<ZoneStatus["fences"], undefined>;
  readonly ownedNames: number;
  readonly foreignNames: number;
  readonly counts: PlanCounts;
  /** The held changes, apart. */
  readonly heldCounts: HeldCounts;
  /** Names whose type changes in steps, so that they have no answer in between. */
  readonly gaps: number;
  readonly heldSets: readonly HeldSetStatus[];
}

/**
 * Lists what the plan does not know or show: unknown providers, unread kinds, names for other
 * programs.
 */
export interface BlindSpots {
  /** DNSProviders that serve nothing now; empty when one zone was asked for. */
  readonly providers: readonly ProviderTrouble[];
  /** Kinds whose objects were not all read once, and why; clusters that have changed (Z-30). */
  readonly caches: readonly string[];
  readonly clusters?: readonly string[];
  /** Objects that name names of the zones for external-dns only, by source. */
  readonly unread: readonly UnreadObjects[];
  /** Objects that are not published as they are now, and that no item shows; absent = none. */
  readonly unpublished?: readonly ListingObject[];
  /** Objects of other classes, which are others' work; absent = none lists a name here. */
  readonly otherClasses?: OtherClasses;
  /** What clusters that are only observed would have published; absent = nothing. */
  readonly observed?: readonly ObservedName[];
  /** Text that this instance writes nothing, and which one does; null or absent = it writes. */
  readonly dryRun?: string | null;
}

/** How many objects, and which class the first one has. */
export interface OtherClasses extends Pick<ListingObject, "object" | "message"> {
  readonly count: number;
}

/** See the head of this file. */
export interface PlanDocument extends BlindSpots {
  readonly schema: typeof PLAN_SCHEMA;
  /** There is one sentence for each zone that this installation meets for the first time (Z-24). */
  readonly firstContact: readonly string[];
  readonly filter: PlanFilter;
  readonly summary: {
    readonly counts: PlanCounts;
    /** The held changes, apart. */
    readonly heldCounts: HeldCounts;
    /**
     * Number of zones that are not read, of providers whose zones are not known, and of unread
     * kinds.
     */
    readonly unknownZones: number;
    /** Why changes are made, most first. */
    readonly reasons: readonly CodeCount[];
    /** Why changes are not made, most first. */
    readonly held: readonly HeldReason[];
    /** Changes and holds that the limit left out. */
    readonly omitted: number;
  };
  /** Most to do first, then by name. */
  readonly zones: readonly PlanZone[];
  /** In the order of zones; in each the largest first, what is held last. */
  readonly groups: readonly PlanGroup[];
}

/** Makes the document. Every group shows something, as far as the limit reaches. */
export function planDocument(
  zones: readonly ZoneStatus[],
  filter: PlanFilter,
  blind: BlindSpots = { providers: [], caches: [], unread: [] },
): PlanDocument {
  const shown = zones.filter(({ zone }) => filter.zone === null || zone.name === filter.zone);
  const rows = shown.map((status) => ({ status, items: itemsOf(status, filter.name) }));
  const planZones = rows
    .map(({ status, items }) => zoneOf(status, items))
    .sort((a, b) => workOf(b.counts) - workOf(a.counts) || compareText(a.name, b.name));
  const all = rows.flatMap(({ items }) => items);
  // One apex may be open under two accounts.
  const names = [...new Set(planZones.map(({ name }) => name))];
  const groups = limited(
    names.flatMap((name) => groupsOf(all.filter(({ zone }) => zone === name))),
    filter.limit ?? all.length,
  );
  const isHeld = ({ op }: PlanItem): boolean => op === "held";
  const [providers, caches] = [blind.providers.length, blind.caches.length];
  return {
    schema: PLAN_SCHEMA,
    firstContact: planZones.flatMap(contactLines),
    filter,
    summary: {
      counts: countsOf(all),
      heldCounts: heldCountsOf(all),
      unknownZones: shown.filter(({ state }) => state !== "ready").length + providers + caches,
      reasons: codesOf(all.filter((item) => !isHeld(item))),
      held: codesOf(all.filter(isHeld)).map((counted) => {
        const { meaning = "", remedy = "" } = holdReason(counted.code) ?? {};
        const heldCounts = heldCountsOf(all.filter(({ code }) => code === counted.code));
        return { ...counted, heldCounts, meaning, remedy };
      }),
      omitted: all.length - groups.reduce((sum, { items }) => sum + items.length, 0),
    },
    ...blind,
    unpublished: unpublishedIn(blind.unpublished ?? [], all, shown),
    dryRun: blind.dryRun ?? null,
    zones: planZones,
    groups,
  };
}

/**
 * The objects that no item shows. An item may show the source object in place of its DNSEntry.
 * Names in zones that are not read are left out. Items with `SourceIncomplete` do not count: they
 * say that an object cannot be read, not why.
 */
function unpublishedIn(
  objects: readonly ListingObject[],
  items: readonly PlanItem[],
  zones: readonly ZoneStatus[],
): readonly ListingObject[] {
  const shown = new Set(
    items
      .filter(({ code }) => code !== PROBLEM_WAIT)
      .flatMap(({ name, object, cluster }) => [name, `${cluster} ${object} ${name}`]),
  );
  const isShown = ({ object, cluster, name }: ListingObject): boolean =>
    shown.has(object.startsWith("dnsentry/") ? name : `${cluster} ${object} ${name}`);
  const unknown = zones.filter(({ state }) => state !== "ready").map(({ zone }) => zone.name);
  return objects.filter(
    (one) => !isShown(one) && !unknown.some((apex) => isAtOrBelow(one.name, apex)),
  );
}

function zoneOf(status: ZoneStatus, items: readonly PlanItem[]): PlanZone {
  const { zone, state, message, paused, ownedNames, foreignNames, heldSets } = status;
  const { name, providerType: provider, endpoint } = zone;
  const fence = fenceText(status);
  const facts = { state, message, paused, ownedNames, foreignNames, heldSets };
  const gaps = new Set(items.filter(({ gap }) => gap).map((item) => item.name)).size;
  const counts = { counts: countsOf(items), heldCounts: heldCountsOf(items) };
  const { ownerQuestion = null, fences = [] } = status;
  const trouble = zoneTrouble(status);
  return {
    ...{ name, provider, endpoint, ...facts, trouble, ownerQuestion, fence, fences },
    ...{ ...counts, gaps },
  };
}

/** Null = the fence is as usual. */
function fenceText({ zone, fence }: ZoneStatus): string | null {
  if (fence?.mode === "stopped")
    return `nothing is written to ${zone.name}: ${fence.code}: ${fence.message}`;
  return fence?.mode === "lease" ? `fencing of ${zone.name}: lease (${fence.message})` : null;
}

function itemsOf(status: ZoneStatus, name: DnsName | null): readonly PlanItem[] {
  const failing = new Map((status.failing ?? []).map((one) => [one.name, one]));
  return status.open
    .filter((plan) => name === null || isAtOrBelow(plan.name, name))
    .flatMap((plan) =>
      planItems(plan, status).map((item) => withFailure(item, failing.get(plan.name))),
    );
}

function planItems(plan: NamePlan, { zone, isAtomic }: ZoneStatus): readonly PlanItem[] {
  const isRetyped = !isAtomic && plan.changes.some(({ reason }) => reason.code === "TypeChanged");
  return [
    ...plan.changes.map((change) => changeItem(zone.name, change, isRetyped)),
    ...plan.holds.flatMap((hold) => (isSatisfied(hold) ? [] : [heldItem(zone.name, hold)])),
  ];
}

/** Adds the last failure of the name to a change. */
function withFailure(item: PlanItem, failure: FailingName | undefined): PlanItem {
  if (failure === undefined || item.op === "held") return item;
  const { code, message, nextTryMs } = failure;
  const next = nextTryMs === 0 ? "now" : `in ${Math.ceil(nextTryMs / 1000)} s`;
  return { ...item, failure: printable(`${code}: ${message}; next try ${next}`) };
}

function changeItem(zone: string, it: KeyChange, gap: boolean): PlanItem {
  const { key, change, reason, proof } = it;
  const { code } = reason;
  const message = printable(reason.message);
  const op: PlanItem["op"] = change?.op ?? "marker";
  const what = { op, heldOp: null, ...dataIn(change), code, message };
  // The object that wants the record set, else the one that its marker names.
  const { resource: object = null, cluster = null } =
    it.desired === null
      ? (it.current?.marker ?? {})
      : { resource: resourceOf(it.desired.provenance), cluster: it.desired.provenance.cluster };
  return { zone, ...plainKey(key), ...what, object, cluster, proof, gap };
}

/** The data that a change replaces and the data that it writes. Null = a marker-only write. */
export function dataIn(change: Change | null): Pick<PlanItem, "from" | "to"> {
  return {
    from: change === null || change.op === "create" ? null : dataOf(change.previous),
    to: change === null || change.op === "remove" ? null : dataOf(change.next),
  };
}

function heldItem(zone: string, hold: Hold): PlanItem {
  const { key, code, message, provenance, change = null, proof = null } = hold;
  const object = provenance === null ? null : resourceOf(provenance);
  const cluster = provenance?.cluster ?? null;
  const would = { heldOp: heldOpOf(hold), ...dataIn(change), proof, gap: false };
  return { zone, ...plainKey(key), op: "held", code, message, object, cluster, ...would };
}

/** The changes that would be made if nothing held them; null = not known. */
export function heldOpOf({ change }: Pick<Hold, "change">): PlanOp | null {
  if (change === undefined) return null;
  return change?.op ?? "marker";
}

function dataOf({ ttlSeconds, values }: RecordSet): PlanData {
  return { ttlSeconds, values };
}

function countsOf(items: readonly PlanItem[]): PlanCounts {
  const counts = { create: 0, replace: 0, remove: 0, marker: 0, held: 0 };
  for (const { op } of items) counts[op] += 1;
  return counts;
}

function heldCountsOf(items: readonly PlanItem[]): HeldCounts {
  const counts = { create: 0, replace: 0, remove: 0, marker: 0, unknown: 0 };
  for (const { op, heldOp } of items) if (op === "held") counts[heldOp ?? "unknown"] += 1;
  return counts;
}

/** Number of all changes, made and held. */
export function workOf(counts: PlanCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/**
 * How much is open, and how much is not known; both 0 = nothing to do, and the next change would be
 * written, unless a person paused its zone.
 */
export function planVerdict(document: PlanDocument): {
  readonly open: number;
  readonly unknown: number;
} {
  const { counts, unknownZones } = document.summary;
  const { zones, unpublished = [], clusters = [] } = document;
  const unwritten = zones.filter(({ trouble = null }) => trouble !== null);
  return {
    open: workOf(counts) + unpublished.length + clusters.length + unwritten.length,
    // With no open zone nothing is known, which is not the same as "nothing to do".
    unknown: zones.length === 0 ? Math.max(1, unknownZones) : unknownZones,
  };
}

function codesOf(items: readonly PlanItem[]): readonly CodeCount[] {
  const counts = new Map<string, number>();
  for (const { code } of items) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts]
    .map(([code, count]) => ({ code, count }))
    .sort((a, b) => b.count - a.count || compareText(a.code, b.code));
}

/** `first contact with zone example.org: 2 removals and 1 replacements wait; …` (Z-24). */
function contactLines({ name, heldSets }: PlanZone): readonly string[] {
  return heldSets
    .filter(({ kind }) => kind === "first-contact")
    .map(
      ({ hash, changes, removals }) =>
        `first contact with zone ${name}: ${removals} removals and ${changes - removals} replacements wait; zonekeeper approve ${hash}`,
    );
}
