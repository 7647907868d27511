/**
 * The journal of changes that zones have taken: the newest of each zone, over restarts and terms of
 * leadership. Each zone has a ring of pages in the state store. Changes are noted after they were
 * made, and people ask for them; no write to a zone waits for the journal or depends on it.
 */

import { jsonIn } from "@zonekeeper/base/json-text";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Log } from "@zonekeeper/base/ports/log";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { StateStore } from "../../ports/stores.ts";
import type { ChangeHistory, ChangeQuery, ZoneChange } from "../contract/zone-change.ts";

/** Where changes are kept, and how many. */
export interface JournalStorage {
  readonly state: StateStore;
  /** Changes of one zone; the oldest go first, a page of 100 at a time. */
  readonly changesMax: number;
  /** Milliseconds that changes gather before they are written: what `kill -9` may lose. */
  readonly gatherMs: number;
}

/** What a journal works with. */
export interface ChangeJournalOptions extends JournalStorage {
  /** Owner id, a part of the keys: installations may share one store. */
  readonly owner: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** Changes that are older are not shown any more. */
export const HISTORY_DAYS = 30;
const DAY_MS = 86_400_000;
const RETRY_MS = 10_000;
/** A stop waits so long for the last page. */
const STOP_MS = 2_000;

/** Changes on one page. */
const PAGE_CHANGES = 100;

/** Successive changes of one zone. */
interface Page {
  /** Number of its first change, from 0; a multiple of PAGE_CHANGES. */
  readonly first: number;
  readonly changes: readonly ZoneChange[];
}

/** The page of a zone that has none. */
const NO_PAGE: Page = { first: 0, changes: [] };

/** What is known of one zone's pages. */
interface ZonePages {
  readonly zone: DnsName;
  /** Changes that are not written yet; the newest `changesMax` of them. */
  pending: readonly ZoneChange[];
  /** The page that is being filled; null = not read yet, or somebody else may have written it. */
  last: Page | null;
  /** First number of the newest page that was ever read; null = none was. */
  newest: number | null;
  timer: Timer | null;
  /** Writes and reads, one after the other. */
  turn: Promise<void>;
  /** Why the store cannot be written; empty = it can. */
  trouble: string;
}

/** The journal of all zones. Methods may be called at any time. */
export class ChangeJournal {
  readonly #options: ChangeJournalOptions;
  readonly #zones = new Map<DnsName, ZonePages>();
  readonly #pages: number;
  #isStopped = false;

  constructor(options: ChangeJournalOptions) {
    this.#options = options;
    // The page that is being filled is one more.
    this.#pages = Math.ceil(options.changesMax / PAGE_CHANGES) + 1;
  }

