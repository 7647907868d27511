/**
 * Which call of which plug-in is under way, in memory that the watchdog's thread reads, and which
 * call has lasted too long (ADR 0110). Only what a call does before it returns is seen: what goes
 * on after an `await` is not.
 */

/** Every call of plug-ins that is watched; messages and notes name it so. */
export const WATCHED_CALLS = [
  ...(["load", "open", "endpoints", "namedZones", "zones", "records", "audit"] as const),
  ...(["normalize", "apply", "close", "pace", "capabilitiesOf", "onChangeHint"] as const),
  ...(["changeToken", "changesSince", "propagationOf"] as const),
  ...(["read", "affected", "related", "prepare", "confirm", "learn", "dependentNames"] as const),
  ...(["refuses", "blockerOf", "namesOfPermits", "outdated"] as const),
  ...(["isStale", "refresh", "recordIntents", "resync"] as const),
] as const;

/** One of them. */
export type WatchedCall = (typeof WATCHED_CALLS)[number];

/** Runs the code of a plug-in, and answers or throws what it does. */
export type Watch = <T>(call: WatchedCall, run: () => T) => T;

/** Nobody looks: under a debugger, and in the programs of others. */
export const UNWATCHED: Watch = (_, run) => run();

/** Places in the shared memory: the call under way (0 = none), and how often it has changed. */
const CALL = 0;
const TURN = 1;

/** Of one main thread; zeros. */
export function newCells(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** Of the plug-in with that number among those given, from 0. */
export function watchIn(cells: Int32Array, plugin: number): Watch {
  return (call, run) => {
    const before = Atomics.load(cells, CALL);
    turnTo(cells, codeOf(plugin, call));
    try {
      return run();
    } finally {
      turnTo(cells, before);
    }
  };
}

/** Between two beats of a load that waits for something. */
const BEAT_MS = 250;

/** The same of its load, which may wait for what it likes: then the thread beats. */
export async function loading<T>(
  cells: Int32Array,
  plugin: number,
  load: () => Promise<T>,
): Promise<T> {
  const code = codeOf(plugin, "load");
  turnTo(cells, code);
  const beat = setInterval(() => turnTo(cells, code), BEAT_MS);
  // A module that waits for ever ends the program, as without us.
  beat.unref();
  try {
    return await load();
  } finally {
    clearInterval(beat);
    turnTo(cells, 0);
  }
}

function turnTo(cells: Int32Array, code: number): void {
  Atomics.store(cells, CALL, code);
  Atomics.add(cells, TURN, 1);
}

function codeOf(plugin: number, call: WatchedCall): number {
  return plugin * WATCHED_CALLS.length + WATCHED_CALLS.indexOf(call) + 1;
}

/** A call that does not come back. */
export interface LoopingCall {
  /** Number of the plug-in. */
  readonly plugin: number;
  readonly call: WatchedCall;
}

/**
 * Counts its own ticks, not the time: while the process is stopped or the machine sleeps, nobody
 * ticks, and a call that was under way has all its time left.
 */
export class LoopJudge {
  readonly #ticksMax: number;
  #seen = { code: 0, turn: 0 };
  #ticks = 0;

  /** `ticksMax`: during which one call may last. */
  constructor(ticksMax: number) {
    this.#ticksMax = ticksMax;
  }

  /** To be called at a steady pace. Null = no call has lasted too long. */
  tick(cells: Int32Array): LoopingCall | null {
    const now = { code: Atomics.load(cells, CALL), turn: Atomics.load(cells, TURN) };
    const isSame = now.code === this.#seen.code && now.turn === this.#seen.turn;
    this.#ticks = isSame ? this.#ticks + 1 : 0;
    this.#seen = now;
    const call = WATCHED_CALLS[(now.code - 1) % WATCHED_CALLS.length];
    if (now.code === 0 || call === undefined || this.#ticks < this.#ticksMax) return null;
    return { plugin: Math.floor((now.code - 1) / WATCHED_CALLS.length), call };
  }
}
