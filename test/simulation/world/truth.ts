/**
 * What users really want, kept beside the cluster by the one who plays the users. A removal is
 * justified only by something that a user did: it is noted here when it happens, and the checks ask
 * here.
 */
import type { RecordSet } from "../../../src/model/record-set.ts";

/** One object as its user last left it. */
export interface WantedObject {
  /** `dnsentry/default/e1`, `service/default/s1`: as markers say it. */
  readonly resource: string;
  /** Names it lists now; a broken spec keeps those of its last valid one (Z-5). */
  readonly names: readonly string[];
  /** Those of `names` that only a broken spec lists: it has no values for them. */
  readonly unvalued?: readonly string[];
  /** Types it wants; empty = it has no target now and keeps what stands (Z-4). */
  readonly types: readonly string[];
  /** Canonical values by type, for the last valid spec. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Seconds; null = no wish, or not predicted. */
  readonly ttlSeconds: number | null;
  /**
   * False while the last spec does not validate or has no target: what is in the zone is not
   * predicted.
   */
  readonly settled: boolean;
}

/** Milliseconds in which events are seen, and calls made before arrive. */
const END_SEEN_MS = 100;

/** Everything users want, and what they took back. */
export class Truth {
  readonly #objects = new Map<string, WantedObject>();
  /** `resource name type` that its user took back. */
  readonly #released = new Set<string>();
  /**
   * Resources that were deleted at some time: all that they had published until then is released.
   */
  readonly #deleted = new Set<string>();
  /**
   * Resources that list names and have no address now, with the virtual time at which they lost the
   * last one.
   */
  readonly #addressless = new Map<string, number>();
  /** `resource name type` that stands for a live object since. */
  readonly #reclaimed = new Set<string>();

  /** `resource name` of what an object that can be read did not list any more at some time. */
  readonly #left = new Set<string>();

  /** By live object: every name it listed since it was created. */
  readonly #named = new Map<string, Set<string>>();

  /** `resource name` of what an object has ever listed. */
  readonly #listed = new Set<string>();

  /** Z-22: texts of what stood there under its owner id before its first process. */
  readonly arrived = new Set<string>();

  readonly #found = new Map<string, readonly RecordSet[]>();

  /** `resource name` of objects that a user has changed since the story began. */
  readonly changed = new Set<string>();

  /** Objects of which nobody predicts what the program makes (F20). */
  readonly #unpredictable = new Set<string>();

  /** From now on any record of this object may come and go. */
  unpredictable(resource: string): void {
    this.#unpredictable.add(resource);
  }

  /**
   * F01: until when (virtual ms) what users do may be seen late; a write of that time may be of an
   * older wish.
   */
  seenLateUntilMs = Number.NEGATIVE_INFINITY;

  /** The same for a deletion of one object: until when its end may not have been seen. */
  readonly #endSeenAtMs = new Map<string, number>();

  /** All live objects. */
  objects(): readonly WantedObject[] {
    return [...this.#objects.values()];
  }

  /** The object as it was last left, or null. */
  get(resource: string): WantedObject | null {
    return this.#objects.get(resource) ?? null;
  }

  /**
   * Every name a live object listed at some time: any of its specs may be the last that a program
   * has seen.
   */
  everNamed(resource: string): ReadonlySet<string> {
    return this.#named.get(resource) ?? new Set();
  }

  /** Z-22: an object of this name here has listed the name at some time. */
  hasListed(resource: string, name: string): boolean {
    return this.#unpredictable.has(resource) || this.#listed.has(`${resource} ${name}`);
  }

  /** A user applied an object: what it named before and does not name now is released. */
  applied(object: WantedObject): void {
    const before = this.#objects.get(object.resource);
    this.#objects.set(object.resource, object);
    this.#named.set(
      object.resource,
      new Set([...this.everNamed(object.resource), ...object.names]),
    );
    for (const name of object.names) this.#listed.add(`${object.resource} ${name}`);
    for (const name of [...(before?.names ?? []), ...object.names])
      this.changed.add(`${object.resource} ${name.trim()}`);
    if (!object.settled) return;
    const { names = [], types = [] } = before ?? {};
    const { resource } = object;
    for (const name of names)
      if (!object.names.includes(name)) this.#left.add(`${resource} ${name}`);
    const had = names.flatMap((name) => types.map((type) => ({ name, type })));
    const found = this.#found.get(resource) ?? [];
    for (const { name, type } of [
      ...had,
      ...found.filter((set) => this.hasListed(resource, set.name)),
    ])
      if (!object.names.includes(name) || !object.types.includes(type))
        this.#released.add(`${resource} ${name} ${type}`);
  }

