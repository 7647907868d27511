/**
 * For names that no open zone serves: which DNSProviders cannot be used, and which objects list the
 * name.
 */
import type { DnsName } from "../../model/dns-name.ts";
import { fieldsOf, objectKeyOf, textOf } from "../../model/object-fields.ts";
import { resourceOf } from "../../model/provenance.ts";
import { type Clock, Slices } from "../../ports/clock.ts";
import type { ClusterView } from "../../ports/cluster-view.ts";
import type { Source } from "../../sources/source.ts";

/** A DNSProvider whose zones are not known, or cannot be used. */
export interface ProviderTrouble {
  /** `namespace/name`. */
  readonly provider: string;
  /** Why, for people. */
  readonly message: string;
}

/** An object that lists a name. */
export interface ListingObject {
  /** `kind/namespace/name`, as markers have it. */
  readonly object: string;
  /** The message of its status; empty = none. */
  readonly message: string;
}

/** Objects of one kind in one cluster. */
export interface ListedKind {
  readonly view: ClusterView;
  readonly source: Source;
}

/** Objects that are shown for one name. */
const LISTED_NAMES_MAX = 20;

/** Objects that list the name, with or without a zone; at most LISTED_NAMES_MAX. */
export async function whoLists(
  name: DnsName,
  kinds: readonly ListedKind[],
  clock: Clock,
): Promise<readonly ListingObject[]> {
  const slices = new Slices(clock);
  const listed: ListingObject[] = [];
  for (const { view, source } of kinds) {
    const objects = view.list(source.primary);
    for (const object of objects.state === "value" ? objects.value : []) {
      if (slices.isOver) await slices.next();
      const { items, waiting } = source.endpoints(object, view);
      if (![...items, ...waiting].some((one) => one.name === name)) continue;
      const message = textOf(fieldsOf(object["status"])["message"]) ?? "";
      listed.push({ object: resourceOf(objectKeyOf(object, view.clusterId)), message });
      if (listed.length >= LISTED_NAMES_MAX) return listed;
    }
  }
  return listed;
}
