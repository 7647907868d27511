/**
 * The known facts of the source objects of generated entries: whether they have an address, are
 * listed yet, or are in a cluster that this process cannot see. Remembers the last answer while a
 * cluster cannot be read. Also keeps what a deleted entry wants until its maker creates it again.
 */
import type { Clock, Timer } from "@zonekeeper/base/ports/clock";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { namespacedName } from "@zonekeeper/kube/objects/object-fields";
import type { KindState } from "@zonekeeper/kube/ports/cluster-view";
import { type AnnotatedOwner, annotatedOwners } from "../../model/generated-entries.ts";
import { RELEASE_AFTER_MS } from "../../model/object-annotations.ts";
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import {
  type ClusterObservation,
  lacksTargets,
  type ObjectObserver,
} from "../../sync/contract/object-observation.ts";
import { type Entry, isWantedAgain } from "./entry.ts";
import type { EntryContext } from "./entry-context.ts";

/** Observes the source objects of generated entries, in the views of their clusters. */
export interface Origins extends Pick<ObjectObserver, "observe"> {
  /** Calls `listener` when a kind was listed, or its state changed. Answers how to stop. */
  onGateChange(listener: () => void): () => void;
}

/** Remembers which entries (`namespace/name`) have a source object without an address. */
export class OriginStates {
  readonly #origins: Origins;
  /**
   * Called with an entry that is to be decided again once its source object can be read: no event
   * names it.
   */
  readonly #unread: (entry: string) => void;
  /** Entries whose source object had no address when it was last known. */
  readonly #addressless = new Set<string>();
  /** Entries whose source object was last found to be in a cluster that this process cannot see. */
  readonly #elsewhere = new Set<string>();
  readonly #awaited: AwaitedEntries;

  constructor(
    { origins, clock }: { readonly origins: Origins; readonly clock: Clock },
    unread: (entry: string) => void,
  ) {
    this.#awaited = new AwaitedEntries(clock);
    this.#origins = origins;
    this.#unread = unread;
  }

  /** The entry's `origin`, by what its source object shows now. */
  of(
    { items: [item] }: Found<DesiredRecordSet>,
    { key, object }: Pick<Entry, "key" | "object">,
  ): EntryContext["origin"] {
    const entry = namespacedName(object);
    this.#elsewhere.delete(entry);
    if (this.#isMadeElsewhere(object, key.cluster)) {
      this.#elsewhere.add(entry);
      return "elsewhere";
    }
    if (item === undefined || item.provenance.kind === "dnsentry") return "ready";
    const { name, provenance } = item;
    const observation = this.#origins.observe(provenance.cluster, resourceOf(provenance));
    const isIn = (state: KindState) => (one: ClusterObservation) => one.kindState === state;
    if (lacksTargets(observation, name)) this.#addressless.add(entry);
    else if (observation.every(isIn("live"))) this.#addressless.delete(entry);
    else this.#unread(entry);
    if (this.#addressless.has(entry)) return "no-address";
    return observation.some(isIn("syncing")) ? "unlisted" : "ready";
  }

  /** The entry exists. */
  seen(entry: string): void {
    this.#awaited.seen(entry);
  }

  /**
   * The entry is gone. Calls `withdraw`, which ends its contributions: at once, or where its maker
   * creates it again, after an hour without it.
   */
  ended(entry: string, object: KubeObject, withdraw: () => void): void {
    const isMadeAnew = this.#elsewhere.delete(entry) && isWantedAgain(object);
    this.#addressless.delete(entry);
    // clause: remade-entry-stays-desired
    if (isMadeAnew) this.#awaited.awaitAgain(entry, withdraw);
    else withdraw();
  }

  stop(): void {
    this.#awaited.stop();
  }

  /**
   * True = all owners that the annotation names are in clusters that this process does not watch.
   */
  #isMadeElsewhere(object: KubeObject, own: string): boolean {
    const owners = annotatedOwners(object);
    const isFar = ({ cluster, kind, namespace, name }: AnnotatedOwner): boolean =>
      cluster !== null &&
      cluster !== own &&
      this.#origins.observe(cluster, `${kind.toLowerCase()}/${namespace}/${name}`).length === 0;
    return owners.length > 0 && owners.every(isFar);
  }
}

// DNSEntries that somebody deleted and that the process which made them makes anew: what they
// wanted stays until then, so that their names answer all the time (Z-30). Memory only.

/** By `namespace/name`. */
class AwaitedEntries {
  readonly #clock: Clock;
  readonly #timers = new Map<string, Timer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The entry is gone; calls `onMissed` where it does not come back within an hour (Z-19). */
  awaitAgain(entry: string, onMissed: () => void): void {
    this.seen(entry);
    const missed = (): void => {
      this.#timers.delete(entry);
      // clause: awaited-entry-has-a-limit
      onMissed();
    };
    this.#timers.set(entry, this.#clock.setTimer(RELEASE_AFTER_MS, missed));
  }

  /** The entry exists again: the wait is over. */
  seen(entry: string): void {
    this.#timers.get(entry)?.cancel();
    this.#timers.delete(entry);
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }
}
