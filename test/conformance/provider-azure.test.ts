/** The conformance suite on azure-dns and azure-private-dns and their fake. */
import { azureHarness } from "../support/fakes/azure/harness.ts";
import { providerConformance } from "./provider.ts";

const BY_SET = { atomicity: "set", preconditions: true, isFake: true } as const;
providerConformance("azure-dns", BY_SET, () => azureHarness(false, true));
// A name is a call: five hundred of them are written above.
const INSIDE = { ...BY_SET, apex: ["SOA"], many: 50 } as const;
providerConformance("azure-private-dns", INSIDE, () => azureHarness(true, false));
