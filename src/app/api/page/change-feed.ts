/**
 * Tells open pages what may have changed: changes of zones are gathered into numbered events, and a
 * page that was disconnected gets the events since its last one. Also keeps answers for a second,
 * so that many pages with one question cost one computation. Bounded, however many pages are open
 * and however slow they read.
 */
import { randomBytes } from "node:crypto";
import { BoundedMap } from "@zonekeeper/base/bounded-map";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ZoneChange } from "../../../sync/contract/zone-change.ts";
import { type Instance, silenceOf, type Work } from "../../compose/instance.ts";
import { datedChanges } from "../history-api.ts";

/** Zones of one event, and the first names of each, in no special order. */
export interface ChangedZone {
  /** Apex. */
  readonly zone: DnsName;
  /** Empty, with `more` 0 = the zone as a whole. */
  readonly names: readonly DnsName[];
  /** Number of further names. */
  readonly more: number;
}

/** Writes one event; false = the reader is slow, until `caughtUp` is called. */
type Send = (text: string) => boolean;

/** An open page. */
interface Reader {
  readonly send: Send;
  readonly isAdmitted: () => boolean;
  /** True = it may not see all zones and names: each event only says that something has changed. */
  readonly isLimited: boolean;
  /** Closes the connection, whatever still waits in it. */
  readonly end: () => void;
  /** Number of the tick at which its connection was full; null = it is not. */
  behindSince: number | null;
}

/** A page that is being read. */
export interface OpenStream {
  /** The reader has taken what was written. */
  caughtUp(): void;
  close(): void;
}

const GATHER_MS = 100;
const TICK_MS = 1_000;
const BEAT_TICKS = 15;
/** A reader that takes nothing for so many ticks is disconnected. */
const BEHIND_TICKS = 60;
const EVENTS_KEPT = 500;
const NAMES_SHOWN = 50;
/** The newest changes that an event carries: as many as the overview lists. */
const TAKEN_SHOWN = 12;
/**
 * Most characters of these changes, as JSON. Events are kept in memory: with more, pages have to
 * ask.
 */
const TAKEN_CHARS = 16_384;
const STREAMS_MAX = 64;
/** Answers that are kept for equal questions, and for how many milliseconds at most. */
const ANSWERS_KEPT = 64;
const ANSWER_MS = 1_000;

const CHANGED = "something has changed";

interface Event {
  readonly number: number;
  readonly text: string;
}

