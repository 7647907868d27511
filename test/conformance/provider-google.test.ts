/** The conformance suite on google-clouddns and its fake. */
import { googleHarness } from "../support/fakes/google/harness.ts";
import { providerConformance } from "./provider.ts";

const ATOMIC = { atomicity: "zone", preconditions: true, isFake: true, weights: true } as const;
providerConformance("google-clouddns", ATOMIC, googleHarness);
