/** Where our OpenAPI describes a kind otherwise than kube-apiserver's, each with its reason. */
import type { Explained } from "./judge.ts";

/** Steps are kinds, paths are fields. */
export const OPENAPI_DIFFERENCES: readonly Explained[] = [
  {
    steps: "apiextensions.k8s.io/v1/CustomResourceDefinition",
    paths: ".status.observedGeneration .status.conditions[].observedGeneration",
    reason: "newer",
    why: "1.35",
  },
  {
    steps: "core/v1/Endpoints core/v1/Node core/v1/Pod",
    paths: ".spec .status *[] *.resources *.securityContext",
    reason: "deliberate",
    why: "declared is what has a default or is merged by a key: other fields are kept as they are sent (ADR 0104)",
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
    steps: "core/v1/Pod",
    paths: ".spec.volumes .spec.resourceClaims .status.resourceClaimStatuses",
    reason: "deliberate",
    why: "no served kind has the strategy retainKeys (ADR 0025)",
  },
  {
    steps: "apiextensions.k8s.io/v1/CustomResourceDefinition",
    paths:
      ".spec.conversion.webhook .spec.versions[].schema.openAPIV3Schema .spec.versions[].subresources.scale",
    reason: "deliberate",
    why: "kept as it is; a schema is checked by structural-check.ts",
  },
];
