/**
 * Headless Services as external-dns has them (`source/service.go` @v0.22): a name has the addresses
 * of all Pods that are ready, and each Pod with a host name has a name below it. A Pod that is not
 * ready keeps its own name as it stands.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { NODE, POD } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { type Fields, fieldsOf, textOf, textsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ExternalDnsRules } from "../../model/external-dns-rules.ts";
import { externalKey } from "../shared/external-annotations.ts";
import {
  annotatedTargets,
  joinedNames,
  namedEach,
  namedText,
  type WantedNames,
} from "./named-records.ts";
import { addressesOf, type SliceEndpoint, sliceEndpoints } from "./node.ts";

const FIELD = "EndpointSlice endpoints";

/** Each of the names, and those of Pods below it. */
export function headlessNames(
  service: KubeObject,
  names: readonly DnsName[],
  { view, rules }: { readonly view: ClusterView; readonly rules: ExternalDnsRules },
): WantedNames {
  if (names.length === 0) return { named: [], problems: [] };
  const { publishNotReadyAddresses } = fieldsOf(service["spec"]);
  const isUnreadyIn = rules.isUnreadyPublished || publishNotReadyAddresses === true;
  const from = kindOfAddress(service, rules);
  const pods = sliceEndpoints(service, view).flatMap((one): readonly PodTargets[] => {
    const pod = podOf(one.endpoint, { service, view });
    if (pod === null || (from === "pod" && !/^IPv[46]$/.test(one.addressType))) return [];
    const isReady = fieldsOf(one.endpoint["conditions"])["ready"] !== false;
    const targets = isReady || isUnreadyIn ? targetsOf(pod, one, { from, view, rules }) : [];
    return [{ hostname: textOf(fieldsOf(pod["spec"])["hostname"]) ?? "", targets }];
  });
  const of = (targets: readonly string[]) => ({ targets, reporter: "the Service", field: FIELD });
  const ofPods = names.flatMap((name) =>
    pods
      .filter(({ hostname }) => hostname !== "")
      .map(({ hostname, targets }) =>
        namedText(`${hostname}.${name}`, "spec.hostname", of(targets)),
      ),
  );
  const ofAll = of(pods.flatMap(({ targets }) => targets));
  return joinedNames([namedEach(names, () => ofAll), ...ofPods]);
}

interface PodTargets {
  /** Empty = the Pod has no name of its own. */
  readonly hostname: string;
  readonly targets: readonly string[];
}

type AddressKind = "pod" | "host" | "node";

function kindOfAddress(service: KubeObject, rules: ExternalDnsRules): AddressKind {
  const key = externalKey(service, "endpoints-type");
  const type = key === null ? "" : service.metadata.annotations?.[key]?.trim();
  if (type === "NodeExternalIP") return "node";
  return type === "HostIP" || rules.isHostIpPublished ? "host" : "pod";
}

function podOf(
  { targetRef }: Fields,
  { service, view }: { readonly service: KubeObject; readonly view: ClusterView },
): KubeObject | null {
  const { kind, name } = fieldsOf(targetRef);
  if (kind !== "Pod") return null;
  const pod = view.get(POD, service.metadata.namespace ?? "", textOf(name) ?? "");
  return pod.state === "value" ? pod.value : null;
}

interface TargetContext {
  readonly from: AddressKind;
  readonly view: ClusterView;
  readonly rules: ExternalDnsRules;
}

function targetsOf(
  pod: KubeObject,
  { endpoint }: SliceEndpoint,
  { from, view, rules }: TargetContext,
): readonly string[] {
  const given = annotatedTargets(pod);
  if (given !== null) return given.targets;
  if (from === "pod") return (textsOf(endpoint["addresses"]) ?? []).slice(0, 1);
  if (from === "host") {
    const address = textOf(fieldsOf(pod["status"])["hostIP"]) ?? "";
    return address === "" ? [] : [address];
  }
  const node = view.get(NODE, "", textOf(fieldsOf(pod["spec"])["nodeName"]) ?? "");
  return node.state === "value" ? addressesOf([node.value], rules).external : [];
}
