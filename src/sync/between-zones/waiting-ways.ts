/**
 * A way (an account that shows a zone) to an apex that a zone with an actor has already (Z-18)
 * waits: it gets no actor before it is known to lead into another zone, so it adds and removes
 * nothing. If it is proven to lead into the same zone, it joins that zone. Until then the zone that
 * was known first goes on undisturbed, unless it cannot be read and the way goes before it: older,
 * or of trusted namespaces (way-facts.ts). Then the zone yields: it is closed, and its ways wait.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import { steadyBackOffMs } from "@zonekeeper/base/timing/back-off";
import type { RecordSet } from "../../model/record-set.ts";
import type { OpenZoneInput, WayFailure } from "../contract/zone.ts";
import type { Way } from "../zone/way.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { type ProofContext, proveWays, type Unproven } from "./prove-ways.ts";
import {
  arePeers,
  isOlder,
  isSaidOther,
  isSaidSame,
  maybeSame,
  oldestOf,
  unproven,
} from "./way-facts.ts";

/** The engine, for ways that wait. */
export interface WaitingWayHost {
  /** Zones of this apex that have an actor. */
  open(apex: string): readonly ZoneActor[];
  /** The way leads into a zone of its own. */
  start(way: Way): void;
  /** The way leads into the zone of this actor. */
  join(way: Way, actor: ZoneActor): void;
  /** Closes the zone; answers its ways. */
  retire(actor: ZoneActor): readonly Way[];
  /** Why it waits has changed. */
  changed(waiting: WaitingWay): void;
}

/** Ports and settings of all ways that wait. */
export interface WaitingWaysOptions extends Omit<ProofContext, "signal"> {
  readonly host: WaitingWayHost;
  readonly clock: Clock;
}

/** First and longest wait until an unproven way is tried again. */
const AGAIN = { firstMs: 5_000, maxMs: 600_000 } as const;

/** A way that waits. */
export class WaitingWay {
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

/** How one zone and a way that waits compare. `yields`: the zone is closed, its ways wait. */
type Comparison =
  | { readonly is: "same" | "other" | "yields" }
  | { readonly is: "unproven"; readonly why: WayFailure };

/** The ways of an engine that wait. */
export class WaitingWays {
  readonly #options: WaitingWaysOptions;
  readonly #waiting = new Map<string, WaitingWay>();

  constructor(options: WaitingWaysOptions) {
    this.#options = options;
  }

  get(id: string): WaitingWay | null {
    return this.#waiting.get(id) ?? null;
  }

