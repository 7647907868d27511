/**
 * The zones that are worked on, by the ways that lead into them (Z-18): a way is an account that
 * shows the zone. Parks the contributions through ways that have no zone now: not open yet, closed
 * for now, or waiting for the proof whether they lead into an open zone of the same apex.
 */
import { OperationError, THROTTLED } from "@zonekeeper/base/operation-error";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ObjectKey } from "../../model/provenance.ts";
import type { Zone } from "../../model/zone.ts";
import type { ProviderSession } from "../../providers/provider.ts";
import { type DesiredIndex, DesiredState } from "../cache/desired-index.ts";
import { AccountBudget } from "../calls/account-budget.ts";
import type { Contribution } from "../contract/contribution.ts";
import { type OpenZoneInput, type ZoneKey, zoneKeyText } from "../contract/zone.ts";
import { Way } from "../zone/way.ts";
import type { ZoneActor } from "../zone/zone-actor.ts";
import { type WaitingWay, WaitingWays, type WaitingWaysOptions } from "./waiting-ways.ts";

/** What open zones work with. */
export interface OpenZonesOptions extends Omit<WaitingWaysOptions, "host"> {
  /** Makes the actor of a zone, which is not started yet. */
  readonly make: (way: Way, desiredState: DesiredState) => ZoneActor;
  /** The actor is not open any more; it may finish a call. */
  readonly onClosed: (actor: ZoneActor) => void;
  /** The contribution changed nothing that has to be planned. */
  readonly onUnchanged: (actor: ZoneActor, contribution: Contribution) => void;
  /** The contribution waits until its way is proven. */
  readonly onWaiting: (waiting: WaitingWay, contribution: Contribution) => void;
}

/** The open zones of an engine. */
export class OpenZones {
  readonly #options: OpenZonesOptions;
  readonly #actors = new Set<ZoneActor>();
  readonly #byWay = new Map<string, ZoneActor>();
  readonly #waitingWays: WaitingWays;
  readonly #parked = new Map<string, DesiredState>();
  /** By the vendor's account that calls count for (`rateKey`), else by our account id. */
  readonly #budgets = new Map<string, AccountBudget>();
  /** Zones that finish their call in flight, by apex. */
  readonly #closing = new Map<Promise<void>, DnsName>();
  #isStopped = false;

