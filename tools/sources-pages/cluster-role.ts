/**
 * The text of deploy/rbac/clusterrole.yaml: what `zonekeeper run` asks of a cluster, the rules of
 * sources from their rows. Pure.
 */
import { OWN_DEFINITIONS } from "../../src/app/run/own-definitions.ts";
import { DNS_ANNOTATION, DNS_ENDPOINT } from "../../src/model/kinds.ts";
import type { KindRef } from "../../src/model/kubernetes.ts";
import type { SourceRow } from "../../src/sources/source.ts";

const HEAD = `# Generated from src/sources/index.ts by tools/generate-sources.ts. Do not edit.
# What \`zonekeeper run\` asks of a cluster, and no more. Bind it to the user or ServiceAccount that its kubeconfig or Pod
# uses:  kubectl create clusterrolebinding zonekeeper --clusterrole=zonekeeper --serviceaccount=NAMESPACE:NAME
# A missing verb harms no record: the kind concerned is not known then, and what is not known is not deleted.
# test/real/run-rbac.test.ts runs with exactly this against a real API server.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: zonekeeper
rules:
  # The cluster's id is the uid of kube-system; and whether objects are deleted with their namespace.
  - apiGroups: [""]
    resources: [namespaces]
    verbs: [get]
  # Its own definitions, where they are missing or of an older version. Without it: kubectl apply -f deploy/crds/.
  - apiGroups: [apiextensions.k8s.io]
    resources: [customresourcedefinitions]
    verbs: [create]
  - apiGroups: [apiextensions.k8s.io]
    resources: [customresourcedefinitions]
    resourceNames: [${OWN_DEFINITIONS.map(({ metadata }) => metadata.name).join(", ")}]
    verbs: [get, update]
`;

const TAIL = `  # Credentials of providers; patch holds a Secret by a finalizer for as long as a provider needs it.
  - apiGroups: [""]
    resources: [secrets]
    verbs: [get, list, watch, patch]
  # create and delete for the entries that are made from annotated objects; create for zonekeeper restore, too.
  - apiGroups: [dns.gardener.cloud]
    resources: [dnsentries, dnsproviders]
    verbs: [get, list, watch, create, patch, delete]
  # Owner ids that are switched on and off. Without it there is the one of --owner.
  - apiGroups: [dns.gardener.cloud]
    resources: [dnsowners]
    verbs: [get, list, watch]
  - apiGroups: [dns.gardener.cloud]
    resources: [dnsentries/status, dnsowners/status, dnsproviders/status]
    verbs: [patch]
  - apiGroups: [""]
    resources: [events]
    verbs: [create, patch]
  # What has to outlive a restart, beside the Lease, where \`run\` has no --data: the counters of the fuse. Without it nothing
  # is removed (FuseBlind). A Role in the Lease's namespace is enough.
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [get, create, update, delete]
  # Election of the leader among replicas.
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [get, create, update]
`;

/** YAML that ends in a newline. */
export function clusterRole(rows: readonly SourceRow[]): string {
  return `${HEAD}${rows.map(rulesOf).join("")}${TAIL}`;
}

/** DNSEntries are in the fixed part: other rules concern them too. */
function rulesOf(row: SourceRow): string {
  if (row.publishes === "itself") return "";
  const choice = row.isDefault ? "" : `, with --controllers all,${row.name}`;
  const kinds = [row.primary, ...row.secondary];
  const status = row.writesStatus === true ? rule(row.primary, "/status", "patch") : "";
  const annotation =
    row.publishesEither === true
      ? `  # Without it --publish direct leaves out the annotation with the state.\n${rule(row.primary, "", "patch")}`
      : "";
  const restore =
    row.primary === DNS_ENDPOINT
      ? `  # Without it zonekeeper restore prints manifests.\n${rule(row.primary, "", "create")}`
      : "";
  const rules = `${kinds.map(readRule).join("")}${annotation}${restore}${status}`;
  const annotated = row.secondary.includes(DNS_ANNOTATION)
    ? rule(DNS_ANNOTATION, "/status", "patch")
    : "";
  return `  # The source ${row.name}${choice}.\n${rules}${annotated}`;
}

function readRule(kind: KindRef): string {
  return rule(kind, "", "get, list, watch");
}

function rule({ group, plural }: KindRef, subresource: string, verbs: string): string {
  const groups = group === "" ? '""' : group;
  return `  - apiGroups: [${groups}]\n    resources: [${plural}${subresource}]\n    verbs: [${verbs}]\n`;
}
