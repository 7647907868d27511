/**
 * Addresses that a load balancer reported in `status.loadBalancer`. Reading only; a lost status is
 * no intent (Z-4).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { type AddressNet, isInNet } from "../../model/address-net.ts";
import { objectKeyOf } from "../../model/object-key.ts";
import type { Problem } from "../../model/problem.ts";
import { type Provenance, resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { type Found, NOTHING } from "../source.ts";
import { type AnnotatedNames, annotatedTtl, annotationField, ttlProblem } from "./annotations.ts";
import { desiredSets, PROBLEM_WAIT, sortedFound, waitingFor } from "./found.ts";
import { type LookupRequest, readLookup } from "./lookup-request.ts";
import type { SourceOptions } from "./source-options.ts";
import { isAddressText, isImplausible } from "./target-form.ts";
import { readTargets, type TypedValues } from "./targets.ts";
import { readTransfer } from "./transfer-annotations.ts";

const FIELD = "status.loadBalancer.ingress";
/**
 * Where OpenStack has the address of a Service whose status has a host name only, as the PROXY
 * protocol needs it (docs of its cloud provider, `loadbalancer.openstack.org/hostname`).
 */
const ADDRESS_ANNOTATION = "loadbalancer.openstack.org/load-balancer-address";

/** The names an object asks for, and where it stands. */
export interface LoadBalancedNames {
  readonly object: KubeObject;
  readonly provenance: Provenance;
  readonly names: readonly DnsName[];
  /** Names that are listed but cannot be published; they keep what stands. */
  readonly kept: readonly DnsName[];
  readonly problems: AnnotatedNames["problems"];
  readonly complete: boolean;
  readonly options: SourceOptions;
}

/**
 * Publishes the load balancer's addresses at every name. No address, a bad TTL or unreadable
 * targets: the names wait and keep what stands, each with its reason. An edit that mistypes an
 * annotation is a mistake as a whole: until it is corrected nothing of the object goes (Z-5).
 */
export function loadBalanced(wanted: LoadBalancedNames): Found<DesiredRecordSet> {
  const { transfer, problems: refused } = readTransfer(wanted.object);
  const problems = [...wanted.problems, ...refused];
  const base = { ...NOTHING, problems, complete: wanted.complete };
  const kept = waitingFor(wanted.kept, "SourceIncomplete");
  const wait = (reason: string, problems: readonly Problem[]): Found<DesiredRecordSet> =>
    sortedFound({
      ...base,
      waiting: [...kept, ...waitingFor(wanted.names, reason)],
      problems: [...base.problems, ...problems],
    });
  const mistyped = (problem: Problem): Found<DesiredRecordSet> => ({
    ...wait(PROBLEM_WAIT, [problem]),
    /* clause: unreadable-ttl-removes-nothing */ complete: false,
  });
  const ttl = annotatedTtl(wanted.object);
  if (!ttl.ok)
    return /* clause: unreadable-ttl-is-a-mistake */ mistyped(ttlProblem(wanted.object, ttl.error));
  const subject = resourceOf(objectKeyOf(wanted.object, ""));
  const lookup = readLookup(wanted.object, {});
  if (!lookup.ok) return mistyped({ ...lookup.error, subject });
  const excluded = wanted.options.excludedTargetNets ?? [];
  const addresses = readAddresses(wanted.object, lookup.value, excluded);
  if ("problem" in addresses) return wait(PROBLEM_WAIT, [addresses.problem]);
  // clause: no-targets-keep-names
  if (addresses.typed.length === 0) return wait("NoTargets", []);
  const ofItems = transfer === undefined ? {} : { transfer };
  const { lookupSeconds } = lookup.value;
  const origin = { ...wanted, ttlSeconds: ttl.value, lookupSeconds, ...ofItems };
  return sortedFound({
    ...base,
    problems: [...problems, ...addresses.remarks],
    items: wanted.names.flatMap((name) => desiredSets(name, addresses.typed, origin)),
    waiting: kept,
  });
}

type Addresses =
  | { readonly typed: readonly TypedValues[]; readonly remarks: readonly Problem[] }
  | { readonly problem: Problem };

/**
 * Addresses win over host names, inside one element (Gardener external-dns-management, target
 * extraction) and between them (external-dns since 0.14): who reads a status cannot correct it.
 */
function readAddresses(
  object: KubeObject,
  { asksForAddresses }: LookupRequest,
  excluded: readonly AddressNet[],
): Addresses {
  const subject = resourceOf(objectKeyOf(object, ""));
  const ingress = listOf(fieldsOf(fieldsOf(object["status"])["loadBalancer"])["ingress"]);
  if (ingress === null) {
    const message = "the load balancer status is not a list; wait for its controller or repair it";
    return { problem: { code: "InvalidTarget", subject, message, field: FIELD } };
  }
  const address =
    object.kind === "Service" ? object.metadata.annotations?.[ADDRESS_ANNOTATION] : "";
  const all = ingress
    .map(fieldsOf)
    .map(({ ip, hostname }) => textOf(ip) ?? (textOf(hostname) && (address || textOf(hostname))))
    .filter((target) => target !== null);
  const reported = all.filter((target) => !excluded.some((net) => isInNet(target, net)));
  if (reported.length === 0 && all.length > 0) return { problem: excludedOnly(all, subject) };
  const addresses = reported.filter(isAddressText);
  const targets = [...new Set(addresses.length > 0 ? addresses : reported)];
  const implausible = targets.find(isImplausible);
  if (implausible !== undefined) {
    const message = `the load balancer reports ${implausible}, which other hosts cannot reach; correct what its controller publishes`;
    return { problem: { code: "ImplausibleTarget", subject, message, field: FIELD } };
  }
  const hosts = reported.filter((target) => !isAddressText(target));
  const typed = readTargets(targets, asksForAddresses);
  if (typed.ok)
    return {
      typed: typed.value,
      remarks: addresses.length > 0 ? ignoredHosts(hosts, subject) : [],
    };
  const field = address && targets.includes(address) ? annotationField(ADDRESS_ANNOTATION) : FIELD;
  return { problem: { ...typed.error, subject, field } };
}

function excludedOnly(targets: readonly string[], subject: string): Problem {
  const message = `the load balancer reports ${targets.join(", ")}, which --exclude-target-net excludes; give it an address in another network, or narrow the option`;
  return { code: "ImplausibleTarget", subject, message, field: FIELD };
}

/** Host names that are not published, as there are addresses. */
function ignoredHosts(hosts: readonly string[], subject: string): readonly Problem[] {
  if (hosts.length === 0) return [];
  const message = `the load balancer reports ${hosts.join(", ")} besides addresses; the addresses are published, and no host name can be beside them`;
  return [{ code: "MixedTargets", subject, message, field: FIELD }];
}
