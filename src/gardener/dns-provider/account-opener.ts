/**
 * Opens the account of a DNSProvider with the settings in its Secret. First our finalizer is added
 * to the Secret, so that it is there as long as records may have to be removed with it. A Secret
 * that may not be read or patched opens nothing; an account that is open already stays open.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { Accounts } from "../../controllers/accounts/accounts.ts";
import { patchFinalizer } from "../../controllers/objects/finalizers.ts";
import { DNS_PROVIDER } from "../../model/kinds.ts";
import type { ProviderType } from "../../providers/provider.ts";
import { forbiddenSecret, noAccount, type OpenedAccount, openWith } from "./opened-account.ts";
import { type ProviderSpec, typeOf } from "./provider-spec.ts";
import type { SecretDeletions, SecretEnd } from "./secret-deletion.ts";
import type { SecretHolding } from "./secrets.ts";

/** Everything that it works with. */
export interface AccountOpenerOptions {
  readonly holding: SecretHolding;
  readonly recorder: EventRecorder;
  readonly types: ReadonlyMap<string, ProviderType>;
  readonly accounts: Accounts;
  readonly deletions: SecretDeletions;
  /** Queues the DNSProvider (`namespace/name`) again after so many milliseconds. */
  readonly again: (id: string, afterMs: number) => void;
}

/**
 * Milliseconds until a Secret that may not be patched is tried again: no event tells of new rights.
 */
const FORBIDDEN_RETRY_MS = 8_000;

/** For the DNSProviders of one cluster. */
export class AccountOpener {
  readonly #options: AccountOpenerOptions;

  constructor(options: AccountOpenerOptions) {
    this.#options = options;
  }

  /** The account, or why there is none; null = the Secret is not known yet. */
  async open(provider: KubeObject, spec: ProviderSpec): Promise<OpenedAccount | null> {
    const type = typeOf(spec, this.#options.types.values());
    if (!type.ok)
      return noAccount({ code: "ProviderTypeUnknown", error: type.error, isMistake: true });
    const { view } = this.#options.holding;
    const { namespace = "" } = provider.metadata;
    const { secretName } = spec;
    const lookup = view.get(SECRET, namespace, secretName);
    if (lookup.state === "unknown") {
      const isForbidden = view.state(SECRET, namespace) === "forbidden";
      if (!isForbidden || this.#isOpen(provider)) return null;
      return forbiddenSecret(namespace, secretName, view.trouble(SECRET, namespace));
    }
    if (lookup.state === "absent")
      return noAccount({
        code: "SecretMissing",
        error: `secret ${namespace}/${secretName} not found; create it or correct spec.secretRef`,
      });
    const end = await this.#endOf(lookup.value, provider);
    if (end?.isOver === true) return noAccount({ code: "SecretDeleted", error: end.message });
    const refusal = await this.#hold(provider, lookup.value);
    if (refusal !== null) return forbiddenSecret(namespace, secretName, refusal);
    const opened = await openWith(this.#options, provider, spec, lookup.value);
    return { ...opened, secretTrouble: end?.message ?? null };
  }

  #isOpen(provider: KubeObject): boolean {
    return this.#options.accounts.heldBy(namespacedName(provider)) !== null;
  }

  /**
   * Decides what becomes of a Secret that is being deleted; null = it is not. Removes our finalizer
   * when nothing needs it any more.
   */
  async #endOf(secret: KubeObject, provider: KubeObject): Promise<SecretEnd | null> {
    const { deletions, again, recorder, holding } = this.#options;
    const end = deletions.judge(secret);
    if (end === null) return null;
    if (end.againInMs !== null) again(namespacedName(provider), end.againInMs);
    if (end.isOver) {
      const { writer, finalizers } = holding;
      await patchFinalizer(writer, SECRET, { object: secret, finalizers, to: "remove" });
    }
    if (end.neededBy.length > 0)
      recorder.record(secret, { type: "Warning", reason: "SecretNeeded", message: end.message });
    return end;
  }

  /**
   * Adds our finalizer to the Secret and the DNSProvider; nothing is added to one that is being
   * deleted. The answer is the API server's refusal to patch the Secret, or null.
   */
  async #hold(provider: KubeObject, secret: KubeObject): Promise<string | null> {
    const { writer, finalizers } = this.#options.holding;
    try {
      await patchFinalizer(writer, SECRET, { object: secret, finalizers, to: "add" });
    } catch (error) {
      const isForbidden = error instanceof OperationError && error.code === "Forbidden";
      if (!isForbidden || this.#isOpen(provider)) throw error;
      this.#options.again(namespacedName(provider), FORBIDDEN_RETRY_MS);
      return error.message;
    }
    await patchFinalizer(writer, DNS_PROVIDER, { object: provider, finalizers, to: "add" });
    return null;
  }
}