  /** Takes changes of one zone, in their order. */
  note(changes: readonly ZoneChange[]): void {
    const [first] = changes;
    if (first === undefined || this.#isStopped) return;
    const pages = this.#of(first.zone);
    pages.pending = [...pages.pending, ...changes].slice(-this.#options.changesMax);
    this.#writeIn(pages, this.#options.gatherMs);
  }

  /** Changes that match; `zones` are asked for where the query names none. Never rejects. */
  async history(query: ChangeQuery, zones: readonly DnsName[]): Promise<ChangeHistory> {
    for (const zone of zones) this.#of(zone);
    const asked =
      query.zone === null ? [...new Set([...zones, ...this.#zones.keys()])] : [query.zone];
    const found = await Promise.all(asked.map((zone) => this.#changesIn(zone, query)));
    const all = inOneOrder(found.map(({ changes }) => changes));
    return {
      changes: all.slice(0, query.limit),
      isCut: all.length > query.limit,
      troubles: found.flatMap(({ trouble }) => (trouble === "" ? [] : trouble)).sort(),
    };
  }

  /** Writes what waits, if that does not take long; resolves in any case. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    const { clock } = this.#options;
    const written = [...this.#zones.values()].map((pages) => this.#writeNow(pages));
    await new Promise<void>((resolve) => {
      const late = clock.setTimer(STOP_MS, resolve);
      void Promise.all(written).then(() => {
        late.cancel();
        resolve();
      });
    });
    for (const pages of this.#zones.values()) pages.timer?.cancel();
  }

  #of(zone: DnsName): ZonePages {
    const known = this.#zones.get(zone);
    if (known !== undefined) return known;
    const rest = { pending: [], last: null, newest: null, timer: null, trouble: "" };
    const made: ZonePages = { zone, turn: Promise.resolve(), ...rest };
    this.#zones.set(zone, made);
    return made;
  }

  #writeIn(pages: ZonePages, ms: number): void {
    pages.timer ??= this.#options.clock.setTimer(ms, () => void this.#writeNow(pages));
  }

  #writeNow(pages: ZonePages): Promise<void> {
    pages.timer?.cancel();
    pages.timer = null;
    pages.turn = pages.turn.then(() => this.#write(pages));
    return pages.turn;
  }

  async #write(pages: ZonePages): Promise<void> {
    try {
      while (pages.pending.length > 0) {
        // Its newest page.
        pages.last ??= (await this.#pagesBack(pages.zone).next()).value ?? NO_PAGE;
        const { first, changes } = pages.last;
        const isFull = changes.length >= PAGE_CHANGES;
        const begun = isFull ? { first: first + changes.length, changes: [] } : pages.last;
        const more = pages.pending.slice(0, PAGE_CHANGES - begun.changes.length);
        const next = { first: begun.first, changes: [...begun.changes, ...more] };
        await this.#options.state.write(this.#keyOf(pages.zone, next.first), pageText(next));
        pages.last = next;
        pages.newest = next.first;
        // Meanwhile changes were added, and the oldest ones may have been dropped.
        const written = new Set(more);
        pages.pending = pages.pending.filter((change) => !written.has(change));
      }
      pages.trouble = "";
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#failed(pages, messageOf(error));
    }
  }

  /** Another leader may have written: the pages are read again before the next try. */
  #failed(pages: ZonePages, why: string): void {
    const { zone } = pages;
    pages.last = null;
    if (pages.trouble === "")
      this.#options.log.warn("the journal cannot be written; changes of the zone go on", {
        zone,
        why,
      });
    pages.trouble = why;
    if (!this.#isStopped) this.#writeIn(pages, RETRY_MS);
  }

  /** Pages, the newest first; one that is not readable is left out, and overwritten in its turn. */
  async *#pagesBack(zone: DnsName): AsyncGenerator<Page, undefined> {
    const newest = await this.#newestPage(zone);
    const oldest = newest - (this.#pages - 1) * PAGE_CHANGES;
    for (let first = newest; first >= Math.max(0, oldest); first -= PAGE_CHANGES) {
      const page = await this.#pageAt(zone, first);
      if (page !== null && page !== "none") yield page;
    }
  }

  /** First number of the newest page; another leader may have written pages since the last call. */
  async #newestPage(zone: DnsName): Promise<number> {
    const known = this.#zones.get(zone);
    let newest = known?.newest ?? null;
    if (newest === null) {
      newest = 0;
      for (let slot = 0; slot < this.#pages; slot++) {
        const page = await this.#pageAt(zone, slot * PAGE_CHANGES, true);
        // Pages are written in their order: after one that was never written there is none.
        if (page === "none") break;
        newest = Math.max(newest, page?.first ?? 0);
      }
    } else
      for (let steps = 0; steps < this.#pages; steps++) {
        const page = await this.#pageAt(zone, newest + PAGE_CHANGES);
        if (page === null || page === "none") break;
        newest = page.first;
      }
    if (known !== undefined) known.newest = newest;
    return newest;
  }

  /** The page; null = another one is in its place (unless `isAny`), or it is not readable. */
  async #pageAt(zone: DnsName, first: number, isAny = false): Promise<Page | null | "none"> {
    const text = await this.#options.state.read(this.#keyOf(zone, first));
    if (text === null) return "none";
    const page = pageOf(text, zone);
    return isAny || page?.first === first ? page : null;
  }

  async #changesIn(zone: DnsName, query: ChangeQuery) {
    const { name, sinceMs, hash = null, limit, isShown = () => true } = query;
    const oldestMs = this.#options.clock.nowMs() - HISTORY_DAYS * DAY_MS;
    const isAsked = (change: ZoneChange): boolean =>
      change.atMs >= Math.max(oldestMs, sinceMs ?? oldestMs) &&
      (name === null || change.name === name) &&
      (hash === null || change.hash === hash) &&
      isShown(change);
    const pages = this.#zones.get(zone);
    const stored: ZoneChange[] = [];
    let trouble = pages?.trouble ?? "";
    const readStored = async (): Promise<void> => {
      try {
        for await (const { changes } of this.#pagesBack(zone)) {
          stored.push(...changes.filter(isAsked).reverse());
          if (stored.length > limit) break;
        }
      } catch (error) {
        if (!(error instanceof OperationError)) throw error;
        trouble = messageOf(error);
      }
    };
    // One after the other with the writes: else changes could be read twice, or missed.
    if (pages === undefined) await readStored();
    else {
      pages.turn = pages.turn.then(readStored);
      await pages.turn;
    }
    const pending = (pages?.pending ?? []).filter(isAsked).reverse();
    return {
      changes: [...pending, ...stored].slice(0, limit + 1),
      trouble: trouble === "" ? "" : `the journal of ${zone}: ${trouble}`,
    };
  }

  #keyOf(zone: DnsName, first: number): string {
    const page = Math.floor(first / PAGE_CHANGES) % this.#pages;
    return `journal/${this.#options.owner}/${zone}/${page}`;
  }
}

/** Merges by time, newest first; those of one zone stay in the order of its writes. */
function inOneOrder(zones: readonly (readonly ZoneChange[])[]): readonly ZoneChange[] {
  const timed = zones.flatMap((changes) => {
    let untilMs = Number.POSITIVE_INFINITY;
    return changes.map((change) => {
      untilMs = Math.min(untilMs, change.atMs);
      return { change, untilMs };
    });
  });
  return timed.sort((a, b) => b.untilMs - a.untilMs).map(({ change }) => change);
}

// A page as text, and back: one JSON object, so that it is there whole or not.

/** Without the zone, which is in the key of the store. */
function pageText({ first, changes }: Page): string {
  return JSON.stringify({ first, changes: changes.map(({ zone: _, ...rest }) => rest) });
}

/** Null = not as this version writes it. */
function pageOf(text: string, zone: DnsName): Page | null {
  const { first, changes }: Partial<Record<keyof Page, unknown>> = Object(jsonIn(text));
  if (typeof first !== "number" || !Array.isArray(changes) || !changes.every(isChange)) return null;
  return { first, changes: changes.map((change) => ({ zone, ...change })) };
}

/** True when the fields are there that all readers of changes need. */
function isChange(value: unknown): value is Omit<ZoneChange, "zone"> {
  const fields: Readonly<Record<string, unknown>> = Object(value);
  const { atMs, name, type, object, why, providers } = fields;
  const texts = [name, type, object, why];
  return (
    typeof atMs === "number" &&
    texts.every((one) => typeof one === "string") &&
    Array.isArray(providers)
  );
}
