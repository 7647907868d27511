/**
 * How V8 compiles and collects in our processes (ADR 0039). Set while the program starts, for
 * whoever installs it starts `zonekeeper` without arguments of node.
 */
import { getHeapSpaceStatistics, type HeapSpaceInfo, setFlagsFromString } from "node:v8";

/**
 * Bytes of code that a function runs before it is compiled for speed, seven times Node's: what runs
 * for a few seconds only, a start or a burst, is not worth the compiler's time.
 */
const COMPILE_LATER = "--interrupt-budget=500000";

/**
 * The space of young objects stays as small as it is (from V8 13 on it may grow for as long as old
 * ones are marked). What is kept of a zone is outside of the heap, so objects are young or stay for
 * good, and a larger space only waits full.
 */
const SMALL_YOUNG_SPACE = "--semi-space-growth-factor=1";
const GROWING_YOUNG_SPACE = "--semi-space-growth-factor=2";
/** Both of its halves: in the 1 MB of V8's start, objects of one request outlive collections. */
const YOUNG_BYTES = 8 * 1024 * 1024;
/** Arrays of 32 kB that make it grow, at most. */
const YOUNG_ARRAYS_MAX = 400;

/** Per cent by which the heap may grow before it is collected as a whole; Node: up to 300. */
const COLLECT_EARLIER = "--heap-growing-percent=50";

/**
 * Functions are compiled without those that they call. A burst ends before that pays, and the plan
 * of a zone of 100 000 record sets takes no longer.
 */
const COMPILE_ALONE = "--no-turbo-inlining";

/** Objects are marked in short steps of the main thread: other threads only wait for each other. */
const MARK_ALONE = "--no-concurrent-marking";

/** The major version of Node whose V8 has the budget by that name; later ones say an error. */
const HAS_BUDGET = /^20\./;

/** Each is a flag that this Node knows: it would print an error for others. */
export function engineFlags(version: string = process.versions.node): readonly string[] {
  const always = [COMPILE_ALONE, SMALL_YOUNG_SPACE, COLLECT_EARLIER, MARK_ALONE];
  return HAS_BUDGET.test(version) ? [COMPILE_LATER, ...always] : always;
}

/** For the whole process, as early as possible. */
export function setEngineFlags(): void {
  setFlagsFromString(GROWING_YOUNG_SPACE);
  // The size is an argument of node; a process that runs can only fill it until V8 doubles it.
  const alive: unknown[] = [];
  const isYoung = ({ space_name }: HeapSpaceInfo): boolean => space_name === "new_space";
  const youngBytes = (): number =>
    getHeapSpaceStatistics().find(isYoung)?.space_size ?? YOUNG_BYTES;
  while (youngBytes() < YOUNG_BYTES && alive.length < YOUNG_ARRAYS_MAX)
    alive.push(new Array(4_096).fill(alive.length));
  for (const flag of engineFlags()) setFlagsFromString(flag);
}
