/** Every difference that is known, with its reason. One that is not here fails; one that is gone fails too. */
import type { Explained } from "./judge.ts";

/** Where 1.32 says otherwise than 1.20 (kubernetes/kubernetes at v1.32.0 unless another version is named). */
const NEWER: readonly Explained[] = [
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
      "service-update-* headless-update-* external-name-update-* merge-version-null-service service-get-after headless-get-after external-name-get-after service-status-* headless-no-status external-name-no-status",
    paths: "*",
    reason: "newer",
    why: "1.23: a PUT of a Service without version replaces it and keeps its address (pkg/registry/core/service/storage/storage.go, beginUpdate patches what was allocated); what is read after it follows from that",
  },
  {
    steps: "*-delete-all",
    paths: "status",
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
    steps: "entry-* provider-* page-plain-1",
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
    steps: "merge-* generation-status-wrong bad-entry-* bad-provider-*",
    paths: "body.details.causes[*].reason body.details.causes[*].field",
    reason: "newer",
    why: "1.24: wrong types are FieldValueTypeInvalid and name the item (apiextensions-apiserver pkg/apiserver/validation/validation.go)",
  },
  {
    steps: "json-replace-absent",
    paths: "status",
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

const DELIBERATE: readonly Explained[] = [
  {
    steps: "*-as-nobody review-nobody",
    paths: "status",
    reason: "deliberate",
    why: "no anonymous user: who has no token is 401, not forbidden (--anonymous-auth=false of kube-apiserver)",
  },
  {
    steps: "controller-* review-controller",
    paths: "*",
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
    steps: "list-version-exact*",
    paths: "status",
    reason: "deliberate",
    why: "old revisions are not kept: 410 Expired, as a compacted etcd answers, and clients list again",
  },
  {
    steps: "watch-future",
    paths: "status",
    reason: "deliberate",
    why: "a version from another store is told at once (504, as lists are) instead of waiting for it silently",
  },
  {
    steps: "version-text watch-version-text version-given delete-options-broken",
    paths: "status",
    reason: "deliberate",
    why: "a client's mistake is 400 (API conventions, HTTP status codes); kube-apiserver says 500",
  },
  {
    steps: "proto-answer* proto-custom",
    paths: "*",
    reason: "deliberate",
    why: "answers are JSON: clients that name both get it, and only protobuf is 406 (api-machinery accepts either)",
  },
  {
    steps: "accept-yaml",
    paths: "status",
    reason: "deliberate",
    why: "answers are JSON; YAML is made by clients",
  },
  {
    steps: "watch-path-old",
    paths: "status",
    reason: "deliberate",
    why: "/watch/ paths are deprecated since 1.11 (OpenAPI text of the paths)",
  },
  {
    steps: "group-* path-absent",
    paths: "body* contentType",
    reason: "deliberate",
    why: "every refusal is a Status, which clients can read; kube-apiserver's plain 404 comes from its path router",
  },
  {
    steps: "upsert-lease*",
    paths: "status",
    reason: "deliberate",
    why: "a PUT never creates: so does kube-apiserver with nearly all kinds; leader election creates by POST",
  },
  {
    steps: "*",
    paths: "*columnDefinitions[*].description *columnDefinitions",
    reason: "deliberate",
    why: "our words; in a watch, columns are repeated with each event, which clients ignore",
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

const LEFT_OPEN: readonly Explained[] = [
  {
    steps: "dry-run-wrong delete-propagation-wrong delete-both-orphans",
    paths: "status",
    reason: "left open",
    why: "422 for options that do not exist: in write-options.ts, which h/apply brings",
  },
  {
    steps: "strategic-*",
    paths: "*",
    reason: "left open",
    why: "order of merged lists, $patch of maps without siblings, and codes for patches that make no sense; kubectl sends none of these",
  },
  {
    steps:
      "review-empty server-set-uid patch-not-json bad-escape bad-finalizer event-create-bad-name json-wrong-type",
    paths: "status",
    reason: "left open",
    why: "refused (or taken) under another code, without harm",
  },
  {
    steps: "generated-bad held-add-finalizer bad-owner",
    paths: "body.details*",
    reason: "left open",
    why: "causes: the same mistake, told once or with the index",
  },
  {
    steps: "held-release held-secret-release",
    paths: "body.metadata.resourceVersion",
    reason: "left open",
    why: "the object that goes is shown with the version of its removal",
  },
  {
    steps: "service-dry-create odd-service-unknown-field",
    paths: "body.spec.clusterIP*",
    reason: "left open",
    why: "a dry run gives no address out",
  },
  {
    steps: "entry-scale provider-scale",
    paths: "body.details*",
    reason: "left open",
    why: "a missing subresource of a custom object is told as a missing object",
  },
  {
    steps: "as-unknown table-unknown-version patch-type-unknown",
    paths: "body.details",
    reason: "left open",
    why: "kube-apiserver sends details with one kind of 406 and 415 and none with another",
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
  ...IDENTITY,
  ...DELIBERATE,
  ...LEFT_OPEN,
  ...WORDING,
];
