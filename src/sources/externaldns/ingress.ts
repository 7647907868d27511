/**
 * Ingress → records as external-dns has them (`source/ingress.go` @v0.22): the hosts of its rules
 * and of TLS, and the names of its annotation, get the addresses of its load balancer.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { objectKeyOf } from "../../model/object-key.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { NAMES_MAX } from "../shared/annotations.ts";
import { externalHostnames, externalList, writtenNames } from "../shared/external-annotations.ts";
import type { SourceOptions } from "../shared/source-options.ts";
import { type Found, NOTHING, type SourceFunctions } from "../source.ts";
import { balancedTargets, namedRecords, rulesOf } from "./named-records.ts";

/** The source `ingress` of external-dns: networking.k8s.io/v1 Ingresses. */
export function ingress(options: SourceOptions): SourceFunctions {
  return { endpoints: (object, view) => endpoints(object, view, options) };
}

function endpoints(
  object: KubeObject,
  view: ClusterView,
  options: SourceOptions,
): Found<DesiredRecordSet> {
  if (object.metadata.deletionTimestamp !== undefined) return NOTHING;
  const from = externalList(object, "ingress-hostname-source")?.texts[0] ?? "";
  const spec = from === "annotation-only" ? [] : hostsIn(object, options);
  const annotated = from === "defined-hosts-only" ? [] : externalHostnames(object);
  const texts = [...spec, ...annotated];
  const { names, problems } = writtenNames(texts.slice(0, NAMES_MAX));
  const excess = texts.length > NAMES_MAX ? [tooMany(object, texts.length)] : [];
  return namedRecords({
    ...{ object, options, cluster: view.clusterId },
    written: { names, problems: [...problems, ...excess] },
    targetsOf: () => balancedTargets(object),
  });
}

/** Those beyond keep what stands. */
function tooMany(object: KubeObject, count: number): Problem {
  const subject = resourceOf(objectKeyOf(object, ""));
  const message = `${count} hosts are listed; only the first ${NAMES_MAX} are used, split the Ingress`;
  return { code: "TooManyNames", subject, message, field: "spec.rules" };
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
