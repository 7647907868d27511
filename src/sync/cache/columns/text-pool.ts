/**
 * Texts as small numbers: each distinct text is kept once, as bytes outside of the garbage
 * collector's sight, and counted. A million names cost their bytes and 22 more each, and no pause.
 * Knows nothing of DNS.
 */
import { invariant } from "@zonekeeper/base/invariant";

/** No text. Never an id. */
export const NONE = -1;

/** Bytes of one chunk. */
const CHUNK_BYTES = 1 << 20;
/** Chunks of one pool: 4 GB, the most that a position can say. */
const CHUNKS_MAX = 1 << 12;
/** From so many bytes of freed texts on, if they are a third of all, the pool is compacted. */
const COMPACT_FROM_BYTES = CHUNK_BYTES;
const FIRST_IDS = 1 << 6;
/**
 * So many first texts of a pool are kept as strings, too: in a pool of types and owner ids, which
 * every record uses, these are all.
 */
const AT_HAND_IDS = 1 << 6;
/** Bytes of the first chunk of a small zone; only that one grows by copying. */
const FIRST_BYTES = 1 << 10;
const EMPTY = -1;
const GONE = -2;
/**
 * Length of a text that is not in a chunk: a character above U+00FF in it, or this long or longer.
 */
const ASIDE = 0xffff;
/** In the place of a position: no other id is free. */
const NO_FREE = 0xffff_ffff;
/** FNV-1a, 32 bits (draft-eastlake-fnv §5). */
const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A counted set of texts. Ids are dense, stay while the text is counted, and are used again
 * afterwards.
 */
export class TextPool {
  #chunks: Buffer[] = [Buffer.alloc(FIRST_BYTES)];
  #end = 0;
  #deadBytes = 0;
  #slots = new Int32Array(FIRST_IDS * 2).fill(EMPTY);
  #takenSlots = 0;
  #position = new Uint32Array(FIRST_IDS);
  #length = new Uint16Array(FIRST_IDS);
  #hash = new Int32Array(FIRST_IDS);
  #references = new Int32Array(FIRST_IDS);
  readonly #atHand: (string | undefined)[] = [];
  readonly #aside = new Map<string, number>();
  readonly #asideTexts = new Map<number, string>();
  #ids = 0;
  #free = NONE;
  #live = 0;

  /** Ids are below this. */
  get idsEnd(): number {
    return this.#ids;
  }

  /** Distinct texts that are counted now. */
  get live(): number {
    return this.#live;
  }

  /** Bytes of chunks, freed texts included; for tests and benches. */
  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  /** The id of a text, counted once more. */
  intern(text: string): number {
    const hash = hashOf(text);
    const known = this.#find(text, hash);
    if (known === NONE) return this.#insert(text, hash);
    this.#references[known] = (this.#references[known] ?? 0) + 1;
    return known;
  }

  /** The id of a text that is counted already, else NONE. Counts nothing. */
  find(text: string): number {
    return this.#find(text, hashOf(text));
  }

  /** Counts an id that is counted already once more. */
  keep(id: number): number {
    if (id !== NONE) this.#references[id] = (this.#references[id] ?? 0) + 1;
    return id;
  }

  /** Counts an id once less; the last one forgets the text. NONE is let pass. */
  release(id: number): void {
    if (id === NONE) return;
    const references = (this.#references[id] ?? 0) - 1;
    invariant(references >= 0, "a text is released as often as it was counted");
    this.#references[id] = references;
    if (references === 0) this.#forget(id);
  }

  /** The text of a counted id. */
  textOf(id: number): string {
    const length = this.#length[id] ?? 0;
    if (length === ASIDE) return this.#asideTexts.get(id) ?? "";
    if (id >= AT_HAND_IDS) return this.#read(id, length);
    const atHand = this.#atHand[id];
    if (atHand !== undefined) return atHand;
    const text = this.#read(id, length);
    this.#atHand[id] = text;
    return text;
  }

  #read(id: number, length: number): string {
    const position = this.#position[id] ?? 0;
    const start = position % CHUNK_BYTES;
    return this.#chunkAt(position).toString("latin1", start, start + length);
  }

  #find(text: string, hash: number | null): number {
    if (hash === null) return this.#aside.get(text) ?? NONE;
    const slot = this.#slotOf(text, hash);
    return slot === NONE ? NONE : (this.#slots[slot] ?? NONE);
  }

  #insert(text: string, hash: number | null): number {
    const id = this.#newId();
    this.#references[id] = 1;
    this.#live += 1;
    if (hash === null) {
      this.#length[id] = ASIDE;
      this.#aside.set(text, id);
      this.#asideTexts.set(id, text);
      return id;
    }
    if (this.#takenSlots * 4 >= this.#slots.length * 3) this.#rehash();
    this.#hash[id] = hash;
    this.#length[id] = text.length;
    this.#position[id] = this.#room(text.length);
    const position = this.#position[id] ?? 0;
    this.#chunkAt(position).write(text, position % CHUNK_BYTES, "latin1");
    this.#take(id, hash);
    return id;
  }

