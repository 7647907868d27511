/**
 * Reports to listeners what became of contributions. A report that is equal to the last one is not
 * sent. Many reports are sent in slices, so that nothing else waits for them. Level-based: each is
 * computed when it is sent.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { fingerprint64 } from "../../model/fingerprint.ts";
import type { Contribution } from "../contract/contribution.ts";
import type { ContributionReport, NameReport } from "../contract/contribution-report.ts";
import { isWithdrawn } from "../contract/withdrawn.ts";
import type { NameLedger } from "../zone/name-ledger.ts";
import { type Failure, namesToReport, reportName } from "../zone/name-report.ts";
import type { Ways } from "../zone/ways.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** What a report is made from. */
export interface ReportedZone extends Pick<ZoneActor, "state" | "index"> {
  readonly zoneFailure: Failure | null;
  readonly fences: { readonly main: { readonly stop: Failure | null } | null };
  readonly ledger: Pick<NameLedger, "planAt" | "isPlanned" | "failureAt">;
  readonly ways: Pick<Ways, "keysOf" | "failureOf">;
}

/** Names of a zone that are reported after the slice in progress. */
interface Backlog {
  names: Set<DnsName> | "all";
}

/** The reports of all zones. */
export class Reporter {
  readonly #clock: Clock;
  readonly #tell: (report: ContributionReport) => void;
  /** Zones with more to report than one slice. */
  readonly #backlogs = new Map<ZoneActor, Backlog>();

  constructor(clock: Clock, tell: (report: ContributionReport) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** The zone is closed: no report of it is sent any more. */
  close(actor: ZoneActor): void {
    this.#backlogs.delete(actor);
  }

  /**
   * Reports each contribution that lists one of these names. Resolves when all are sent; at once if
   * other reports of the zone are in progress, which these then follow.
   */
  async settled(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): Promise<void> {
    const backlog = this.#backlogs.get(actor);
    if (backlog === undefined) await this.#drain(actor, names);
    else if (names === "all" || backlog.names === "all") backlog.names = "all";
    else for (const name of names) backlog.names.add(name);
  }

  /** Reports one contribution of a zone now. */
  report(actor: ReportedZone, contribution: Contribution): void {
    const { object, generation } = contribution;
    const zoneFailure = actor.zoneFailure ?? actor.ways.failureOf(object);
    // Until the zone is loaded nobody knows which records of a deleted object it has. A report of
    // none would end its finalizer.
    if (isWithdrawn(contribution) && actor.state === null && zoneFailure === null) return;
    const input = {
      state: actor.state,
      planAt: (name: DnsName) => actor.ledger.planAt(name),
      wantedAt: (name: DnsName) => actor.index.wanted(name),
      isPlanned: (name: DnsName) => actor.ledger.isPlanned(name),
      failureAt: (name: DnsName) => actor.ledger.failureAt(name),
      zoneFailure,
      zoneStop: actor.fences.main?.stop ?? null,
    };
    const names = namesToReport(contribution, actor.state, actor.index)
      .map((name) => reportName(input, contribution, name))
      .filter((report): report is NameReport => report !== null)
      .sort((a, b) => compareText(a.name, b.name));
    const print = fingerprint64(JSON.stringify([generation, names]));
    if (!actor.index.isNewReport(object, print)) return;
    for (const zone of actor.ways.keysOf(object)) this.#tell({ object, zone, generation, names });
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

  /** Names that were settled meanwhile; null = none, and the zone has no backlog any more. */
  #nextOf(actor: ZoneActor): ReadonlySet<DnsName> | "all" | null {
    const names = this.#backlogs.get(actor)?.names;
    if (names === undefined || (names !== "all" && names.size === 0)) {
      this.#backlogs.delete(actor);
      return null;
    }
    this.#backlogs.set(actor, { names: new Set() });
    return names;
  }

  /** Reports name by name; yields after each. Keeps no zone data from one step to the next. */
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
