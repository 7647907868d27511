/**
 * Opens the account of a DNSProvider with its Secret, which is held by a finalizer first. A Secret
 * that may not be read or held opens nothing, and closes nothing that is open.
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

/** What it works with. */
export interface AccountOpenerOptions {
  readonly holding: SecretHolding;
  readonly recorder: EventRecorder;
  readonly types: ReadonlyMap<string, ProviderType>;
  readonly accounts: Accounts;
  readonly deletions: SecretDeletions;
  /** The DNSProvider, `namespace/name`, is to be looked at again after milliseconds. */
  readonly again: (id: string, afterMs: number) => void;
}

/** Milliseconds until a Secret that may not be held is tried again: nothing tells of a right. */
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
    const opened = await openWith(this.#options, { provider, spec, secret: lookup.value });
    return { ...opened, secretTrouble: end?.message ?? null };
  }

  #isOpen(provider: KubeObject): boolean {
    return this.#options.accounts.heldBy(namespacedName(provider)) !== null;
  }

  /** A Secret that is being deleted goes unless deleting entries need it; null = it stays. */
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
   * Finalizers come before the account is opened; a text = how the API server refuses to hold the
   * Secret. Nothing can be added to an object that is being deleted.
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
