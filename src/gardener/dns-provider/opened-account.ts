/** What came of opening the account of a DNSProvider. */
import type { Account } from "../../controllers/accounts/account.ts";
import type { AccountTrouble, ProviderContext } from "./decide-provider.ts";

/** What a DNSProvider is decided from, with the account itself. */
export interface OpenedAccount extends Pick<ProviderContext, "namedZones" | "secretTrouble"> {
  readonly account: Account | AccountTrouble;
}

/** There is no account, and this is why. */
export function noAccount(account: AccountTrouble): OpenedAccount {
  return { account, namedZones: [], secretTrouble: null };
}

/** Waiting gives no right to read. */
export function forbiddenSecret(namespace: string, name: string): OpenedAccount {
  return noAccount({
    code: "SecretUnreadable",
    error: `secret ${namespace}/${name} may not be read: the API server forbids this program to list Secrets; give it the ClusterRole: kubectl apply -f deploy/rbac/`,
  });
}
