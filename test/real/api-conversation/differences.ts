/**
 * Every difference that is known, with its reason. One that is not here fails; one that is gone
 * fails too.
 */
import type { Explained } from "./judge.ts";

/** What 1.37 has and 1.32, which the embedded API speaks, had not. */
const NEWER: readonly Explained[] = [
  {
    steps: "*",
    paths: "headers.warning",
    reason: "newer",
    why: "1.33 warns of Endpoints, 1.36 of spec.externalIPs (pkg/registry/core/endpoints/strategy.go, pkg/api/service/warnings.go)",
  },
];

const DELIBERATE: readonly Explained[] = [
  {
    steps: "node-status-* pod-status-* pod-dry-delete pod-delete",
    paths: "body.status.loadBalancer body.metadata.resourceVersion body.metadata.managedFields[1]",
    reason: "deliberate",
    why: "a field that a Pod or Node does not have is kept, and not dropped (ADR 0104)",
  },
  {
    steps: "apply-same",
    paths: "body.metadata.resourceVersion",
    reason: "deliberate",
    why: "the default of a status is kept from the creation on; kube-apiserver keeps it with the next write, which changes nothing else",
  },
  {
    steps: "*-as-nobody review-nobody",
    paths: "status",
    codes: "401/403",
    reason: "deliberate",
    why: "no anonymous user: who has no token is 401, not forbidden (--anonymous-auth=false of kube-apiserver)",
  },
  {
    steps: "controller-* review-controller",
    paths: "status body.status.*",
    codes: "200/403 404/403",
    reason: "deliberate",
    why: "no RBAC: everybody with a token is an administrator",
  },
  {
    steps: "review-* rules-review",
    paths: "body.status* body.spec.namespace",
    reason: "deliberate",
    why: "the answer says why everything is allowed",
  },
  {
    steps: "*",
    paths: "*.nodePort *.healthCheckNodePort",
    reason: "deliberate",
    why: "no node listens: node ports are kept where a user names them, and never given out",
  },
  {
    steps: "form-service-table*",
    paths: "body.rows*",
    reason: "deliberate",
    why: "so none is shown",
  },
  {
    steps: "orphan-get orphan-release",
    paths: "status",
    codes: "404/200",
    reason: "deliberate",
    why: "a garbage collector runs here; beside a lone kube-apiserver (no kube-controller-manager) the finalizer stays",
  },
  {
    steps: "namespace-*",
    paths:
      "body.metadata.resourceVersion body.metadata.deletionGracePeriodSeconds body.details.kind",
    reason: "deliberate",
    why: "namespaces are emptied and removed here; beside a lone kube-apiserver they stay Terminating",
  },
  {
    steps: "watch-future",
    paths: "status",
    codes: "504/200",
    reason: "deliberate",
    why: "a version from another store is told at once (504, as lists are) instead of waiting for it silently",
  },
  {
    steps: "version-text watch-version-text version-given delete-options-broken",
    paths: "status",
    codes: "400/500",
    reason: "deliberate",
    why: "a client's mistake is 400 (API conventions, HTTP status codes); kube-apiserver says 500",
  },
  {
    steps: "proto-answer* proto-custom",
    paths: "*",
    codes: "406/200",
    reason: "deliberate",
    why: "answers are JSON: clients that name both get it, and only protobuf is 406 (api-machinery accepts either)",
  },
  {
    steps: "accept-yaml",
    paths: "status",
    codes: "406/404",
    reason: "deliberate",
    why: "answers are JSON; YAML is made by clients",
  },
  {
    steps: "watch-path-old",
    paths: "status",
    codes: "404/200",
    reason: "deliberate",
    why: "/watch/ paths are deprecated since 1.11 (OpenAPI text of the paths)",
  },
  {
    steps: "group-* path-absent crd-gone bad-escape",
    paths: "body* contentType",
    reason: "deliberate",
    why: "every refusal is a Status, which clients can read; kube-apiserver's plain 404 comes from its path router",
  },
  {
    steps: "upsert-lease*",
    paths: "status",
    codes: "404/201 404/200",
    reason: "deliberate",
    why: "a PUT never creates: so does kube-apiserver with nearly all kinds; leader election creates by POST",
  },
  {
    steps: "*",
    paths: "*columnDefinitions[*].description *columnDefinitions",
    reason: "deliberate",
    why: "our words; in a watch, columns are repeated with each event, which clients ignore",
  },
  {
    steps: "strict-event-*",
    paths: "body.metadata.managedFields* body.details.group",
    reason: "deliberate",
    why: "fields are owned under the names of core/v1, in which Events are kept; a refusal names the group that was asked, and kube-apiserver none",
  },
  {
    steps: "review-*",
    paths: "body.metadata.managedFields",
    reason: "deliberate",
    why: "a review is not kept, so nobody owns its fields",
  },
  {
    steps: "crd-create",
    paths: "body.status.acceptedNames.* body.status.conditions",
    reason: "deliberate",
    why: "a definition is answered when its kind is served; kube-apiserver's controllers do that a moment later",
  },
  {
    steps: "crd-get crd-more-columns crd-delete",
    paths: "body.metadata.resourceVersion body.metadata.managedFields*",
    reason: "deliberate",
    why: "so there is no second write, and no entry of kube-apiserver as the manager of the status",
  },
  {
    steps: "crd-delete",
    paths: "body.status.conditions[*].reason body.status.conditions[*].message",
    reason: "deliberate",
    why: "its objects are being deleted when it is answered; in kube-apiserver they wait for a controller",
  },
  {
    steps: "crd-no-versions",
    paths: "body.details.causes*",
    reason: "deliberate",
    why: "a definition without versions is refused for that; what follows from it is not listed too",
  },
  {
    steps: "node-* form-node-*",
    paths: "*.nodeInfo *.daemonEndpoints",
    reason: "deliberate",
    why: "no kubelet reports, so what it has not reported is absent instead of empty",
  },
  {
    steps: "pod-* form-pod-*",
    paths: "*.imagePullPolicy *.f:imagePullPolicy *.qosClass",
    reason: "deliberate",
    why: "no kubelet runs Pods: what only a kubelet acts on is not filled in",
  },
  {
    steps: "form-pod-table*",
    paths:
      "body.columnDefinitions[Nominated* body.columnDefinitions[Readiness* body.rows[*].cells[7] body.rows[*].cells[8]",
    reason: "deliberate",
    why: "nothing is scheduled here, so its columns are left out",
  },
  {
    steps: "form-namespace table-namespace table-old-version",
    paths: "*metadata.managedFields",
    reason: "deliberate",
    why: "the namespace default comes with the store; in kube-apiserver a controller of its own writes it and owns its label",
  },
  {
    steps: "*",
    paths: "*storageVersionHash",
    reason: "deliberate",
    why: "an alpha hint for storage migrators; nothing is migrated here",
  },
  {
    steps: "entry-* provider-* page-plain-1 crd-list crd-served",
    paths: "body.metadata.continue",
    reason: "deliberate",
    why: "an empty continue is left out as in lists of all other kinds (meta/v1 ListMeta omitempty); kube-apiserver writes it into lists of custom objects",
  },
  {
    steps: "json-replace-absent",
    paths: "status",
    codes: "422/200",
    reason: "deliberate",
    why: "RFC 6902 §4.3: the target must exist; kube-apiserver's json-patch takes an absent member of an object (evanphx/json-patch v4 partialDoc.get)",
  },
  {
    steps: "strategic-replace-map strategic-null",
    paths:
      "body.spec.selector body.metadata.resourceVersion body.metadata.managedFields[*].fieldsV1.f:spec.f:selector",
    reason: "deliberate",
    why: "what replaces an absent map is there afterwards; kube-apiserver drops it together with the directive (apimachinery pkg/util/strategicpatch dropDirectives)",
  },
  {
    steps: "watch-with-continue",
    paths: "status",
    codes: "200/422",
    reason: "deliberate",
    why: "list options that mean nothing are ignored (ADR 0025)",
  },
  {
    steps: "service-create-nameless node-port-create-nameless",
    paths: "body.details.causes[0].reason body.details.causes[0].field",
    reason: "deliberate",
    why: "the refusal names what is missing, the name; in kube-apiserver the address cannot be given to nobody first",
  },
  {
    steps: "bad-entry-ttl-fraction",
    paths: "body.details.causes*",
    reason: "deliberate",
    why: "a wrong type is told once; kube-apiserver has its rules (CEL) fail over it, too, without a field",
  },
  {
    steps: "held-add-finalizer server-set-uid",
    paths: "body.details.causes[1]",
    reason: "deliberate",
    why: "the same mistake is told once (kube-apiserver checks metadata in BeforeUpdate and in the strategy)",
  },
];

