/** Starts the watchdog of plug-ins (ADR 0110). */
import { Worker } from "node:worker_threads";
import type { ModuleFile } from "./left-off.ts";
import type { WatchdogData } from "./watchdog-thread.ts";
import { newCells } from "./watched-calls.ts";

/**
 * The memory in which guards write calls, once the thread looks at it. The thread ends with the
 * process, which does not wait for it. `notes`: see `WatchdogData`.
 */
export async function startWatchdog(
  modules: readonly ModuleFile[],
  notes: string | null,
): Promise<Int32Array> {
  const { THREAD } = await import("./watchdog-thread.ts");
  const cells = newCells();
  const data: WatchdogData = { cells, modules, notes };
  const workerData = { url: THREAD.url, data };
  const worker = new Worker(START, { eval: true, workerData });
  await new Promise<void>((resolve, reject) => {
    worker.once("message", () => resolve());
    worker.once("error", reject);
  });
  worker.unref();
  return cells;
}

const START = `
const { workerData } = require("node:worker_threads");
void import(workerData.url).then((thread) => thread.THREAD.watch(workerData.data));
`;