/** There is one for each listener. Timers run while something is open or waits. */
export class ChangeFeed {
  readonly #instance: Pick<Instance, "work" | "standbyReply" | "dryRunText">;
  readonly #readers = new Set<Reader>();
  readonly #pending = new Map<DnsName, Set<DnsName> | "all">();
  /** The changes that zones have taken since the last event, the newest first. */
  #taken: readonly ZoneChange[] = [];
  readonly #answers = new BoundedMap<string, { readonly untilMs: number; readonly made: unknown }>(
    ANSWERS_KEPT,
  );
  #work: Work | null = null;
  #stop: () => void = () => undefined;
  #epoch = "";
  #number = 0;
  #events: Event[] = [];
  #gathering: NodeJS.Timeout | null = null;
  #ticking: NodeJS.Timeout | null = null;
  #ticks = 0;

  constructor(instance: Pick<Instance, "work" | "standbyReply" | "dryRunText">) {
    this.#instance = instance;
  }

  /**
   * Null = too many streams are open. `lastId`: id of the last event that the reader got; null = it
   * is new.
   */
  open(lastId: string | null, reader: Omit<Reader, "behindSince">): OpenStream | null {
    if (this.#readers.size >= STREAMS_MAX) return null;
    this.#follow();
    const one: Reader = { ...reader, behindSince: null };
    this.#readers.add(one);
    this.#ticking ??= setInterval(() => this.#tick(), TICK_MS);
    for (const text of this.#greeting(lastId, one)) this.#write(one, text);
    return {
      caughtUp: () => {
        if (one.behindSince === null) return;
        one.behindSince = null;
        this.#write(one, this.#reset("the reader was slow"));
      },
      close: () => this.#drop(one),
    };
  }

  /**
   * The same answer for an equal question while nothing has changed, for a second at most.
   * `question` must also say who may see the answer.
   */
  answer<T>(question: string, make: () => Promise<T>): Promise<T>;
  answer(question: string, make: () => Promise<unknown>): Promise<unknown> {
    this.#follow();
    const known = this.#answers.get(question);
    if (known !== undefined && known.untilMs > performance.now())
      return Promise.resolve(known.made);
    const made = make();
    this.#answers.set(question, { untilMs: performance.now() + ANSWER_MS, made });
    made.catch(() => this.#answers.delete(question));
    return made;
  }

  /** Ends every stream. */
  close(): void {
    for (const reader of [...this.#readers]) this.#end(reader);
    this.#stop();
    if (this.#gathering !== null) clearTimeout(this.#gathering);
    this.#gathering = null;
  }

  /**
   * Follows the present `Work`. Another term, or another set of clusters, is another one: earlier
   * events no longer count.
   */
  #follow(): void {
    const { work } = this.#instance;
    if (work === this.#work) return;
    this.#stop();
    this.#work = work;
    const stops = [
      work.onChange((apex, _id, names, taken = []) => {
        this.#taken = [...taken.toReversed(), ...this.#taken].slice(0, TAKEN_SHOWN);
        this.#changed(apex, names);
      }),
      work.pauses?.onChange(() => {
        for (const { zone } of work.zones()) this.#changed(zone.name, "all");
      }) ?? (() => undefined),
    ];
    this.#stop = () => {
      for (const stop of stops) stop();
    };
    this.#answers.clear();
    this.#pending.clear();
    this.#taken = [];
    this.#events = [];
    this.#epoch = randomBytes(6).toString("hex");
    for (const reader of this.#readers)
      this.#write(reader, this.#reset("the instance begins anew"));
  }

  #changed(apex: DnsName, names: Iterable<DnsName> | "all"): void {
    const known = this.#pending.get(apex) ?? [];
    const isAll = names === "all" || known === "all";
    const next = isAll ? "all" : new Set([...known, ...names]);
    if (next !== "all" && next.size === 0) return;
    this.#answers.clear();
    this.#pending.set(apex, next);
    this.#gathering ??= setTimeout(() => this.#tell(), GATHER_MS);
  }

  #tell(): void {
    this.#gathering = null;
    const zones = [...this.#pending].map(([zone, names]): ChangedZone => {
      const shown = names === "all" ? [] : [...names].slice(0, NAMES_SHOWN);
      return { zone, names: shown, more: names === "all" ? 0 : names.size - shown.length };
    });
    this.#pending.clear();
    if (zones.length === 0) return;
    this.#number += 1;
    const { now: at, changes } = datedChanges(this.#taken);
    this.#taken = [];
    // A dry run does not know the changes that the leader writes.
    const isKnown = (this.#instance.dryRunText?.() ?? null) === null;
    const areGiven = isKnown && JSON.stringify(changes).length <= TAKEN_CHARS;
    const text = this.#event("changed", { at, zones, ...(areGiven ? { changes } : {}) });
    this.#events = [...this.#events.slice(1 - EVENTS_KEPT), { number: this.#number, text }];
    const unnamed = this.#reset(CHANGED);
    for (const reader of this.#readers) this.#write(reader, reader.isLimited ? unnamed : text);
  }

  #greeting(lastId: string | null, { isLimited }: Reader): readonly string[] {
    const [epoch, number] = (lastId ?? "").split("-");
    if (lastId === null)
      return ["retry: 1000\n", this.#event("hello", { at: new Date().toISOString() })];
    const last = Number(number);
    const first = this.#events[0]?.number ?? this.#number + 1;
    const isKnown = epoch === this.#epoch && last >= first - 1 && last <= this.#number;
    if (!isKnown) return [this.#reset("events since are not known any more")];
    const missed = this.#events.filter((event) => event.number > last).map(({ text }) => text);
    return isLimited ? missed.slice(-1).map(() => this.#reset(CHANGED)) : missed;
  }

  #reset(reason: string): string {
    return this.#event("reset", { reason });
  }

  #event(event: string, data: object): string {
    const id = `${this.#epoch}-${this.#number}`;
    return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
  }

  /** A slow reader gets nothing; once it has caught up, it is told to read all again. */
  #write(reader: Reader, text: string): void {
    if (reader.behindSince === null && !reader.send(text)) reader.behindSince = this.#ticks;
  }

  #tick(): void {
    this.#ticks += 1;
    this.#follow();
    const isOver = silenceOf(this.#instance) !== null;
    const isGone = ({ behindSince }: Reader): boolean =>
      behindSince !== null && this.#ticks - behindSince > BEHIND_TICKS;
    for (const reader of [...this.#readers])
      if (isOver || isGone(reader) || !reader.isAdmitted()) this.#end(reader);
      else if (this.#ticks % BEAT_TICKS === 0) this.#write(reader, ": beat\n\n");
  }

  #end(reader: Reader): void {
    this.#drop(reader);
    reader.end();
  }

  #drop(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0 || this.#ticking === null) return;
    clearInterval(this.#ticking);
    this.#ticking = null;
  }
}
