/** The conformance suite on external-dns-webhook and its fake. */
import { webhookHarness } from "../support/fakes/webhook/harness.ts";
import { providerConformance } from "./provider.ts";

const BLIND = { atomicity: "set", preconditions: false, isFake: true, apex: [] } as const;
providerConformance("external-dns-webhook", BLIND, webhookHarness);