/** The real one is right. */
const LEFT_OPEN: readonly Explained[] = [
  {
    steps: "endpoint-slice-*",
    paths: "body.metadata.generation",
    reason: "left open",
    why: "labels count there, too (pkg/registry/discovery/endpointslice/strategy.go PrepareForUpdate); no client reads it",
  },
  {
    steps: "strict-event-core-*",
    paths: "body.details.causes[*].field",
    reason: "left open",
    why: "a refusal names the field as events.k8s.io/v1 has it, through core/v1, too",
  },
];

const IDENTITY: readonly Explained[] = [
  {
    steps: "version version-as-nobody",
    paths: "body.*",
    reason: "identity",
    why: "another server",
  },
  {
    steps: "api apis api-v1 group-*",
    paths:
      "body.serverAddressByClientCIDRs* body.groups[* body.resources[* body.versions[* body.apiVersion",
    reason: "identity",
    why: "kube-apiserver serves more groups, versions and resources",
  },
];

/** Codes, reasons and fields are compared everywhere; sentences are for people. */
const WORDING: readonly Explained[] = [
  {
    steps: "*",
    paths: "body.message body.details.causes[*].message body[*].object.message",
    reason: "wording",
    why: "the same refusal in shorter words, without Go's types and regular expressions",
  },
];

/** See above; the first that matches counts. */
export const DIFFERENCES: readonly Explained[] = [
  ...NEWER,
  ...LEFT_OPEN,
  ...IDENTITY,
  ...DELIBERATE,
  ...WORDING,
];
