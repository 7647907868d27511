/** The conformance suite on pihole and its fake. */
import { piholeHarness } from "../support/fakes/pihole/harness.ts";
import { providerConformance } from "./provider.ts";

const BLIND = { atomicity: "value", preconditions: false, isFake: true, apex: [] } as const;
const HOSTS = { hostsOnly: true, lacksMail: true } as const;
providerConformance("pihole", { ...BLIND, ...HOSTS }, piholeHarness);
