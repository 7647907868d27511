/**
 * Migration: brings the markers of a zone (the records that state owner and object) to another form
 * while the zone is worked on. Names whose markers do not have the form are planned like any other
 * name, through the same guard and with the same preconditions; to move is to write the marker in
 * the new form. Remembers only the names that could move when a person asked for it, until they did
 * or cannot: the zone itself shows what is done, so that a migration that was broken off is simply
 * asked for again. A marker that cannot move causes no hold that entries would show.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Change, MarkerTarget, NamePlan } from "../../plan/changes.ts";
import { holdChanges } from "../../plan/hold-at.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import type { ZoneState } from "../cache/zone-state.ts";
import type {
  MigrationItem,
  MigrationReport,
  MigrationRequest,
} from "../contract/ownership-rows.ts";
import { type OpenZoneInput, type ZoneKey, zoneKeyText } from "../contract/zone.ts";
import type { Guard } from "../guards/guard.ts";
import type { NameLedger } from "./name-ledger.ts";

/** Names that a report lists. */
export const MIGRATION_ITEMS_MAX = 500;

/** The migration of one zone. */
export class Migration {
  #target: MarkerTarget | null = null;
  /** Names that are still to move; bounded by those that are ours. */
  readonly #asked = new Set<DnsName>();

  /** These names are to move, and no others: whatever was asked for before is over. */
  start(target: MarkerTarget, names: readonly DnsName[]): void {
    this.#target = target;
    this.#asked.clear();
    for (const name of names) this.#asked.add(name);
  }

