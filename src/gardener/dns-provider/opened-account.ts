/** Opens the account of a DNSProvider; makes the messages where there is none. */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { createdAtMs } from "@zonekeeper/kube/objects/object-fields";
import type { Account } from "../../controllers/accounts/account.ts";
import type { Accounts, Holder } from "../../controllers/accounts/accounts.ts";
import { settingsText } from "../../model/external-dns-rules.ts";
import type { ProviderType } from "../../providers/provider.ts";
import type { AccountTrouble, ProviderContext } from "./decide-provider.ts";
import type { ProviderSpec } from "./provider-spec.ts";
import { grantSecrets, userIn } from "./secret-namespaces.ts";
import { secretText } from "./secrets.ts";

/** Everything that a DNSProvider is decided from, with the account itself. */
export interface OpenedAccount extends Pick<ProviderContext, "namedZones" | "secretTrouble"> {
  readonly account: Account | AccountTrouble;
}

/** The result where there is no account, and why. */
export function noAccount(account: AccountTrouble): OpenedAccount {
  return { account, namedZones: [], secretTrouble: null };
}

/**
 * The result where the Secret may not be read or patched, with the command that gives the right.
 * `refusal`: the API server's message; null = none.
 */
export function forbiddenSecret(
  namespace: string,
  name: string,
  refusal: string | null,
): OpenedAccount {
  const user = userIn(refusal);
  const who = user === null ? "this program" : `this program (${user})`;
  return noAccount({
    code: "SecretUnreadable",
    error: `secret ${namespace}/${name} may not be read or held: the API server forbids ${who} to get, list, watch or patch Secrets of namespace ${namespace}; give it the right there: ${grantSecrets(namespace, user)} (in all namespaces: deploy/rbac/secrets-role.yaml)`,
  });
}

/** Opens the account with what the Secret has; one that is open already is kept. */
export async function openWith(
  opener: { types: ReadonlyMap<string, ProviderType>; accounts: Pick<Accounts, "acquire"> },
  provider: KubeObject,
  spec: ProviderSpec,
  object: KubeObject,
): Promise<OpenedAccount> {
  const { types, accounts } = opener;
  const { namespace = "", name } = object.metadata;
  const where = settingsText(namespace, name);
  const secret = secretText(object);
  if (!secret.ok)
    return noAccount({ code: "SecretUnreadable", error: `${where}: ${secret.error}` });
  const type = types.get(spec.type);
  const settings = { secret: secret.value, config: spec.config };
  const namedZones = (await type?.namedZones?.(settings)) ?? [];
  const account = await accounts.acquire(accountHolder(provider), spec.type, settings);
  if (account.ok) return { account: account.value, namedZones, secretTrouble: null };
  const refused = noAccount({ code: "AccountRefused", error: `${account.error} (${where})` });
  return { ...refused, namedZones };
}

/**
 * `namespace/name` of DNSProviders, separated by commas, whose zones are the same as this one's: a
 * person says so where it cannot be proven.
 */
export const SAME_ZONE_ANNOTATION = "zonekeeper.dev/same-zone-as";
/** The same list of DNSProviders whose zones are other ones, although their apexes are equal. */
export const OTHER_ZONE_ANNOTATION = "zonekeeper.dev/other-zone-than";

/** Names without a namespace are in that of the DNSProvider. */
export function accountHolder(provider: KubeObject): Holder {
  const { namespace = "", name, annotations } = provider.metadata;
  const named = (annotation: string): readonly string[] =>
    (annotations?.[annotation] ?? "")
      .split(",")
      .map((text) => text.trim())
      .filter((text) => text !== "")
      .map((text) => (text.includes("/") ? text : `${namespace}/${text}`));
  return {
    id: `${namespace}/${name}`,
    createdAtMs: createdAtMs(provider),
    sameAs: named(SAME_ZONE_ANNOTATION),
    otherThan: named(OTHER_ZONE_ANNOTATION),
  };
}
