/**
 * Ways to an apex that a zone with an actor has already (Z-18). A newcomer gets no actor before it
 * is known to lead elsewhere, so it adds and removes nothing. Where it is proven to lead into the
 * same zone, it joins that zone. Until then the zone that was known first goes on undisturbed.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import { steadyBackOffMs } from "@zonekeeper/base/timing/back-off";
import type { RecordSet } from "../../model/record-set.ts";
import type { OpenZoneInput, WayFailure } from "../contract/zone.ts";
import type { Way } from "../zone/way.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { type ProofContext, proveWays, type Unproven } from "./prove-ways.ts";
import { maybeSame } from "./same-zone.ts";
import { arePeers, isOlder, isSaidOther, isSaidSame, oldestOf, unproven } from "./way-facts.ts";

/** What the engine does for newcomers. */
export interface NewcomerHost {
  /** Zones of this apex that have an actor. */
  open(apex: string): readonly ZoneActor[];
  /** The way leads into a zone of its own. */
  start(way: Way): void;
  /** The way leads into the zone of this actor. */
  join(way: Way, actor: ZoneActor): void;
  /** Closes the zone; answers its ways. */
  retire(actor: ZoneActor): readonly Way[];
  /** Why the newcomer waits has changed. */
  changed(newcomer: Newcomer): void;
}

/** What newcomers work with. */
export interface NewcomersOptions extends Omit<ProofContext, "signal"> {
  readonly host: NewcomerHost;
  readonly clock: Clock;
}

/** First and longest wait until an unproven way is tried again. */
const AGAIN = { firstMs: 5_000, maxMs: 600_000 } as const;

/** A way that waits. */
export class Newcomer {
  readonly way: Way;
  readonly abort = new AbortController();
  /** Null = what it leads to is being found out. */
  failure: WayFailure | null = null;
  tries = 0;
  timer: Timer | null = null;
  isBusy = false;

  constructor(way: Way) {
    this.way = way;
  }
}

/** How one zone and a newcomer compare. `yields` = the zone gives way. */
type Comparison =
  | { readonly is: "same" | "other" | "yields" }
  | { readonly is: "unproven"; readonly why: WayFailure };

/** See above. */
export class Newcomers {
  readonly #options: NewcomersOptions;
  readonly #waiting = new Map<string, Newcomer>();

  constructor(options: NewcomersOptions) {
    this.#options = options;
  }

  get(id: string): Newcomer | null {
    return this.#waiting.get(id) ?? null;
  }

  all(): readonly Newcomer[] {
    return [...this.#waiting.values()];
  }

  /** The way leads to an apex that has an actor. */
  arrive(way: Way): void {
    const newcomer = new Newcomer(way);
    this.#waiting.set(way.id, newcomer);
    void this.#meet(newcomer);
  }

  /** Another session, policy or facts of the way. */
  renew(newcomer: Newcomer, input: OpenZoneInput): void {
    newcomer.way.use(input);
    void this.#meet(newcomer);
  }

  /** A zone of this apex was closed: nothing may stand in the way of a newcomer any more. */
  retryAt(apex: string): void {
    for (const newcomer of this.all())
      if (newcomer.way.zone.name === apex) void this.#meet(newcomer);
  }

  /** The way is left. */
  leave(id: string): void {
    const newcomer = this.#waiting.get(id);
    newcomer?.timer?.cancel();
    newcomer?.abort.abort();
    this.#waiting.delete(id);
  }

  stop(): void {
    for (const id of [...this.#waiting.keys()]) this.leave(id);
  }

  /** The zone moved: its apex may be that of another zone that has an actor now. */
  review(actor: ZoneActor): void {
    const open = this.#options.host.open(actor.apex);
    const others = open.filter((other) => other !== actor);
    // Asked for each record that was written, and nearly always the zone is the only one there.
    if (others.length === 0) return;
    const ownApex = viewOf(actor);
    for (const other of others) {
      const otherApex = viewOf(other);
      if (
        ownApex === null ||
        otherApex === null ||
        !maybeSame(ownApex, otherApex) ||
        isSaidOther(other.ways.all(), actor.ways.all())
      )
        continue;
      const [one, later] =
        open.indexOf(actor) < open.indexOf(other) ? [actor, other] : [other, actor];
      const younger = isOlder(oldestOf(later.ways.all()), oldestOf(one.ways.all())) ? one : later;
      for (const way of this.#options.host.retire(younger)) this.arrive(way);
      return;
    }
  }

  async #meet(newcomer: Newcomer): Promise<void> {
    if (newcomer.isBusy) return;
    newcomer.isBusy = true;
    newcomer.timer?.cancel();
    const retired: Way[] = [];
    const end = await this.#endOf(newcomer, retired);
    newcomer.isBusy = false;
    if (!newcomer.abort.signal.aborted) this.#settle(newcomer, end);
    for (const way of retired) this.arrive(way);
  }

  /**
   * Compares the newcomer with every zone of its apex, also with those that begin meanwhile. The
   * zone that it joins, or why it waits; null = it gets a zone of its own.
   */
  async #endOf(newcomer: Newcomer, retired: Way[]): Promise<ZoneActor | WayFailure | null> {
    const met = new Set<ZoneActor>();
    for (;;) {
      const actor = this.#next(newcomer, met);
      if (actor === null) return null;
      met.add(actor);
      const comparison = await this.#compare(newcomer, actor);
      if (!this.#isOpen(actor)) continue;
      if (comparison.is === "same") return actor;
      if (comparison.is === "unproven") /* clause: unproven-newcomer-waits */ return comparison.why;
      if (comparison.is === "yields") retired.push(...this.#options.host.retire(actor));
    }
  }

  #settle(newcomer: Newcomer, end: ZoneActor | WayFailure | null): void {
    if (end !== null && "code" in end) {
      this.#wait(newcomer, end);
      return;
    }
    this.#waiting.delete(newcomer.way.id);
    if (end === null) this.#options.host.start(newcomer.way);
    else this.#options.host.join(newcomer.way, end);
  }

  #next({ way }: Newcomer, met: ReadonlySet<ZoneActor>): ZoneActor | null {
    return this.#options.host.open(way.zone.name).find((actor) => !met.has(actor)) ?? null;
  }

  #isOpen(actor: ZoneActor): boolean {
    return this.#options.host.open(actor.apex).includes(actor);
  }

  #wait(newcomer: Newcomer, why: WayFailure): void {
    newcomer.tries += 1;
    newcomer.failure = why;
    const delayMs = steadyBackOffMs(AGAIN, newcomer.tries);
    newcomer.timer = this.#options.clock.setTimer(delayMs, () => void this.#meet(newcomer));
    this.#options.host.changed(newcomer);
  }

