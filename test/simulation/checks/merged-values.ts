/**
 * S1 and S2 where a back end compares nothing, and adds what it is told to what is there (Z-27):
 * there a record set may have values of several writers, so each value is somebody's.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";
import type { MemoryBehaviour } from "../../support/memory-provider/behaviour.ts";
import type { Sender } from "../world/instance.ts";
import {
  claimOf,
  claimsOf,
  isFence,
  isHandMade,
  isMixed,
  isWayProof,
  keyText,
  markerNames,
  namesAbout,
} from "../world/zone-truth.ts";
import { Violation } from "./checks.ts";

/** Z-27: when all trouble is over no record set has markers of two owners. */
export function checkRacesEnded(sets: readonly RecordSet[]): void {
  for (const set of sets) {
    const owners = new Set(
      set.values.flatMap((value) => claimOf({ ...set, values: [value] })?.owner ?? []),
    );
    if (owners.size > 1)
      throw new Violation(`Z-27: ${keyText(set)} has markers of ${[...owners].join(" and ")}`);
  }
}

/** A process that wrote, and the zone's serial after it. */
export interface Writing {
  readonly sender: Sender;
  readonly serial: number;
}

/** How a call writes. */
type WriteBehaviour = Pick<MemoryBehaviour, "atomicity" | "wholeSets" | "preconditions">;

/**
 * Who has written each value that is there; a value that nobody of ours wrote is foreign. Where
 * whole record sets are written, a process may overwrite what it cannot have read, and no more:
 * what came to the set between its last reading of the name and its write (ADR 0038).
 */
export class ValueWriters {
  readonly #owners = new Map<string, string>();
  readonly #behaviour: WriteBehaviour;
  /** Serial with which each value came. */
  readonly #cameAt = new Map<string, number>();
  /** Serial with which the record sets at a name last changed. */
  readonly #changedAt = new Map<string, number>();
  /** Serial that each process read last, by name; of the whole zone by an empty one. */
  readonly #reads = new Map<Sender, Map<string, number>>();
  /** The process that wrote each value last. */
  readonly #writers = new Map<string, Sender>();
  /** Names at which a marker was overwritten, or data that came after it. */
  readonly #unmarked = new Set<string>();
  /** Who overwrote the marker at each of them last. */
  readonly #overwrote = new Map<string, Sender>();
  /** Names with a call whose answer was lost. */
  readonly #unanswered = new Set<string>();

  constructor(behaviour: WriteBehaviour) {
    this.#behaviour = behaviour;
  }

  /** The process has read these names, null = all. */
  read(sender: Sender, names: readonly string[] | null, serial: number): void {
    const reads = this.#reads.get(sender) ?? new Map<string, number>();
    for (const name of names ?? [""]) reads.set(name, serial);
    this.#reads.set(sender, reads);
  }

  /**
   * Somebody else changed the zone: what is new there is foreign, unless it comes with a marker of
   * an owner, as what was there before the story, or under a marker that names no values (ADR
   * 0038).
   */
  foreign(before: readonly RecordSet[], after: readonly RecordSet[], serial: number): void {
    const had = valuesOf(before);
    const claimed = new Map(claimsOf(after).map((claim) => [keyText(claim.set), claim.owner]));
    this.#noteChanges(had, valuesOf(after), serial);
    for (const [text, set] of valuesOf(after)) {
      if (had.has(text)) continue;
      const isForeign = isHandMade(set) && !isUnlabelled(before, set);
      const owner = isForeign ? null : (claimed.get(keyText(set)) ?? null);
      if (owner === null) this.#owners.delete(text);
      else this.#owners.set(text, owner);
    }
  }

