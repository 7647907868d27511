/** What clients ask before they do anything: versions, groups, resources and schemas. */
import type { Step, Topic } from "../step.ts";

const get = (name: string, path: string, headers: Step["headers"] = {}): Step => ({
  name,
  method: "GET",
  path,
  headers,
});

/** See above. OpenAPI documents are judged by kubectl explain; here only that they are served. */
export const DISCOVERY: Topic = {
  title: "discovery",
  steps: [
    get("version", "/version"),
    get("api", "/api"),
    get("apis", "/apis"),
    get("api-v1", "/api/v1"),
    get("api-v2", "/api/v2"),
    get("group-networking", "/apis/networking.k8s.io"),
    get("group-networking-v1", "/apis/networking.k8s.io/v1"),
    get("group-coordination-v1", "/apis/coordination.k8s.io/v1"),
    get("group-gardener", "/apis/dns.gardener.cloud"),
    get("group-gardener-v1alpha1", "/apis/dns.gardener.cloud/v1alpha1"),
    get("group-gardener-v9", "/apis/dns.gardener.cloud/v9"),
    get("group-absent", "/apis/absent.example.org"),
    get("group-absent-v1", "/apis/absent.example.org/v1"),
    get("group-absent-resource", "/apis/absent.example.org/v1/things"),
    get("core-absent-resource", "/api/v1/things"),
    get("path-absent", "/absent"),
    get("healthz", "/healthz", { accept: "*/*" }),
    get("livez", "/livez", { accept: "*/*" }),
    get("readyz", "/readyz", { accept: "*/*" }),
    { name: "version-as-nobody", method: "GET", path: "/version", as: "nobody" },
    { name: "healthz-as-nobody", method: "GET", path: "/healthz", as: "nobody" },
    { name: "api-as-nobody", method: "GET", path: "/api", as: "nobody" },
    { name: "api-as-stranger", method: "GET", path: "/api", as: "stranger" },
    { name: "secrets-as-stranger", method: "GET", path: "/api/v1/secrets", as: "stranger" },
    { name: "secrets-as-nobody", method: "GET", path: "/api/v1/secrets", as: "nobody" },
  ],
};
