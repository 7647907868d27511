/**
 * Service → records: the names of its annotation get the addresses of its load balancer. Explicit
 * names only; a Service that is no LoadBalancer (any more) wants nothing, and that is intent (Z-4).
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { isOfClass } from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import { annotatedNames, annotationProblem } from "../shared/annotations.ts";
import { loadBalanced } from "../shared/load-balancer.ts";
import { NOTHING, sourceOf } from "../source.ts";

/** The source `service-dns` of Gardener: core/v1 Services of type LoadBalancer. */
export const serviceDns = sourceOf((object, view, options) => {
  if (!isOfClass(object, options.dnsClasses)) return NOTHING;
  const annotated = annotatedNames(object);
  if (annotated === null) return NOTHING;
  if (fieldsOf(object["spec"])["type"] !== "LoadBalancer")
    return { ...NOTHING, problems: [notLoadBalancer(object)] };
  return loadBalanced({
    object,
    options,
    provenance: objectKeyOf(object, view.clusterId),
    names: annotated.names,
    kept: [],
    problems: annotated.all ? [...annotated.problems, noWildcard(object)] : annotated.problems,
    // Who writes * means some names: which of those that stand is not known (Z-5).
    complete:
      /* clause: service-problem-hides-names */ annotated.problems.length === 0 &&
      /* clause: all-names-on-service-is-a-mistake */ !annotated.all,
  });
});

function notLoadBalancer(object: KubeObject): Problem {
  return {
    code: "NotLoadBalancer",
    subject: resourceOf(objectKeyOf(object, "")),
    message: "service is not of type LoadBalancer: its names are not published; change spec.type",
    field: "spec.type",
  };
}

function noWildcard(object: KubeObject): Problem {
  const message = "a service declares no hosts, so * and all mean nothing here; list its names";
  return annotationProblem(object, NAMES_ANNOTATION, { code: "NoDeclaredNames", message });
}
