/**
 * Makes new inputs from old ones: changed bytes, interesting numbers, cut, doubled, repeated and
 * joined pieces, words.
 */
import type { SimRandom } from "../simulation/world/sim-random.ts";

/** Bytes of a new input. */
const INPUT_BYTES_MAX = 65_535;
const PIECE_REPEATS_MAX = 20_000;
const BYTES = [0, 1, 0x0c, 0x20, 0x22, 0x28, 0x3f, 0x40, 0x5c, 0x7f, 0x80, 0xc0, 0xff];
const NUMBERS_16 = [0, 1, 0x00ff, 0x3fff, 0x4000, 0x7fff, 0x8000, 0xc000, 0xc00c, 0xffff];
const NUMBERS = ["0", "-1", "255", "256", "65535", "65536", "2147483648", "4294967296", "1e309"];

type Mutation = (input: Uint8Array, pool: MutationPool) => Uint8Array;

/** What mutation draws from. */
export interface MutationPool {
  readonly random: SimRandom;
  readonly corpus: readonly Uint8Array[];
  readonly tokens: readonly string[];
}

/** One to eight changes, one after the other. */
export function mutate(input: Uint8Array, pool: MutationPool): Uint8Array {
  let result = input;
  const changes = 1 + pool.random.below(pool.random.chance(0.5) ? 2 : 8);
  for (let index = 0; index < changes; index += 1)
    result = pool.random.pick(MUTATIONS)(result, pool).subarray(0, INPUT_BYTES_MAX);
  return result;
}

const MUTATIONS: readonly Mutation[] = [
  (input, { random }) =>
    changed(input, random, (copy, at) => {
      copy[at] = (copy[at] ?? 0) ^ (1 << random.below(8));
    }),
  (input, { random }) =>
    changed(input, random, (copy, at) => {
      copy[at] = random.below(256);
    }),
  (input, { random }) =>
    changed(input, random, (copy, at) => {
      copy[at] = random.pick(BYTES);
    }),
  (input, { random }) =>
    changed(input, random, (copy, at) => {
      const token = random.chance(0.3) ? random.below(input.length) : random.pick(NUMBERS_16);
      copy[at] = token >> 8;
      if (at + 1 < copy.length) copy[at + 1] = token & 0xff;
    }),
  (input, { random }) => {
    const [start, end] = piece(input, random);
    return joined(input.subarray(0, start), input.subarray(end));
  },
  (input, { random }) => input.subarray(0, random.below(input.length + 1)),
  (input, { random }) => repeated(input, random, 2),
  (input, { random }) =>
    repeated(input, random, random.chance(0.02) ? random.below(PIECE_REPEATS_MAX) : 10),
  (input, { random, tokens }) =>
    inserted(input, random, random.pick(tokens.length > 0 ? tokens : [" "])),
  (input, { random }) => inserted(input, random, random.pick(NUMBERS)),
  (input, { random }) => {
    const at = random.below(input.length + 1);
    return joined(input.subarray(0, at), random.bytes(1 + random.below(8)), input.subarray(at));
  },
  (input, { random, corpus }) => {
    const other = random.pick(corpus);
    const [start, end] = piece(other, random);
    const at = random.below(input.length + 1);
    return joined(input.subarray(0, at), other.subarray(start, end), input.subarray(at));
  },
];

function changed(
  input: Uint8Array,
  random: SimRandom,
  change: (copy: Uint8Array, at: number) => void,
): Uint8Array {
  if (input.length === 0) return random.bytes(1);
  const copy = Uint8Array.from(input);
  change(copy, random.below(copy.length));
  return copy;
}

/** Where a random piece begins and ends; mostly short. */
function piece(input: Uint8Array, random: SimRandom): readonly [number, number] {
  const start = random.below(input.length + 1);
  const length = random.below(random.chance(0.7) ? 9 : input.length + 1);
  return [start, Math.min(input.length, start + length)];
}

function repeated(input: Uint8Array, random: SimRandom, count: number): Uint8Array {
  const [start, end] = piece(input, random);
  const fits = Math.max(1, Math.floor(INPUT_BYTES_MAX / Math.max(1, end - start)));
  const copies = new Array<Uint8Array>(Math.min(count, fits)).fill(input.subarray(start, end));
  return joined(input.subarray(0, start), ...copies, input.subarray(end));
}

function inserted(input: Uint8Array, random: SimRandom, token: string): Uint8Array {
  const at = random.below(input.length + 1);
  return joined(input.subarray(0, at), new TextEncoder().encode(token), input.subarray(at));
}

function joined(...pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}
