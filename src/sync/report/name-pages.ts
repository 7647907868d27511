/**
 * Pages of the names of zones in order (see `NamePage`). A zone's names are sorted when a page is
 * first asked for, in slices, and kept in order from then on; a row is made when it is shown. Only
 * reads.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { type ObjectMark, resourceOf } from "../../model/provenance.ts";
import type { Hold, OwnedRecordSet } from "../../plan/changes.ts";
import { isSatisfied } from "../../plan/hold-reasons.ts";
import type {
  NameObjects,
  NamePage,
  NameQuery,
  NameRow,
  NameState,
} from "../contract/name-page.ts";
import { zoneKeyText } from "../contract/zone.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { indexIn, SortedNames } from "./sorted-names.ts";

/** The part of a zone's actor that is read. */
export type NamedZone = Pick<ZoneActor, "apex" | "key" | "state" | "index" | "ledger">;

/** Names that one answer looks at, at most, and names of which it reads the records. */
const LOOKED_MAX = 200_000;
const READ_MAX = 20_000;
/** Names until the time is looked at again. */
const LOOKED_AT_ONCE = 64;
const VALUES_SHOWN = 3;
const OTHERS_SHOWN = 3;

/** The pages of all zones of an engine. */
export class NamePages {
  readonly #clock: Clock;
  readonly #names = new Map<NamedZone, SortedNames>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** These names may have come into the zone, or gone. */
  settled(zone: NamedZone, names: ReadonlySet<DnsName> | "all"): void {
    this.#names.get(zone)?.changed(names);
  }

  /** The zone is closed. */
  closed(zone: NamedZone): void {
    this.#names.delete(zone);
  }

