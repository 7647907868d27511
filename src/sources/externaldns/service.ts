/**
 * Service → records as external-dns has them (`source/service.go` @v0.22): the names of its
 * annotations and of templates get what its type reports; one of type NodePort has SRV records
 * besides.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, listOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";
import { externalHostnames, externalKey, writtenNames } from "../shared/external-annotations.ts";
import { sourceOf } from "../source.ts";
import { headlessNames } from "./headless.ts";
import {
  annotatedTargets,
  balancedTargets,
  joinedNames,
  namedEach,
  namedRecords,
  namedText,
  type Reported,
  rulesOf,
  type WantedNames,
} from "./named-records.ts";
import { addressesOf, nodesOf, publicAddresses } from "./node.ts";
import { withTemplates } from "./templated-names.ts";

/** The source `service` of external-dns: core/v1 Services. */
export const service = sourceOf((object, view, options) => {
  const rules = rulesOf(options);
  const context = { object, view, rules };
  const annotated = (annotation: string, isInternal: boolean): readonly WantedNames[] => {
    const written = rules.ignoresHostnames ? [] : externalHostnames(object, annotation);
    const { names, problems } = writtenNames(written);
    return [{ named: [], problems }, wantedNames(names, { ...context, isInternal })];
  };
  const own = joinedNames([
    ...annotated("hostname", false),
    ...annotated("internal-hostname", true),
  ]);
  const wanted = withTemplates(object, own, {
    source: "service",
    rules: rules.templates,
    takes: "pairs",
    namesOf: (names) => wantedNames(names, { ...context, isInternal: false }),
  });
  return namedRecords({ object, options, cluster: view.clusterId, wanted });
});

interface ServiceContext {
  readonly object: KubeObject;
  readonly view: ClusterView;
  readonly rules: ExternalDnsRules;
  /** The names are those for the inside. */
  readonly isInternal: boolean;
}

/** What the type of the Service gives to the names. */
function wantedNames(names: readonly DnsName[], context: ServiceContext): WantedNames {
  const { object, rules, isInternal } = context;
  const { type = "ClusterIP", clusterIP } = fieldsOf(object["spec"]);
  const each = (reported: Reported) => namedEach(names, () => reported);
  const given = annotatedTargets(object);
  if (given !== null) return each(given);
  switch (type) {
    case "LoadBalancer":
      if (isInternal) return each(clusterAddress(object));
      return each(
        externalAddresses(object) ?? {
          ...balancedTargets(object),
          isLookedUp: rules.areBalancersResolved,
        },
      );
    case "ExternalName":
      return each(externalName(object));
    case "NodePort":
      return nodePorts(names, context);
    default:
      if (clusterIP === "None") return headlessNames(object, names, context);
      if (isInternal || rules.isClusterIpPublished) return each(clusterAddress(object));
      return { named: [], problems: [] };
  }
}

function externalAddresses(object: KubeObject): Reported | null {
  const targets = textsOf(fieldsOf(object["spec"])["externalIPs"] ?? []) ?? [];
  if (targets.length === 0) return null;
  return { targets, reporter: "the Service", field: "spec.externalIPs" };
}

function externalName(object: KubeObject): Reported {
  const name = textOf(fieldsOf(object["spec"])["externalName"]) ?? "";
  const targets = name === "" ? [] : [name];
  return (
    externalAddresses(object) ?? { targets, reporter: "the Service", field: "spec.externalName" }
  );
}

function clusterAddress(object: KubeObject): Reported {
  const address = textOf(fieldsOf(object["spec"])["clusterIP"]);
  const targets = address === null || address === "None" ? [] : [address];
  return { targets, reporter: "the Service", field: "spec.clusterIP" };
}

/** The addresses of the nodes, and for each port where it is (RFC 2782). */
function nodePorts(names: readonly DnsName[], context: ServiceContext): WantedNames {
  if (names.length === 0) return { named: [], problems: [] };
  const { object, rules } = context;
  const nodes = { targets: nodeTargets(context), reporter: "the nodes", field: "status.addresses" };
  const ports = (rules.types.has("SRV") ? (listOf(fieldsOf(object["spec"])["ports"]) ?? []) : [])
    .map(fieldsOf)
    .filter(({ nodePort }) => typeof nodePort === "number" && nodePort > 0);
  const srv = ports.flatMap(({ nodePort, protocol }) =>
    names.map((name) => {
      const label = `_${object.metadata.name}._${(textOf(protocol) ?? "tcp").toLowerCase()}`;
      const reported = { ...nodes, targets: [`0 50 ${Number(nodePort)} ${name}`], type: "SRV" };
      return namedText(`${label}.${name}`, "metadata.name", reported);
    }),
  );
  return joinedNames([namedEach(names, () => nodes), ...srv]);
}

/** External addresses, else internal ones, unless the annotation `access` says which. */
function nodeTargets({ object, view, rules }: ServiceContext): readonly string[] {
  const nodes = nodesOf(object, view, rules);
  const key = externalKey(object, "access");
  const access = key === null ? "" : object.metadata.annotations?.[key]?.trim();
  const { external, internal } = addressesOf(nodes, rules);
  if (access === "public") return external;
  return access === "private" ? internal : publicAddresses(nodes, rules);
}
