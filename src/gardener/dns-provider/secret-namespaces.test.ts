import { expect, test } from "vitest";
import { grantSecrets, userIn } from "./secret-namespaces.ts";

const REFUSAL =
  'secrets is forbidden: User "system:serviceaccount:dns:zone.keeper" cannot list resource "secrets" in API group "" in the namespace "shop"';
const ROLE =
  "kubectl create role zonekeeper-secrets -n shop --resource=secrets --verb=get,list,watch,patch --dry-run=client -o yaml | kubectl apply -f -";

test.each([
  [
    userIn(REFUSAL),
    "zonekeeper-secrets-dns-zone-keeper -n shop --role=zonekeeper-secrets --serviceaccount=dns:zone.keeper",
  ],
  ["Jane Doe", "zonekeeper-secrets-jane-doe -n shop --role=zonekeeper-secrets --user='Jane Doe'"],
  [
    userIn(null),
    "zonekeeper-secrets -n shop --role=zonekeeper-secrets --serviceaccount=NAMESPACE:NAME",
  ],
  [
    userIn("unreadable"),
    "zonekeeper-secrets -n shop --role=zonekeeper-secrets --serviceaccount=NAMESPACE:NAME",
  ],
])("the commands for %s", (user, binding) => {
  expect(grantSecrets("shop", user)).toBe(`${ROLE}; kubectl create rolebinding ${binding}`);
});