  /** A process changed the zone. Throws a violation. */
  wrote(before: readonly RecordSet[], after: readonly RecordSet[], writing: Writing): void {
    const [had, has] = [valuesOf(before), valuesOf(after)];
    const { owner } = writing.sender;
    const claimed = new Map(
      claimsOf(before).map((claim) => [keyText(claim.set), claim.owner ?? claim.changedBy]),
    );
    for (const [text, set] of had) {
      if (has.has(text) || this.#isOf(text, set, owner)) continue;
      const isClaimed = claimed.get(keyText(set)) === owner;
      const isOthers = this.#owners.has(text);
      if (isClaimed && (this.#isDrift() || (isOthers && this.#isInherited(set.name, writing))))
        continue;
      if (!this.#isUnread(writing.sender, set.name, this.#cameAt.get(text)))
        throw new Violation(`S1: foreign ${text} was removed by ${owner}`);
      for (const name of namesAbout(set.name)) {
        this.#unmarked.add(name);
        this.#overwrote.set(name, writing.sender);
        if (this.#behaviour.atomicity === "zone") this.#takeOver(name, after, owner);
      }
    }
    const marked = markedBy(after, owner);
    for (const [text, set] of has) {
      if (had.has(text)) continue;
      this.#owners.set(text, owner);
      this.#writers.set(text, writing.sender);
      if (ownerOf(set, text) !== null || isMarkedIn(marked, set)) continue;
      if (!markerNames(set).some((n) => this.#isUnread(writing.sender, n, this.#changedAt.get(n))))
        throw new Violation(`S2: ${text} was written without a marker of ${owner}`);
      this.#unmarked.add(set.name);
    }
    // What the process cannot know stays where it removes its own record: nobody has it then.
    const markedBefore = markedBy(before, owner);
    for (const [text, set] of has) {
      const isLeft = isMarkedIn(markedBefore, set) && !isMarkedIn(marked, set);
      const isOwn = had.has(text) && this.#owners.get(text) === owner;
      if (isLeft && isOwn && this.#isNewTo(writing.sender, text, set)) this.#owners.delete(text);
    }
    this.#noteChanges(had, has, writing.serial);
  }

  /** The answer to a call about this name will be lost. */
  lost(name: string): void {
    this.#unanswered.add(name);
  }

  /**
   * S2, at the end: data of an owner has a marker. It has none where a stranger wrote into the same
   * set while that was pending, or where the marker was overwritten and nobody remembers the write:
   * the process crashed, or had no answer. Answers how much data has none.
   */
  checkMarked(sets: readonly RecordSet[], isAlive: (sender: Sender) => boolean): number {
    const marked = new Set<string>(
      claimsOf(sets).flatMap((one) => (one.isMarker ? [one.set.name] : [])),
    );
    const unmarked = [...valuesOf(sets)].filter(
      ([text, set]) =>
        this.#owners.has(text) &&
        ownerOf(set, text) === null &&
        !markerNames(set).some((name) => marked.has(name)),
    );
    for (const [text, set] of unmarked) {
      const writer = this.#writers.get(text);
      const isKnown = writer !== undefined && isAlive(writer) && !this.#unanswered.has(set.name);
      if (!isMixed(set) && (isKnown || !this.#unmarked.has(set.name)))
        throw new Violation(`S2: ${text} of ${this.#owners.get(text)} is left without a marker`);
    }
    return unmarked.length;
  }

  /**
   * Of two owners with equal data the one that stays has it. Where the other one's marker was
   * overwritten, that is so only if the process that did it has crashed: the next one cannot know.
   */
  #isInherited(name: string, { sender }: Writing): boolean {
    if (!this.#behaviour.wholeSets) return true;
    const overwriter = this.#overwrote.get(name);
    return overwriter !== undefined && overwriter !== sender && overwriter.owner === sender.owner;
  }

  /** Where a create is compared, markers name no values: what comes to our record is drift. */
  #isDrift(): boolean {
    return this.#behaviour.preconditions.written.absent !== "never";
  }

  /** Its call wrote marker and data, equal values too. */
  #takeOver(name: string, after: readonly RecordSet[], owner: string): void {
    const own = claimsOf(after).filter((claim) => claim.set.name === name && claim.owner === owner);
    for (const text of valuesOf(own.map(({ set }) => set)).keys()) this.#owners.set(text, owner);
  }

  /** Whole record sets are written, and it came after the process had last read the name. */
  #isUnread(sender: Sender, name: string, cameAt: number | undefined): boolean {
    return this.#behaviour.wholeSets && (cameAt ?? 0) > this.#readAt(sender, name);
  }

  /** The value came after the process had last read the name, so that it cannot know it. */
  #isNewTo(sender: Sender, text: string, { name }: RecordSet): boolean {
    return (this.#cameAt.get(text) ?? 0) > this.#readAt(sender, name);
  }

  #readAt(sender: Sender, name: string): number {
    const reads = this.#reads.get(sender);
    return Math.max(reads?.get(name) ?? 0, reads?.get("") ?? 0);
  }

  #noteChanges(had: Values, has: Values, serial: number): void {
    for (const text of has.keys()) if (!had.has(text)) this.#cameAt.set(text, serial);
    for (const [text, { name }] of [...had, ...has])
      if (had.has(text) !== has.has(text)) this.#changedAt.set(name, serial);
  }

  /** What a process wrote, and markers that state its owner. */
  #isOf(text: string, set: RecordSet, owner: string): boolean {
    return ownerOf(set, text) === owner || this.#owners.get(text) === owner;
  }
}

type Values = ReadonlyMap<string, RecordSet>;

function valuesOf(sets: readonly RecordSet[]): Values {
  const data = sets.filter((set) => set.type !== "SOA" && !isFence(set) && !isWayProof(set));
  return new Map(
    data.flatMap((set) => set.values.map((value) => [`${keyText(set)} ${value}`, set] as const)),
  );
}

/** The owner that a text states as a marker; null = it is none. */
function ownerOf(set: RecordSet, text: string): string | null {
  const value = text.slice(keyText(set).length + 1);
  return claimOf({ ...set, values: [value] })?.owner ?? null;
}

/** Names at which a marker of the owner is. */
function markedBy(sets: readonly RecordSet[], owner: string): ReadonlySet<string> {
  const isMarked = (set: RecordSet): boolean =>
    set.values.some((value) => claimOf({ ...set, values: [value] })?.owner === owner);
  return new Set(sets.filter(isMarked).map(({ name }) => name));
}

/** Its marker is final and names none of its values, as those of external-dns. */
function isUnlabelled(sets: readonly RecordSet[], { name, type }: RecordSet): boolean {
  const found = sets.find((set) => set.name === name && set.type === type);
  if (found === undefined) return false;
  const names = markerNames(found);
  const texts = sets.filter((set) => names.includes(set.name)).flatMap(({ values }) => values);
  const isPlain = (text: string): boolean => !/external-dns\/(values|state)=/.test(text);
  return texts.length > 0 && texts.every(isPlain);
}

function isMarkedIn(marked: ReadonlySet<string>, set: RecordSet): boolean {
  return markerNames(set).some((name) => marked.has(name));
}
