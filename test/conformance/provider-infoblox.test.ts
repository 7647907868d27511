/** The conformance suite on infoblox-dns and its fake. */
import { infobloxHarness } from "../support/fakes/infoblox/harness.ts";
import { providerConformance } from "./provider.ts";

const MERGING = {
  atomicity: "zone",
  preconditions: false,
  isFake: true,
  refusesEmptyText: true,
  apex: ["NS"],
} as const;
providerConformance("infoblox-dns", MERGING, infobloxHarness);