  /** A record that stood there under the marker of this object before its first process. */
  found(resource: string, set: RecordSet): void {
    this.#found.set(resource, [...(this.#found.get(resource) ?? []), set]);
  }

  /**
   * A user deleted an object: all of it is released. `atMs`: virtual ms; where it is given, a write
   * of the next moment may be of the object as it was, also where it is there again.
   */
  deleted(resource: string, atMs = Number.NEGATIVE_INFINITY): void {
    this.#endSeenAtMs.set(resource, atMs + END_SEEN_MS);
    for (const name of this.everNamed(resource)) this.changed.add(`${resource} ${name}`);
    this.#objects.delete(resource);
    this.#addressless.delete(resource);
    this.#named.delete(resource);
    this.#deleted.add(resource);
    for (const triple of [...this.#reclaimed])
      if (triple.startsWith(`${resource} `)) this.#reclaimed.delete(triple);
  }

  /** Whether an object of this name was ever deleted by its user. */
  wasDeleted(resource: string): boolean {
    return this.#deleted.has(resource);
  }

  /** The object lost its last address, or has one again (`atMs` null). */
  lostAddress(resource: string, atMs: number | null): void {
    if (atMs === null) this.#addressless.delete(resource);
    else if (!this.#addressless.has(resource)) this.#addressless.set(resource, atMs);
  }

  /**
   * Since when the live object has had no address at all (virtual ms); null = it has some, or
   * nobody can tell.
   */
  addresslessSince(resource: string): number | null {
    return this.#addressless.get(resource) ?? null;
  }

  /** Whether a record of this object may be taken away (S3, S4). */
  mayRemove(resource: string, name: string, type: string): boolean {
    const triple = `${resource} ${name} ${type}`;
    return (
      this.#unpredictable.has(resource) ||
      this.#released.has(triple) ||
      (this.#deleted.has(resource) && !this.#reclaimed.has(triple))
    );
  }

  /**
   * Each version of the live object since its first one listed the name, with something to put
   * there now (S7).
   */
  hasAlwaysListed(resource: string, name: string): boolean {
    const { settled = false, names = [] } = this.#objects.get(resource) ?? {};
    const isOpen = this.#unpredictable.has(resource) || this.#deleted.has(resource);
    return settled && names.includes(name) && !isOpen && !this.#left.has(`${resource} ${name}`);
  }

  /**
   * A record as a live object wants it was put there: a later removal needs a new reason. A spec
   * that is broken wants nothing back that the last valid one had given up (Z-5).
   */
  published(resource: string, { name, type, values }: RecordSet, atMs: number): void {
    if (atMs < Math.max(this.seenLateUntilMs, this.#endSeenAtMs.get(resource) ?? 0)) return;
    const object = this.#objects.get(resource);
    const isValued = object?.names.includes(name) === true && !object.unvalued?.includes(name);
    const wanted = isValued ? (object.values[type] ?? []) : [];
    if (wanted.length === 0 || !hasSameValues(wanted, values)) return;
    const triple = `${resource} ${name} ${type}`;
    if (object?.settled === false && this.#released.has(triple)) return;
    this.#released.delete(triple);
    this.#reclaimed.add(triple);
  }
}

/** F11: a provider may strip trailing spaces from texts; both forms count as the same. */
export function hasSameValues(a: readonly string[], b: readonly string[]): boolean {
  const text = (values: readonly string[]): string =>
    values
      .map((value) => value.replace(/ +"$/, '"'))
      .sort()
      .join();
  return text(a) === text(b);
}
