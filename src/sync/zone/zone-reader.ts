/**
 * Reads one zone: first load, reloads, re-reads of names, and polls of the change token (such as
 * the SOA serial), which tells that somebody wrote (Z-6, Z-20). One at a time; a reload may run
 * while batches are sent, and does not overwrite what was written since it began. A name moves when
 * its record sets differ from what was known, and its view is what the registry reads of it: record
 * sets with their owners.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup } from "../../plan/changes.ts";
import type { MovedRecord, ProviderSession } from "../../providers/provider.ts";
import type { ZoneTexts } from "../cache/columns/zone-texts.ts";
import { movedByName, setsAfter } from "../cache/sets-after.ts";
import { type SomeNames, ZoneState } from "../cache/zone-state.ts";
import type { ZoneBudget } from "../calls/account-budget.ts";
import { fenceNamesOf } from "../contract/fence-record.ts";
import type { OpenZoneInput } from "../contract/zone.ts";
import type { ActorOptions } from "./actor-options.ts";
import type { NameLedger } from "./name-ledger.ts";

/** What a reader works with. */
export interface ReaderOptions extends Pick<ActorOptions, "clock" | "settings"> {
  readonly zoneInput: OpenZoneInput;
  /** Owner ids that are ours now. */
  readonly owners: () => ReadonlySet<string>;
  /** The zone's pools, shared with what is wanted there. */
  readonly texts: ZoneTexts;
  /** Budget of the account. */
  readonly budget: ZoneBudget;
  /** Its abort also ends the subscription to hints of changes (NOTIFY). */
  readonly signal: AbortSignal;
  /** Called when something may be due earlier than was said. */
  readonly wake: () => void;
  /**
   * Gets the record sets that were seen at names of fences (Z-17): these records have no owner.
   * `names`: what was looked at; null = everything.
   */
  readonly onFence: (sets: readonly RecordSet[], names: readonly DnsName[] | null) => void;
  /** True when the zone may be read more rarely: a preview with nothing due. Absent = false. */
  readonly isAtRest?: () => boolean;
}

/**
 * Written names, markers included, after which the token is asked at once: else the delta of a
 * whole burst has to be taken in at a time, and single changes wait for that.
 */
const WRITTEN_MANY = 200;
/** The intervals of a zone at rest are so many times as long. */
const AT_REST = 6;

/** When the provider was asked, by the monotonic clock, and how long it took to answer. */
export interface ReadTime {
  readonly askedAtMs: number;
  /** Without what the calls waited in the account's budget. */
  readonly tookMs: number;
}

/** What a reading of names has shown. */
interface Reread extends ReadTime {
  /** Names whose view changed. */
  readonly moved: SomeNames;
}

/** Names that moved since the token was asked last. */
interface Moved {
  /** Names whose view was changed by the delta already. */
  readonly seen: SomeNames;
  /** Names that have to be read. */
  readonly toRead: readonly DnsName[];
}

const NOTHING_MOVED: Moved = { seen: new Set(), toRead: [] };

/** Keeps a ZoneState equal to its zone. Methods throw OperationError; nothing is changed then. */
export class ZoneReader {
  readonly #options: ReaderOptions;
  #zoneInput: OpenZoneInput;
  #state: ZoneState | null = null;
  #isRenewed = false;
  /** Names whose owners changed in the registry outside of the zone, since the last load. */
  readonly #regained = new Set<string>();
  #token: string | null = null;
  /** Names written since the load that is under way began; null = none is. */
  #writtenInLoad: Set<string> | null = null;
  #writtenSincePoll = new Set<string>();
  /** Names that were written since the token was asked, however often each. */
  #unpolled = 0;
  /**
   * Moved names that we wrote and another client may have written too, and names whose read failed.
   */
  #namesToReread = new Set<DnsName>();
  #loadedAtMs = 0;
  #polledAtMs = 0;
  #wroteAtMs = Number.NEGATIVE_INFINITY;
  #stale = false;
  /** A hint came that the zone has changed. */
  #isHinted = false;
  #endHints: () => void = () => undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#zoneInput = options.zoneInput;
    options.signal.addEventListener("abort", () => this.#endHints(), { once: true });
    this.#subscribeToHints();
  }

