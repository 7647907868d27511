/**
 * Ingress → records: hosts of its rules get the addresses of its load balancer. `*` and `all` stand
 * for every declared host; a name that is annotated but not declared is a problem, and until it is
 * corrected nothing of the object goes (Z-5).
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import { NAMES_ANNOTATION } from "../../model/annotation-keys.ts";
import { isOfClass } from "../../model/dns-class.ts";
import { objectKeyOf } from "../../model/kinds.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import {
  type AnnotatedNames,
  annotatedNames,
  annotationField,
  annotationProblem,
} from "../shared/annotations.ts";
import { loadBalanced } from "../shared/load-balancer.ts";
import { quoted, readName } from "../shared/read-name.ts";
import { NOTHING, sourceOf } from "../source.ts";

/** The source `ingress-dns` of Gardener: networking.k8s.io/v1 Ingresses. */
export const ingressDns = sourceOf((object, view, options) => {
  if (!isOfClass(object, options.dnsClasses)) return NOTHING;
  const annotated = annotatedNames(object);
  if (annotated === null) return NOTHING;
  const declared = declaredHosts(object);
  const undeclared = annotated.names.filter((name) => !declared.names.has(name));
  const explicit = annotated.names.filter((name) => declared.names.has(name));
  const hosts = annotated.all ? [...declared.names] : [];
  // A host that cannot be read hides a name only from those who asked for every host.
  const hidden = annotated.all || undeclared.length > 0 ? declared.problems : [];
  // One that is not declared may be a slip for any host; * asks for all of them anyway.
  const isMistyped = undeclared.length > 0 && /* clause: all-names-are-the-rules */ !annotated.all;
  return loadBalanced({
    object,
    options,
    provenance: objectKeyOf(object, view.clusterId),
    names: [...new Set([...hosts, ...explicit])],
    kept: /* clause: undeclared-host-keeps-records */ undeclared,
    problems: [...annotated.problems, ...hidden, ...missingHosts(object, annotated, declared)],
    // clause: ingress-problem-hides-names
    complete:
      annotated.problems.length === 0 &&
      hidden.length === 0 &&
      /* clause: undeclared-name-is-a-mistake */ !isMistyped,
  });
});

interface DeclaredHosts {
  readonly names: ReadonlySet<DnsName>;
  readonly problems: readonly Problem[];
}

/** `spec.rules[].host`; a rule without a host declares none (networking.k8s.io/v1 IngressRule). */
function declaredHosts(object: KubeObject): DeclaredHosts {
  const subject = resourceOf(objectKeyOf(object, ""));
  const rules = listOf(fieldsOf(object["spec"])["rules"]);
  if (rules === null) {
    const message = "the rules are not a list; repair the object";
    return {
      names: new Set(),
      problems: [{ code: "InvalidRules", subject, message, field: "spec.rules" }],
    };
  }
  const names = new Set<DnsName>();
  const problems: Problem[] = [];
  for (const [index, rule] of rules.entries()) {
    const host = fieldsOf(rule)["host"];
    if (host === undefined || host === null || host === "") continue;
    const name = readName(typeof host === "string" ? host : JSON.stringify(host));
    if (name.ok) names.add(name.value);
    else problems.push(badHost(String(host), index, name.error));
  }
  return { names, problems };
}

function badHost(host: string, index: number, error: string): Problem {
  return {
    code: "InvalidDnsName",
    subject: quoted(host),
    message: `not a DNS name: ${error}`,
    field: `spec.rules[${index}].host`,
  };
}

/** Names that are asked for and no rule declares. */
function missingHosts(
  object: KubeObject,
  { all, names }: AnnotatedNames,
  declared: DeclaredHosts,
): readonly Problem[] {
  const isNothing = all && declared.names.size + declared.problems.length === 0;
  const undeclared = names.filter((name) => !declared.names.has(name));
  return [...(isNothing ? [noHost(object)] : []), ...undeclared.map(notDeclared)];
}

function notDeclared(name: DnsName): Problem {
  return {
    code: "HostNotDeclared",
    subject: name,
    message:
      "annotated dns name not declared by ingress: add a rule with this host, or take the name off the annotation",
    field: annotationField(NAMES_ANNOTATION),
  };
}

/** `*` of nothing: told, and as complete as an empty list is. */
function noHost(object: KubeObject): Problem {
  const message = "all hosts are asked for, and no rule has a host: add a rule with the host";
  return annotationProblem(object, NAMES_ANNOTATION, { code: "HostNotDeclared", message });
}
