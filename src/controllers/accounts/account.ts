/**
 * An account: the session of one provider type with one set of credentials, the zones that the
 * provider lists for it, and those of them that the engine (src/sync) plans and writes, the open
 * ones. Zones are listed at an interval, with back-off after failures. A zone that a listing lacks
 * is unknown, it is not proven to be deleted: it stays known and open (Z-18). It is closed
 * (superseded) only where the listing has another zone of the same name. Nothing here removes a
 * record.
 */
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { Metrics } from "@zonekeeper/base/ports/metrics";
import { steadyBackOffMs } from "@zonekeeper/base/timing/back-off";
import type { Zone } from "../../model/zone.ts";
import type { Ownership } from "../../ownership/ownership.ts";
import type { Capabilities, ProviderSession } from "../../providers/provider.ts";
import type { ZoneHost } from "../../sync/contract/publish-engine.ts";
import type { OpenZoneInput, WayFacts, WayFailure, ZoneKey } from "../../sync/contract/zone.ts";

/** Milliseconds between two listings that succeed. */
export const LISTING_INTERVAL_MS = 120_000;
/** First and longest wait after a listing that failed. */
const LISTING_BACK_OFF = { firstMs: 2_000, maxMs: 30_000 } as const;

/** Everything that zones are opened with; the same for all of them. */
export interface ZoneRules
  extends Omit<OpenZoneInput, "key" | "zone" | "session" | "ownership" | "facts" | "onTrouble"> {
  /** Ids of zones that no DNSProvider serves. */
  readonly blockedZones: readonly string[];
}

/** Everything that an account works with. */
export interface AccountPorts {
  readonly engine: ZoneHost;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly rules: ZoneRules;
  /** Opens the registry of a zone. */
  readonly openOwnership: (
    zone: Zone,
    capabilities: Capabilities,
  ) => Ownership | Promise<Ownership>;
}

/** The result of the listings of zones. */
export interface ZoneListings {
  /** `pending`: no listing has ended yet. `failed`: none ever succeeded. */
  readonly state: "pending" | "listed" | "failed";
  /** Why the last listing failed; null = it did not. */
  readonly message: string | null;
  /** Every zone ever seen, sorted by id. */
  readonly known: readonly Zone[];
  /**
   * Ids of known zones that the last complete listing lacked while it had another zone of the same
   * name: the zone was created again, or a duplicate was deleted. Their records are never changed,
   * and their name is no longer ambiguous.
   */
  readonly superseded: readonly string[];
  /** True = the settings of the account name each of these zones (Z-18). */
  readonly isConfigured: boolean;
  /** Zones that nothing is written to through this account now, each with the reason (Z-18). */
  readonly troubles: readonly ZoneTrouble[];
}

/** Why nothing is written to a zone through an account. */
export interface ZoneTrouble extends WayFailure {
  readonly zone: string;
}

/** The account's calls to whoever opened it. */
export interface AccountHooks {
  /** Called after each listing, and when trouble with a zone begins or ends. */
  readonly onChange: () => void;
  /** The DNSProviders that use the account now, and what they declare about its zones. */
  readonly facts: () => WayFacts;
}

/** An open account. */
export class Account {
  readonly id: string;
  readonly #session: ProviderSession;
  readonly #ports: AccountPorts;
  readonly #hooks: AccountHooks;
  readonly #stopped = new AbortController();
  readonly #known = new Map<string, Zone>();
  /** By id of zone. */
  readonly #troubles = new Map<string, WayFailure>();
  /** Ids; a part of the known ones. */
  readonly #superseded = new Set<string>();
  readonly #opening = new Map<string, Promise<void>>();
  #state: ZoneListings["state"] = "pending";
  #message: string | null = null;
  #failures = 0;
  #timer: Timer | null = null;

  /** Call `start` once. */
  constructor(
    id: string,
    session: ProviderSession,
    options: { readonly ports: AccountPorts; readonly hooks: AccountHooks },
  ) {
    this.id = id;
    this.#session = session;
    this.#ports = options.ports;
    this.#hooks = options.hooks;
  }

  /** Lists for the first time. */
  start(): void {
    void this.#list();
  }

