/**
 * Finds the shortest script that still breaks the same invariant: delta debugging over the events
 * (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002), then event by
 * event without its fault or act.
 */
import { play } from "./play.ts";
import type { Event, Script } from "./script.ts";

/** `S3`, `L1`; null = the script plays well. Anything that is no violation is `error`. */
export async function brokenBy(script: Script): Promise<string | null> {
  try {
    await play(script);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return /^([SLZ]-?\d+)/.exec(message)?.[1] ?? "error";
  }
}

/**
 * The script with as few events as breaks the same; `most` = plays at most. A script that plays
 * well stays as it is.
 */
export async function shrink(script: Script, most = 400): Promise<Script> {
  const broken = await brokenBy(script);
  if (broken === null) return script;
  let left = most;
  const bare = { ...script, arrival: null };
  const start = (await brokenBy(bare)) === broken ? bare : script;
  const isBroken = async (events: readonly Event[]): Promise<boolean> => {
    left -= 1;
    return left >= 0 && (await brokenBy({ ...start, events })) === broken;
  };
  const few = await fewer(start.events, isBroken);
  return { ...start, events: await plainer(few, isBroken) };
}

type Test = (events: readonly Event[]) => Promise<boolean>;

/** Leaves out ever smaller parts. */
async function fewer(all: readonly Event[], isBroken: Test): Promise<readonly Event[]> {
  let events = all;
  let size = Math.ceil(events.length / 2);
  while (events.length > 0) {
    const without = await firstWithout(events, size, isBroken);
    if (without !== null) events = without;
    else if (size === 1) return events;
    size = Math.max(1, Math.min(without === null ? Math.floor(size / 2) : size, events.length));
  }
  return events;
}

async function firstWithout(
  events: readonly Event[],
  size: number,
  isBroken: Test,
): Promise<readonly Event[] | null> {
  for (let at = 0; at < events.length; at += size) {
    const rest = [...events.slice(0, at), ...events.slice(at + size)];
    if (await isBroken(rest)) return rest;
  }
  return null;
}

/** Takes the fault, or the act, from each event that can do without. */
async function plainer(all: readonly Event[], isBroken: Test): Promise<readonly Event[]> {
  let events = all;
  for (const index of all.keys())
    for (const less of [{ faults: [] }, { acts: false }]) {
      const tried = events.map((event, at) => (at === index ? { ...event, ...less } : event));
      if (JSON.stringify(tried) !== JSON.stringify(events) && (await isBroken(tried)))
        events = tried;
    }
  return events;
}