  /**
   * The plans with the markers that are to move, where nothing else is to do at the name. A name
   * whose markers cannot move now (they have moved, an object is paused, the marker's new name is
   * in use) is no longer asked for, and its plan stays as it is.
   */
  async extend(plans: readonly NamePlan[], zone: LoadedZone): Promise<readonly NamePlan[]> {
    const target = this.#target;
    if (target === null || this.#asked.size === 0) return plans;
    const extended: NamePlan[] = [];
    for (const plan of plans) {
      const isDue = this.#asked.has(plan.name) && plan.changes.length === 0;
      const { changes } = isDue ? await movableAt(zone, plan, target) : plan;
      if (isDue && changes.length === 0) this.#asked.delete(plan.name);
      extended.push(isDue && changes.length > 0 ? { ...plan, changes } : plan);
    }
    return extended;
  }

  /**
   * Takes the plans from the guards. A move that a guard holds is refused and not made later
   * unasked: the plan becomes the one of `before`, because the objects have what they want.
   */
  admitted(plans: readonly NamePlan[], before: readonly NamePlan[]): readonly NamePlan[] {
    if (this.#asked.size === 0) return plans;
    const plain = new Map(before.map((plan) => [plan.name, plan]));
    return plans.map((plan) => {
      const own = plain.get(plan.name);
      const isRefused = plan.changes.length === 0 && plan.holds.length > (own?.holds.length ?? 0);
      if (own === undefined || own.changes.length > 0 || !isRefused) return plan;
      this.#asked.delete(plan.name);
      return own;
    });
  }
}

/** A zone that is read. */
interface LoadedZone {
  readonly zoneInput: OpenZoneInput;
  readonly state: ZoneState;
  readonly index: Pick<DesiredIndex, "paused" | "listing" | "wanted">;
}

/**
 * What is to move at the name of a plan, and what cannot; `Paused` where an object of it is, which
 * leaves the name as a whole.
 */
function movesAt(
  { zoneInput, state, index }: LoadedZone,
  { name, holds }: NamePlan,
  form: MarkerTarget,
): NamePlan {
  const target = { ...form, wanted: index.wanted(name) };
  const moves = zoneInput.ownership.migration?.outdated(name, state.table, target);
  if (moves === undefined) return { name, changes: [], holds: [] };
  const pause = holds.find(({ code }) => code === "Paused");
  if (pause !== undefined) return holdChanges(moves, { code: "Paused", message: pause.message });
  return index.paused.holdPaused(moves, () => index.listing(name));
}

/** The moves at the name with their writes; markers that cannot move are among the holds. */
async function movableAt(zone: LoadedZone, plan: NamePlan, target: MarkerTarget): Promise<Moves> {
  const moves = movesAt(zone, plan, target);
  const { name, changes, holds } = moves;
  if (changes.length === 0) return { name, changes, holds, writes: [] };
  const { zoneInput, state } = zone;
  const prepared = await zoneInput.ownership.prepare({ ...moves, holds: [] }, state.table);
  if (!prepared.ok) return { name, changes: [], holds: [...holds, ...prepared.holds], writes: [] };
  const { group } = prepared;
  const writes = [...group.changes, ...(group.rest?.writes ?? [])];
  return { name, changes, holds, writes: writes.sort((a, b) => RANK[a.op] - RANK[b.op]) };
}

/** A plan of moves with its writes. */
interface Moves extends NamePlan {
  readonly writes: readonly Change[];
}

/** The actor of a zone, as far as a migration goes. */
export interface MigratingZone {
  readonly key: ZoneKey;
  readonly apex: DnsName;
  readonly zoneInput: OpenZoneInput;
  /** Null until loaded. */
  readonly state: ZoneState | null;
  readonly index: LoadedZone["index"];
  readonly ledger: Pick<NameLedger, "planAt">;
  readonly guard: Pick<Guard, "pauseReason">;
  readonly zoneFailure: { readonly message: string } | null;
  enqueue(names: Iterable<DnsName>, why: "moved"): void;
}

/** The migrations of all zones; bounded by the zones that were ever open. */
export class Migrations {
  readonly #clock: Clock;
  readonly #byZone = new Map<string, Migration>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The migration of a zone; the same object for as long as the program runs. */
  of(key: ZoneKey): Migration {
    const id = zoneKeyText(key);
    const known = this.#byZone.get(id);
    if (known !== undefined) return known;
    const migration = new Migration();
    this.#byZone.set(id, migration);
    return migration;
  }

  /** One report for each of these zones that is asked for. */
  async migrate(
    zones: readonly MigratingZone[],
    request: MigrationRequest,
  ): Promise<readonly MigrationReport[]> {
    const reports: MigrationReport[] = [];
    for (const actor of zones)
      if (request.zone === null || request.zone === actor.apex)
        reports.push(await this.#migrate(actor, request));
    return reports;
  }

  /**
   * Looks at every name of ours, and starts the migration if `apply` is set. In a zone where
   * markers are outdated and none can move, it does not begin, and an earlier migration goes on.
   */
  async #migrate(
    actor: MigratingZone,
    { target, apply }: MigrationRequest,
  ): Promise<MigrationReport> {
    const { key: zone, apex, zoneInput, state, zoneFailure } = actor;
    const hasForms = zoneInput.ownership.migration !== undefined;
    const none = { zone, apex, hasForms, outdated: 0, stuck: 0, items: [], unlisted: 0 };
    if (state === null || zoneFailure !== null)
      return { ...none, trouble: zoneFailure?.message ?? "the zone is being loaded" };
    const { movable, ...found } = await this.#survey(actor, state, target);
    if (apply && (movable.length > 0 || found.stuck === 0)) {
      this.of(zone).start(target, movable);
      actor.enqueue(movable, "moved");
    }
    return { ...none, trouble: null, outdated: movable.length, ...found };
  }

  async #survey(actor: MigratingZone, state: ZoneState, target: MarkerTarget) {
    const { zoneInput, index, ledger, guard } = actor;
    // A zone that is paused as a whole writes nothing.
    const message = guard.pauseReason?.() ?? null;
    const slices = new Slices(this.#clock);
    const items: MigrationItem[] = [];
    const movable: DnsName[] = [];
    let [stuck, unlisted] = [0, 0];
    // Names are gathered first: the zone may change between two slices.
    const names = [...state.owned.names()].filter((name) => state.owned.hasClaim(name)).sort();
    for (const name of names.map(trustedDnsName)) {
      if (slices.isOver) await slices.next();
      const known = ledger.planAt(name) ?? { name, changes: [], holds: [] };
      const item = await movableAt({ zoneInput, index, state }, known, target);
      const writes = message === null ? item.writes : [];
      const { holds } = message === null ? item : holdChanges(item, { code: "Paused", message });
      if (writes.length + holds.length === 0) continue;
      if (writes.length > 0) movable.push(name);
      if (holds.length > 0) stuck += 1;
      if (items.length < MIGRATION_ITEMS_MAX) items.push({ name, writes, holds });
      else unlisted += 1;
    }
    return { movable, stuck, items, unlisted };
  }
}

const RANK: Readonly<Record<Change["op"], number>> = { create: 0, replace: 1, remove: 2 };
