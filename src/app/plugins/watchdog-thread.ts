/**
 * The watchdog's own thread (ADR 0110): where a call of a plug-in does not come back, it names it,
 * notes it and ends the process. It can ask nothing of the main thread, which is in that call.
 */
import { writeSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import { parentPort } from "node:worker_threads";
import { messageOf } from "@zonekeeper/base/operation-error";
import { type ModuleFile, writeNote } from "./left-off.ts";
import { type LoopingCall, LoopJudge } from "./watched-calls.ts";

/** What the thread is started with. */
export interface WatchdogData {
  readonly cells: Int32Array;
  /** By their numbers. */
  readonly modules: readonly ModuleFile[];
  /** Path of the notes; null = there is no data folder. */
  readonly notes: string | null;
}

const TICK_MS = 250;
/** How long a call may last. */
const CALL_MAX_MS = 10_000;

/** What the thread imports, from where: a part of its own in the bundle. */
export const THREAD = { url: import.meta.url, watch };

/** Looks until the process ends; says once that it does. */
function watch({ cells, modules, notes }: WatchdogData): void {
  const judge = new LoopJudge(CALL_MAX_MS / TICK_MS);
  const timer = setInterval(() => {
    const looping = judge.tick(cells);
    const module = modules[looping?.plugin ?? -1];
    if (looping === null || module === undefined) return;
    clearInterval(timer);
    report(module, looping, note(module, looping, { modules, notes }));
    endProcess();
  }, TICK_MS);
  parentPort?.postMessage("watching");
}

/** What becomes of the next start. */
function note(
  module: ModuleFile,
  { call }: LoopingCall,
  { modules, notes }: Omit<WatchdogData, "cells">,
): string {
  if (notes === null)
    return "nothing is noted without run and its --data: the next start has it again, and may end likewise. Mend it, or leave it out of --plugin";
  try {
    writeNote(notes, { ...module, call, at: new Date().toISOString() }, modules);
    const next = call === "load" ? "refuses to begin with it" : "leaves it off";
    return `the next start ${next}. Mend it, or remove ${notes} to try it again`;
  } catch (error) {
    return `${notes} cannot be written: ${messageOf(error)}. The next start has it again, and may end likewise`;
  }
}

/** Past the streams of Node, which the main thread would have to carry on. */
function report({ given, file }: ModuleFile, { call }: LoopingCall, next: string): void {
  const line = {
    ...{ level: "error", time: new Date().toISOString() },
    ...{ code: "PluginFailed", plugin: given, file, call, limitMs: CALL_MAX_MS, next },
    msg: "a plug-in does not come back from a call: the process ends",
  };
  writeSync(2, `${JSON.stringify(line)}\n`);
}

/** To process 1 of a container a signal of its own is nothing. */
const KILL_MS = 500;

function endProcess(): void {
  process.kill(process.pid, "SIGKILL");
  // Only a trap of the processor ends process 1 from inside; V8 makes one. Else the probe ends it.
  setTimeout(() => {
    setFlagsFromString("--allow-natives-syntax");
    runInThisContext("%Abort(0)");
  }, KILL_MS);
}