  all(): readonly WaitingWay[] {
    return [...this.#waiting.values()];
  }

  /** The way leads to an apex that has an actor. */
  arrive(way: Way): void {
    const waiting = new WaitingWay(way);
    this.#waiting.set(way.id, waiting);
    void this.#meet(waiting);
  }

  /** Takes another session, policy or facts of the way. */
  renew(waiting: WaitingWay, input: OpenZoneInput): void {
    waiting.way.use(input);
    void this.#meet(waiting);
  }

  /** Compares the ways to this apex again; a zone that was in their way may be closed now. */
  retryAt(apex: string): void {
    for (const waiting of this.all()) if (waiting.way.zone.name === apex) void this.#meet(waiting);
  }

  /** The way is left. */
  leave(id: string): void {
    const waiting = this.#waiting.get(id);
    waiting?.timer?.cancel();
    waiting?.abort.abort();
    this.#waiting.delete(id);
  }

  stop(): void {
    for (const id of [...this.#waiting.keys()]) this.leave(id);
  }

  /** The zone moved: its apex may be that of another zone that has an actor now. */
  review(actor: ZoneActor): void {
    const open = this.#options.host.open(actor.apex);
    const others = open.filter((other) => other !== actor);
    // This runs for each written record, and nearly always the apex has one zone.
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

  async #meet(waiting: WaitingWay): Promise<void> {
    if (waiting.isBusy) return;
    waiting.isBusy = true;
    waiting.timer?.cancel();
    const retired: Way[] = [];
    const end = await this.#endOf(waiting, retired);
    waiting.isBusy = false;
    if (!waiting.abort.signal.aborted) this.#settle(waiting, end);
    for (const way of retired) this.arrive(way);
  }

  /**
   * Compares the way with every zone of its apex, also with those that begin meanwhile. The
   * zone that it joins, or why it waits; null = it gets a zone of its own.
   */
  async #endOf(waiting: WaitingWay, retired: Way[]): Promise<ZoneActor | WayFailure | null> {
    const met = new Set<ZoneActor>();
    for (;;) {
      const actor =
        this.#options.host.open(waiting.way.zone.name).find((actor) => !met.has(actor)) ?? null;
      if (actor === null) return null;
      met.add(actor);
      const comparison = await this.#compare(waiting, actor);
      if (!this.#options.host.open(actor.apex).includes(actor)) continue;
      if (comparison.is === "same") return actor;
      if (comparison.is === "unproven") /* clause: unproven-way-waits */ return comparison.why;
      if (comparison.is === "yields") retired.push(...this.#options.host.retire(actor));
    }
  }

  #settle(waiting: WaitingWay, end: ZoneActor | WayFailure | null): void {
    if (end !== null && "code" in end) {
      this.#wait(waiting, end);
      return;
    }
    this.#waiting.delete(waiting.way.id);
    if (end === null) this.#options.host.start(waiting.way);
    else this.#options.host.join(waiting.way, end);
  }

  #wait(waiting: WaitingWay, why: WayFailure): void {
    waiting.tries += 1;
    waiting.failure = why;
    const delayMs = steadyBackOffMs(AGAIN, waiting.tries);
    waiting.timer = this.#options.clock.setTimer(delayMs, () => void this.#meet(waiting));
    this.#options.host.changed(waiting);
  }

  async #compare(waiting: WaitingWay, actor: ZoneActor): Promise<Comparison> {
    const { way } = waiting;
    const { readWay } = actor.ways;
    const { signal } = waiting.abort;
    if (isSaidSame(actor.ways.all(), [way])) return { is: "same" };
    const [ownApex, otherApex] = await Promise.all([apexOf(way, signal), apexOf(readWay, signal)]);
    if ("code" in ownApex) return { is: "unproven", why: ownApex };
    if ("code" in otherApex)
      return actor.state === null || actor.zoneFailure !== null || isYounger(actor, waiting)
        ? /* clause: unreadable-zone-yields */ { is: "yields" }
        : { is: "unproven", why: otherApex };
    if (!maybeSame({ zone: way.zone, ...ownApex }, { zone: readWay.zone, ...otherApex }))
      return { is: "other" };
    return this.#prove(waiting, actor);
  }

  async #prove(waiting: WaitingWay, actor: ZoneActor): Promise<Comparison> {
    const { way, abort } = waiting;
    const context = { ...this.#options, signal: abort.signal };
    const trouble = await proveWays([way, actor.ways.readWay], context);
    // clause: same-zone-is-proven
    if (trouble === null) return { is: "same" };
    // The proof counts more than a person's annotation: two actors of one zone would not know of
    // each other's removals.
    // clause: person-declares-other-zone
    if (isSaidOther(actor.ways.all(), [way])) return { is: "other" };
    // clause: older-zone-goes-on
    if (isYielding(actor, waiting, trouble)) return { is: "yields" };
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

function isYounger(actor: ZoneActor, { way }: WaitingWay): boolean {
  return isOlder(oldestOf([way]), oldestOf(actor.ways.all()));
}

/**
 * True when the zone yields to the way. The younger one yields; between peers (way-facts.ts),
 * whatever their age, the one whose server refuses even the proof: it is a secondary, or gives no
 * right. A way through which changes were written is neither.
 */
function isYielding(actor: ZoneActor, waiting: WaitingWay, { refused }: Unproven): boolean {
  const all = actor.ways.all();
  const isRefused = (way: Way): boolean => refused.includes(way) && !way.hasWritten;
  const isKnownRefused = all.some(isRefused) && !all.some(({ hasWritten }) => hasWritten);
  const isOneRefused = isKnownRefused !== isRefused(waiting.way);
  if (isOneRefused && arePeers(oldestOf([waiting.way]), oldestOf(all))) return isKnownRefused;
  return isYounger(actor, waiting);
}
