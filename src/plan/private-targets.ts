/**
 * Addresses that nobody outside can reach, in a zone that everybody can ask (ADR 0120): an internal
 * load balancer under a public name tells what a network is like inside, and answers nobody. Pure.
 */
import { type AddressNet, isInNet, parseAddressNet } from "../model/addresses.ts";
import type { DesiredRecordSet } from "../model/record-set.ts";
import type { Zone } from "../model/zone.ts";
import type { OwnedRecordSet } from "./changes.ts";
import type { Blocker } from "./rules.ts";

/** RFC 1918 §3, RFC 6598 §7 (between providers and customers), RFC 4193 §3.1 (unique local). */
const PRIVATE: readonly AddressNet[] = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
].flatMap((text) => {
  const net = parseAddressNet(text);
  return net.ok ? [net.value] : [];
});

/**
 * Why the record set is not written to the zone; null = it may be. `there`: the record set at its
 * key now. Where that one has a private address already, it is updated as always: somebody wants
 * it so.
 */
export function privateBlocker(
  { type, values }: Pick<DesiredRecordSet, "type" | "values">,
  there: Pick<OwnedRecordSet, "data"> | undefined,
  { visibility, name }: Pick<Zone, "visibility" | "name">,
): Blocker | null {
  if (visibility !== "public" || (type !== "A" && type !== "AAAA")) return null;
  const inside = values.find(isPrivate);
  if (inside === undefined) return null;
  // clause: private-record-goes-on
  if (there?.data?.values.some(isPrivate) === true) return null;
  const message = `${inside} is a private address, and everybody can ask the zone ${name}`;
  return /* clause: private-target-waits */ { code: "PrivateTarget", message };
}

function isPrivate(address: string): boolean {
  return PRIVATE.some((net) => isInNet(address, net));
}
