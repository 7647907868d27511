/** Which of an object's names go to which zone. Pure; an object may list names of many zones. */

import type { Selection } from "../../controllers/zone-choice/select-provider.ts";
import type { DnsName } from "../../model/dns-name.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { Found } from "../../sources/source.ts";
import { type ZoneKey, zoneKeyText } from "../../sync/contract/zone.ts";

/** What one zone is to hear. */
export interface ZonePart {
  readonly key: ZoneKey;
  readonly found: Found<DesiredRecordSet>;
}

/** What every zone is to hear, by account and zone, and what goes nowhere. */
export interface Split {
  readonly zones: ReadonlyMap<string, ZonePart>;
  /** For people: names without a zone. */
  readonly unserved: readonly string[];
  /**
   * False when a name could not be read or its zone is not known: nothing may be concluded from
   * what is missing.
   */
  readonly isComplete: boolean;
}

/**
 * Every name goes to the one zone that serves it; what cannot be told now makes all parts
 * incomplete (Z-1).
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
    const isHere = ({ name }: { readonly name: DnsName }) => {
      const chosen = selections.get(name);
      return chosen?.kind === "zone" && zoneKeyText(chosen.key) === zoneKeyText(selection.key);
    };
    zones.set(zoneKeyText(selection.key), {
      key: selection.key,
      found: {
        items: found.items.filter(isHere),
        waiting: found.waiting.filter(isHere),
        problems: [],
        complete: isComplete,
        ...(found.objectTransfer === undefined ? {} : { objectTransfer: found.objectTransfer }),
      },
    });
  }
  const unserved = [...selections].flatMap(([name, selection]) => {
    if (selection.kind === "none") return [`${name}: no DNSProvider of this namespace serves it`];
    return selection.kind === "invalid" ? [`${name}: ${selection.message}`] : [];
  });
  return { zones, unserved, isComplete };
}
