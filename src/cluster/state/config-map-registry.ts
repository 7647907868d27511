/**
 * The objects of the ConfigMap registry (ADR 0013):
 * `<owner>-registry-…` and `<owner>-intents-…` in one namespace. Every write compares the
 * resourceVersion that was read; an unreadable object is an error, never an empty one.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { apiVersionOf, type KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterWriter } from "@zonekeeper/kube/ports/cluster-writer";
import { fingerprint64 } from "../../model/fingerprint.ts";
import type { RegistryStore, StoredObject } from "../../ports/stores.ts";

/** Where the objects are. */
export interface ConfigMapRegistryOptions {
  readonly writer: Pick<ClusterWriter, "read" | "create" | "update">;
  readonly namespace: string;
  /** Owner id; object names begin with it. */
  readonly owner: string;
}

const LABELS = {
  "app.kubernetes.io/managed-by": "zonekeeper",
  "zonekeeper.dev/registry": "configmap",
} as const;

/** Characters of an owner id in a name: the rest of 253 (RFC 1123 subdomain) is for the suffix. */
const OWNER_CHARS_MAX = 150;

/** Objects of one owner. */
export class ConfigMapRegistry implements RegistryStore {
  readonly #options: ConfigMapRegistryOptions;

  constructor(options: ConfigMapRegistryOptions) {
    this.#options = options;
  }

  async read(name: string): Promise<StoredObject | null> {
    const { writer, namespace } = this.#options;
    const found = await writer.read({ kind: CONFIG_MAP, namespace, name: this.nameOf(name) });
    return found === null ? null : stored(found);
  }

  async write(
    name: string,
    data: Readonly<Record<string, string>>,
    version: string | null,
  ): Promise<string> {
    const { writer, namespace } = this.#options;
    const identity = { name: this.nameOf(name), namespace, labels: LABELS };
    const metadata = version === null ? identity : { ...identity, resourceVersion: version };
    const next = { apiVersion: apiVersionOf(CONFIG_MAP), kind: CONFIG_MAP.kind, metadata, data };
    const written =
      version === null
        ? await writer.create(CONFIG_MAP, next)
        : await writer.update(CONFIG_MAP, next);
    return stored(written).version;
  }

  titleOf(name: string): string {
    return `the ConfigMap ${this.#options.namespace}/${this.nameOf(name)}`;
  }

  /** The ConfigMap of an object: the owner id unchanged, if Kubernetes allows it in a name. */
  nameOf(name: string): string {
    const { owner } = this.#options;
    const plain = owner
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, OWNER_CHARS_MAX);
    // Two ids with the same cleaned spelling must not share objects.
    return plain === owner
      ? `${owner}-${name}`
      : `${plain || "owner"}-${fingerprint64(owner)}-${name}`;
  }
}

function stored({ metadata, data = {} }: KubeObject & { readonly data?: unknown }): StoredObject {
  const texts = isFields(data) ? Object.entries(data) : [];
  const kept = texts.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const { resourceVersion } = metadata;
  if (resourceVersion !== undefined && isFields(data) && kept.length === texts.length)
    return { data: Object.fromEntries(kept), version: resourceVersion };
  throw new OperationError({
    code: "RegistryUnusable",
    message: `the ConfigMap ${metadata.namespace ?? ""}/${metadata.name} has no texts in its data; restore it, or delete it and the others of the registry`,
    retry: "backoff",
  });
}
