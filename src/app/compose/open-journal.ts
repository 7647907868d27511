/** Where the journal (the changes that zones have taken) is kept, and how much of it. */
import type { StateStore } from "../../ports/stores.ts";
import type { JournalStorage } from "../../sync/report/change-journal.ts";

const LIMITS = {
  /** Each change is written at once. */
  folder: { changesMax: 10_000, gatherMs: 0 },
  /** Six ConfigMaps for each zone, written at most every five seconds, to spare the API server. */
  cluster: { changesMax: 500, gatherMs: 5_000 },
} as const;

/** `folder`: the data folder. `cluster`: ConfigMaps in the namespace of the Lease, or memory. */
export function journalIn(state: StateStore, where: keyof typeof LIMITS): JournalStorage {
  return { state, ...LIMITS[where] };
}
