/**
 * Where the embedded API, which speaks 1.32, says otherwise than 1.20 because Kubernetes changed.
 * Each with the version that changed it and the source (kubernetes/kubernetes at v1.32.0 unless
 * another version is named).
 */
import type { Explained } from "./judge.ts";

/** The answers to deletions of Services in their lives. */
const SERVICES_DELETED = "service headless external-name node-port"
  .split(" ")
  .flatMap((fragment) => [`${fragment}-delete`, `${fragment}-dry-delete`])
  .join(" ");

/** What is served otherwise. */
export const NEWER: readonly Explained[] = [
  {
    steps: "namespace-* form-namespace proto-request table-*",
    paths: "*labels.kubernetes.io/metadata.name *metadata.labels",
    reason: "newer",
    why: "1.21: namespaces carry their name as a label (pkg/apis/core/v1/defaults.go SetDefaults_Namespace)",
  },
  {
    steps: "*",
    paths: "*spec.ipFamilies *spec.ipFamilyPolicy",
    reason: "newer",
    why: "1.23: dual stack is there for good; in 1.20 only with its feature gate (pkg/apis/core/types.go ServiceSpec)",
  },
  {
    steps: "*",
    paths: "*spec.internalTrafficPolicy *spec.allocateLoadBalancerNodePorts",
    reason: "newer",
    why: "1.26 and 1.24: always filled in (pkg/apis/core/v1/defaults.go SetDefaults_Service)",
  },
  {
    steps:
      "service-update-* headless-update-* external-name-update-* node-port-update-* merge-version-null-service strategic-retain-keys",
    paths: "status",
    codes: "200/422 409/422",
    reason: "newer",
    why: "1.23: a Service without version or address is taken and keeps what was given out (pkg/registry/core/service/storage/storage.go, beginUpdate: patchAllocatedValues)",
  },
  {
    steps:
      "service-get-after headless-get-after external-name-get-after node-port-get-after service-status-* headless-no-status external-name-no-status node-port-no-status",
    paths: "body.metadata.* body.spec.*",
    reason: "newer",
    why: "so what is read after such a PUT is what it wanted",
  },
  {
    steps: `${SERVICES_DELETED} patched-service-delete form-service-delete`,
    paths: "body.*",
    reason: "newer",
    why: "1.23: the deletion of a Service is answered with it (the same file: ReturnDeletedObject)",
  },
  {
    steps: "service-dry-create node-port-dry-create odd-service-unknown-field",
    paths: "body.spec.clusterIP body.spec.clusterIPs",
    reason: "newer",
    why: "1.23: a dry run shows an address that is not given out (pkg/registry/core/service/ipallocator, dry run allocator)",
  },
  {
    steps: "strategic-replace-map",
    paths: "status",
    codes: "200/422",
    reason: "newer",
    why: "1.28: directives never become data, not even where the field was absent (kubernetes/kubernetes#117568)",
  },
  {
    steps: "strategic-null",
    paths: "body.metadata.resourceVersion",
    reason: "newer",
    why: "so there is something to take away, here",
  },
  {
    steps: "endpoint-slice-*",
    paths: "body.apiVersion *managedFields[*].apiVersion",
    reason: "newer",
    why: "1.21 serves discovery.k8s.io/v1 and 1.25 v1beta1 no more: each server is asked in the version that it has",
  },
  {
    steps: "form-pod-table*",
    paths: "body.columnDefinitions[Restarts].type body.rows[*].cells[3]",
    reason: "newer",
    why: "1.22: restarts are a text that may say when the last one was (pkg/printers/internalversion printPod)",
  },
  {
    steps: "*-delete-all",
    paths: "status",
    codes: "200/405",
    reason: "newer",
    why: "1.23: Services have deletecollection (CHANGELOG-1.23)",
  },
  {
    steps: "ingress-* bad-ingress-*",
    paths: "body.details.group",
    reason: "newer",
    why: "1.20 keeps Ingress in the internal group extensions; clients see networking.k8s.io since (pkg/apis/networking/install)",
  },
  {
    steps: "entry-* provider-* page-plain-1 crd-list crd-served",
    paths: "body.metadata.continue",
    reason: "newer",
    why: "1.20 writes an empty continue into lists of custom objects; meta/v1 ListMeta omits it",
  },
  {
    steps: "*",
    paths: "headers.warning",
    reason: "newer",
    why: "1.25: unknown fields are warned of (fieldValidation, KEP-2885)",
  },
  {
    steps:
      "merge-* generation-status-wrong bad-entry-* bad-provider-* crd-text crd-too-long crd-too-many crd-wrong-port",
    paths: "body.details.causes[*].reason body.details.causes[*].field",
    reason: "newer",
    why: "1.24: wrong types are FieldValueTypeInvalid and name the item (apiextensions-apiserver pkg/apiserver/validation/validation.go)",
  },
  {
    steps: "json-replace-absent",
    paths: "status",
    codes: "422/200",
    reason: "newer",
    why: "RFC 6902 §4.3: the target must exist; 1.20's json-patch 4.9 did not look (evanphx/json-patch v4.11)",
  },
  {
    steps: "*",
    paths: "body.resources[*].singularName body.resources[*].storageVersionHash",
    reason: "newer",
    why: "1.27 fills singularName in; storageVersionHash is an alpha hint for storage migrators",
  },
];

