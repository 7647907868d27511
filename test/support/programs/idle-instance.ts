/** Instances with nothing to tell, for tests of the HTTP side: each replaces what it asks for. */
import { type Instance, NO_WORK, type Work } from "../../../src/app/compose/instance.ts";

/** No zone is open, nothing is paused, nothing can be done; the metrics are empty. */
export const IDLE_INSTANCE: Instance = {
  work: NO_WORK,
  checks: () => [],
  hasAddress: async () => null,
  askServers: async () => [],
  scrape: async () => ({ contentType: "", text: "" }),
};

/** One that does what is given. */
export function instanceOf(given: Partial<Instance & Work>): Instance {
  return { ...IDLE_INSTANCE, ...given, work: { ...NO_WORK, ...given } };
}
