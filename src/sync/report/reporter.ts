/**
 * Reports to listeners what became of contributions (what one object wants in one zone). A report
 * that equals the last one is not sent. While a zone writes many names (a burst), its reports wait
 * until it has nothing more to write, and are then sent in slices, so that nothing else waits for
 * them. Level-based: each report is computed when it is sent.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { type Clock, Slices, type Timer } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { fingerprint64 } from "../../model/fingerprint.ts";
import type { DesiredIndex } from "../cache/desired-index.ts";
import {
  type Contribution,
  type ContributionReport,
  isWithdrawn,
  type NameReport,
} from "../contract/contribution.ts";
import type { WayFailure } from "../contract/zone.ts";
import type { NameLedger } from "../zone/name-ledger.ts";
import { type Failure, namesToReport, objectsOf, reportName } from "../zone/name-report.ts";
import { BURST_NAMES } from "../zone/next-delay.ts";
import type { Way } from "../zone/way.ts";
import type { Ways } from "../zone/ways.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";

/** What a report is made from. */
export interface ReportedZone extends Pick<ZoneActor, "state" | "index"> {
  readonly zoneFailure: Failure | null;
  readonly fences: { readonly main: { readonly stop: Failure | null } | null };
  readonly ledger: Pick<NameLedger, "planAt" | "isPlanned" | "failureAt">;
  readonly ways: Pick<Ways, "keysOf" | "failureOf">;
}

/** Milliseconds without a name that is due, after which a burst is over. */
const QUIET_MS = 150;
/**
 * Longest that reports of a burst wait for its records, in milliseconds: less than the ten seconds
 * after which an object says that its change takes long.
 */
const HELD_MS = 5_000;

/** Names of a zone that are to be reported. */
interface Backlog {
  names: Set<DnsName> | "all";
  /** Monotonic: they wait for records no longer. */
  readonly untilMs: number;
  /** Ends the wait for the records. */
  held: Timer | null;
  isBeingSent: boolean;
}

/** The reports of all zones. */
export class Reporter {
  readonly #clock: Clock;
  readonly #tell: (report: ContributionReport) => void;
  /** Zones with reports that wait, or with more of them than one slice. */
  readonly #backlogs = new Map<ZoneActor, Backlog>();

  constructor(clock: Clock, tell: (report: ContributionReport) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** The zone is closed: no report of it is sent any more. */
  close(actor: ZoneActor): void {
    this.#backlogs.get(actor)?.held?.cancel();
    this.#backlogs.delete(actor);
  }

  /**
   * Reports each contribution that lists one of these names: now; in a burst once no name of the
   * zone has been due for a moment, at most five seconds later. To be called at the end of each
   * round of the zone.
   */
  settled(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): void {
    if (actor.isBurst || isMany(names === "all" ? actor.index.names() : names))
      this.#hold(actor, names);
    else for (const _ of this.#reportEach(actor, names));
    const backlog = this.#backlogs.get(actor);
    if (backlog === undefined || backlog.isBeingSent) return;
    backlog.held?.cancel();
    const leftMs = Math.max(0, backlog.untilMs - this.#clock.monotonicMs());
    const waitMs = actor.ledger.soonestMs() === 0 ? leftMs : Math.min(leftMs, QUIET_MS);
    backlog.held = this.#clock.setTimer(waitMs, () => void this.#drain(actor, backlog));
  }

  #hold(actor: ZoneActor, names: ReadonlySet<DnsName> | "all"): void {
    const backlog = this.#backlogs.get(actor);
    if (backlog === undefined) {
      const untilMs = this.#clock.monotonicMs() + HELD_MS;
      const held = { names: names === "all" ? names : new Set(names), untilMs, held: null };
      this.#backlogs.set(actor, { ...held, isBeingSent: false });
    } else if (names === "all" || backlog.names === "all") backlog.names = "all";
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
      objects: objectsOf(contribution),
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
      .toSorted((a, b) => compareText(a.name, b.name));
    const print = fingerprint64(JSON.stringify([generation, names]));
    if (!actor.index.isNewReport(object, print)) return;
    for (const zone of actor.ways.keysOf(object)) this.#tell({ object, zone, generation, names });
  }

  /** Sends the reports that wait, and those that are added meanwhile. */
  async #drain(actor: ZoneActor, backlog: Backlog): Promise<void> {
    const slices = new Slices(this.#clock);
    backlog.isBeingSent = true;
    while (backlog.names === "all" || backlog.names.size > 0) {
      const { names } = backlog;
      backlog.names = new Set();
      for (const _ of this.#reportEach(actor, names)) {
        if (slices.isOver) await slices.next();
        if (this.#backlogs.get(actor) !== backlog) return;
      }
    }
    this.#backlogs.delete(actor);
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

function isMany(names: Iterable<DnsName>): boolean {
  let count = 0;
  for (const _ of names) if (++count > BURST_NAMES) return true;
  return false;
}

/**
 * An account's way into a zone that waits, because another account may show the same zone (Z-18),
 * as it is reported. `index`: what was contributed through the way; `failure`: why it waits, null =
 * not known yet.
 */
export function waitingZone(
  way: Way,
  failure: WayFailure | null,
  index: DesiredIndex,
): ReportedZone {
  return {
    state: null,
    zoneFailure: failure,
    fences: { main: null },
    index,
    ways: { keysOf: () => [way.key], failureOf: () => null },
    ledger: { planAt: () => null, isPlanned: () => false, failureAt: () => null },
  };
}