  /** Null until the first complete load. */
  get state(): ZoneState | null {
    return this.#state;
  }

  /** True when the next load is the first one, or counts as such (`renew`). */
  get isNew(): boolean {
    return this.#state === null || this.#isRenewed;
  }

  /** Owner ids have changed: the next load is due now, and everything is judged anew by it. */
  renew(): void {
    this.#isRenewed = true;
  }

  /** Another session or policy for the same zone; what is known stays. */
  use(zoneInput: OpenZoneInput): void {
    this.#zoneInput = zoneInput;
    this.#subscribeToHints();
  }

  /**
   * Notes names that a write changed: a load that is under way must not overrule them. Only
   * confirmed ones are subtracted from what the change token shows (Z-6): a write whose answer was
   * lost may land after the name was read again.
   */
  wrote(names: Iterable<string>, confirmed: boolean): void {
    this.#wroteAtMs = this.#options.clock.monotonicMs();
    for (const name of names) {
      this.#writtenInLoad?.add(name);
      this.#unpolled += 1;
      if (confirmed) this.#writtenSincePoll.add(name);
      else this.#writtenSincePoll.delete(name);
    }
  }

  /** True while names are known to have moved that were not read yet. */
  get isBehind(): boolean {
    return this.#stale || this.#namesToReread.size > 0;
  }