  /** Lists again now, unless it is listing. */
  relist(): void {
    if (this.#timer === null) return;
    this.#timer.cancel();
    void this.#list();
  }

  get listing(): ZoneListings {
    const known = [...this.#known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const isConfigured = this.#session.capabilities.zoneListing === "configured";
    const superseded = [...this.#superseded].sort();
    const troubles = [...this.#troubles].map(([zone, why]) => ({ zone, ...why }));
    const [state, message] = [this.#state, this.#message];
    return { state, message, known, superseded, isConfigured, troubles };
  }

  /** The DNSProviders that use the account, for the log: ids of accounts are not logged. */
  get providers(): string {
    return this.#hooks.facts().providers.join(",");
  }

  /**
   * Opens the zone in the engine, once. Rejects when its registry cannot be opened; then it may be
   * tried again.
   */
  async openZone(zone: Zone): Promise<void> {
    const present = this.#opening.get(zone.id);
    if (present !== undefined) return present;
    const opening = this.#open(zone);
    this.#opening.set(zone.id, opening);
    try {
      await opening;
    } catch (error) {
      this.#opening.delete(zone.id);
      throw error;
    }
  }

  /**
   * `facts` gives something else now. Zones that were not written, because they might be the same
   * zone as one of another account, are judged again.
   */
  factsChanged(): void {
    for (const zone of this.#opening.keys())
      this.#ports.engine.retryZone({ account: this.id, zone });
  }

  /** Closes every zone, then the session. Removes nothing from any zone. */
  async close(): Promise<void> {
    this.#stopped.abort();
    this.#timer?.cancel();
    await Promise.allSettled(this.#opening.values());
    const keys = [...this.#opening.keys()].map((zone): ZoneKey => ({ account: this.id, zone }));
    await Promise.all(keys.map((key) => this.#ports.engine.closeZone(key)));
    this.#session.close();
  }

  async #open(zone: Zone): Promise<void> {
    const ownership = await this.#ports.openOwnership(zone, this.#session.capabilities);
    if (this.#stopped.signal.aborted) return;
    const key = { account: this.id, zone: zone.id };
    this.#ports.engine.openZone({
      key,
      zone,
      session: this.#session,
      ownership,
      ...this.#ports.rules,
      facts: this.#hooks.facts,
      onTrouble: (why) => {
        if (this.#troubles.get(zone.id)?.message === why?.message) return;
        if (why === null) this.#troubles.delete(zone.id);
        else this.#troubles.set(zone.id, why);
        this.#hooks.onChange();
      },
    });
  }

  async #list(): Promise<void> {
    this.#timer = null;
    let waitMs = LISTING_INTERVAL_MS;
    try {
      const { signal } = this.#stopped;
      const zones = await this.#ports.engine.listZones(this.id, this.#session, signal);
      // clause: unlisted-zone-stays-known
      this.#listed(zones);
      this.#state = "listed";
      this.#message = missingText(zones, this.#known);
      this.#failures = 0;
    } catch (error) {
      waitMs = this.#failed(error);
    }
    if (this.#stopped.signal.aborted) return;
    this.#timer = this.#ports.clock.setTimer(waitMs, () => void this.#list());
    this.#hooks.onChange();
  }

  /**
   * Each listed zone is known, and not superseded (any more). An unlisted one stays as it is,
   * unless a listed zone has its name.
   */
  #listed(zones: readonly Zone[]): void {
    const names = new Set(zones.map(({ name }) => name));
    const listed = new Set(zones.map(({ id }) => id));
    for (const { id, name } of this.#known.values())
      if (names.has(name) && !listed.has(id)) this.#supersede(id);
    for (const zone of zones) {
      this.#known.set(zone.id, zone);
      this.#superseded.delete(zone.id);
    }
  }

  /**
   * Closes the unlisted zone, once. While it is open, the engine takes it for possibly the same
   * zone as the listed one of its name, and writes nothing to that one (hold `MaybeSameZone`).
   * `openZone` opens it again.
   */
  #supersede(id: string): void {
    const opening = this.#superseded.has(id) ? undefined : this.#opening.get(id);
    this.#superseded.add(id);
    if (opening === undefined) return;
    this.#opening.delete(id);
    const close = async (): Promise<void> => {
      if (this.#superseded.has(id))
        await this.#ports.engine.closeZone({ account: this.id, zone: id });
    };
    this.#troubles.delete(id);
    void opening.then(close, () => undefined);
  }

  /** Notes the failure; milliseconds until the next try. */
  #failed(error: unknown): number {
    if (this.#state === "pending") this.#state = "failed";
    this.#message = `cannot get hosted zones: ${messageOf(error)}`;
    this.#failures += 1;
    const { providers } = this;
    this.#ports.log.warn("listing zones failed", { providers, error: messageOf(error) });
    const grownMs = steadyBackOffMs(LISTING_BACK_OFF, this.#failures);
    const askedMs = error instanceof OperationError ? (error.retryAfterMs ?? 0) : 0;
    return Math.max(grownMs, askedMs);
  }
}

/** Names the known zones that the last listing lacks; null = it lacks none. */
function missingText(listed: readonly Zone[], known: ReadonlyMap<string, Zone>): string | null {
  const present = new Set(listed.map((zone) => zone.id));
  const missing = [...known.keys()].filter((id) => !present.has(id)).sort();
  if (missing.length === 0) return null;
  return `the listing no longer shows these zones; their records stay: ${missing.join(" ")}`;
}
