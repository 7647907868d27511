/** The conformance suite on cloudflare-dns and its fake. */
import { cloudflareHarness } from "../support/fakes/cloudflare/harness.ts";
import { providerConformance } from "./provider.ts";

const MERGING = {
  atomicity: "zone",
  preconditions: false,
  isFake: true,
  refusesEmptyText: true,
} as const;
providerConformance("cloudflare-dns", MERGING, () => cloudflareHarness());
