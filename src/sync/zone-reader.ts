/**
 * Reading of one zone: first load, reloads, re-reads of names, change token (SAFETY Z-6, Z-20). One at a time;
 * a reload may run while batches are sent, and then leaves alone what was written since it began.
 */
import { type DnsName, trustedDnsName } from "../model/dns-name.ts";
import type { Clock } from "../ports/clock.ts";
import type { ProviderSession } from "../providers/provider.ts";
import type { ZoneSetup } from "./contract.ts";
import type { SyncSettings } from "./settings.ts";
import type { TokenBucket } from "./token-bucket.ts";
import { ZoneState } from "./zone-state.ts";

/** What a reader works with. */
export interface ReaderOptions {
  readonly setup: ZoneSetup;
  readonly owners: ReadonlySet<string>;
  readonly clock: Clock;
  readonly settings: SyncSettings;
  /** A quarter of the account's budget is for reads. */
  readonly budget: TokenBucket;
  readonly spend: (bucket: TokenBucket) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Keeps a ZoneState true to its zone. Methods throw OperationError; nothing is changed then. */
export class ZoneReader {
  readonly #options: ReaderOptions;
  #setup: ZoneSetup;
  #state: ZoneState | null = null;
  #token: string | null = null;
  #writtenSinceLoad = new Set<string>();
  #writtenSincePoll = new Set<string>();
  /** Names that we wrote and that moved: somebody else may have written them too, so they are read by and by. */
  readonly #toVerify = new Set<DnsName>();
  #loadedAtMs = 0;
  #polledAtMs = 0;
  #wroteAtMs = Number.NEGATIVE_INFINITY;
  #stale = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#setup = options.setup;
  }

  /** Null until the first complete load. */
  get state(): ZoneState | null {
    return this.#state;
  }

  /** A new setup of the same zone; what is known stays. */
  use(setup: ZoneSetup): void {
    this.#setup = setup;
  }

  /** Names that a confirmed or unknown write touched: a load that is under way must not overrule them. */
  wrote(names: Iterable<string>): void {
    this.#wroteAtMs = this.#options.clock.monotonicMs();
    for (const name of names) {
      this.#writtenSinceLoad.add(name);
      this.#writtenSincePoll.add(name);
    }
  }

  /** Milliseconds until a full load is due; 0 = now. */
  reloadInMs(): number {
    if (this.#state === null) return 0;
    const { clock, settings } = this.#options;
    const now = clock.monotonicMs();
    const interval = this.#hasToken ? settings.reloadWithTokenMs : settings.reloadWithoutTokenMs;
    const regular = this.#loadedAtMs + interval - now;
    const forced = this.#stale
      ? this.#wroteAtMs + settings.quietBeforeReloadMs - now
      : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(regular, forced));
  }

  /** Milliseconds until the change token is to be asked; null = there is none. */
  pollInMs(): number | null {
    if (this.#state === null || !this.#hasToken) return null;
    const { clock, settings } = this.#options;
    return Math.max(0, this.#polledAtMs + settings.tokenPollMs - clock.monotonicMs());
  }

  /** Reads the whole zone. Answers the names whose view changed. */
  async load(): Promise<ReadonlySet<DnsName>> {
    await this.#spend();
    this.#writtenSinceLoad = new Set();
    const startedAtMs = this.#options.clock.monotonicMs();
    const reading = await this.#session.records(this.#setup.zone, null, this.#options.signal);
    const { zone, ownership } = this.#setup;
    const state = this.#state ?? new ZoneState(zone.name, ownership, this.#options.owners);
    const moved = await state.load(reading.sets, this.#writtenSinceLoad);
    this.#state = state;
    this.#token = reading.token;
    this.#loadedAtMs = startedAtMs;
    this.#polledAtMs = startedAtMs;
    this.#toVerify.clear();
    this.#stale = false;
    return moved;
  }

  /** Reads names and what marks them, and raw names `besides`. Answers the names whose view changed. */
  async reread(
    names: Iterable<DnsName>,
    besides: Iterable<string> = [],
  ): Promise<ReadonlySet<DnsName>> {
    const state = this.#state;
    if (state === null) return new Set();
    const raw = [...besides].map(trustedDnsName);
    const all = [...new Set([...[...names].flatMap((name) => state.namesToRead(name)), ...raw])];
    await this.#spend();
    const reading = await this.#session.records(this.#setup.zone, all, this.#options.signal);
    return state.reread(all, reading.sets);
  }

  /**
   * Asks the change token and reads the names that moved, a bounded number in one poll: others' first, then those
   * that we wrote ourselves, because a write of ours can hide somebody else's at the same name (Z-6).
   */
  async poll(): Promise<ReadonlySet<DnsName>> {
    const { clock, settings } = this.#options;
    this.#polledAtMs = clock.monotonicMs();
    const foreign = await this.#movedNames();
    if (foreign.length > settings.rereadMax) {
      this.#stale = true;
      return new Set();
    }
    const own = [...this.#toVerify].slice(0, settings.rereadMax - foreign.length);
    const names = [...new Set([...foreign, ...own])];
    if (names.length === 0) return new Set();
    for (const name of names) this.#toVerify.add(name);
    const moved = await this.#rereadRaw(names);
    for (const name of names) this.#toVerify.delete(name);
    return moved;
  }

  /** Names that moved and that we did not write; ours join those to verify. Without a delta the zone is stale. */
  async #movedNames(): Promise<readonly DnsName[]> {
    const { signal } = this.#options;
    const { zone } = this.#setup;
    await this.#spend();
    const token = await this.#session.changeToken(zone, signal);
    if (token === this.#token || token === null || this.#token === null) return [];
    const delta = await this.#session.changesSince(zone, this.#token, signal);
    const own = this.#writtenSincePoll;
    this.#writtenSincePoll = new Set();
    this.#token = delta.token;
    if (delta.names === null) this.#stale = true;
    for (const name of delta.names ?? []) if (own.has(name)) this.#toVerify.add(name);
    return (delta.names ?? []).filter((name) => !own.has(name));
  }

  async #rereadRaw(names: readonly DnsName[]): Promise<ReadonlySet<DnsName>> {
    await this.#spend();
    const reading = await this.#session.records(this.#setup.zone, names, this.#options.signal);
    return (await this.#state?.reread(names, reading.sets)) ?? new Set();
  }

  get #session(): ProviderSession {
    return this.#setup.session;
  }

  get #hasToken(): boolean {
    return this.#session.capabilities.changeToken !== "none" && this.#token !== null;
  }

  #spend(): Promise<void> {
    return this.#options.spend(this.#options.budget);
  }
}
