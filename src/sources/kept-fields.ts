/**
 * What of the big kinds is kept in memory: the fields that sources, and the load balancer of `dev`,
 * read. A cluster has tens of thousands of Services and Ingresses, and most of each is of no
 * interest here. A source that reads another field of them has to name it here; fields of other
 * kinds are all kept.
 */
import { INGRESS, SERVICE } from "../model/kinds.ts";
import { type KubeObject, kindText } from "../model/kubernetes.ts";
import { isFields } from "../model/object-fields.ts";

/** The object with less in it. Pure. */
export type Keep = (object: KubeObject) => KubeObject;

/** By `kindText`. Kinds that are not here are kept whole. */
export const KEPT_FIELDS: ReadonlyMap<string, Keep> = new Map([
  [kindText(SERVICE), (object) => slim(object, serviceSpec(object["spec"]))],
  [kindText(INGRESS), (object) => slim(object, ingressSpec(object["spec"]))],
]);

/** What has another shape than expected stays as it is: sources tell about it. */
function slim(object: KubeObject, spec: unknown): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { status } = object;
  const loadBalancer = isFields(status) ? { loadBalancer: status["loadBalancer"] } : status;
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, labels: undefined },
    spec,
    status: loadBalancer,
  };
}

function serviceSpec(spec: unknown): unknown {
  if (!isFields(spec)) return spec;
  return { type: spec["type"], loadBalancerIP: spec["loadBalancerIP"] };
}

/** Of the rules the hosts, in their places. `loadBalancerIP` is the wish that `dev` grants. */
function ingressSpec(spec: unknown): unknown {
  if (!isFields(spec)) return spec;
  const { rules } = spec;
  const hosts = Array.isArray(rules) ? rules.map(hostOf) : rules;
  return { rules: hosts, loadBalancerIP: spec["loadBalancerIP"] };
}

function hostOf(rule: unknown): unknown {
  return isFields(rule) ? { host: rule["host"] } : rule;
}
