/**
 * Where this program may not read the Secrets of all namespaces: watches the Secrets of each
 * namespace that has a DNSProvider of ours, and says how to let it.
 */
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import { hasFinalizer } from "../../controllers/objects/finalizers.ts";
import { type DnsClasses, type Finalizers, isOfClass } from "../../model/dns-class.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import { hasOtherType } from "./provider-spec.ts";

interface SecretNamespacesOptions {
  /** The provider cluster. */
  readonly view: ClusterView;
  readonly dnsClasses: DnsClasses;
  readonly finalizers: Finalizers;
  /** The types of the DNSProviders that are served; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
}

/** Bounded by the namespaces with DNSProviders. */
export class SecretNamespaces {
  readonly #options: SecretNamespacesOptions;
  readonly #ends = new Map<string, () => void>();

  constructor(options: SecretNamespacesOptions) {
    this.#options = options;
  }

  /** A DNSProvider is there: if it is ours, or was, its Secrets are read. */
  add(provider: KubeObject): void {
    const { namespace = "" } = provider.metadata;
    if (this.#ends.has(namespace) || !this.#needsSecret(provider)) return;
    this.#ends.set(namespace, this.#options.view.readIn?.(SECRET, namespace) ?? (() => {}));
  }

  /**
   * Ends the watch where no provider of the namespace needs it. Not before the Secrets are listed:
   * until then those that nothing needs could not be released.
   */
  leave(namespace: string): void {
    const { view } = this.#options;
    const providers = view.list(DNS_PROVIDER, namespace);
    if (providers.state !== "value" || view.state(SECRET, namespace) === "syncing") return;
    if (providers.value.some((provider) => this.#needsSecret(provider))) return;
    this.#ends.get(namespace)?.();
    this.#ends.delete(namespace);
  }

  stop(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }

  /**
   * True for providers of our classes, and for those that left them with our finalizer still there.
   */
  #needsSecret(provider: KubeObject): boolean {
    const { dnsClasses, finalizers, providerTypes } = this.#options;
    if (hasOtherType(provider, providerTypes)) return false;
    return isOfClass(provider, dnsClasses) || hasFinalizer(provider, finalizers);
  }
}

/**
 * The verbs that this program needs; `patch` adds the finalizer that keeps a Secret while it is
 * needed.
 */
export const SECRET_VERBS: readonly string[] = ["get", "list", "watch", "patch"];
const ROLE = "zonekeeper-secrets";
const ACCOUNT = /^system:serviceaccount:([^:]+):(.+)$/;
/** The user in a refusal of a kube-apiserver. */
const REFUSED = /User "([^"]+)" cannot/;

/** The user that a refusal names; null = no refusal, or it names none. */
export function userIn(refusal: string | null): string | null {
  return REFUSED.exec(refusal ?? "")?.[1] ?? null;
}

/** `user`: as the API server knows this program; null = that is not known. */
export function grantSecrets(namespace: string, user: string | null): string {
  const account = ACCOUNT.exec(user ?? "");
  const subject =
    user === null
      ? "--serviceaccount=NAMESPACE:NAME"
      : account === null
        ? `--user='${user}'`
        : `--serviceaccount=${account[1]}:${account[2]}`;
  // As a name of an object.
  const slug = (user ?? "")
    .replace(ACCOUNT, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const whose = user === null ? "" : `-${slug}`;
  const role = `kubectl create role ${ROLE} -n ${namespace} --resource=secrets --verb=${SECRET_VERBS.join()} --dry-run=client -o yaml | kubectl apply -f -`;
  return `${role}; kubectl create rolebinding ${ROLE}${whose} -n ${namespace} --role=${ROLE} ${subject}`;
}
