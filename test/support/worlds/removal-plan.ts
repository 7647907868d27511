/** Plans that remove one record set each, for tests of guards. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KeyChange, NamePlan } from "../../../src/plan/changes.ts";

/** The removal of the A record of `n<index>.example.org`, with a weak proof. */
export function removal(index: number): NamePlan {
  const name = trustedDnsName(`n${index}.example.org`);
  const key = { name, type: "A", setIdentifier: null };
  const data = {
    ...key,
    ttlSeconds: 300,
    values: ["192.0.2.1"],
    properties: {},
    routingPolicy: null,
  };
  const marker = { owner: "me", resource: null, cluster: null, labels: {}, record: null };
  const change: KeyChange = {
    key,
    current: { ...key, data, marker, contested: false },
    desired: null,
    change: { op: "remove", previous: data },
    marker: null,
    reason: { code: "NotWanted", message: "" },
    proof: "missing-from-list",
  };
  return { name, changes: [change], holds: [] };
}