  /** One page; looks at no more than `LOOKED_MAX` names, in slices. */
  async page(query: NameQuery, zones: readonly NamedZone[]): Promise<NamePage> {
    const slices = new Slices(this.#clock);
    const asked = zones
      .filter(({ apex }) => query.zone === null || apex === query.zone)
      .toSorted((a, b) => compareText(orderOf(a), orderOf(b)));
    const counts = asked.map((zone) => (zone.state === null ? null : this.#of(zone)));
    const walk: Walk = { query, slices, rows: [], looked: 0, read: 0 };
    let next: NamePage["next"] = null;
    const first = query.after === null ? "" : query.after.zone;
    for (const zone of asked) {
      if (next !== null || compareText(orderOf(zone), first) < 0) continue;
      const from = orderOf(zone) === first ? (query.after?.name ?? "") : "";
      const stopped = isEnough(walk) ? from : await this.#walkZone(zone, from, walk);
      next = stopped === null ? null : { zone: orderOf(zone), name: stopped };
    }
    let total: number | null = 0;
    for (const names of counts)
      total = total === null || names === null ? null : total + (await names.sorted(slices)).length;
    return { total, rows: walk.rows, next };
  }

  #of(zone: NamedZone): SortedNames {
    const known = this.#names.get(zone);
    if (known !== undefined) return known;
    const made = new SortedNames({
      *all() {
        const { state, index } = zone;
        if (state !== null) yield* state.owned.names();
        for (const name of index.names()) if (!hasRecords(zone, name)) yield name;
      },
      isThere: (name) => zone.index.isListed(name) || hasRecords(zone, name),
    });
    this.#names.set(zone, made);
    return made;
  }

  /** The name after which the answer goes on later; null = the zone has no more. */
  async #walkZone(zone: NamedZone, from: string, walk: Walk): Promise<string | null> {
    const names = this.#of(zone);
    const { text } = walk.query;
    let sorted = await names.sorted(walk.slices);
    let at = from === "" ? 0 : indexIn(sorted, from, true);
    for (; at < sorted.length; at++) {
      const name = sorted[at] ?? "";
      walk.looked += 1;
      const isDue = walk.looked % LOOKED_AT_ONCE === 0;
      // For most names nothing more is done than this comparison.
      const isMeant = text === null || name.includes(text);
      const row = isMeant ? rowIfAsked(zone, trustedDnsName(name), walk) : null;
      if (row !== null) walk.rows.push(row);
      if ((isMeant || isDue) && isEnough(walk) && at + 1 < sorted.length) return name;
      if (!isDue || !walk.slices.isOver) continue;
      await walk.slices.next();
      // Names came and went meanwhile.
      sorted = await names.sorted(walk.slices);
      at = indexIn(sorted, name, true) - 1;
    }
    return null;
  }
}

/** One answer in progress. */
interface Walk {
  readonly query: NameQuery;
  readonly slices: Slices;
  readonly rows: NameRow[];
  looked: number;
  read: number;
}

function isEnough({ query, rows, looked, read }: Walk): boolean {
  return rows.length >= query.limit || looked >= LOOKED_MAX || read >= READ_MAX;
}

/** By apex first: two accounts may have zones of one name. */
function orderOf({ apex, key }: NamedZone): string {
  return `${apex} ${zoneKeyText(key)}`;
}

function hasRecords({ state }: Pick<NamedZone, "state">, name: string): boolean {
  return state?.owned.has(name) === true;
}

/** The row of a name that has the text; null = it does not match. The cheapest tests come first. */
function rowIfAsked(zone: NamedZone, name: DnsName, walk: Walk): NameRow | null {
  const { states } = walk.query;
  if (walk.query.isShown?.(objectsAt([zone], name)) === false) return null;
  const state = stateOf(zone, name);
  const isHeld = state === "published" && openHold(zone, name) !== undefined;
  if (states?.has(state) === false && !(isHeld && states.has("held"))) return null;
  walk.read += 1;
  return rowOf(zone, { name, state }, walk.query);
}

/** The objects that list the name or are in markers there, in these zones. */
export function objectsAt(
  zones: readonly Pick<NamedZone, "state" | "index">[],
  name: DnsName,
): NameObjects {
  return {
    listed: zones.flatMap((zone) => listedAt(zone, name)),
    marked: zones.flatMap(({ state }) =>
      state?.owned.hasOwnMarker(name) === true
        ? state.owned.at(name).flatMap(({ marker }) => marker ?? [])
        : [],
    ),
  };
}

function listedAt({ index }: Pick<NamedZone, "index">, name: DnsName): readonly ObjectMark[] {
  return index
    .objectsAt(name)
    .map((object) => ({ resource: resourceOf(object), cluster: object.cluster }));
}

/** The state of the name (`NAME_STATES`). */
export function stateOf({ state, index, ledger }: NamedZone, name: DnsName): NameState {
  if (ledger.failureAt(name) !== null) return "failing";
  const { changes = [], holds = [] } = ledger.planAt(name) ?? {};
  const open = holds.filter((hold) => !isSatisfied(hold));
  const own = ownRecords({ state }, name);
  if (open.some(({ code }) => code !== "NoTargets")) return own === "published" ? own : "held";
  if (changes.length > 0 || !ledger.isPlanned(name)) return "pending";
  if (open.length > 0) return "waiting";
  if (own !== null) return own;
  return index.isListed(name) && !hasRecords({ state }, name) ? "waiting" : "foreign";
}

/** Null = nothing of ours is there. */
function ownRecords(
  { state }: Pick<NamedZone, "state">,
  name: DnsName,
): "published" | "marker" | null {
  if (state?.owned.hasOwnMarker(name) !== true) return null;
  return state.owned.ownedAt(name) > 0 ? "published" : "marker";
}

function openHold({ ledger }: NamedZone, name: DnsName): Hold | undefined {
  return ledger.planAt(name)?.holds.find((one) => !isSatisfied(one));
}

/** The row; null = its owner, or none of its objects that may be shown, is the one asked for. */
function rowOf(
  zone: NamedZone,
  { name, state }: Pick<NameRow, "name" | "state">,
  asked: NameQuery,
): NameRow | null {
  const { apex, ledger } = zone;
  const sets = zone.state?.owned.at(name) ?? [];
  const { owner, object, cluster } = whoHas(zone, name, sets);
  if (asked.owner !== null && asked.owner !== owner) return null;
  const { isObjectShown = () => true } = asked;
  const winner = { resource: object, cluster: cluster || null };
  const shown = [winner, ...listedAt(zone, name)].filter(isObjectShown);
  const objects = [...new Set(shown.map(({ resource }) => resource ?? ""))];
  if (asked.object !== null && !objects.some((one) => one.includes(asked.object ?? "")))
    return null;
  const others = objects.filter((one) => one !== object).slice(0, OTHERS_SHOWN);
  const data = sets.flatMap((set) => set.data ?? []);
  const types = [...new Set(data.map(({ type }) => type))];
  const values = data.flatMap((set) => set.values).slice(0, VALUES_SHOWN);
  const { code = "", message = "" } = ledger.failureAt(name) ?? openHold(zone, name) ?? {};
  const sinceMs = ledger.openSinceMs(name);
  const since = sinceMs === null ? null : new Date(sinceMs).toISOString();
  // One literal: spreading makes four times as much garbage, 200 times an answer.
  return {
    zone: apex,
    name,
    state,
    code,
    message,
    owner,
    object,
    cluster,
    others,
    types,
    values,
    since,
  };
}

/** The object that wants the name, else that in its marker; the owner id in the marker. */
function whoHas(
  { index }: NamedZone,
  name: DnsName,
  sets: readonly OwnedRecordSet[],
): Pick<NameRow, "owner" | "object" | "cluster"> {
  const marker = sets.find((set) => set.marker !== null)?.marker;
  const { owner = "", resource = null, cluster = null } = marker ?? {};
  const listed = index.wanted(name)[0]?.provenance ?? index.listing(name)[0]?.object;
  if (listed === undefined) return { owner, object: resource ?? "", cluster: cluster ?? "" };
  return { owner, object: resourceOf(listed), cluster: listed.cluster };
}
