/**
 * Ingress → records as external-dns has them (`source/ingress.go` @v0.22): the hosts of its rules
 * and of TLS, and the names of its annotation, get the addresses of its load balancer.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { annotationProblem, firstNames } from "../shared/annotations.ts";
import {
  externalHostnames,
  externalKey,
  externalList,
  writtenNames,
} from "../shared/external-annotations.ts";
import { heldItems } from "../shared/found.ts";
import { type Found, type SourceOptions, sourceOf } from "../source.ts";
import { balancedTargets, namedEach, namedRecords, rulesOf } from "./named-records.ts";
import { withTemplates } from "./templated-names.ts";

/** The source `ingress` of external-dns: networking.k8s.io/v1 Ingresses. */
export const ingress = sourceOf((object, view, options) => {
  const rules = rulesOf(options);
  const source =
    externalList(object, "ingress-hostname-source")?.texts.join(",").toLowerCase() ?? "";
  // Which hosts the annotation chooses; empty = all, null = nobody knows.
  const chosen = HOST_SOURCES.has(source) ? source : null;
  const texts = [
    ...(chosen === "annotation-only" ? [] : hostsIn(object, options)),
    ...(chosen === "defined-hosts-only" || rules.ignoresHostnames ? [] : externalHostnames(object)),
  ];
  const { first, excess } = firstNames(object, texts, "spec.rules");
  const { names, problems } = writtenNames(first);
  const balanced = balancedTargets(object);
  const each = (all: readonly DnsName[]) => namedEach(all, () => balanced);
  const own = { ...each(names), problems: [...problems, ...excess] };
  const wanted = withTemplates(object, own, {
    source: "ingress",
    rules: rules.templates,
    takes: "names",
    namesOf: each,
  });
  const found = namedRecords({ object, options, cluster: view.clusterId, wanted });
  return chosen === null ? withUnknownSource(object, found) : found;
});

const HOST_SOURCES: ReadonlySet<string> = new Set(["", "annotation-only", "defined-hosts-only"]);

/** external-dns publishes no name of such an object. */
function withUnknownSource(
  object: KubeObject,
  found: Found<DesiredRecordSet>,
): Found<DesiredRecordSet> {
  const key = externalKey(object, "ingress-hostname-source") ?? "";
  const message =
    "it is neither annotation-only nor defined-hosts-only; write one of them, or remove it. The names of this object stay as they are";
  return heldItems(found, annotationProblem(object, key, { code: "Unsupported", message }));
}

/** Rules without a host, and `*`, name none. */
function hostsIn(
  object: KubeObject,
  options: SourceOptions,
): readonly (readonly [unknown, string])[] {
  const { ignoresRules, ignoresTls } = rulesOf(options);
  const spec = fieldsOf(object["spec"]);
  const rules = ignoresRules ? [] : (listOf(spec["rules"]) ?? []);
  const tls = ignoresTls ? [] : (listOf(spec["tls"]) ?? []);
  const hosts: (readonly [unknown, string])[] = [
    ...rules.map((rule, at) => [fieldsOf(rule)["host"], `spec.rules[${at}].host`] as const),
    ...tls.flatMap((one, at) =>
      (listOf(fieldsOf(one)["hosts"]) ?? []).map(
        (host, index) => [host, `spec.tls[${at}].hosts[${index}]`] as const,
      ),
    ),
  ];
  return hosts.filter(([host]) => host !== undefined && host !== null && host !== "");
}
