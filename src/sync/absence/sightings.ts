/**
 * Sightings: the stored memory, over restarts, that an object was seen to list a name (Z-23). Only
 * pairs that a marker of ours does not show by itself are kept; where cluster ids are UIDs, there
 * are none. Kept as fingerprints in segments, so that one more pair writes one small text. A
 * segment that cannot be read counts as unknown, a pair that is lost as never seen.
 */
import { base64Text } from "@zonekeeper/base/bytes";
import { messageOf, OperationError } from "@zonekeeper/base/operation-error";
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import type { Log } from "@zonekeeper/base/ports/log";
import { Turns } from "@zonekeeper/base/turns";
import type { StateStore } from "../../ports/stores.ts";

/** An object of a cluster, by `kind/namespace/name` as its marker has it, and a name it listed. */
export interface Sighting {
  readonly cluster: string;
  readonly resource: string;
  readonly name: string;
}

/** What was seen by earlier processes of this election domain, and by this one. */
export interface SightingMemory {
  /** Why it is not known what was seen; null = it is. */
  readonly unread: string | null;
  has(sighting: Sighting): boolean;
  add(sighting: Sighting): void;
  remove(sighting: Sighting): void;
  /** Resolves when everything is stored, or could not be: then it is tried again later. */
  store(): Promise<void>;
  close(): void;
}

/** Where nothing survives a restart. */
export const NO_SIGHTINGS: SightingMemory = {
  unread: null,
  has: () => false,
  add: () => undefined,
  remove: () => undefined,
  store: async () => undefined,
  close: () => undefined,
};

/** Where sightings are kept, and by what. */
export interface SightingsOptions {
  /** Its keys begin with `sightings/`. */
  readonly state: StateStore;
  readonly crypto: Crypto;
  readonly clock: Clock;
  readonly log: Log;
  /** They were read: names that waited for it may be judged again. */
  readonly onRead: () => void;
}

/** The sightings of an engine; `NO_SIGHTINGS` where there is no store (`seenBefore`). */
export function openSightings(
  {
    seenBefore,
    ...ports
  }: Pick<SightingsOptions, "clock" | "log"> & {
    readonly seenBefore?: Pick<SightingsOptions, "state" | "crypto">;
  },
  onRead: () => void,
): SightingMemory {
  return seenBefore === undefined
    ? NO_SIGHTINGS
    : new Sightings({ ...ports, ...seenBefore, onRead });
}

/** Milliseconds in which changes are gathered before they are stored. */
export const STORE_MS = 1_000;
/** Milliseconds between two tries to read or store them. */
export const SIGHTINGS_RETRY_MS = 10_000;
/** Pairs of one segment: 96 kB, where a ConfigMap holds 1 MiB. */
export const SEGMENT_PAIRS = 8_192;
/** Segments at most; beyond these half a million pairs all of one segment are forgotten. */
export const SEGMENTS_MAX = 64;
/** 72 bits, which are 12 characters of base64 without padding. */
const PRINT_BYTES = 9;

/** The memory of one writer at a time, as its StateStore. */
export class Sightings implements SightingMemory {
  readonly #options: SightingsOptions;
  /** Fingerprints. */
  readonly #segments: Set<string>[] = [];
  /** Segments that differ from what is stored. */
  readonly #dirty = new Set<number>();
  /** Fingerprints added (true) or removed (false) before the stored ones were read. */
  readonly #early = new Map<string, boolean>();
  #unread: string | null = "they are being read";
  #hasTrouble = false;
  #timer: Timer | null = null;
  readonly #turns = new Turns();
  #isClosed = false;

  /** Begins to read. */
  constructor(options: SightingsOptions) {
    this.#options = options;
    void this.store();
  }

  get unread(): string | null {
    return this.#unread;
  }

  has(sighting: Sighting): boolean {
    const print = this.#printOf(sighting);
    return this.#early.get(print) ?? this.#segments.some((segment) => segment.has(print));
  }

