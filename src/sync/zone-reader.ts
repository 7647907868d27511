/**
 * Reading of one zone: first load, reloads, re-reads of names, change token (SAFETY Z-6, Z-20). One at a time;
 * a reload may run while batches are sent, and then leaves alone what was written since it began.
 */
import type { DnsName } from "../model/dns-name.ts";
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

  /**
   * Names that a write touched: a load that is under way must not overrule them. Only confirmed ones are subtracted
   * from what the change token shows (Z-6): a write whose answer was lost may land after the name was read again.
   */
  wrote(names: Iterable<string>, confirmed: boolean): void {
    this.#wroteAtMs = this.#options.clock.monotonicMs();
    for (const name of names) {
      this.#writtenSinceLoad.add(name);
      if (confirmed) this.#writtenSincePoll.add(name);
      else this.#writtenSincePoll.delete(name);
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
    this.#stale = false;
    return moved;
  }

  /** Reads names and what marks them. Answers the names whose view changed. */
  async reread(names: Iterable<DnsName>): Promise<ReadonlySet<DnsName>> {
    const state = this.#state;
    if (state === null) return new Set();
    const all = [...new Set([...names].flatMap((name) => state.namesToRead(name)))];
    await this.#spend();
    const reading = await this.#session.records(this.#setup.zone, all, this.#options.signal);
    return state.reread(all, reading.sets);
  }

  /** Asks the change token and reads what moved besides our own writes. */
  async poll(): Promise<ReadonlySet<DnsName>> {
    const { clock, signal, settings } = this.#options;
    this.#polledAtMs = clock.monotonicMs();
    await this.#spend();
    const { zone } = this.#setup;
    const token = await this.#session.changeToken(zone, signal);
    if (token === this.#token || token === null || this.#token === null) return new Set();
    const own = this.#writtenSincePoll;
    this.#writtenSincePoll = new Set();
    const delta = await this.#session.changesSince(zone, this.#token, signal);
    const foreign = delta.names === null ? null : foreignNames(delta.names, own, settings);
    if (foreign === null || foreign.length > settings.rereadMax) {
      this.#stale = true;
      this.#token = delta.token;
      return new Set();
    }
    const moved = foreign.length === 0 ? new Set<DnsName>() : await this.#rereadRaw(foreign);
    this.#token = delta.token;
    return moved;
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

/**
 * The delta without our own writes. Somebody may have written to the same name in the same while, so that a few of
 * ours are looked at too; many are trusted, as reading them all would cost what the delta saves.
 */
function foreignNames(
  names: readonly DnsName[],
  own: ReadonlySet<string>,
  { ownRereadMax }: SyncSettings,
): readonly DnsName[] {
  if (own.size <= ownRereadMax) return names;
  return names.filter((name) => !own.has(name));
}
