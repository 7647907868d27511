/** What is known of the source objects of generated entries. */
import { resourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { KindState } from "../../ports/cluster-view.ts";
import type { Found } from "../../sources/source.ts";
import {
  type ClusterObservation,
  lacksTargets,
  type ObjectObserver,
} from "../../sync/contract/object-observation.ts";
import type { EntryContext } from "./entry-context.ts";

/** Observes the source objects of generated entries, in the views of their clusters. */
export interface Origins extends Pick<ObjectObserver, "observe"> {
  /** Calls `listener` when a kind was listed, or its state changed. Answers how to stop. */
  onGateChange(listener: () => void): () => void;
}

/** Remembers which entries (`namespace/name`) have a source object without an address. */
export class OriginStates {
  readonly #origins: Origins;
  /** Called where no change may name the entry when its source object is known again. */
  readonly #unread: (entry: string) => void;
  /** Entries whose source object had no address when it was last known. */
  readonly #addressless = new Set<string>();

  constructor(origins: Origins, unread: (entry: string) => void) {
    this.#origins = origins;
    this.#unread = unread;
  }

  of({ items: [item] }: Found<DesiredRecordSet>, entry: string): EntryContext["origin"] {
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

  forget(entry: string): void {
    this.#addressless.delete(entry);
  }
}
