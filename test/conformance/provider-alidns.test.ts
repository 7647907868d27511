/** The conformance suite on alicloud-dns and its fake. */
import { aliDnsHarness } from "../support/fakes/alidns/harness.ts";
import { providerConformance } from "./provider.ts";

const MERGING = {
  atomicity: "value",
  preconditions: false,
  isFake: true,
  refusesEmptyText: true,
  plainTexts: true,
} as const;
providerConformance("alicloud-dns", MERGING, aliDnsHarness);