  async #compare(newcomer: Newcomer, actor: ZoneActor): Promise<Comparison> {
    const { way } = newcomer;
    const { readWay } = actor.ways;
    const { signal } = newcomer.abort;
    if (isSaidSame(actor.ways.all(), [way])) return { is: "same" };
    const [ownApex, otherApex] = await Promise.all([apexOf(way, signal), apexOf(readWay, signal)]);
    if ("code" in ownApex) return { is: "unproven", why: ownApex };
    if ("code" in otherApex)
      return actor.state === null || actor.zoneFailure !== null || isYounger(actor, newcomer)
        ? /* clause: unreadable-zone-yields */ { is: "yields" }
        : { is: "unproven", why: otherApex };
    if (!maybeSame({ zone: way.zone, ...ownApex }, { zone: readWay.zone, ...otherApex }))
      return { is: "other" };
    return this.#prove(newcomer, actor);
  }

  async #prove(newcomer: Newcomer, actor: ZoneActor): Promise<Comparison> {
    const { way, abort } = newcomer;
    const context = { ...this.#options, signal: abort.signal };
    const trouble = await proveWays([way, actor.ways.readWay], context);
    // clause: same-zone-is-proven
    if (trouble === null) return { is: "same" };
    // A proof goes before what a person says: two actors would not see each other's removals.
    // clause: person-declares-other-zone
    if (isSaidOther(actor.ways.all(), [way])) return { is: "other" };
    // clause: older-zone-goes-on
    if (isYielding(actor, newcomer, trouble)) return { is: "yields" };
    return { is: "unproven", why: unproven(way, actor.ways.all(), trouble.message) };
  }
}

/** The apex as it is read through a way now; else why it cannot be read. */
async function apexOf(
  { session, zone, budget }: Way,
  signal: AbortSignal,
): Promise<{ readonly apex: readonly RecordSet[] } | WayFailure> {
  try {
    await budget.read();
    return { apex: (await session.records(zone, [zone.name], signal)).sets };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { code: error.code, message: messageOf(error) };
  }
}

function viewOf({ state, apex, zoneInput: { zone } }: ZoneActor) {
  return state === null ? null : { zone, apex: state.table.at(apex) };
}

function isYounger(actor: ZoneActor, { way }: Newcomer): boolean {
  return isOlder(oldestOf([way]), oldestOf(actor.ways.all()));
}

/**
 * The younger one gives way; between peers, whatever their age, the one that refuses even the
 * proof: it is a secondary, or has no right. One that was written through is neither.
 */
function isYielding(actor: ZoneActor, newcomer: Newcomer, { refused }: Unproven): boolean {
  const all = actor.ways.all();
  const isRefused = (way: Way): boolean => refused.includes(way) && !way.hasWritten;
  const isKnownRefused = all.some(isRefused) && !all.some(({ hasWritten }) => hasWritten);
  const isOneRefused = isKnownRefused !== isRefused(newcomer.way);
  if (isOneRefused && arePeers(oldestOf([newcomer.way]), oldestOf(all))) return isKnownRefused;
  return isYounger(actor, newcomer);
}
