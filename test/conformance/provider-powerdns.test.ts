/** The conformance suite on powerdns and its fake; test/real has the server itself. */
import { powerDnsHarness } from "../support/fakes/powerdns/harness.ts";
import { providerConformance } from "./provider.ts";

providerConformance(
  "powerdns",
  { atomicity: "zone", preconditions: false, isFake: true },
  powerDnsHarness,
);
