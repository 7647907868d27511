/** The conformance suite on google-clouddns and its fake; refusals name elements in two forms. */
import { googleHarness } from "../support/fakes/google/harness.ts";
import { providerConformance } from "./provider.ts";

const ATOMIC = { atomicity: "zone", preconditions: true, isFake: true, weights: true } as const;
providerConformance("google-clouddns", ATOMIC, () => googleHarness("index"));
providerConformance("google-clouddns, named", ATOMIC, () => googleHarness("key"));