  #newId(): number {
    if (this.#free !== NONE) {
      const id = this.#free;
      const next = this.#position[id] ?? NO_FREE;
      this.#free = next === NO_FREE ? NONE : next;
      return id;
    }
    if (this.#ids === this.#length.length) this.#growIds();
    this.#ids += 1;
    return this.#ids - 1;
  }

  #growIds(): void {
    const size = Math.ceil(this.#ids * 1.5);
    this.#position = copied(this.#position, new Uint32Array(size));
    this.#length = copied(this.#length, new Uint16Array(size));
    this.#hash = copied(this.#hash, new Int32Array(size));
    this.#references = copied(this.#references, new Int32Array(size));
  }

  /** Where the next `length` bytes go; a text never lies across two chunks. */
  #room(length: number): number {
    const left = this.#chunks.length * CHUNK_BYTES - this.#end;
    if (left < length) {
      invariant(this.#chunks.length < CHUNKS_MAX, "a pool of texts holds less than 4 GB");
      this.#growFirst(CHUNK_BYTES);
      this.#end = this.#chunks.length * CHUNK_BYTES;
      this.#chunks.push(Buffer.alloc(CHUNK_BYTES));
      this.#deadBytes += left;
    }
    if (this.#chunks.length === 1) this.#growFirst(this.#end + length);
    const position = this.#end;
    this.#end += length;
    return position;
  }

  #growFirst(bytes: number): void {
    const first = this.#chunkAt(0);
    if (first.length >= bytes) return;
    const size = Math.min(CHUNK_BYTES, 2 ** Math.ceil(Math.log2(bytes)));
    const grown = Buffer.alloc(size);
    first.copy(grown);
    this.#chunks[0] = grown;
  }

  #chunkAt(position: number): Buffer {
    const chunk = this.#chunks[Math.floor(position / CHUNK_BYTES)];
    invariant(chunk !== undefined, "a position lies in a chunk");
    return chunk;
  }

  /** The slot that holds the text, else NONE. */
  #slotOf(text: string, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot] ?? EMPTY;
      if (id === EMPTY) return NONE;
      if (id !== GONE && this.#hash[id] === hash && this.#isText(id, text)) return slot;
    }
  }

  #isText(id: number, text: string): boolean {
    if (this.#length[id] !== text.length) return false;
    const position = this.#position[id] ?? 0;
    const chunk = this.#chunkAt(position);
    const start = position % CHUNK_BYTES;
    for (let index = 0; index < text.length; index++)
      if (chunk[start + index] !== text.charCodeAt(index)) return false;
    return true;
  }

  #take(id: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while ((this.#slots[slot] ?? EMPTY) >= 0) slot = (slot + 1) & mask;
    if (this.#slots[slot] === EMPTY) this.#takenSlots += 1;
    this.#slots[slot] = id;
  }

  /** Room for half as many texts again as live; slots of forgotten ones are free again. */
  #rehash(): void {
    const size = Math.max(FIRST_IDS * 2, 2 ** Math.ceil(Math.log2((this.#live + 1) * 1.5)));
    const before = this.#slots;
    this.#slots = new Int32Array(size).fill(EMPTY);
    this.#takenSlots = 0;
    for (const id of before) if (id >= 0) this.#take(id, this.#hash[id] ?? 0);
  }

  #forget(id: number): void {
    const text = this.textOf(id);
    this.#live -= 1;
    if (id < AT_HAND_IDS) this.#atHand[id] = undefined;
    if (this.#length[id] === ASIDE) {
      this.#aside.delete(text);
      this.#asideTexts.delete(id);
    } else {
      this.#slots[this.#slotOf(text, this.#hash[id] ?? 0)] = GONE;
      this.#deadBytes += text.length;
    }
    // The place of an id that is free holds the next free one.
    this.#position[id] = this.#free === NONE ? NO_FREE : this.#free;
    this.#length[id] = 0;
    this.#free = id;
    if (this.#deadBytes > COMPACT_FROM_BYTES && this.#deadBytes * 3 > this.#end) this.#compact();
  }

  /** Moves what lives into new chunks; ids stay. */
  #compact(): void {
    const before = this.#chunks;
    this.#chunks = [Buffer.alloc(FIRST_BYTES)];
    this.#end = 0;
    this.#deadBytes = 0;
    for (const id of this.#slots) {
      if (id < 0) continue;
      const length = this.#length[id] ?? 0;
      const from = this.#position[id] ?? 0;
      const to = this.#room(length);
      const start = from % CHUNK_BYTES;
      const chunk = before[Math.floor(from / CHUNK_BYTES)];
      chunk?.copy(this.#chunkAt(to), to % CHUNK_BYTES, start, start + length);
      this.#position[id] = to;
    }
  }
}

/** FNV-1a over code units; null = a text that cannot be kept as one byte for each. */
function hashOf(text: string): number | null {
  if (text.length >= ASIDE) return null;
  let hash = FNV_BASIS;
  let all = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    all |= unit;
    hash = Math.imul(hash ^ unit, FNV_PRIME);
  }
  // The low bits of FNV alone follow the last characters too closely for a table of a power of two.
  return all > 0xff ? null : hash ^ (hash >>> 15);
}

function copied<T extends Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
