/**
 * The conformance suite on memory zones: class A, and each behaviour that imitates a real back end.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../src/model/record-set.ts";
import {
  CLASS_A,
  LIKE_ALIDNS,
  LIKE_AZURE,
  LIKE_CLOUDFLARE,
  LIKE_DESIGNATE,
  LIKE_ETCD,
  LIKE_RFC2136,
  LIKE_ROUTE53,
  LIKE_WEBHOOK,
  type MemoryBehaviour,
} from "../support/memory-provider/behaviour.ts";
import { NO_FAULTS } from "../support/memory-provider/faults.ts";
import { MemorySession } from "../support/memory-provider/memory-session.ts";
import { MemoryAccount } from "../support/memory-provider/provider.ts";
import { VirtualClock } from "../support/ports/virtual-clock.ts";
import { providerConformance } from "./provider.ts";
import type { ProviderHarness } from "./provider-harness.ts";

const ZONE = trustedDnsName("example.org");

async function memoryHarness(behaviour: MemoryBehaviour): Promise<ProviderHarness> {
  const clock = new VirtualClock();
  const account = new MemoryAccount();
  const { content } = account.addZone({ name: ZONE, behaviour });
  return {
    zone: ZONE,
    open: (rails = {}) =>
      new MemorySession({
        zones: () => account.zones(),
        faults: { apply: (...call) => account.faults.apply(...call), read: () => [] },
        environment: { clock, dryRun: false, ...rails },
      }),
    poll: async (name, type) => {
      const set = content.at(name).find((each) => each.type === type);
      return set === undefined ? null : { ttlSeconds: set.ttlSeconds, values: set.values };
    },
    addForeign: async (set: RecordSet) => content.write([{ key: set, next: set }]),
    loseNextAnswer: () =>
      account.breakWith({
        read: () => [],
        apply: () => {
          account.breakWith(NO_FAULTS);
          return [{ kind: "lost-after" }];
        },
      }),
    settle: () => clock.advance(behaviour.readLagMs + 1),
    stop: async () => undefined,
  };
}

const ATOMIC = { atomicity: "zone", preconditions: true } as const;
providerConformance("memory", ATOMIC, () => memoryHarness(CLASS_A));
providerConformance("memory like RFC 2136", ATOMIC, () => memoryHarness(LIKE_RFC2136));
providerConformance("memory like Route53", ATOMIC, () => memoryHarness(LIKE_ROUTE53));
providerConformance("memory like Azure", { atomicity: "set", preconditions: true }, () =>
  memoryHarness(LIKE_AZURE),
);
providerConformance("memory like Designate", { atomicity: "set", preconditions: "absent" }, () =>
  memoryHarness(LIKE_DESIGNATE),
);
providerConformance("memory like etcd", ATOMIC, () => memoryHarness(LIKE_ETCD));
for (const [title, behaviour] of [
  ["AliDNS", LIKE_ALIDNS],
  ["Cloudflare", LIKE_CLOUDFLARE],
  ["a webhook", LIKE_WEBHOOK],
] as const) {
  const { atomicity } = behaviour;
  providerConformance(`memory like ${title}`, { atomicity, preconditions: false }, () =>
    memoryHarness(behaviour),
  );
}
