/** The conformance suite on cloudflare-dns and its fake; refusals name a culprit or nobody. */
import { cloudflareHarness } from "../support/fakes/cloudflare/harness.ts";
import { providerConformance } from "./provider.ts";

const MERGING = {
  atomicity: "zone",
  preconditions: false,
  isFake: true,
  refusesEmptyText: true,
} as const;
providerConformance("cloudflare-dns", MERGING, () => cloudflareHarness(false));
providerConformance("cloudflare-dns, culprits named", MERGING, () => cloudflareHarness(true));
