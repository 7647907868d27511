/**
 * Addresses that a load balancer reported in `status.loadBalancer`. Reading only; a lost status is
 * no intent (Z-4).
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textOf } from "@zonekeeper/kube/objects/object-fields";
import { objectKeyOf } from "../../model/kinds.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, SourceOptions } from "../source.ts";
import { type AnnotatedRecords, annotatedRecords } from "./annotated-records.ts";
import { annotationField } from "./annotations.ts";
import { reportedTargets, type TargetRules, type TargetsRead } from "./reported-targets.ts";

const FIELD = "status.loadBalancer.ingress";
/**
 * Where OpenStack has the address of a Service whose status has a host name only, as the PROXY
 * protocol needs it (docs of its cloud provider, `loadbalancer.openstack.org/hostname`).
 */
const ADDRESS_ANNOTATION = "loadbalancer.openstack.org/load-balancer-address";

/** Publishes the load balancer's addresses at every name. */
export function loadBalanced(
  wanted: AnnotatedRecords & { readonly options: SourceOptions },
): Found<DesiredRecordSet> {
  const { object, options } = wanted;
  const excluded = options.excludedTargetNets ?? [];
  // The same at each of what may be thousands of names.
  let read: TargetsRead | null = null;
  return annotatedRecords(wanted, (_, asksForAddresses) => {
    read ??= balancedTargets(object, { asksForAddresses, excluded });
    return read;
  });
}

function balancedTargets(object: KubeObject, rules: TargetRules): TargetsRead {
  const subject = resourceOf(objectKeyOf(object, ""));
  const ingress = listOf(fieldsOf(fieldsOf(object["status"])["loadBalancer"])["ingress"]);
  if (ingress === null) {
    const message = "the load balancer status is not a list; wait for its controller or repair it";
    return { problem: { code: "InvalidTarget", subject, message, field: FIELD } };
  }
  const address =
    object.kind === "Service" ? object.metadata.annotations?.[ADDRESS_ANNOTATION] : "";
  const targets = ingress
    .map(fieldsOf)
    .map(({ ip, hostname }) => textOf(ip) ?? (textOf(hostname) && (address || textOf(hostname))))
    .filter((target) => target !== null);
  const field = address && targets.includes(address) ? annotationField(ADDRESS_ANNOTATION) : FIELD;
  return reportedTargets({ targets, reporter: "the load balancer", subject, field }, rules);
}
