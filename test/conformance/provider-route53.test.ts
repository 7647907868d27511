/** The conformance suite on aws-route53 and its fake, with both forms of refusals. */
import { route53Harness } from "../support/fakes/route53/harness.ts";
import { providerConformance } from "./provider.ts";

const ATOMIC = { atomicity: "zone", preconditions: true, isFake: true, weights: true } as const;
providerConformance("aws-route53", ATOMIC, () => route53Harness("own"));
providerConformance("aws-route53, common errors", ATOMIC, () => route53Harness("common"));
