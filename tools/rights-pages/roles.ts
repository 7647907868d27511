/** The texts of deploy/rbac: what `zonekeeper run` asks of a cluster, whatever is chosen. Pure. */
import type { RightPart, RightRow } from "../../src/app/commands/run/right-rows.ts";
import { plainNames, type Rule, reasonsOf, verbsOf, wholeRules } from "./rules.ts";

const GENERATED =
  "# Generated from src/app/commands/run/right-rows.ts by tools/generate-rights.ts. Do not edit.";

/** A file of deploy/rbac. */
export interface RoleFile {
  readonly path: string;
  readonly part: RightPart;
  readonly kind: "ClusterRole" | "Role";
  readonly name: string;
  /** What it is for and how it is bound. */
  readonly head: readonly string[];
}

/** All of them. */
export const ROLE_FILES: readonly RoleFile[] = [
  {
    path: "deploy/rbac/clusterrole.yaml",
    part: "cluster",
    kind: "ClusterRole",
    name: "zonekeeper",
    head: [
      "What `zonekeeper run` asks of a cluster, and no more, besides secrets-role.yaml and lease-role.yaml, which it needs,",
      "too. NAMESPACE:NAME is its ServiceAccount; for the user of a kubeconfig write --user=NAME instead.",
      "  kubectl create clusterrolebinding zonekeeper --clusterrole=zonekeeper --serviceaccount=NAMESPACE:NAME",
      "A missing verb harms no record: the kind concerned is not known then, and what is not known is not deleted.",
      "Each rule with its reason: docs/reference/rights.md.",
    ],
  },
  {
    path: "deploy/rbac/secrets-role.yaml",
    part: "secrets",
    kind: "ClusterRole",
    name: "zonekeeper-secrets",
    head: [
      "Secrets of DNSProviders. In each namespace that has DNSProviders:",
      "  kubectl create rolebinding zonekeeper-secrets -n TEAM --clusterrole=zonekeeper-secrets --serviceaccount=NAMESPACE:NAME",
      "or in all of them:",
      "  kubectl create clusterrolebinding zonekeeper-secrets --clusterrole=zonekeeper-secrets --serviceaccount=NAMESPACE:NAME",
    ],
  },
  {
    path: "deploy/rbac/lease-role.yaml",
    part: "lease",
    kind: "Role",
    name: "zonekeeper",
    head: [
      "In the namespace of the Lease (--lease-namespace), which is that of the Pod or of the kubeconfig's context, else default:",
      "  kubectl apply -n NAMESPACE -f deploy/rbac/lease-role.yaml",
      "  kubectl create rolebinding zonekeeper -n NAMESPACE --role=zonekeeper --serviceaccount=NAMESPACE:NAME",
      "With another --lease-name, write it in place of zonekeeper below.",
    ],
  },
  {
    path: "deploy/rbac/clusters-role.yaml",
    part: "clusters",
    kind: "Role",
    name: "zonekeeper-clusters",
    head: [
      "With --clusters-namespace, in that namespace, which should hold nothing but kubeconfigs of further source clusters:",
      "  kubectl apply -n NAMESPACE -f deploy/rbac/clusters-role.yaml",
      "  kubectl create rolebinding zonekeeper-clusters -n NAMESPACE --role=zonekeeper-clusters --serviceaccount=NAMESPACE:NAME",
    ],
  },
  {
    path: "deploy/rbac/webhook-role.yaml",
    part: "webhook",
    kind: "Role",
    name: "zonekeeper-webhook",
    head: [
      "With --webhook-address, in --webhook-namespace:",
      "  kubectl apply -n NAMESPACE -f deploy/rbac/webhook-role.yaml",
    ],
  },
];

/** YAML that ends in a newline. */
export function roleText({ part, kind, name, head }: RoleFile, rows: readonly RightRow[]): string {
  const lines = [
    GENERATED,
    ...head.map((line) => `# ${line}`),
    "apiVersion: rbac.authorization.k8s.io/v1",
    `kind: ${kind}`,
    "metadata:",
    `  name: ${name}`,
    "rules:",
    ...wholeRules(rows, part).flatMap(ruleLines),
  ];
  return `${lines.join("\n")}\n`;
}

function ruleLines(rule: Rule): readonly string[] {
  const { group, resource } = rule;
  const names = plainNames(rule);
  return [
    `  # ${reasonsOf(rule)}`,
    `  - apiGroups: [${group === "" ? '""' : group}]`,
    `    resources: [${resource}]`,
    ...(names.length === 0 ? [] : [`    resourceNames: [${names.join(", ")}]`]),
    `    verbs: [${verbsOf(rule).join(", ")}]`,
  ];
}
