/**
 * The DNSProvider controller. Reads the object and its Secret, opens the account and its zones,
 * tells the directory what entries need to know (`ProviderFacts`), and writes the status. Keeps
 * provider and Secret by finalizers while a deleted one is still needed. Every rule is in
 * decide-provider.ts, for deletions in provider-deletion.ts and secret-deletion.ts. It never writes
 * to a zone.
 */
import { messageOf } from "@zonekeeper/base/operation-error";
import { SECRET } from "@zonekeeper/kube/objects/kinds";
import type { KindRef, KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import {
  fieldsOf,
  namespacedName,
  splitName,
  textOf,
} from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import type { ClusterWriter, EventRecorder } from "@zonekeeper/kube/ports/cluster-writer";
import type { StartQueue, WorkQueue } from "@zonekeeper/kube/ports/work-queue";
import type { AccountPorts } from "../../controllers/accounts/account.ts";
import { Accounts, type AccountUse } from "../../controllers/accounts/accounts.ts";
import type { AccountEnvironment } from "../../controllers/accounts/guarded-environment.ts";
import { hasFinalizer, patchFinalizer } from "../../controllers/objects/finalizers.ts";
import { MainClass } from "../../controllers/objects/main-class.ts";
import { asksForReconcile, reconcileDone } from "../../controllers/objects/operation-annotation.ts";
import { unlessGone } from "../../controllers/objects/unless-gone.ts";
import type { CutOf } from "../../controllers/zone-choice/choose-zone.ts";
import type { ProviderDirectory } from "../../controllers/zone-choice/provider-directory.ts";
import {
  type DnsClasses,
  type Finalizers,
  finalizersOf,
  isOfClass,
} from "../../model/dns-class.ts";
import { DNS_ENTRY, DNS_PROVIDER } from "../../model/kinds.ts";
import type { ProviderType } from "../../providers/provider.ts";
import type { CutSource } from "../../sync/contract/publish-engine.ts";
import type { ZoneKey } from "../../sync/contract/zone.ts";
import { AccountOpener } from "./account-opener.ts";
import {
  decideProvider,
  leftFacts,
  type ProviderDecision,
  unknownFacts,
} from "./decide-provider.ts";
import { noAccount } from "./opened-account.ts";
import { ProviderDeletions } from "./provider-deletion.ts";
import { hasOtherType, readProviderSpec, withoutZones } from "./provider-spec.ts";
import { ProviderStatusWriter } from "./provider-status-writer.ts";
import { SecretDeletions } from "./secret-deletion.ts";
import { SecretNamespaces } from "./secret-namespaces.ts";
import { providersOfSecret, releaseSecrets, type SecretHolding } from "./secrets.ts";

/** Everything that the controller works with. */
export interface ProviderControllerOptions {
  /** The provider cluster: DNSProviders and Secrets. */
  readonly view: ClusterView;
  readonly writer: ClusterWriter;
  readonly recorder: EventRecorder;
  /** The target cluster: DNSEntries. */
  readonly entries: ClusterView;
  readonly directory: ProviderDirectory;
  readonly cuts: CutSource;
  readonly types: ReadonlyMap<string, ProviderType>;
  /** Types of the DNSProviders that are served; null = all. */
  readonly providerTypes: ReadonlySet<string> | null;
  readonly environment: AccountEnvironment;
  readonly ports: AccountPorts;
  readonly startQueue: StartQueue;
  readonly dnsClasses: DnsClasses;
}

/** Runs until stopped. */
export class ProviderController {
  readonly #options: ProviderControllerOptions;
  readonly #holding: SecretHolding;
  readonly #secretDeletions: SecretDeletions;
  readonly #namespaces: SecretNamespaces;
  readonly #accounts: Accounts;
  readonly #opener: AccountOpener;
  readonly #queue: WorkQueue;
  readonly #status: ProviderStatusWriter;
  readonly #unsubscribe: readonly (() => void)[];
  readonly #deletions: ProviderDeletions;
  readonly #mainClass: MainClass;

  constructor(options: ProviderControllerOptions) {
    this.#options = options;
    const { view, writer, dnsClasses, entries } = options;
    this.#mainClass = new MainClass({ ...options, kind: DNS_PROVIDER, classes: dnsClasses });
    const finalizers = finalizersOf(dnsClasses);
    this.#holding = { view, writer, dnsClasses, finalizers };
    this.#namespaces = new SecretNamespaces({ ...options, finalizers });
    const { clock } = options.ports;
    this.#secretDeletions = new SecretDeletions({ view, entries, dnsClasses, clock });
    const { engine } = options.ports;
    this.#deletions = new ProviderDeletions({ entries, dnsClasses, clock, engine });
    this.#status = new ProviderStatusWriter({ ...options, ...options.ports });
    this.#accounts = new Accounts({
      types: options.types,
      environment: options.environment,
      ports: options.ports,
      onChange: (holders) => {
        for (const holder of holders) this.#queue.add(holder);
      },
    });
    this.#opener = new AccountOpener({
      ...options,
      holding: this.#holding,
      accounts: this.#accounts,
      deletions: this.#secretDeletions,
      again: (id, afterMs) => this.#queue.addAfter(id, afterMs),
    });
    this.#queue = options.startQueue({
      name: "dnsprovider",
      reconcile: (key) => unlessGone(() => this.#reconcile(key)),
    });
    this.#unsubscribe = [
      options.cuts.onCuts(() => this.#addAll()),
      view.subscribe(SECRET, {
        onChange: ({ object, type }) => {
          if (type === "deleted") this.#secretDeletions.forget(namespacedName(object));
          this.#onSecret(object);
        },
        onState: (_, __, namespace) => {
          this.#addAll(namespace);
          // This key stands for no provider: its reconcile releases Secrets of the namespace, which
          // became readable or unreadable, that no provider refers to.
          if (namespace !== undefined) this.#queue.add(`${namespace}/`);
        },
      }),
      view.subscribe(DNS_PROVIDER, {
        onChange: (change) => this.#onProvider(change),
        onState: (_, state) => {
          if (state === "live" || state === "absent") this.#onListed();
        },
      }),
      entries.subscribe(DNS_ENTRY, {
        onChange: (change) => this.#onEntry(change),
        onState: () => this.#addAll(),
      }),
    ];
    if (view.state(DNS_PROVIDER) === "live") this.#onListed();
  }

  /** Closes accounts and zones; leaves objects and records as they are. */
  async stop(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#namespaces.stop();
    await this.#queue.stop();
    await this.#accounts.close();
  }

  /** The open accounts. */
  accounts(): readonly AccountUse[] {
    return this.#accounts.uses();
  }

  /**
   * Opens a zone that no provider includes (any more), so that unwanted records can be removed from
   * it. Does nothing if the account is closed.
   */
  ensureOpen(key: ZoneKey): void {
    const account = this.#accounts.get(key.account);
    const zone = account?.listing.known.find((candidate) => candidate.id === key.zone);
    const isBlocked = this.#options.ports.rules.blockedZones.includes(key.zone);
    if (account === null || zone === undefined || isBlocked) return;
    account.openZone(zone).catch((error: unknown) => {
      const { providers } = account;
      const fields = { providers, zone: zone.name, error: messageOf(error) };
      this.#options.ports.log.warn("opening a zone failed", fields);
    });
  }

  #onProvider({ object, type }: ObjectChange): void {
    const { directory, dnsClasses, providerTypes } = this.#options;
    const id = namespacedName(object);
    if (type !== "deleted") this.#namespaces.add(object);
    if (type !== "deleted" && isOfClass(object, dnsClasses)) {
      if (hasOtherType(object, providerTypes)) directory.setOtherType(unknownFacts(object));
      else if (directory.get(id) === null) directory.set(unknownFacts(object));
    }
    this.#queue.add(id);
  }

  /**
   * All DNSProviders are known now: entries without one may be told so, and Secrets that no
   * provider refers to are released.
   */
  #onListed(): void {
    this.#options.directory.setListed(true);
    this.#addAll();
    const secrets = this.#options.view.list(SECRET);
    for (const secret of secrets.state === "value" ? secrets.value : []) this.#onSecret(secret);
  }

  /**
   * Providers may have been due while Secrets or entries could not be read, and no later change may
   * name them.
   */
  #addAll(namespace?: string): void {
    const providers = this.#options.view.list(DNS_PROVIDER, namespace);
    for (const provider of providers.state === "value" ? providers.value : [])
      this.#queue.add(namespacedName(provider));
  }

  #onSecret(secret: KubeObject): void {
    const namespace = secret.metadata.namespace ?? "";
    const users = providersOfSecret(this.#holding, namespace, secret.metadata.name) ?? [];
    for (const user of users) this.#queue.add(`${namespace}/${user}`);
    if (users.length === 0 && hasFinalizer(secret, this.#holding.finalizers))
      this.#queue.add(`${namespace}/`);
  }

  /** A deleting provider, or its Secret, may wait for this entry to be deleted. */
  #onEntry({ object }: ObjectChange): void {
    const provider = textOf(fieldsOf(object["status"])["provider"]);
    if (provider === null) return;
    if (this.#deletions.isKnown(provider) || this.#secretDeletions.isWaitedFor(provider))
      this.#queue.add(provider);
  }

  async #reconcile(id: string): Promise<void> {
    const [namespace, name] = splitName(id);
    const lookup = this.#options.view.get(DNS_PROVIDER, namespace, name);
    if (lookup.state === "unknown") return;
    if (lookup.state === "absent") return this.#forget(id, namespace);
    const provider = lookup.value;
    if (hasOtherType(provider, this.#options.providerTypes)) return this.#close(id, namespace);
    if (await this.#mainClass.joins(provider)) return;
    const classes = this.#mainClass.classesFor(provider);
    if (!isOfClass(provider, classes)) return this.#leave(id, provider, finalizersOf(classes));
    if (provider.metadata.deletionTimestamp === undefined) {
      this.#deletions.forget(id);
      await this.#serve(id, provider);
      await reconcileDone(this.#options.writer, DNS_PROVIDER, provider);
      await releaseSecrets(this.#holding, namespace);
    } else if (this.#isBound(id, provider)) await this.#serve(id, provider);
    else await this.#finishDeletion(id, provider);
  }

  /**
   * Its class is another one now. It stays open while records of entries that follow it are handed
   * over. A contested provider (`MainClass`) stays with the other set at once: both have a
   * finalizer there.
   */
  async #leave(id: string, provider: KubeObject, finalizers: Finalizers): Promise<void> {
    const isContested = isOfClass(provider, this.#options.dnsClasses);
    if (!isContested && this.#isBound(id, provider)) return this.#serve(id, provider);
    await this.#forget(id, splitName(id)[0]);
    await this.#release(DNS_PROVIDER, provider, finalizers);
  }

  async #forget(id: string, namespace: string): Promise<void> {
    this.#options.directory.remove(id);
    await this.#close(id, namespace);
  }

  async #close(id: string, namespace: string): Promise<void> {
    this.#deletions.forget(id);
    this.#status.forget(id);
    await this.#accounts.release(id);
    await releaseSecrets(this.#holding, namespace);
    this.#namespaces.leave(namespace);
  }

  async #release(kind: KindRef, object: KubeObject, finalizers = this.#holding.finalizers) {
    await patchFinalizer(this.#options.writer, kind, { object, finalizers, to: "remove" });
  }

  /** Opens the account and the zones of the provider, and writes its status. */
  async #serve(id: string, provider: KubeObject): Promise<void> {
    const read = readProviderSpec(provider);
    const opened = read.ok
      ? await this.#opener.open(provider, read.value)
      : noAccount({ code: "ProviderInvalid", error: read.error, isMistake: true });
    if (opened === null) return;
    const { account } = opened;
    const { defaultTtlSeconds, blockedZones } = this.#options.ports.rules;
    const spec = read.ok ? withoutZones(read.value, blockedZones) : null;
    const { cuts, directory } = this.#options;
    const cutOf: CutOf = (key, name) => cuts.cutOf(key, name);
    const others = directory.others(id);
    const context = { object: provider, spec, defaultTtlSeconds, cutOf, others, ...opened };
    const decision = decideProvider(context);
    if ("error" in account) {
      await this.#accounts.release(id);
      return this.#publish(provider, decision);
    }
    if (!this.#hasLeft(provider)) {
      this.#warn(provider, "NotSupported", decision.unused);
      this.#warn(provider, "ZoneNotDelegated", decision.undelegated);
    }
    // clause: reconcile-lists-zones
    if (asksForReconcile(provider)) account.relist();
    try {
      for (const zone of decision.selection?.zones.included ?? []) await account.openZone(zone);
    } catch (error) {
      const trouble = { error: `cannot open a zone: ${messageOf(error)}`, code: "ZoneNotOpened" };
      await this.#publish(provider, decideProvider({ ...context, account: trouble }));
      throw error;
    }
    return this.#publish(provider, decision);
  }

  /** True = its class is not ours: other controllers write its status and its Events. */
  #hasLeft(provider: KubeObject): boolean {
    return !isOfClass(provider, this.#mainClass.classesFor(provider));
  }

  async #publish(provider: KubeObject, decision: ProviderDecision): Promise<void> {
    if (this.#hasLeft(provider)) return this.#options.directory.set(leftFacts(provider, decision));
    this.#options.directory.set(decision.facts);
    const id = namespacedName(provider);
    if (decision.status !== null) {
      const waitMs = await this.#status.show(id, provider, decision.status);
      if (waitMs > 0) this.#queue.addAfter(id, waitMs);
    }
    this.#warn(provider, "DomainNotHosted", decision.selection?.warnings ?? []);
  }

  #warn(provider: KubeObject, reason: string, messages: readonly string[]): void {
    for (const message of messages)
      this.#options.recorder.record(provider, { type: "Warning", reason, message });
  }

  /**
   * True = it is deleted or has left our class, and is still needed (Z-19, provider-deletion.ts).
   */
  #isBound(id: string, provider: KubeObject): boolean {
    if (!hasFinalizer(provider, this.#holding.finalizers)) return false;
    const { isOver, againInMs, note } = this.#deletions.judge(provider, this.#accounts.heldBy(id));
    if (againInMs !== null) this.#queue.addAfter(id, againInMs);
    if (note !== null) this.#options.recorder.record(provider, note);
    return !isOver;
  }

  async #finishDeletion(id: string, provider: KubeObject): Promise<void> {
    const { directory } = this.#options;
    const facts = directory.get(id);
    // Until the object is gone, entries show that it is being deleted, and not that they have no
    // provider.
    const nothing = { account: null, zones: [], explicit: [], known: [] } as const;
    if (facts !== null) directory.set({ ...facts, ...nothing, deleting: true });
    await this.#accounts.release(id);
    const { name, namespace = "" } = provider.metadata;
    await releaseSecrets(this.#holding, namespace, name);
    await this.#release(DNS_PROVIDER, provider);
    directory.remove(id);
  }
}
