/** Which of an object's names go to which zone. Pure; an object may list names of many zones. */

import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import type { DnsName } from "../../model/dns-name.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import { type ZoneKey, zoneKeyText } from "../../sync/contract/zone.ts";

/** What is contributed to one zone. */
export interface ZonePart {
  readonly key: ZoneKey;
  readonly found: Found<DesiredRecordSet>;
}

/** What is contributed to each zone, by account and zone, and which names have no zone. */
export interface Split {
  readonly zones: ReadonlyMap<string, ZonePart>;
  /** A message for each name without a zone. */
  readonly unserved: readonly string[];
  /**
   * False when a name could not be read or its zone is not known: absence of a name proves nothing.
   */
  readonly isComplete: boolean;
}

/**
 * Assigns every name to the one zone that serves it. If the zone of a name is unknown, all parts
 * are incomplete (Z-1).
 */
export function splitByZone(
  found: Found<DesiredRecordSet>,
  select: (name: DnsName) => Selection,
): Split {
  const names = [...new Set([...found.items, ...found.waiting].map(({ name }) => name))];
  const selections = new Map(names.map((name) => [name, select(name)]));
  const isComplete =
    found.complete && [...selections.values()].every(({ kind }) => kind === "zone");
  const zones = new Map<string, ZonePart>();
  for (const selection of selections.values()) {
    if (selection.kind !== "zone") continue;
    const isInZone = ({ name }: { readonly name: DnsName }) => {
      const chosen = selections.get(name);
      return chosen?.kind === "zone" && zoneKeyText(chosen.key) === zoneKeyText(selection.key);
    };
    zones.set(zoneKeyText(selection.key), {
      key: selection.key,
      found: {
        items: found.items.filter(isInZone),
        waiting: found.waiting.filter(isInZone),
        problems: [],
        complete: isComplete,
        ...(found.objectTransfer === undefined ? {} : { objectTransfer: found.objectTransfer }),
      },
    });
  }
  const unserved = [...selections].flatMap(([name, selection]) => {
    if (selection.kind === "none")
      return [`${name}: no DNSProvider of this namespace serves it; create one for its zone`];
    return selection.kind === "invalid" ? [`${name}: ${selection.message}`] : [];
  });
  return { zones, unserved, isComplete };
}
