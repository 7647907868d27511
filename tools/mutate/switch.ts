/**
 * The switch that mutated files ask: which mutant is awake, who asked, and how often. Loaded before
 * any of them, in a thread of its own.
 */
import { workerData } from "node:worker_threads";
import type { Task } from "./thread-task.ts";

/** Mutable: set by whoever runs tests. */
export interface Switch {
  /** -1 = none. */
  awake: number;
  asks: number;
  asksMax: number;
  /** Everyone who asked; null = not kept. */
  asked: Set<number> | null;
}

/** What this thread was started with. */
export const task = workerData as Task;

/** The one of this thread. */
export const state: Switch = {
  awake: task.awakeAtLoad ?? -1,
  asks: 0,
  asksMax: Number.POSITIVE_INFINITY,
  asked: task.jobs === null ? new Set() : null,
};

Object.assign(globalThis, { $mutant });

function $mutant(id: number): boolean {
  state.asks += 1;
  if (state.asks > state.asksMax) throw new Error("the mutant runs for ever");
  state.asked?.add(id);
  return id === state.awake;
}
