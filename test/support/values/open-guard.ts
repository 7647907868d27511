/** A guard that lets everything through, for stories about something else. */
import type { Guard } from "../../../src/sync/guards/guard.ts";

/** It holds nothing, and so has nothing to approve. */
export const OPEN_GUARD: Guard = {
  admit: async (plans) => plans,
  approve: async () => false,
  heldSets: () => [],
};
