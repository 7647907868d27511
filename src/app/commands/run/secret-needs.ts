/**
 * Finds the namespaces whose Secrets are needed but may not be read or patched, where the right is
 * not granted in all namespaces: those with DNSProviders that are served here.
 */
import { deniedVerbs, whoAmI } from "@zonekeeper/kube/client/access/reviews";
import type { ApiClient } from "@zonekeeper/kube/client/requests/api-client";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ObjectReader } from "@zonekeeper/kube/ports/cluster-writer";
import type { RunConfig } from "../../../config/run-config.ts";
import { hasOtherType } from "../../../gardener/dns-provider/provider-spec.ts";
import { userIn } from "../../../gardener/dns-provider/secret-namespaces.ts";
import { isOfClass } from "../../../model/dns-class.ts";
import { DNS_PROVIDER } from "../../../model/kinds.ts";
import type { Need } from "./need.ts";
import { READ } from "./right-rows.ts";

/** The namespaces without the right. */
export interface SecretNeeds {
  /** Sorted. */
  readonly namespaces: readonly string[];
  /** The user that this program is for the API server; null = not known. */
  readonly user: string | null;
}

/** `forbidden`: the need of Secrets, with the verbs that are not granted in all namespaces. */
export type SecretReview = (forbidden: Need) => Promise<SecretNeeds>;

/** Namespaces that are asked about at a time. */
const AT_ONCE = 16;

/** Asks the API server about each namespace. Throws OperationError as the reader does. */
export function reviewByAsking(
  config: RunConfig,
  { client, reader }: { readonly client: ApiClient; readonly reader: ObjectReader },
): SecretReview {
  return async (forbidden) => {
    const providers = await reader.readAll(DNS_PROVIDER, config.namespace ?? undefined);
    const waiting = [...namespacesOf(providers, config)];
    const missing: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const denied = await deniedVerbs(client, { ...forbidden, namespace: next });
        if (denied.length > 0) missing.push(next);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const user = missing.length === 0 ? null : await whoAmI(client);
    return { namespaces: missing.sort(), user };
  };
}

/** The same by the watches of a running program; asks only where these say nothing. */
export function reviewByView(
  config: RunConfig,
  view: ClusterView,
  asking: SecretReview,
): SecretReview {
  return async (forbidden) => {
    const providers = view.list(DNS_PROVIDER);
    const isRead = forbidden.verbs.some((verb) => READ.includes(verb));
    if (!isRead || providers.state !== "value") return asking(forbidden);
    const namespaces = namespacesOf(providers.value, config).filter(
      (namespace) => view.state(SECRET, namespace) === "forbidden",
    );
    return { namespaces, user: userIn(view.trouble(SECRET, namespaces[0])) };
  };
}

/** Namespaces of the DNSProviders that are served here; sorted. */
function namespacesOf(
  providers: readonly KubeObject[],
  { publish: { dnsClasses }, providerTypes }: RunConfig,
): readonly string[] {
  const served = providers.filter(
    (one) => isOfClass(one, dnsClasses) && !hasOtherType(one, providerTypes),
  );
  return [...new Set(served.map(({ metadata }) => metadata.namespace ?? ""))].sort();
}
