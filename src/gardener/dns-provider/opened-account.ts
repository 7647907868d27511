/** What came of opening the account of a DNSProvider. */
import type { Account } from "../../controllers/accounts/account.ts";
import type { ProviderContext } from "./decide-provider.ts";

/** What a DNSProvider is decided from, with the account itself. */
export interface OpenedAccount extends Pick<ProviderContext, "namedZones" | "secretTrouble"> {
  readonly account: Account | { readonly error: string };
}

/** There is no account, and this is why. */
export function noAccount(error: string): OpenedAccount {
  return { account: { error }, namedZones: [], secretTrouble: null };
}
