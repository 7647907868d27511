/**
 * Finds the names of one zone that need a plan, and plans them: after changes, the names that
 * moved (whose records changed in the zone); in a full pass, every name that differs
 * (docs/architecture.md#budgets). A name whose desired and current side are equal by their interned
 * ids is in sync and gets an empty plan without a call of the planner. Long work is cut into
 * slices.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import {
  type DnsName,
  isAtOrBelow,
  isWildcard,
  parentOf,
  trustedDnsName,
} from "@zonekeeper/dns/names/dns-name";
import type { NamePlan } from "../../plan/changes.ts";
import { basesIn } from "../cache/attached-names.ts";
import type { ZoneTexts } from "../cache/columns/zone-texts.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import { type ComparisonContext, ZoneComparison } from "../cache/zone-comparison.ts";
import type { SomeNames, ZoneState } from "../cache/zone-state.ts";
import { KnownCuts, namesUnder } from "../delegation/zone-cuts.ts";
import type { NameLedger } from "./name-ledger.ts";
import { type PlanInput, planned, planOf } from "./name-planner.ts";

/** Ids compared in one slice. */
const SLICE_IDS = 2_000;
/** Names that one self-check plans; the next one continues after them. */
const CHECKED_MAX = 1_000;

/** What a planner works with. */
export interface PlannerContext {
  readonly apex: DnsName;
  readonly index: DesiredIndex;
  readonly texts: ZoneTexts;
  readonly ledger: NameLedger;
  /** Long work is cut into slices by it. */
  readonly clock: Clock;
}

/** One zone's planner. */
export class ZonePlanner {
  readonly #context: PlannerContext;
  readonly #cuts = new KnownCuts();
  #checkedToId = 0;

  constructor(context: PlannerContext) {
    this.#context = context;
  }

  /** A plan for each name, in order. Renames of objects that plans wait for are remembered. */
  async plansOf(names: readonly DnsName[], input: PlanInput): Promise<readonly NamePlan[]> {
    const isAsWanted = this.inSyncTest(input);
    const slices = new Slices(this.#context.clock);
    const plans: NamePlan[] = [];
    for (const name of names) {
      if (slices.isOver) await slices.next();
      const isInSync = isAsWanted(name) && input.orders?.isAbout(name) !== true;
      if (isInSync) {
        plans.push({ name, changes: [], holds: [] });
        continue;
      }
      const { plan, renames } = planned(input, name);
      plans.push(plan);
      const { former } = input.absences.records;
      for (const { renamed, published } of renames) former.waited(name, renamed, published);
    }
    return plans;
  }

  /**
   * Enqueues every name that differs or is open. `isFirst`: no name was planned before.
   */
  async markAll(input: PlanInput, isFirst: boolean): Promise<void> {
    const { ledger, texts, clock } = this.#context;
    const slices = new Slices(clock);
    const comparison = this.#comparisonOf(input);
    const comparisonContext = comparisonContextOf(input);
    for (let id = 0; id < texts.names.idsEnd; id += SLICE_IDS) {
      for (const differing of comparison.differingBelow(comparisonContext, id, id + SLICE_IDS))
        ledger.mark(comparison.nameOf(differing), isFirst);
      if (slices.isOver) await slices.next();
    }
    for (const name of ledger.openNames()) ledger.mark(name, false);
  }

  /**
   * Enqueues moved names that are owned or desired and not in sync; answers those that are in sync.
   */
  markMoved(moved: SomeNames, input: PlanInput): ReadonlySet<DnsName> {
    const { ledger, index } = this.#context;
    const isAsWanted = this.inSyncTest(input);
    const isRelevant = (name: DnsName): boolean =>
      index.isListed(name) ||
      input.state.owned.hasOwnMarker(name) ||
      input.state.owned.hasPermit(name) ||
      ledger.planAt(name) !== null;
    const inSync = new Set<DnsName>();
    for (const name of moved) {
      this.markAround(name);
      if (!ledger.isOpen(name) && isAsWanted(name)) inSync.add(name);
      else if (isRelevant(name)) {
        ledger.mark(name, false);
        ledger.answers.drifted(name);
      }
    }
    return inSync;
  }

  /** Enqueues held names that a change at this one may free (Z-26, Z-28). */
  markAround(name: DnsName): void {
    const { apex, ledger, index } = this.#context;
    const parent = isWildcard(name) ? parentOf(name) : null;
    const below =
      parent === null ? [] : ledger.heldNames().filter((held) => isAtOrBelow(held, parent));
    const attached = [...index.attached.of(name), ...basesIn(name, apex)];
    for (const one of [...index.cuts.dependingOn(name), ...attached, ...below])
      if (ledger.mayBeHeld(one)) ledger.mark(one, false);
  }

  /**
   * Enqueues the names below delegations that appeared, changed or disappeared since the last call
   * (Z-18).
   */
  markCuts(state: ZoneState): void {
    const cuts = this.#cuts.learn(state.table.cuts);
    if (cuts.length === 0) return;
    const { ledger, index } = this.#context;
    const { owned } = state;
    const own = [...owned.names()].filter((name) => owned.hasOwnMarker(name)).map(trustedDnsName);
    for (const names of [index.names(), own])
      for (const name of namesUnder(cuts, names)) ledger.mark(name, false);
  }

  /** Names that need changes or holds and are unknown to the ledger; there must be none. */
  missed(input: PlanInput): readonly DnsName[] {
    const comparison = this.#comparisonOf(input);
    const missed: DnsName[] = [];
    let checked = 0;
    for (const id of comparison.differing(comparisonContextOf(input), this.#checkedToId)) {
      const name = comparison.nameOf(id);
      if (this.#context.ledger.isOpen(name)) continue;
      this.#checkedToId = id;
      if (checked === CHECKED_MAX) return missed;
      checked += 1;
      const plan = planOf(input, name);
      if (plan.changes.length > 0 || plan.holds.length > 0) missed.push(name);
    }
    this.#checkedToId = 0;
    return missed;
  }

  /** A test whether a name is in sync, so that its plan is empty. */
  inSyncTest(input: PlanInput): (name: DnsName) => boolean {
    return this.#comparisonOf(input).inSyncTest(comparisonContextOf(input));
  }

  #comparisonOf({ state }: PlanInput): ZoneComparison {
    const { index, texts } = this.#context;
    return new ZoneComparison({ index, state, texts });
  }
}

/** The part of a plan input that the comparison needs. */
function comparisonContextOf({ zoneInput, identity }: PlanInput): ComparisonContext {
  return { zoneInput, mainOwner: identity.mainOwner };
}