  /** Milliseconds until a full load is due; 0 = now. */
  reloadInMs(): number {
    if (this.isNew || this.#zoneInput.ownership.externalStore?.isStale === true) return 0;
    const { clock, settings } = this.#options;
    const now = clock.monotonicMs();
    const shortest = this.#hasToken ? settings.reloadWithTokenMs : settings.reloadWithoutTokenMs;
    const interval = Math.max(shortest * this.#patience, this.#options.budget.reloadMs());
    const regular = this.#loadedAtMs + interval - now;
    const forced = this.#stale
      ? this.#wroteAtMs + settings.quietBeforeReloadMs - now
      : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(regular, forced));
  }

  /** Milliseconds until the change token is to be asked; null = there is none. */
  pollInMs(): number | null {
    if (this.#state === null || !this.#hasToken) return null;
    const { clock, settings, budget } = this.#options;
    const usual = this.#isHinted ? settings.hintPollMs : settings.tokenPollMs * this.#patience;
    const interval = Math.max(this.#unpolled < WRITTEN_MANY ? usual : 0, budget.pollMs());
    return Math.max(0, this.#polledAtMs + interval - clock.monotonicMs());
  }

  get #patience(): number {
    return this.#options.isAtRest?.() === true ? AT_REST : 1;
  }

  /** Reads the whole zone. Answers the names whose view changed. */
  async load(): Promise<SomeNames> {
    await this.#spend();
    const written = new Set<string>();
    this.#writtenInLoad = written;
    const startedAtMs = this.#options.clock.monotonicMs();
    const { ownership } = this.#zoneInput;
    const regained = await ownership.externalStore?.refresh();
    for (const name of regained ?? []) this.#regained.add(name);
    const content = await this.#session.records(this.#zoneInput.zone, null, this.#options.signal);
    const { zone } = this.#zoneInput;
    const { owners, texts, clock } = this.#options;
    const all = { apex: zone.name, ownership, texts, clock };
    const state =
      (this.#isRenewed ? null : this.#state) ?? new ZoneState({ ...all, owners: owners() });
    this.#isRenewed = false;
    const sets = this.#withoutFences(content.sets);
    const moved = await this.#moving(state, async () => {
      state.survey(sets);
      const seen = await state.load(sets, written, [...this.#regained]);
      await ownership.externalStore?.resync(sets);
      return seen;
    });
    this.#writtenInLoad = null;
    this.#state = state;
    this.#regained.clear();
    this.#options.budget.loaded(this.#zoneInput.zone.id, content.pages ?? 1);
    this.#token = content.token;
    this.#loadedAtMs = startedAtMs;
    this.#polledAtMs = startedAtMs;
    this.#stale = false;
    this.#namesToReread.clear();
    state.wasRead(this.#token);
    return moved;
  }

  /** Takes in confirmed groups. Answers the names whose view changed; none until the first load. */
  async applied(groups: readonly ChangeGroup[]): Promise<SomeNames> {
    const state = this.#state;
    return state === null ? new Set() : this.#moving(state, () => state.applied(groups));
  }

  /**
   * The registry may fail while views are made. Some views are older than their records then, so
   * that the next load reads the zone as if for the first time.
   */
  async #moving<T>(state: ZoneState, move: () => Promise<T>): Promise<T> {
    try {
      return await move();
    } catch (error) {
      this.renew();
      if (state !== this.#state) await state.forget();
      throw error;
    }
  }

  /** Reads names with the names of their markers, and `rawNames` as they are in the zone. */
  async reread(names: Iterable<DnsName>, rawNames: Iterable<string> = []): Promise<Reread> {
    const state = this.#state;
    if (state === null) return { moved: new Set(), askedAtMs: 0, tookMs: 0 };
    const raw = [...rawNames].map(trustedDnsName);
    const all = [...new Set([...[...names].flatMap((name) => state.namesToRead(name)), ...raw])];
    const first = await this.#recordsAt(all);
    const behind = state.namesBehind(first.sets, all);
    const more = behind.length === 0 ? null : await this.#recordsAt(behind);
    const sets = [...first.sets, ...(more?.sets ?? [])];
    const moved = await this.#moving(state, () => state.reread([...all, ...behind], sets));
    const { askedAtMs, tookMs } = first;
    return { moved, askedAtMs, tookMs: tookMs + (more?.tookMs ?? 0) };
  }

  async #recordsAt(
    names: readonly DnsName[],
  ): Promise<ReadTime & { readonly sets: readonly RecordSet[] }> {
    const { clock, signal } = this.#options;
    await this.#spend();
    const askedAtMs = clock.monotonicMs();
    const content = await this.#session.records(this.#zoneInput.zone, names, signal);
    const tookMs = clock.monotonicMs() - askedAtMs;
    return { sets: this.#withoutFences(content.sets, names), askedAtMs, tookMs };
  }

  /** Reads the record sets at these raw names; the known state of the zone stays as it is. */
  async readNow(names: readonly DnsName[]): Promise<readonly RecordSet[]> {
    await this.#spend();
    const content = await this.#session.records(this.#zoneInput.zone, names, this.#options.signal);
    return content.sets;
  }

  /**
   * Asks the change token and takes in what moved: from the delta where it has records, else by
   * reading the names. A name that we wrote ourselves is compared with the delta. It is read only
   * where it differs or the delta has no records, and not while we are writing: usually its view is
   * right, unless somebody else wrote there in the same interval (Z-6).
   */
  async poll(): Promise<SomeNames> {
    const { clock, signal, settings } = this.#options;
    this.#polledAtMs = clock.monotonicMs();
    this.#unpolled = 0;
    // Before the token is asked: a hint that comes meanwhile may be about a later change.
    this.#isHinted = false;
    await this.#spend();
    const token = await this.#session.changeToken?.(this.#zoneInput.zone, signal);
    const { seen, toRead } = await this.#movedSince(token ?? this.#token);
    this.#state?.wasRead(this.#token);
    // Those of before only while we are not writing.
    const isQuiet = clock.monotonicMs() - this.#wroteAtMs >= settings.tokenPollMs;
    const before = isQuiet ? [...this.#namesToReread].slice(0, settings.rereadMax) : [];
    const due = [...new Set([...toRead, ...before])];
    if (due.length === 0) return seen;
    for (const name of due) this.#namesToReread.add(name);
    const { sets } = await this.#recordsAt(due);
    const state = this.#state;
    const read = state === null ? [] : await this.#moving(state, () => state.reread(due, sets));
    for (const name of due) this.#namesToReread.delete(name);
    return new Set([...seen, ...read]);
  }

  async #movedSince(token: string | null): Promise<Moved> {
    if (token === this.#token || this.#token === null) return NOTHING_MOVED;
    const { signal } = this.#options;
    const own = this.#writtenSincePoll;
    this.#writtenSincePoll = new Set();
    const delta = await this.#session.changesSince?.(this.#zoneInput.zone, this.#token, signal);
    if (delta === undefined) return NOTHING_MOVED;
    this.#token = delta.token;
    if (delta.names !== null && delta.records !== undefined)
      return this.#follow(delta.records, own);
    return { seen: new Set(), toRead: this.#foreignNames(delta.names, own) };
  }

  /** Takes in the records of a delta, without a query. Fence records are not part of the state. */
  async #follow(records: readonly MovedRecord[], own: ReadonlySet<string>): Promise<Moved> {
    const isFence = fenceNamesOf(this.#zoneInput.zone.name);
    const fences = movedByName(records.filter(({ name }) => isFence(name)));
    for (const [name, moved] of fences) this.#options.onFence(setsAfter([], moved), [name]);
    const others = records.filter(({ name }) => !isFence(name));
    const state = this.#state;
    if (state === null) return NOTHING_MOVED;
    const { seen, differing } = await this.#moving(state, () => state.follow(others, own));
    for (const name of differing) this.#namesToReread.add(name);
    return { seen, toRead: [] };
  }

  /** Names that other clients moved, to be read; none if a reload must do it. */
  #foreignNames(names: readonly DnsName[] | null, own: ReadonlySet<string>): readonly DnsName[] {
    // clause: own-writes-move-no-token
    const foreign = names?.filter((name) => !own.has(name)) ?? null;
    if (foreign === null || foreign.length > this.#options.settings.rereadMax) {
      this.#stale = true;
      return [];
    }
    for (const name of names ?? []) if (own.has(name)) this.#namesToReread.add(name);
    return foreign;
  }

  /** Hands fence records to `onFence`, and answers the others. `names`: null = all were read. */
  #withoutFences(
    sets: readonly RecordSet[],
    names: readonly DnsName[] | null = null,
  ): readonly RecordSet[] {
    const isFence = fenceNamesOf(this.#zoneInput.zone.name);
    const fences = sets.filter(({ name }) => isFence(name));
    if (names === null || names.some(isFence)) this.#options.onFence(fences, names);
    return fences.length === 0 ? sets : sets.filter(({ name }) => !isFence(name));
  }

  #subscribeToHints(): void {
    this.#endHints();
    const { zone, session } = this.#zoneInput;
    const end = session.onChangeHint?.(zone, () => {
      this.#isHinted = true;
      this.#options.wake();
    });
    this.#endHints = end ?? ((): void => undefined);
  }

  get #session(): ProviderSession {
    return this.#zoneInput.session;
  }

  get #hasToken(): boolean {
    return this.#session.changeToken !== undefined && this.#token !== null;
  }

  #spend(): Promise<void> {
    return this.#options.budget.read();
  }
}

/** How names are read. */
export interface Rereading {
  /** Names of one reading at most. */
  readonly most: number;
  /** Reads names with their markers, and `rawNames` as they are in the zone. */
  readonly read: (names: readonly DnsName[], rawNames: readonly string[]) => Promise<ReadTime>;
}

/** Names that were read, each with the time of it. */
export type ReadNames = ReadonlyMap<DnsName, ReadTime>;

/** Reads those of the names that need it; answers them. */
export async function rereadUncertain(
  ledger: NameLedger,
  due: readonly DnsName[],
  { most, read }: Rereading,
): Promise<ReadNames> {
  const times = new Map<DnsName, ReadTime>();
  const names = due.filter((name) => ledger.mustRead(name));
  for (let at = 0; at < names.length; at += most) {
    const part = names.slice(at, at + most);
    const time = await read(
      part,
      part.flatMap((name) => [...ledger.alsoToRead(name)]),
    );
    for (const name of part) {
      ledger.wasRead(name);
      times.set(name, time);
    }
  }
  return times;
}
