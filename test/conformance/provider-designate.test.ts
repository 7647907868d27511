/** The conformance suite on openstack-designate and its fake; test/real has the server itself. */
import { designateHarness } from "../support/fakes/designate/harness.ts";
import { providerConformance } from "./provider.ts";

const BY_SET = { atomicity: "set", preconditions: "absent", isFake: true } as const;
providerConformance("openstack-designate", BY_SET, designateHarness);
