/**
 * Tells listeners where contributions stand, each report once as long as it says the same. Many
 * reports go out in slices, so that nothing else waits for them. Computed from what is known when
 * they go out: level-based.
 */
import { compareText, type DnsName } from "../../model/dns-name.ts";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { type Clock, Slices } from "../../ports/clock.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { ContributionReport, NameReport } from "../contract/contribution-report.ts";
import { isWithdrawn } from "../contract/withdrawn.ts";
import { namesToReport, reportName } from "../zone/name-report.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** What still has to be reported of one zone while a slice is going out. */
interface Backlog {
  names: Set<DnsName> | "all";
}

/** The reports of all zones. */
export class Reporter {
  readonly #clock: Clock;
  readonly #listeners = new Set<(report: ContributionReport) => void>();
  /** Zones with more to report than one slice. */
  readonly #backlogs = new Map<ZoneActor, Backlog>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Adds a listener; the answer takes it away. */
  onReport(listener: (report: ContributionReport) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The zone is closed: nothing more of it goes out. */
  close(actor: ZoneActor): void {
    this.#backlogs.delete(actor);
  }

  /**
   * Reports what lists these names, at once where one slice suffices. Resolves when they went out;
   * at once when more of the same zone is going out: they follow it then.
   */
  async settled(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): Promise<void> {
    const backlog = this.#backlogs.get(actor);
    if (backlog === undefined) await this.#drain(actor, names);
    else if (names === "all" || backlog.names === "all") backlog.names = "all";
    else for (const name of names) backlog.names.add(name);
  }

  /** Reports one contribution of a zone now. */
  report(actor: ZoneActor, contribution: Contribution): void {
    // What is left of a deleting object is not known before the zone is: no report is better than
    // "nothing".
    if (isWithdrawn(contribution) && actor.state === null && actor.zoneFailure === null) return;
    const input = {
      state: actor.state,
      planAt: (name: DnsName) => actor.ledger.planAt(name),
      isPlanned: (name: DnsName) => actor.ledger.isPlanned(name),
      failureAt: (name: DnsName) => actor.ledger.failureAt(name),
      zoneFailure: actor.zoneFailure,
    };
    const names = namesToReport(contribution, actor.state, actor.index)
      .map((name) => reportName(input, contribution, name))
      .filter((report): report is NameReport => report !== null)
      .sort((a, b) => compareText(a.name, b.name));
    const { object, generation } = contribution;
    const print = fingerprint64(JSON.stringify([generation, names]));
    if (!actor.index.isNewReport(object, print)) return;
    const report = { object, zone: actor.zoneInput.key, generation, names };
    for (const listener of this.#listeners) listener(report);
  }

  /** Without a pause as long as one slice suffices. */
  async #drain(actor: ZoneActor, first: ReadonlySet<DnsName> | "all"): Promise<void> {
    const slices = new Slices(this.#clock);
    for (let names: ReadonlySet<DnsName> | "all" | null = first; names !== null; ) {
      for (const _ of this.#reportEach(actor, names)) {
        if (!slices.isOver) continue;
        if (!this.#backlogs.has(actor)) this.#backlogs.set(actor, { names: new Set() });
        await slices.next();
        if (!this.#backlogs.has(actor)) return;
      }
      names = this.#nextOf(actor);
    }
  }

  /** What came in meanwhile; null = nothing, and the zone has no backlog any more. */
  #nextOf(actor: ZoneActor): ReadonlySet<DnsName> | "all" | null {
    const names = this.#backlogs.get(actor)?.names;
    if (names === undefined || (names !== "all" && names.size === 0)) {
      this.#backlogs.delete(actor);
      return null;
    }
    this.#backlogs.set(actor, { names: new Set() });
    return names;
  }

  /** Reports name by name; yields after each. Nothing is kept from one step to the next. */
  *#reportEach(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): Iterable<void> {
    const { index } = actor;
    const reported = new Set<number>();
    for (const name of names === "all" ? index.names() : names) {
      const objects = index.objectsListing(name).filter((object) => !reported.has(object));
      for (const object of objects) {
        reported.add(object);
        this.report(actor, index.contributionOf(object));
      }
      yield;
    }
    for (const contribution of index.wantingNothing()) {
      this.report(actor, contribution);
      yield;
    }
  }
}
