/** The conformance suite on pihole and its fake. */
import { piholeHarness } from "../support/fakes/pihole/harness.ts";
import { providerConformance } from "./provider.ts";

const BLIND = { atomicity: "value", preconditions: false, isFake: true, apex: [] } as const;
// Without a reading of before, each name is read by the whole lists.
const HOSTS = { hostsOnly: true, lacksMail: true, many: 100 } as const;
providerConformance("pihole", { ...BLIND, ...HOSTS }, piholeHarness);
