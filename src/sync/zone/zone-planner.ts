/**
 * Plans the names of one zone: those that changes told of, and by a full pass those that differ at
 * all (DESIGN §11). Names whose two sides are equal by id are not looked at twice. Long work goes
 * in slices.
 */
import { type DnsName, trustedDnsName } from "../../model/dns-name.ts";
import type { NamePlan } from "../../plan/changes.ts";
import { type Clock, Slices } from "../../ports/clock.ts";
import type { ZoneTexts } from "../cache/columns/zone-texts.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import { type Terms, ZoneComparison } from "../cache/zone-comparison.ts";
import type { SomeNames, ZoneState } from "../cache/zone-state.ts";
import { KnownCuts, namesUnder } from "../delegation/known-cuts.ts";
import type { NameLedger } from "./name-ledger.ts";
import { type PlanInput, planOf } from "./name-planner.ts";

/** Ids compared between two looks at the time. */
const SLICE_IDS = 2_000;
/**
 * Names that differ and have an empty plan, looked at in one check; the next one goes on behind
 * them.
 */
const LOOKS_MAX = 1_000;

/** What a planner works with. */
export interface PlannerParts {
  readonly index: DesiredIndex;
  readonly texts: ZoneTexts;
  readonly ledger: NameLedger;
  /** Long work is cut into slices by it. */
  readonly clock: Clock;
}

/** One zone's planner. */
export class ZonePlanner {
  readonly #parts: PlannerParts;
  readonly #cuts = new KnownCuts();
  #checkedToId = 0;

  constructor(parts: PlannerParts) {
    this.#parts = parts;
  }

  /** A plan for each name, in order. */
  async plansOf(names: readonly DnsName[], input: PlanInput): Promise<readonly NamePlan[]> {
    const isAsWanted = this.evenness(input);
    const slices = new Slices(this.#parts.clock);
    const plans: NamePlan[] = [];
    for (const name of names) {
      if (slices.isOver) await slices.next();
      const isEven = isAsWanted(name) && input.desk?.isAbout(name) !== true;
      plans.push(isEven ? { name, changes: [], holds: [] } : planOf(input, name));
    }
    return plans;
  }

  /**
   * Marks every name whose two sides differ, and what is open. `isFirst`: nothing was planned
   * before.
   */
  async markAll(input: PlanInput, isFirst: boolean): Promise<void> {
    const { ledger, texts, clock } = this.#parts;
    const slices = new Slices(clock);
    const comparison = this.#comparisonOf(input);
    const terms = termsOf(input);
    for (let id = 0; id < texts.names.idsEnd; id += SLICE_IDS) {
      for (const uneven of comparison.unevenBelow(terms, id, id + SLICE_IDS))
        ledger.mark(comparison.nameOf(uneven), isFirst);
      if (slices.isOver) await slices.next();
    }
    for (const name of ledger.openNames()) ledger.mark(name, false);
  }

  /**
   * Marks names whose view moved, when they are ours or wanted and not as wanted; answers the
   * others.
   */
  markMoved(moved: SomeNames, input: PlanInput): ReadonlySet<DnsName> {
    const { ledger, index } = this.#parts;
    const isAsWanted = this.evenness(input);
    const isRelevant = (name: DnsName): boolean =>
      index.isListed(name) ||
      input.state.owned.hasOurs(name) ||
      input.state.owned.hasPermit(name) ||
      ledger.planAt(name) !== null;
    const even = new Set<DnsName>();
    for (const name of moved)
      if (!ledger.isOpen(name) && isAsWanted(name)) even.add(name);
      else if (isRelevant(name)) ledger.mark(name, false);
    return even;
  }

  /**
   * Marks what lies below delegations that came or went since the last look: they decide about it
   * anew (Z-18).
   */
  markCuts(state: ZoneState): void {
    const cuts = this.#cuts.learn(state.table.delegations);
    if (cuts.length === 0) return;
    const { ledger, index } = this.#parts;
    for (const name of namesUnder(cuts, index.names())) ledger.mark(name, false);
    for (const name of namesUnder(cuts, oursIn(state))) ledger.mark(name, false);
  }

  /** Names that have something to do and of which the ledger does not know; must be none. */
  missed(input: PlanInput): readonly DnsName[] {
    const comparison = this.#comparisonOf(input);
    const missed: DnsName[] = [];
    let looks = 0;
    for (const id of comparison.uneven(termsOf(input), this.#checkedToId)) {
      const name = comparison.nameOf(id);
      if (this.#parts.ledger.isOpen(name)) continue;
      this.#checkedToId = id;
      if (looks === LOOKS_MAX) return missed;
      looks += 1;
      const plan = planOf(input, name);
      if (plan.changes.length > 0 || plan.holds.length > 0) missed.push(name);
    }
    this.#checkedToId = 0;
    return missed;
  }

  /** Whether a name holds exactly what is wanted, so that its plan is empty. */
  evenness(input: PlanInput): (name: DnsName) => boolean {
    return this.#comparisonOf(input).evenness(termsOf(input));
  }

  #comparisonOf({ state }: PlanInput): ZoneComparison {
    const { index, texts } = this.#parts;
    return new ZoneComparison({ index, state, texts });
  }
}

/** What evenness depends on, of what plans depend on. */
function termsOf({ setup, identity }: PlanInput): Terms {
  return { setup, mainOwner: identity.mainOwner };
}

function oursIn({ owned }: ZoneState): readonly DnsName[] {
  return [...owned.names()].filter((name) => owned.hasOurs(name)).map(trustedDnsName);
}
