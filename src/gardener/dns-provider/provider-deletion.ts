/**
 * How long a DNSProvider stays that is being deleted, or whose class is another one now (Z-19):
 * while DNSEntries that are being deleted need it, while records of deleted objects are to be
 * removed from zones that only it leads into, and while records are to be handed over to the
 * controllers of its new class. Decides only; the provider controller acts.
 */
import type { Clock } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { EventNote } from "@zonekeeper/kube/ports/cluster-writer";
import type { ZoneListings } from "../../controllers/accounts/account.ts";
import { RELEASE_ANNOTATION } from "../../model/annotation-keys.ts";
import { classOf, type DnsClasses } from "../../model/dns-class.ts";
import { isReleased, RELEASE_AFTER_MS } from "../../model/object-annotations.ts";
import type { AwaitedRemovals, ZoneHost } from "../../sync/contract/publish-engine.ts";
import { holdersOf } from "./decide-provider.ts";
import { DELETION_GRACE_MS } from "./secret-deletion.ts";

/** Milliseconds after a start that zones may take until they have been read. */
const LOADING_MS = 60_000;
/** Milliseconds between two checks of the zones while records are to be removed, at first. */
const RECHECK_MS = 1_000;
/** The same after minutes: a tenth of the time that it has waited, at most this. */
const RECHECK_MAX_MS = 10_000;

/** The decision about a DNSProvider that is being deleted, or whose class is another one now. */
export interface ProviderEnd {
  /** False = it is still needed. */
  readonly isOver: boolean;
  /** Milliseconds after which to decide again; null = when an object changes. */
  readonly againInMs: number | null;
  /** An Event about it; null = none. */
  readonly note: EventNote | null;
}

/** The part of an account that a deletion reads: the state of its listing of zones. */
interface ListedAccount {
  readonly listing: Pick<ZoneListings, "state">;
}

interface ProviderDeletionOptions {
  /** The target cluster: DNSEntries. */
  readonly entries: ClusterView;
  readonly dnsClasses: DnsClasses;
  readonly clock: Clock;
  readonly engine: Pick<ZoneHost, "awaitedRemovals">;
}

/** Remembers since when each deletion, or change of class, is known. */
export class ProviderDeletions {
  readonly #options: ProviderDeletionOptions;
  /** By `namespace/name`; monotonic milliseconds. */
  readonly #seenMs = new Map<string, number>();

  constructor(options: ProviderDeletionOptions) {
    this.#options = options;
  }

  /** Called at each reconcile of such a provider. `account`: null = it has none, or none yet. */
  judge(provider: KubeObject, account: ListedAccount | null): ProviderEnd {
    const { entries, dnsClasses } = this.#options;
    const id = namespacedName(provider);
    const isFirst = !this.#seenMs.has(id);
    const nowMs = this.#options.clock.monotonicMs();
    const seenMs = this.#seenMs.get(id) ?? nowMs;
    this.#seenMs.set(id, seenMs);
    const knownForMs = nowMs - seenMs;
    const holders = holdersOf(entries, id, dnsClasses);
    if (holders === "deleting" || holders === "unknown") return stays(null);
    const leftMs = DELETION_GRACE_MS - knownForMs;
    if (holders === "living" && leftMs > 0) return stays(leftMs);
    // clause: annotation-releases-provider
    if (isReleased(provider) || (account === null && !isFirst)) return OVER;
    const isListed = account !== null && account.listing.state !== "pending";
    return this.#judgeZones(provider, isListed, knownForMs);
  }

  /**
   * Judges by the records in its zones. It waits a minute for an account that is not listed yet;
   * one that cannot be opened could remove nothing.
   */
  #judgeZones(provider: KubeObject, isListed: boolean, knownForMs: number): ProviderEnd {
    const awaited = this.#options.engine.awaitedRemovals(namespacedName(provider));
    if (isListed && provider.metadata.deletionTimestamp === undefined)
      return waitForHandOvers(provider, awaited, knownForMs);
    if (!isListed || !awaited.isSettled) return knownForMs < LOADING_MS ? waits(knownForMs) : OVER;
    // clause: provider-waits-for-removals
    if (awaited.removals > 0) return this.#waitForRemovals(provider, awaited, knownForMs);
    const leftMs = DELETION_GRACE_MS - knownForMs;
    return awaited.ownedNames > 0 && leftMs > 0 ? stays(leftMs) : OVER;
  }

  /** The DNSProvider, `namespace/name`, does not exist any more, or is served as before. */
  forget(id: string): void {
    this.#seenMs.delete(id);
  }

  /** True while it is being deleted, or is leaving. */
  isKnown(id: string): boolean {
    return this.#seenMs.has(id);
  }

  #waitForRemovals(
    provider: KubeObject,
    { removals, hashes }: AwaitedRemovals,
    knownForMs: number,
  ): ProviderEnd {
    const nowMs = this.#options.clock.nowMs();
    const sinceMs = Date.parse(provider.metadata.deletionTimestamp ?? "");
    if (/* clause: provider-waits-an-hour */ nowMs >= sinceMs + RELEASE_AFTER_MS) {
      const message = `${removals} records of objects that are gone stay in its zones: nobody approved their removal in an hour`;
      return { ...OVER, note: warning("RecordsLeft", message) };
    }
    const sets = hashes.map((hash) => `zonekeeper approve ${hash}`);
    const approve = sets.length > 0 ? sets.join(", ") : "zonekeeper plan says what they wait for";
    const release = `kubectl annotate dnsprovider ${provider.metadata.name} -n ${provider.metadata.namespace} ${RELEASE_ANNOTATION}=true`;
    const message = `is being deleted and stays until ${removals} records of objects that are gone are removed, an hour at most: ${approve}; to leave them: ${release}`;
    return { ...waits(knownForMs), note: warning("RecordsWait", message) };
  }
}

function warning(reason: string, message: string): EventNote {
  return { type: "Warning", reason, message };
}

/**
 * Its class is another one now: waits, for an hour at most, until no name in its zones has records
 * of ours, so that those of entries that follow it are handed over (ADR 0091).
 */
function waitForHandOvers(
  provider: KubeObject,
  { ownedNames, isSettled }: AwaitedRemovals,
  knownForMs: number,
): ProviderEnd {
  if (isSettled && ownedNames === 0) return OVER;
  // clause: left-provider-hands-over
  if (knownForMs < RELEASE_AFTER_MS) return waits(knownForMs);
  if (ownedNames === 0) return OVER;
  const message = `its class is ${classOf(provider)} now, and ${ownedNames} names in its zones still have records of the program that it left: give their objects that class, too, or this DNSProvider its former one`;
  return { ...OVER, note: warning("RecordsLeft", message) };
}

const OVER: ProviderEnd = { isOver: true, againInMs: null, note: null };

function stays(againInMs: number | null): ProviderEnd {
  return { isOver: false, againInMs, note: null };
}

/** Is decided again soon: after a tenth of the time that it has waited, within bounds. */
function waits(knownForMs: number): ProviderEnd {
  return stays(Math.min(Math.max(RECHECK_MS, knownForMs / 10), RECHECK_MAX_MS));
}