/** Whose fields: what 1.32 records otherwise in managedFields. */
export const OWNERS: readonly Explained[] = [
  {
    steps: "*",
    paths: "*managedFields[*].fieldsV1.f:status",
    reason: "newer",
    why: "1.22: a write to the object itself owns nothing of its status (GetResetFields of the strategies)",
  },
  {
    steps:
      "namespace-* form-namespace node-update-* node-get-after node-status-* proto-request table-namespace table-old-version",
    paths: "*metadata.managedFields",
    reason: "newer",
    why: "so nobody owns anything where the status was all",
  },
  {
    steps:
      "*-status-merge *-status-strategic generation-status generation-status-put crd-status crd-plain-after crd-main-ignores-status",
    paths: "body.metadata.managedFields[1]",
    reason: "newer",
    why: "1.22: a status has an entry of its own, which names the subresource (meta/v1 ManagedFieldsEntry.subresource)",
  },
  {
    steps: "*-status-merge generation-status-put",
    paths: "*.f:metadata *.f:metadata.f:labels.f:ignored",
    reason: "newer",
    why: "1.22: a write to a status owns nothing of the metadata (GetResetFields of the status strategies)",
  },
  {
    steps: "generation-status-by-main",
    paths: "body.metadata.resourceVersion",
    reason: "newer",
    why: "so a status that is sent to the object itself changes nothing, not even an owner",
  },
  {
    steps: "*",
    paths: "*.f:spec.f:internalTrafficPolicy *.f:spec.f:allocateLoadBalancerNodePorts",
    reason: "newer",
    why: "1.26 and 1.24: always filled in when a Service is read, so owned by its writer",
  },
  {
    steps: "*",
    paths: "*.f:spec.f:selector.. *.f:spec.f:selector.f:app",
    reason: "newer",
    why: "1.21: selectors are one piece (core/v1 ServiceSpec.selector +mapType=atomic)",
  },
  {
    steps: "strict-event-change-*",
    paths: "status",
    codes: "422/200",
    reason: "newer",
    why: "what an Event says cannot be changed through events.k8s.io/v1 (pkg/apis/core/validation/events.go ValidateEventUpdate); 1.20 takes it",
  },
  {
    steps: "strict-event-change-labels",
    paths: "body.*",
    reason: "newer",
    why: "so it has the fields that were created, here",
  },
  {
    steps: "strict-event-cluster-wide",
    paths: "status",
    codes: "201/422",
    reason: "newer",
    why: "Events about objects without a namespace are in default, too (pkg/apis/core/validation/events.go legacyValidateEvent); in 1.20 in kube-system only",
  },
  {
    steps: "*event-*",
    paths: "*.f:involvedObject.f:*",
    reason: "newer",
    why: "1.21: references are one piece (core/v1 ObjectReference +structType=atomic)",
  },
];
