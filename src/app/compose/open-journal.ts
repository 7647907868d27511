/** Where the history of zones is kept, and how much of it. */
import type { StateStore } from "../../ports/state-store.ts";
import type { JournalStorage } from "../../sync/report/change-journal.ts";

const LIMITS = {
  /** Kept at once, a page in each write. */
  folder: { changesMax: 10_000, gatherMs: 0 },
  /** Six ConfigMaps a zone; an API server is not asked to write more than every five seconds. */
  cluster: { changesMax: 500, gatherMs: 5_000 },
} as const;

/** In the data folder, or beside the Lease (memory, where there is neither). */
export function journalIn(state: StateStore, where: keyof typeof LIMITS): JournalStorage {
  return { state, ...LIMITS[where] };
}
