/** An instance with nothing to tell, for tests of the HTTP side: each replaces what it asks for. */
import type { Instance } from "../../../src/app/compose/instance.ts";

/** No zone is open, nothing is paused, nothing can be done; the metrics are empty. */
export const IDLE_INSTANCE: Instance = {
  checks: () => [],
  zones: () => [],
  explain: async () => [],
  history: async () => ({ changes: [], isCut: false, troubles: [] }),
  troubles: () => [],
  whoLists: async () => [],
  namedElsewhere: async () => [],
  restore: async () => null,
  approve: async () => [],
  pauses: () => null,
  hasAddress: async () => null,
  askServers: async () => [],
  rights: async () => [],
  order: () => false,
  migrate: async () => [],
  takeOwner: async () => [],
  scrape: async () => ({ contentType: "", text: "" }),
};
