/** How many objects processes write while nothing happens, as their own metrics count it. */
import { setTimeout as sleep } from "node:timers/promises";
import type { RunInstance } from "./run-instance.ts";

/** Milliseconds for which writes are counted. */
const WINDOW_MS = 4_000;
/** Of each process in that time, where two contradict each other: each may try again. */
export const TRIES_MAX = 5;

/** PATCH requests of a process since its start; its Lease is written by PUT. */
async function patches(instance: RunInstance): Promise<number> {
  const { text } = await instance.fetch("/metrics");
  const counts = text.matchAll(/^rest_client_requests_total\{[^}]*method="PATCH"[^}]*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** How many each of them writes within a few seconds. */
export async function writesOf(...instances: readonly RunInstance[]): Promise<readonly number[]> {
  const before = await Promise.all(instances.map(patches));
  await sleep(WINDOW_MS);
  const after = await Promise.all(instances.map(patches));
  return after.map((count, index) => count - (before[index] ?? 0));
}
