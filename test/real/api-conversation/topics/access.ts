/**
 * Who may do what: reviews, and RBAC's refusals, which the embedded control plane does not have.
 */
import type { JsonRecord, Step, Topic } from "../step.ts";

const review = (name: string, spec: JsonRecord, as: Step["as"] = "admin"): Step => ({
  name,
  method: "POST",
  path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  as,
  body: { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec },
});

/** See above. */
export const ACCESS: Topic = {
  title: "access",
  steps: [
    review("review-admin", {
      resourceAttributes: { namespace: "default", verb: "create", resource: "services" },
    }),
    review("review-custom", {
      resourceAttributes: {
        namespace: "default",
        verb: "update",
        group: "dns.gardener.cloud",
        resource: "dnsentries",
        subresource: "status",
      },
    }),
    review("review-path", { nonResourceAttributes: { path: "/metrics", verb: "get" } }),
    review("review-empty", {}),
    review(
      "review-controller",
      { resourceAttributes: { verb: "list", resource: "secrets" } },
      "controller",
    ),
    review(
      "review-nobody",
      { resourceAttributes: { verb: "list", resource: "secrets" } },
      "nobody",
    ),
    {
      name: "rules-review",
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
      body: {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectRulesReview",
        spec: { namespace: "default" },
      },
    },
    { name: "controller-lists-secrets", method: "GET", path: "/api/v1/secrets", as: "controller" },
    {
      name: "controller-gets-lease",
      method: "GET",
      path: "/apis/coordination.k8s.io/v1/namespaces/default/leases/a",
      as: "controller",
    },
    {
      name: "controller-writes-status",
      method: "PATCH",
      path: "/apis/dns.gardener.cloud/v1alpha1/namespaces/default/dnsentries/a/status",
      headers: { "content-type": "application/merge-patch+json" },
      body: {},
      as: "controller",
    },
  ],
};
