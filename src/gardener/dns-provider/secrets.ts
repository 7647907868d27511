/**
 * Secrets of DNSProviders: reads them, and holds them with our finalizer while a provider needs
 * them. Values go to the provider type only; no message and no log holds one.
 */
import { fromBase64 } from "@zonekeeper/base/bytes";
import { fail, ok, type Result } from "@zonekeeper/base/result";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { hasFinalizer, patchFinalizer } from "../../controllers/objects/finalizers.ts";
import { type DnsClasses, type Finalizers, isOfClass } from "../../model/dns-class.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import { readProviderSpec } from "./provider-spec.ts";

/**
 * `data` of a Secret as text, or which key cannot be read. Binary values read as UTF-8 with
 * replacements.
 */
export function secretText(secret: KubeObject): Result<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  for (const [key, value] of Object.entries(fieldsOf(secret["data"]))) {
    const text = typeof value === "string" ? decode(value) : null;
    if (text === null) return fail(`the key "${key}" of the Secret is not base64`);
    texts[key] = text;
  }
  return ok(texts);
}

function decode(base64: string): string | null {
  try {
    return new TextDecoder().decode(fromBase64(base64.replace(/\s/g, "")));
  } catch {
    return null;
  }
}

/** Where DNSProviders and Secrets are read, and the finalizer that keeps Secrets. */
export interface SecretHolding {
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly dnsClasses: DnsClasses;
  readonly finalizers: Finalizers;
}

/**
 * Names of the providers of our classes in a namespace that refer to a Secret; null = not known
 * now.
 */
export function providersOfSecret(
  { view, dnsClasses }: Pick<SecretHolding, "view" | "dnsClasses">,
  namespace: string,
  secret: string,
): readonly string[] | null {
  const providers = view.list(DNS_PROVIDER, namespace);
  if (providers.state !== "value") return null;
  return providers.value
    .filter((provider) => isOfClass(provider, dnsClasses) && secretNameOf(provider) === secret)
    .map((provider) => provider.metadata.name);
}

/** Removes our finalizer from every Secret of the namespace that no provider refers to. */
export async function releaseSecrets(
  holding: SecretHolding,
  namespace: string,
  deletedProvider: string | null = null,
): Promise<void> {
  const secrets = holding.view.list(SECRET, namespace);
  if (secrets.state !== "value" || holding.view.state(DNS_PROVIDER) !== "live") return;
  const { writer, finalizers } = holding;
  for (const secret of secrets.value) {
    if (!hasFinalizer(secret, finalizers)) continue;
    const users = providersOfSecret(holding, namespace, secret.metadata.name);
    if (users === null || users.some((user) => user !== deletedProvider)) continue;
    await patchFinalizer(writer, SECRET, { object: secret, finalizers, to: "remove" });
  }
}

function secretNameOf(provider: KubeObject): string | null {
  const spec = readProviderSpec(provider);
  if (spec.ok) return spec.value.secretName;
  const name = fieldsOf(fieldsOf(provider["spec"])["secretRef"])["name"];
  return typeof name === "string" ? name : null;
}
