/**
 * Service → records as external-dns has them (`source/service.go` @v0.22): the names of its
 * annotations get what its type reports. Of NodePort and headless Services the names keep what
 * stands.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { objectKeyOf } from "../../model/object-key.ts";
import type { Problem } from "../../model/problem.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import { externalHostnames, externalList, writtenNames } from "../shared/external-annotations.ts";
import { heldItems, PROBLEM_WAIT } from "../shared/found.ts";
import type { SourceOptions } from "../shared/source-options.ts";
import { type Found, NOTHING, type SourceFunctions } from "../source.ts";
import { balancedTargets, namedRecords, type Reported, rulesOf } from "./named-records.ts";

/** The source `service` of external-dns: core/v1 Services. */
export function service(options: SourceOptions): SourceFunctions {
  return { endpoints: (object, view) => endpoints(object, view, options) };
}

function endpoints(
  object: KubeObject,
  view: ClusterView,
  options: SourceOptions,
): Found<DesiredRecordSet> {
  if (object.metadata.deletionTimestamp !== undefined) return NOTHING;
  const { type, clusterIP } = fieldsOf(object["spec"]);
  const isHeadless = clusterIP === "None";
  const isBuilt = type !== "NodePort" && !(isHeadless && type !== "ExternalName");
  const internal = externalList(object, "internal-hostname");
  const inner = writtenNames((internal?.texts ?? []).map((text) => [text, internal?.key ?? ""]));
  const outer = writtenNames(
    isBuilt && type === "ClusterIP" && !rulesOf(options).isClusterIpPublished
      ? []
      : externalHostnames(object),
  );
  const outerNames = new Set<DnsName>(outer.names);
  const found = namedRecords({
    ...{ object, options, cluster: view.clusterId },
    written: {
      names: [...new Set([...outer.names, ...inner.names])],
      problems: [...outer.problems, ...inner.problems],
    },
    targetsOf: (name) => (outerNames.has(name) ? reportedBy(object) : clusterAddress(object)),
  });
  if (isBuilt || found.items.length + found.waiting.length === 0) return found;
  const held = heldItems(found, PROBLEM_WAIT);
  // That it reports no address of its own is not known either.
  const waiting = held.waiting.map((one) => ({ ...one, reason: PROBLEM_WAIT }));
  return { ...held, waiting, problems: [...found.problems, unbuilt(object)] };
}

/** What the type of a Service reports. */
function reportedBy(object: KubeObject): Reported {
  const { type, externalIPs, externalName } = fieldsOf(object["spec"]);
  const own = textsOf(externalIPs ?? []) ?? [];
  if (own.length > 0) return { targets: own, reporter: "the Service", field: "spec.externalIPs" };
  if (type === "ExternalName") {
    const name = textOf(externalName);
    const targets = name === null ? [] : [name];
    return { targets, reporter: "the Service", field: "spec.externalName" };
  }
  return type === "LoadBalancer" ? balancedTargets(object) : clusterAddress(object);
}

function clusterAddress(object: KubeObject): Reported {
  const address = textOf(fieldsOf(object["spec"])["clusterIP"]);
  const targets = address === null || address === "None" ? [] : [address];
  return { targets, reporter: "the Service", field: "spec.clusterIP" };
}

function unbuilt(object: KubeObject): Problem {
  return {
    code: "Unsupported",
    subject: resourceOf(objectKeyOf(object, "")),
    message:
      "headless Services and those of type NodePort are not published here; write a DNSEndpoint, or the annotation target on a Service of another type. Its names stay as they are",
    field: "spec.type",
  };
}
