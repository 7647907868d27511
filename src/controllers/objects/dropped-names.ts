/**
 * Which names objects were watched to give up (Z-16): by their end, or by a change from a version
 * that lists the name to a complete newer one that does not. For objects that contribute through
 * others, which we delete: their end alone does not tell a person's act from a narrower filter or
 * a list that lacks the object. And for those that contribute themselves: an edit of annotations,
 * or of a Service, moves no generation that would tell it from a narrower filter.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { ClusterView, ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { objectKeyOf } from "../../model/object-key.ts";
import { objectKeyOf as keyInMarker, shortResourceOf } from "../../model/provenance.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found, Source } from "../../sources/source.ts";
import { isOutcomeOnly } from "./own-change.ts";

/** Pairs that are kept; the oldest is forgotten, and its removal is a weak one. */
const KEPT_MAX = 10_000;

/** What this process has watched. */
export class DroppedNames {
  readonly #pairs = new Set<string>();

  /**
   * True = the object was last watched to give up this name. `resource` = as its marker has it, in
   * the long or the short form.
   */
  has(cluster: string, resource: string, name: DnsName): boolean {
    const key = keyInMarker(resource, cluster);
    const short = key === null ? resource : shortResourceOf(key);
    return this.#pairs.has(pairOf(cluster, short, name));
  }

  /** Both versions are read with what the source sees now: only the object itself differs. */
  note(change: ObjectChange, source: Source, view: ClusterView): void {
    const { type, object, previous, proof } = change;
    if (previous === undefined && this.#pairs.size === 0 && type !== "deleted") return;
    // A status gives no name up: one without an address waits.
    if (isOutcomeOnly(change, true)) return;
    const short = shortResourceOf(objectKeyOf(object, view.clusterId));
    const found = source.endpoints(object, view);
    const listed = namesIn(found);
    if (type === "deleted") {
      if (proof === "watched") this.#keep(view.clusterId, short, listed);
      return;
    }
    for (const name of listed) this.#pairs.delete(pairOf(view.clusterId, short, name));
    if (previous === undefined || !found.complete) return;
    const before = namesIn(source.endpoints(previous, view));
    this.#keep(
      view.clusterId,
      short,
      [...before].filter((name) => !listed.has(name)),
    );
  }

  #keep(cluster: string, shortResource: string, names: Iterable<DnsName>): void {
    for (const name of names) this.#keepPair(pairOf(cluster, shortResource, name));
  }

  #keepPair(pair: string): void {
    this.#pairs.delete(pair);
    this.#pairs.add(pair);
    const [oldest] = this.#pairs;
    if (this.#pairs.size > KEPT_MAX && oldest !== undefined) this.#pairs.delete(oldest);
  }
}

function pairOf(cluster: string, shortResource: string, name: DnsName): string {
  return `${cluster}|${shortResource} ${name}`;
}

function namesIn({ items, waiting }: Found<DesiredRecordSet>): ReadonlySet<DnsName> {
  return new Set([...items, ...waiting].map(({ name }) => name));
}
