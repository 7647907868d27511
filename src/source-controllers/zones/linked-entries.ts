/**
 * For objects that are published directly (without DNSEntries) but were published by generated
 * DNSEntries before: a name waits until its entry is deleted, so that it is never published twice.
 */
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ClusterView } from "@zonekeeper/kube/ports/cluster-view";
import type { DnsClasses } from "../../model/dns-class.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, Waiting } from "../../sources/source.ts";
import { OwnEntries } from "../entries/own-entries.ts";
import type { SourceScope } from "../entries/owner-link.ts";
import { dnsNameOf } from "../entries/renamed-entries.ts";

/** Where the entries are. */
export interface LinkedEntriesOptions {
  readonly target: ClusterView;
  readonly scope: SourceScope;
  /** Classes of the entries. */
  readonly targetClasses: DnsClasses;
}

/** The entries of the objects of one source. */
export class LinkedEntries {
  readonly #target: ClusterView;
  readonly #own: OwnEntries;
  readonly #unsubscribe: () => void;

  /**
   * `onChange` gets the object (`namespace/name`) whose entries changed; null = any may be
   * affected.
   */
  constructor(options: LinkedEntriesOptions, onChange: (key: string | null) => void) {
    this.#target = options.target;
    this.#own = new OwnEntries(options.scope, options.targetClasses);
    this.#unsubscribe = options.target.subscribe(DNS_ENTRY, {
      onChange: (change) => {
        for (const owner of this.#own.apply(change)) onChange(owner);
      },
      onState: () => onChange(null),
    });
  }

  /** False until it is known which entries there are. */
  get isListed(): boolean {
    return this.#target.state(DNS_ENTRY) !== "syncing";
  }

  /** `found` without the names that have an entry: these wait. */
  without(key: string, found: Found<DesiredRecordSet>): Found<DesiredRecordSet> {
    const taken = new Set(this.#own.of(key).filter(isAlive).map(dnsNameOf));
    if (/* clause: linked-entry-publishes-name */ taken.size === 0) return found;
    const waiting = found.items
      .filter(({ name }) => taken.has(name))
      .map(({ name, provenance }): Waiting => ({ name, reason: "EntryExists", provenance }));
    const items = found.items.filter(({ name }) => !taken.has(name));
    return { ...found, items, waiting: [...found.waiting, ...waiting] };
  }

  stop(): void {
    this.#unsubscribe();
  }
}

function isAlive({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp === undefined;
}
