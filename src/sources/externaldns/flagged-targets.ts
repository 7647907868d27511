/**
 * Targets that flags of external-dns choose (`source/wrappers` @v0.22): default targets in place of
 * others, and only those in the networks that are asked for.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type AddressNet, isInNet } from "../../model/addresses.ts";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { heldItems, sortedFound } from "../shared/found.ts";
import { LOOKUP_SECONDS } from "../shared/lookup-request.ts";
import { reportedTargets } from "../shared/reported-targets.ts";
import type { Found } from "../source.ts";

/** Types whose values are targets, and no data of their own. */
const TARGET_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"]);

const isOfTargets = ({ type }: DesiredRecordSet): boolean => TARGET_TYPES.has(type);

/** With `--force-default-targets` each name has those, and no others. */
export function withDefaultTargets(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
  { defaultTargets: targets, isDefaultForced }: ExternalDnsRules,
): Found<DesiredRecordSet> {
  if (!isDefaultForced || targets.length === 0 || !found.items.some(isOfTargets)) return found;
  const subject = resourceOf(objectKeyOf(object, ""));
  const read = reportedTargets(
    { targets, reporter: "the flag", subject, field: "--default-targets" },
    { asksForAddresses: false, excluded: [] },
  );
  if ("problem" in read) return heldItems(found, read.problem);
  const first = new Map<string, DesiredRecordSet>();
  for (const item of found.items.filter(isOfTargets)) {
    const key = `${item.name} ${item.setIdentifier ?? ""}`;
    if (!first.has(key)) first.set(key, item);
  }
  const defaults = [...first.values()].flatMap(({ lookup: _, ...item }) =>
    read.typed.map(({ type, values, isLookedUp }) => ({
      ...item,
      type,
      values,
      ...(isLookedUp === true ? { lookup: { intervalSeconds: LOOKUP_SECONDS } } : {}),
    })),
  );
  const others = found.items.filter((item) => !isOfTargets(item));
  return sortedFound({ ...found, items: [...others, ...defaults] });
}

/**
 * Without targets outside of the networks. A name that has no other target keeps what stands, as
 * one does that has none at all (Z-4).
 */
export function withTargetNets(
  found: Found<DesiredRecordSet>,
  { targetNets }: ExternalDnsRules,
  excluded: readonly AddressNet[],
): Found<DesiredRecordSet> {
  if (targetNets.length === 0 && excluded.length === 0) return found;
  // A host name is in no net.
  const isIn = (target: string, nets: readonly AddressNet[]): boolean =>
    nets.some((net) => isInNet(target, net));
  const isKept = (target: string): boolean =>
    (targetNets.length === 0 || isIn(target, targetNets)) && !isIn(target, excluded);
  const items = found.items.flatMap((item) => {
    if (!isOfTargets(item)) return [item];
    const values = item.values.filter(isKept);
    return values.length === 0 ? [] : [{ ...item, values }];
  });
  const left = new Set(items.map(({ name }) => name));
  const emptied = new Map<DnsName, DesiredRecordSet>(
    found.items.filter(({ name }) => !left.has(name)).map((item) => [item.name, item]),
  );
  const waiting = [...emptied.values()].map(({ name, provenance }) => ({
    ...{ name, provenance, reason: "NoTargets" },
  }));
  return { ...found, items, waiting: [...found.waiting, ...waiting] };
}
