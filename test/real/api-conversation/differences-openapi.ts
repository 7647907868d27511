/** Where our OpenAPI describes a kind otherwise than kube-apiserver's, each with its reason. */
import type { Explained } from "./judge.ts";

const CONTAINERS = ".spec.containers[] .spec.initContainers[] .spec.ephemeralContainers[]".split(
  " ",
);

/** The same fields in each list of containers. */
const inContainers = (...paths: readonly string[]): string =>
  CONTAINERS.flatMap((list) => paths.map((path) => `${list}${path}`)).join(" ");

const KUBELET =
  "only a kubelet, a scheduler or a driver acts on it: what is sent is kept as it is (ADR 0025)";

/** Steps are kinds, paths are fields. */
export const OPENAPI_DIFFERENCES: readonly Explained[] = [
  {
    steps: "core/v1/Node",
    paths:
      ".spec.podPreemptionPolicy .status.declaredFeatures* .status.nodeInfo.runningInUserNamespace",
    reason: "newer",
    why: "fields of 1.33 to 1.37",
  },
  {
    steps: "core/v1/Pod",
    paths: `${inContainers(".restartPolicyRules*")} .spec.evictionResponders* .spec.hostnameOverride .spec.schedulingGroup .status.allocatedResources* .status.extendedResourceClaimStatus .status.nodeAllocatableResourceClaimStatuses* .status.resources .status.volumeHealth*`,
    reason: "newer",
    why: "fields of 1.33 to 1.37",
  },
  {
    steps: "apiextensions.k8s.io/v1/CustomResourceDefinition",
    paths: ".status.observedGeneration .status.conditions[].observedGeneration",
    reason: "newer",
    why: "1.35",
  },
  {
    steps: "*",
    paths: ".eventTime .series.lastObservedTime .spec.acquireTime .spec.renewTime",
    reason: "deliberate",
    why: "the format says which times have microseconds and is checked; kubectl does not read it",
  },
  {
    steps: "*",
    paths:
      ".involvedObject .metadata .series.count .spec.rules[].http.paths[].pathType .status.conditions[].* .status.loadBalancer.ingress[].ports[].*",
    reason: "deliberate",
    why: "which fields of a built-in kind must be there is checked by rules of the kind, after defaults; kube-apiserver checks it in code, too, whatever its OpenAPI says",
  },
  {
    steps: "core/v1/Node core/v1/Pod",
    paths: ".status.addresses[].* .status.nodeInfo.* .status.hostIPs[].ip .status.podIPs[].ip",
    reason: "deliberate",
    why: "no kubelet reports, so nothing is required of its report",
  },
  {
    steps: "core/v1/Node core/v1/Pod",
    paths: `.status.allocatable{} .status.capacity{} .spec.overhead{} ${inContainers(".resources.limits{}", ".resources.requests{}")}`,
    reason: "wording",
    why: "a quantity is a number or a text, here by x-kubernetes-int-or-string, there by oneOf",
  },
  {
    steps: "core/v1/Pod",
    paths: ".spec.containers[].targetContainerName .spec.initContainers[].targetContainerName",
    reason: "deliberate",
    why: "all containers have one schema, with the field of ephemeral ones",
  },
  {
    steps: "core/v1/Pod",
    paths: ".spec.volumes .spec.resourceClaims .status.resourceClaimStatuses",
    reason: "deliberate",
    why: "no served kind has the strategy retainKeys (ADR 0025)",
  },
  {
    steps: "core/v1/Node",
    paths:
      ".spec.configSource .status.config .status.daemonEndpoints .status.features .status.images[] .status.runtimeHandlers[] .status.volumesAttached[]",
    reason: "deliberate",
    why: KUBELET,
  },
  {
    steps: "core/v1/Pod",
    paths: inContainers(
      ".envFrom[]",
      ".env[].valueFrom",
      ".lifecycle",
      ".livenessProbe",
      ".readinessProbe",
      ".startupProbe",
      ".resizePolicy[]",
      ".resources.claims[]",
      ".securityContext",
      ".volumeDevices[]",
      ".volumeMounts[]",
    ),
    reason: "deliberate",
    why: KUBELET,
  },
  {
    steps: "core/v1/Pod",
    paths:
      ".spec.affinity .spec.dnsConfig .spec.hostAliases[] .spec.os .spec.readinessGates[] .spec.resourceClaims[] .spec.resources .spec.schedulingGates[] .spec.securityContext .spec.tolerations[] .spec.topologySpreadConstraints[] .spec.volumes[] .status.*Statuses[]",
    reason: "deliberate",
    why: KUBELET,
  },
  {
    steps: "apiextensions.k8s.io/v1/CustomResourceDefinition",
    paths:
      ".spec.conversion.webhook .spec.versions[].schema.openAPIV3Schema .spec.versions[].subresources.scale",
    reason: "deliberate",
    why: "kept as it is; a schema is checked by structural-check.ts",
  },
];
