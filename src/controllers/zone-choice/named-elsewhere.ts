/**
 * Finds objects that list names for external-dns in annotations or fields, so that `plan` can show
 * which of them this program does not publish. For people; decides nothing.
 */
import { type Clock, Slices } from "@zonekeeper/base/ports/clock";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { markerKindOf, objectKeyOf } from "../../model/kinds.ts";
import { namesElsewhere, unreadNames } from "../../model/other-dialects.ts";
import { resourceOf } from "../../model/provenance.ts";
import { listedNames } from "../../sources/source.ts";
import type { ListedKind } from "./listing-objects.ts";

/** A name of one object. */
export interface NamedElsewhere {
  readonly cluster: string;
  /** `service-dns`. */
  readonly source: string;
  /** As markers have it: `service`. */
  readonly kind: string;
  /** `kind/namespace/name`, as markers have it. */
  readonly object: string;
  readonly name: DnsName;
  /** `the annotation external-dns.kubernetes.io/hostname`, `spec.rules`. */
  readonly where: string;
  /** True = our source finds the name, too, or an annotation of ours leaves it out on purpose. */
  readonly isRead: boolean;
}

/** Every such name that is asked for. */
export async function namedElsewhere(
  kinds: readonly ListedKind[],
  isAsked: (name: DnsName) => boolean,
  clock: Clock,
): Promise<readonly NamedElsewhere[]> {
  const slices = new Slices(clock);
  const all: NamedElsewhere[] = [];
  for (const kind of kinds) {
    const listed = kind.view.list(kind.source.primary);
    for (const object of listed.state === "value" ? listed.value : []) {
      if (slices.isOver) await slices.next();
      all.push(...namedIn(object, kind, isAsked));
    }
  }
  return all;
}

function namedIn(
  object: KubeObject,
  { view, source }: ListedKind,
  isAsked: (name: DnsName) => boolean,
): readonly NamedElsewhere[] {
  const names = [...namesElsewhere(object)].filter(([name]) => isAsked(name));
  if (names.length === 0 || object.metadata.deletionTimestamp !== undefined) return [];
  const read = listedNames(source.endpoints(object, view));
  const unread = unreadNames(object);
  const key = objectKeyOf(object, view.clusterId);
  const of = { cluster: view.clusterId, source: source.name, object: resourceOf(key) };
  const kind = markerKindOf(source.primary);
  return names.map(([name, where]) => {
    const isRead = read.has(name) || !unread.has(name);
    return { ...of, kind, name, where, isRead };
  });
}