  add(sighting: Sighting): void {
    this.#put(this.#printOf(sighting), true);
  }

  remove(sighting: Sighting): void {
    if (this.#unread === null && this.#segments.length === 0) return;
    this.#put(this.#printOf(sighting), false);
  }

  store(): Promise<void> {
    return this.#turns.take(() => this.#work());
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #put(print: string, isSeen: boolean): void {
    if (this.#unread !== null) {
      this.#early.set(print, isSeen);
      return;
    }
    const found = this.#segments.findIndex((segment) => segment.has(print));
    if ((found !== -1) === isSeen) return;
    const index = isSeen ? this.#indexWithRoom() : found;
    if (isSeen) this.#segments[index]?.add(print);
    else this.#segments[index]?.delete(print);
    this.#dirty.add(index);
    this.#schedule(STORE_MS);
  }

  /**
   * The first segment with room. Where all are full, the first one is emptied: for records of those
   * pairs no absence can be proven any more, so that they wait for a person.
   */
  #indexWithRoom(): number {
    const found = this.#segments.findIndex(({ size }) => size < SEGMENT_PAIRS);
    if (found !== -1) return found;
    if (this.#segments.length < SEGMENTS_MAX) return this.#segments.push(new Set()) - 1;
    this.#segments[0]?.clear();
    return 0;
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed || this.#timer !== null) return;
    this.#timer = this.#options.clock.setTimer(delayMs, () => {
      this.#timer = null;
      void this.store();
    });
  }

  async #work(): Promise<void> {
    if (this.#isClosed || (this.#unread === null && this.#dirty.size === 0)) return;
    try {
      if (this.#unread !== null) await this.#read();
      for (const index of [...this.#dirty]) await this.#write(index);
      this.#hasTrouble = false;
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      this.#failed(messageOf(error));
    }
  }

  async #read(): Promise<void> {
    const segments: Set<string>[] = [];
    for (;;) {
      const text = await this.#options.state.read(segmentKey(segments.length));
      if (text === null) break;
      segments.push(new Set(parse(text, segments.length)));
    }
    this.#segments.push(...segments);
    this.#unread = null;
    for (const [print, isSeen] of this.#early) this.#put(print, isSeen);
    this.#early.clear();
    this.#options.onRead();
  }

  /** Writes one segment; after a failed write the store wants it to be read first. */
  async #write(index: number): Promise<void> {
    const { state } = this.#options;
    if (this.#hasTrouble) await state.read(segmentKey(index));
    this.#dirty.delete(index);
    try {
      await state.write(segmentKey(index), [...(this.#segments[index] ?? [])].join(""));
    } catch (error) {
      this.#dirty.add(index);
      throw error;
    }
  }

  #failed(why: string): void {
    if (this.#unread !== null) this.#unread = why;
    if (!this.#hasTrouble)
      this.#options.log.error("what was seen of objects cannot be read or stored", { why });
    this.#hasTrouble = true;
    this.#schedule(SIGHTINGS_RETRY_MS);
  }

  #printOf({ cluster, resource, name }: Sighting): string {
    const text = new TextEncoder().encode(`${cluster}|${resource}|${name}`);
    const digest = this.#options.crypto.hash("sha256", text);
    return base64Text(digest.subarray(0, PRINT_BYTES));
  }
}

function segmentKey(index: number): string {
  return `sightings/${index}`;
}

/** The fingerprints of a segment. Throws for any other text: a person has to decide about it. */
function parse(text: string, index: number): readonly string[] {
  if (!/^(?:[A-Za-z0-9+/]{12})*$/.test(text))
    throw new OperationError({
      code: "StateUnusable",
      message: `the stored state ${segmentKey(index)} is not readable; delete it: records whose objects were seen only before then wait for a person`,
      retry: "backoff",
    });
  return text.match(/.{12}/g) ?? [];
}
