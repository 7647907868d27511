/** The provider conformance suite through rfc2136 against the embedded name server. */
import { startEmbeddedHarness } from "./embedded-harness.ts";
import { providerConformance } from "./provider.ts";

providerConformance(
  "embedded",
  { atomicity: "zone", preconditions: true, isBreakable: true },
  startEmbeddedHarness,
);
