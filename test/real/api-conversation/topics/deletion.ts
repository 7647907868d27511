/** Names, owners, finalizers and deletions: what controllers build their promises on. */
import { type JsonRecord, PATCH, type Step, type Topic } from "../step.ts";

const SECRETS = "/api/v1/namespaces/default/secrets";
const ENTRIES = "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries";
const secret = (metadata: JsonRecord, more: JsonRecord = {}): JsonRecord => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata,
  ...more,
});
const entry = (metadata: JsonRecord, spec: JsonRecord = {}): JsonRecord => ({
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata,
  spec: { dnsName: "www.example.org", ...spec },
});
const patch = (name: string, path: string, body: JsonRecord): Step => ({
  name,
  method: "PATCH",
  path,
  headers: PATCH.merge,
  body,
});

/**
 * See above. Garbage collection is kube-controller-manager's and does not run beside a lone
 * kube-apiserver.
 */
export const DELETION: Topic = {
  title: "deletion",
  steps: [
    {
      name: "generated",
      method: "POST",
      path: SECRETS,
      body: secret({ generateName: "gen-", labels: { gen: "1" } }),
    },
    {
      name: "generated-long",
      method: "POST",
      path: SECRETS,
      body: secret({ generateName: `${"g".repeat(70)}-`, labels: { long: "1" } }),
    },
    { name: "guarded", method: "POST", path: SECRETS, body: secret({ name: "guarded" }) },
    ...["uid=other", "propagationPolicy=", "gracePeriodSeconds=x"].map(
      (query): Step => ({
        name: `delete-query-${query}`,
        method: "DELETE",
        path: `${SECRETS}/guarded?${query}`,
      }),
    ),
    {
      name: "delete-no-uid",
      method: "DELETE",
      path: `${SECRETS}/guarded`,
      body: { preconditions: { uid: "" } },
    },
    { name: "guarded-delete", method: "DELETE", path: `${SECRETS}/guarded` },
    {
      name: "generated-and-named",
      method: "POST",
      path: SECRETS,
      body: secret({ name: "gen-named", generateName: "other-" }),
    },
    {
      name: "generated-bad",
      method: "POST",
      path: SECRETS,
      body: secret({ generateName: "Gen_" }),
    },
    { name: "generated-long-delete", method: "DELETE", path: `${SECRETS}?labelSelector=long` },
    { name: "generated-named-delete", method: "DELETE", path: `${SECRETS}/gen-named` },
    { name: "generated-delete", method: "DELETE", path: `${SECRETS}?labelSelector=gen` },
    {
      name: "held-create",
      method: "POST",
      path: ENTRIES,
      body: entry({ name: "held", finalizers: ["example.org/hold"] }),
    },
    { name: "held-delete", method: "DELETE", path: `${ENTRIES}/held` },
    { name: "held-delete-again", method: "DELETE", path: `${ENTRIES}/held` },
    { name: "held-get", method: "GET", path: `${ENTRIES}/held` },
    patch("held-add-finalizer", `${ENTRIES}/held`, {
      metadata: { finalizers: ["example.org/hold", "example.org/more"] },
    }),
    patch("held-change", `${ENTRIES}/held`, { spec: { ttl: 99 } }),
    patch("held-clear-timestamp", `${ENTRIES}/held`, { metadata: { deletionTimestamp: null } }),
    patch("held-release", `${ENTRIES}/held`, { metadata: { finalizers: null } }),
    { name: "held-gone", method: "GET", path: `${ENTRIES}/held` },
    {
      name: "held-secret",
      method: "POST",
      path: SECRETS,
      body: secret({ name: "held", finalizers: ["example.org/hold"] }),
    },
    { name: "held-secret-delete", method: "DELETE", path: `${SECRETS}/held` },
    patch("held-secret-release", `${SECRETS}/held`, { metadata: { finalizers: [] } }),
    { name: "orphan-create", method: "POST", path: SECRETS, body: secret({ name: "owner" }) },
    { name: "orphan-delete", method: "DELETE", path: `${SECRETS}/owner?propagationPolicy=Orphan` },
    { name: "orphan-get", method: "GET", path: `${SECRETS}/owner` },
    patch("orphan-release", `${SECRETS}/owner`, { metadata: { finalizers: null } }),
    {
      name: "server-set",
      method: "POST",
      path: SECRETS,
      body: secret({
        name: "set",
        uid: "mine",
        generation: 7,
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 5,
        selfLink: "/x",
      }),
    },
    patch("server-set-change", `${SECRETS}/set`, {
      metadata: { creationTimestamp: "2002-02-02T00:00:00Z", generation: 9 },
    }),
    patch("server-set-uid", `${SECRETS}/set`, { metadata: { uid: "other" } }),
    patch("server-set-name", `${SECRETS}/set`, { metadata: { name: "other" } }),
    patch("server-set-namespace", `${SECRETS}/set`, { metadata: { namespace: "other" } }),
    patch("server-set-null", `${SECRETS}/set`, {
      metadata: { labels: { a: null } },
      data: { none: null },
    }),
    {
      name: "precondition-both",
      method: "DELETE",
      path: `${SECRETS}/set`,
      body: {
        preconditions: {
          uid: "{{server-set.metadata.uid}}",
          resourceVersion: "{{server-set-change.metadata.resourceVersion}}",
        },
      },
    },
    {
      name: "generation-create",
      method: "POST",
      path: ENTRIES,
      body: entry({ name: "generation" }, { ttl: 60 }),
    },
    patch("generation-label", `${ENTRIES}/generation`, { metadata: { labels: { a: "b" } } }),
    patch("generation-spec", `${ENTRIES}/generation`, { spec: { ttl: 61 } }),
    patch("generation-status-by-main", `${ENTRIES}/generation`, { status: { state: "Ready" } }),
    patch("generation-status", `${ENTRIES}/generation/status`, {
      status: { state: "Ready", observedGeneration: 2 },
    }),
    {
      name: "generation-status-put",
      method: "PUT",
      path: `${ENTRIES}/generation/status`,
      body: entry(
        { name: "generation", resourceVersion: "{{generation-status.metadata.resourceVersion}}" },
        { ttl: 99 },
      ),
    },
    patch("generation-status-wrong", `${ENTRIES}/generation/status`, {
      status: { observedGeneration: "x" },
    }),
    { name: "generation-delete", method: "DELETE", path: `${ENTRIES}/generation` },
    {
      name: "status-at-birth",
      method: "POST",
      path: ENTRIES,
      body: { ...entry({ name: "birth" }), status: { state: "Ready" } },
    },
    { name: "birth-delete", method: "DELETE", path: `${ENTRIES}/birth` },
    {
      name: "upsert-secret",
      method: "PUT",
      path: `${SECRETS}/upsert`,
      body: secret({ name: "upsert" }),
    },
    {
      name: "upsert-lease",
      method: "PUT",
      path: "/apis/coordination.k8s.io/v1/namespaces/default/leases/upsert",
      body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "upsert" } },
    },
    {
      name: "upsert-lease-delete",
      method: "DELETE",
      path: "/apis/coordination.k8s.io/v1/namespaces/default/leases/upsert",
    },
    {
      name: "secret-type",
      method: "POST",
      path: SECRETS,
      body: secret({ name: "typed" }, { type: "example.org/a", immutable: true }),
    },
    patch("secret-type-change", `${SECRETS}/typed`, { type: "example.org/b" }),
    patch("secret-immutable-change", `${SECRETS}/typed`, { data: { a: "YQ==" } }),
    { name: "secret-type-delete", method: "DELETE", path: `${SECRETS}/typed` },
  ],
};
