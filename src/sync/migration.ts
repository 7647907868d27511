/**
 * Bringing the markers of a zone to another form while it is worked on: names whose markers do not have it are planned
 * like any other name, through the same guard and with the same preconditions. Remembers only what was asked for: what
 * is done already, the zone says, so that a broken-off migration is simply asked for again.
 */
import { type DnsName, trustedDnsName } from "../model/dns-name.ts";
import type { Change, Hold, MarkerTarget, NamePlan } from "../plan/changes.ts";
import { type Clock, Slices } from "../ports/clock.ts";
import type { ZoneKey, ZoneSetup } from "./contract.ts";
import type { DesiredIndex } from "./desired-index.ts";
import type { NameLedger } from "./name-ledger.ts";
import { pausedPlan } from "./paused-plan.ts";
import type { ZoneState } from "./zone-state.ts";

/** What is asked for. */
export interface MigrationRequest {
  /** Apex; null = every zone. */
  readonly zone: DnsName | null;
  readonly target: MarkerTarget;
  /** False = only tell. */
  readonly apply: boolean;
}

/** One name whose markers do not have the form. */
export interface MigrationItem {
  readonly name: DnsName;
  /** What is written, the new marker before the old one goes; empty = it is held. */
  readonly writes: readonly Change[];
  readonly holds: readonly Hold[];
}

/** Where one zone stands. */
export interface MigrationReport {
  readonly zone: ZoneKey;
  readonly apex: DnsName;
  /** Why the zone cannot say; null = it can. */
  readonly trouble: string | null;
  /** False = the zone's registry writes markers in one form only: nothing can be outdated. */
  readonly hasForms: boolean;
  /** Names whose markers can be brought to the form. */
  readonly outdated: number;
  /** Names whose markers cannot; see their holds. */
  readonly stuck: number;
  /** At most MIGRATION_ITEMS_MAX of them, sorted by name. */
  readonly items: readonly MigrationItem[];
}

/** Names that a report lists. */
export const MIGRATION_ITEMS_MAX = 500;

/** The migration of one zone. */
export class Migration {
  #target: MarkerTarget | null = null;

  /** From now on until the program ends. */
  start(target: MarkerTarget): void {
    this.#target = target;
  }

  /**
   * The plan with the markers that are to move, where nothing else is to do at the name. What is paused keeps its markers, and
   * its plan: nothing is open about it, and when the pause ends the name is planned again.
   */
  extend(plan: NamePlan, zone: WholeZone): NamePlan {
    if (this.#target === null || plan.changes.length > 0) return plan;
    const { changes } = movesAt(zone, plan, this.#target);
    return changes.length === 0 ? plan : { ...plan, changes };
  }
}

/** A zone that is read. */
interface WholeZone {
  readonly setup: ZoneSetup;
  readonly state: ZoneState;
  readonly index: Pick<DesiredIndex, "paused" | "listing">;
}

/** What is to move at the name of a plan; `Paused` where an object of it is, which leaves the name as a whole. */
function movesAt(
  { setup, state, index }: WholeZone,
  { name, holds }: NamePlan,
  target: MarkerTarget,
): NamePlan {
  const changes = setup.ownership.outdated?.(name, state.table, target) ?? [];
  const moves: NamePlan = { name, changes, holds: [] };
  const pause = holds.find(({ code }) => code === "Paused");
  if (pause !== undefined) return pausedPlan(moves, pause.message);
  return index.paused.leave(moves, () => index.listing(name));
}

/** The actor of a zone, as far as a migration goes. */
export interface MigratingZone {
  readonly key: ZoneKey;
  readonly apex: DnsName;
  readonly setup: ZoneSetup;
  /** Null until loaded. */
  readonly state: ZoneState | null;
  readonly index: WholeZone["index"];
  readonly ledger: Pick<NameLedger, "planAt">;
  readonly zoneFailure: { readonly message: string } | null;
  touch(names: Iterable<DnsName>, edited: boolean): void;
}

/** The migrations of all zones; bounded by the zones that were ever open. */
export class Migrations {
  readonly #clock: Clock;
  readonly #byZone = new Map<string, Migration>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The one of a zone; the same for as long as the program runs. */
  of({ account, zone }: ZoneKey): Migration {
    const id = `${account}|${zone}`;
    const known = this.#byZone.get(id);
    if (known !== undefined) return known;
    const migration = new Migration();
    this.#byZone.set(id, migration);
    return migration;
  }

  /** Looks at every name of ours, and starts the migration if that is asked for. */
  async migrate(
    actor: MigratingZone,
    { target, apply }: MigrationRequest,
  ): Promise<MigrationReport> {
    const { key: zone, apex, setup, state, zoneFailure } = actor;
    const hasForms = setup.ownership.outdated !== undefined;
    const none = { zone, apex, hasForms, outdated: 0, stuck: 0, items: [] };
    if (state === null || zoneFailure !== null)
      return { ...none, trouble: zoneFailure?.message ?? "the zone is being loaded" };
    const whole = { setup, state, index: actor.index, ledger: actor.ledger };
    const { movable, stuck, items } = await this.#survey(whole, target);
    if (apply) {
      this.of(zone).start(target);
      actor.touch(movable, false);
    }
    return { ...none, trouble: null, outdated: movable.length, stuck, items };
  }

  async #survey(zone: WholeZone & Pick<MigratingZone, "ledger">, target: MarkerTarget) {
    const { state, ledger } = zone;
    const slices = new Slices(this.#clock);
    const items: MigrationItem[] = [];
    const movable: DnsName[] = [];
    let stuck = 0;
    // Names are gathered first: the zone may change between two slices.
    const names = [...state.owned.names()].filter((name) => state.owned.hasOurs(name)).sort();
    for (const name of names.map(trustedDnsName)) {
      if (slices.isOver) await slices.next();
      const known = ledger.planAt(name) ?? { name, changes: [], holds: [] };
      const moves = movesAt(zone, known, target);
      if (moves.changes.length + moves.holds.length === 0) continue;
      const item = await itemOf(zone, moves);
      if (item.writes.length > 0) movable.push(name);
      else stuck += 1;
      if (items.length < MIGRATION_ITEMS_MAX) items.push(item);
    }
    return { movable, stuck, items };
  }
}

async function itemOf({ setup, state }: WholeZone, moves: NamePlan): Promise<MigrationItem> {
  const { name, holds } = moves;
  if (holds.length > 0) return { name, writes: [], holds };
  const prepared = await setup.ownership.prepare(moves, state.table);
  if (!prepared.ok) return { name, writes: [], holds: prepared.holds };
  const { group } = prepared;
  const writes = [...group.changes, ...(group.rest?.writes ?? [])];
  return { name, writes: writes.sort((a, b) => RANK[a.op] - RANK[b.op]), holds: [] };
}

const RANK: Readonly<Record<Change["op"], number>> = { create: 0, replace: 1, remove: 2 };
