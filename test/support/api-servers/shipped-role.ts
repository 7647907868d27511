/** The roles of deploy/rbac for user `controller`, whole or without some of their verbs. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import type { ClusterUser } from "../clients/cluster-user.ts";

interface Rule {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}
interface Role {
  readonly rules: readonly Rule[];
}

/** As it is shipped. */
export const SHIPPED_ROLE = readFileSync("deploy/rbac/clusterrole.yaml", "utf8");
/** Of Secrets: in all namespaces, or in each one that has a RoleBinding. */
export const SECRETS_ROLE = readFileSync("deploy/rbac/secrets-role.yaml", "utf8");
const LEASE_ROLE = readFileSync("deploy/rbac/lease-role.yaml", "utf8");
const WHO = "--user=controller";

/** The shipped role without some verbs of one resource. */
export function roleWithout(resource: string, ...verbs: readonly string[]): string {
  const role = parse(SHIPPED_ROLE) as Role;
  const rules = role.rules.map((rule) =>
    rule.resources.includes(resource)
      ? { ...rule, verbs: rule.verbs.filter((verb) => !verbs.includes(verb)) }
      : rule,
  );
  return JSON.stringify({ ...role, rules: rules.filter((rule) => rule.verbs.length > 0) });
}

/** Gives user `controller` the shipped roles and nothing else. `user` is the admin. */
export async function grantShippedRole(
  user: ClusterUser,
  secrets: "everywhere" | "nowhere" = "everywhere",
): Promise<void> {
  await user.apply(SHIPPED_ROLE);
  await user.apply(SECRETS_ROLE);
  await user.apply(LEASE_ROLE);
  const bind = (kind: string, ...args: readonly string[]) =>
    user.kubectl.ok(["create", kind, ...args, WHO]);
  await bind("clusterrolebinding", "zonekeeper", "--clusterrole=zonekeeper");
  await bind("rolebinding", "zonekeeper", "--role=zonekeeper", "--namespace=default");
  if (secrets === "everywhere")
    await bind("clusterrolebinding", "zonekeeper-secrets", "--clusterrole=zonekeeper-secrets");
}
