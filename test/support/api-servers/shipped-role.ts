/** The ClusterRole of deploy/rbac for user `controller`, whole or without some of its verbs. */
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
const BINDING = ["create", "clusterrolebinding", "zonekeeper", "--clusterrole=zonekeeper"];

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

/** Gives user `controller` the shipped role and nothing else. `user` is the admin. */
export async function grantShippedRole(user: ClusterUser): Promise<void> {
  await user.apply(SHIPPED_ROLE);
  await user.kubectl.ok([...BINDING, "--user=controller"]);
}
