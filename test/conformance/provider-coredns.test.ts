/** The conformance suite on coredns-etcd and its fake; test/real has etcd itself. */
import { coreDnsHarness } from "../support/fakes/coredns/harness.ts";
import { providerConformance } from "./provider.ts";

providerConformance(
  "coredns-etcd",
  {
    atomicity: "zone",
    preconditions: true,
    isFake: true,
    apex: [],
    refusesEmptyText: true,
    lacksMail: true,
  },
  coreDnsHarness,
);
