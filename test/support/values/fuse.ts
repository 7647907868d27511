/**
 * The fuse of a zone with counters in memory, for tests: what a real process keeps in a file or a
 * ConfigMap.
 */
import type { StateStore } from "../../../src/ports/stores.ts";
import { FuseGuard, type FuseGuardOptions } from "../../../src/sync/guards/fuse-guard.ts";
import { MemoryLog, MemoryMetrics } from "../ports/test-ports.ts";

/** Texts by key; while `down` nothing can be written, by an error that no port throws. */
export class MapState implements StateStore {
  readonly texts = new Map<string, string>();
  down = false;

  async read(key: string): Promise<string | null> {
    return this.texts.get(key) ?? null;
  }

  async write(key: string, value: string): Promise<void> {
    if (this.down) throw new Error("the store is down");
    this.texts.set(key, value);
  }
}

/** A fuse at version 1 that needs no more than its clock; everything else may be given. */
export function memoryFuse(options: Pick<FuseGuardOptions, "clock"> & Partial<FuseGuardOptions>) {
  return new FuseGuard({
    key: "fuse/me/zone",
    zone: "example.org",
    state: new MapState(),
    log: new MemoryLog(),
    metrics: new MemoryMetrics(),
    version: "1",
    onReleased: () => undefined,
    ...options,
  });
}