  constructor(options: OpenZonesOptions) {
    this.#options = options;
    this.#waitingWays = new WaitingWays({
      ...options,
      host: {
        open: (apex) => this.all().filter((actor) => actor.apex === apex),
        start: (way) => this.#start(way),
        join: (way, actor) => this.#join(way, actor),
        retire: (actor) => {
          const ways = actor.ways.all();
          void Promise.all(ways.map(({ key }) => this.close(key)));
          return ways;
        },
        changed: (waiting) => {
          const { way, failure } = waiting;
          way.input.onTrouble?.(failure);
          for (const contribution of this.parkedAt(way.id).index.all())
            options.onWaiting(waiting, contribution);
        },
      },
    });
  }

  all(): readonly ZoneActor[] {
    return [...this.#actors];
  }

  /** Ways that have no zone yet. */
  waitingWays(): readonly WaitingWay[] {
    return this.#waitingWays.all();
  }

  /** The zone into which the way leads; null = it is not open, or not proven. */
  at(key: ZoneKey): ZoneActor | null {
    return this.#byWay.get(zoneKeyText(key)) ?? null;
  }

  /** As `at`, also by the key with which the zone was opened, although that way was closed. */
  keyed(key: ZoneKey): ZoneActor | null {
    const id = zoneKeyText(key);
    return this.at(key) ?? this.all().find((one) => zoneKeyText(one.key) === id) ?? null;
  }

  isOpen(key: ZoneKey): boolean {
    return this.at(key) !== null || this.#waitingWays.get(zoneKeyText(key)) !== null;
  }

  /** A way that is new waits where its apex has a zone, else it gets a zone. */
  open(input: OpenZoneInput): void {
    if (this.#isStopped) return;
    const actor = this.at(input.key);
    const waiting = this.#waitingWays.get(zoneKeyText(input.key));
    if (waiting !== null) this.#waitingWays.renew(waiting, input);
    else if (actor !== null) actor.use(input);
    else {
      const budget = this.#budgetOf(input.key.account, input.session).of(input.zone.id);
      const way = new Way(input, budget);
      way.session.pace?.(() => budget.read());
      if (this.all().some(({ apex }) => apex === way.zone.name)) this.#waitingWays.arrive(way);
      else this.#start(way);
    }
  }

  /** The zones that a session lists, paid from the account's budget (`ZoneHost`). */
  async listZones(
    account: string,
    session: ProviderSession,
    signal: AbortSignal,
  ): Promise<readonly Zone[]> {
    const budget = this.#budgetOf(account, session);
    session.pace?.(() => budget.read());
    await budget.read();
    try {
      return await session.zones(signal);
    } catch (error) {
      if (error instanceof OperationError && error.code === THROTTLED)
        budget.slowDown(error.retryAfterMs);
      throw error;
    }
  }

  /**
   * What is known of a way has changed: the ways that wait at its apex are compared with the open
   * zone, and tried again.
   */
  retry(key: ZoneKey): void {
    const actor = this.at(key);
    const waiting = this.#waitingWays.get(zoneKeyText(key));
    if (actor !== null) this.moved(actor);
    const apex = actor?.apex ?? waiting?.way.zone.name;
    if (apex !== undefined) this.#waitingWays.retryAt(apex);
  }

  #start(way: Way): void {
    const actor = this.#options.make(way, this.parkedAt(way.id));
    this.#actors.add(actor);
    this.#byWay.set(way.id, actor);
    this.#parked.delete(way.id);
    way.input.onTrouble?.(way.failure);
    // A zone that is being closed finishes its call in flight before anybody else writes to it.
    const before = [...this.#closing].flatMap(([done, apex]) => (apex === actor.apex ? done : []));
    if (before.length === 0) actor.start();
    else void Promise.all(before).then(() => actor.start());
  }

  /** The way leads into this zone: its actor takes over what was contributed through the way. */
  #join(way: Way, actor: ZoneActor): void {
    actor.join(way);
    this.#byWay.set(way.id, actor);
    const { index } = this.parkedAt(way.id);
    this.#parked.delete(way.id);
    for (const contribution of index.all()) this.#putAt(actor, way.id, contribution);
    way.input.onTrouble?.(way.failure);
  }

  /** Answers the zone that the contribution went to; null = it waits. */
  put(key: ZoneKey, contribution: Contribution): ZoneActor | null {
    const id = zoneKeyText(key);
    const actor = this.at(key);
    if (actor !== null) {
      this.#putAt(actor, id, contribution);
      return actor;
    }
    this.parkedAt(id).index.put(contribution);
    const waiting = this.#waitingWays.get(id);
    if (waiting !== null) this.#options.onWaiting(waiting, contribution);
    return null;
  }

  #putAt(actor: ZoneActor, way: string, contribution: Contribution): void {
    const { object } = contribution;
    // Asked before `put`: an object that the index knows came through the first way until now.
    actor.ways.use(object, way, () => actor.index.get(object) !== null);
    const changed = actor.index.put(contribution);
    actor.enqueue(changed, "edited");
    if (changed.size === 0) this.#options.onUnchanged(actor, contribution);
  }

  /** The object contributes nothing any more, through this way or through any. */
  remove(object: ObjectKey, key: ZoneKey | null): void {
    const id = key === null ? null : zoneKeyText(key);
    for (const [way, { index }] of this.#parked)
      if (id === null || way === id) index.remove(object);
    for (const actor of key === null ? this.all() : [this.at(key)])
      if (actor?.ways.release(object, id) === true)
        actor.enqueue(actor.index.remove(object), "edited");
  }

  async close(key: ZoneKey): Promise<void> {
    const id = zoneKeyText(key);
    const actor = this.at(key);
    this.#waitingWays.leave(id);
    if (actor === null) {
      await Promise.all(this.#closing.keys());
      return;
    }
    this.#park(actor, id);
    this.#byWay.delete(id);
    const way = actor.ways.all().find((one) => one.id === id);
    if (way !== undefined) this.#budgetOf(key.account, way.session).forget(way.zone.id);
    if (actor.ways.size > 1) await actor.leave(id);
    else
      await this.#end(actor, async () => {
        await actor.stop();
        // The pool of texts lives on with the contributions: the state has to release its own.
        await actor.state?.forget();
      });
  }

  /** Keeps what was contributed through a way that is left; the last way keeps the whole index. */
  #park(actor: ZoneActor, id: string): void {
    const { index } = actor;
    if (actor.ways.size === 1) {
      index.forgetReports();
      index.forgetNormalized();
      this.#parked.set(id, actor.desiredState);
      return;
    }
    const parked = this.parkedAt(id).index;
    for (const contribution of [...index.all()]) {
      if (!actor.ways.release(contribution.object, id)) continue;
      parked.put(contribution);
      actor.enqueue(index.remove(contribution.object), "edited");
    }
  }

  #end(actor: ZoneActor, stop: () => Promise<void>): Promise<void> {
    this.#actors.delete(actor);
    this.#options.onClosed(actor);
    const closing = stop().finally(() => this.#closing.delete(closing));
    this.#closing.set(closing, actor.apex);
    this.#waitingWays.retryAt(actor.apex);
    return closing;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waitingWays.stop();
    await Promise.all(this.all().map((actor) => this.#end(actor, () => actor.stop())));
    await Promise.all(this.#closing.keys());
  }

  /** Records of the zone have changed: the ways that wait at its apex are compared with it. */
  moved(actor: ZoneActor): void {
    this.#waitingWays.review(actor);
  }

  /** What objects want through ways to this apex that wait. */
  unprovenIndexesAt(apex: DnsName): readonly DesiredIndex[] {
    return this.waitingWays()
      .filter(({ way }) => way.zone.name === apex)
      .map(({ way }) => this.parkedAt(way.id).index);
  }

  /**
   * Contributions at the name through ways that are not proven: nothing is written for them, so
   * they say nothing about records of open zones.
   */
  unprovenAt(name: DnsName): readonly Contribution[] {
    return this.waitingWays()
      .filter(({ failure }) => failure !== null)
      .flatMap(({ way }) => this.parkedAt(way.id).index.listing(name));
  }

  /** What was contributed through a way that has no zone; empty, and kept, where nothing was. */
  parkedAt(id: string): DesiredState {
    const desired = this.#parked.get(id) ?? new DesiredState();
    this.#parked.set(id, desired);
    return desired;
  }

  #budgetOf(account: string, session: ProviderSession): AccountBudget {
    const payer = session.rateKey ?? account;
    // clause: account-has-own-budget
    const known = this.#budgets.get(payer);
    if (known !== undefined) return known;
    const { rate, rateLimits } = session.capabilities;
    const budget = new AccountBudget(this.#options.clock, rate, rateLimits);
    this.#budgets.set(payer, budget);
    return budget;
  }
}
