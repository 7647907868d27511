/**
 * UPDATE against a plain model: a list of records and RFC 2136 §3.4.2.7 written out by hand over
 * it. The zone with its nodes, counts and deltas must agree with the list after any history.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryUpdate } from "../../../../../test/support/name-server/arbitrary-update.ts";
import { updateOf } from "../../../../../test/support/name-server/update-text.ts";
import {
  APEX,
  textOf,
  zoneFromText,
  zoneText,
} from "../../../../../test/support/name-server/zone-text.ts";
import { runsOf } from "../../../../../test/support/values/law-runs.ts";
import { type DnsName, isAtOrBelow, parentOf } from "../../names/dns-name.ts";
import type { ResourceRecord } from "../../wire/message/message.ts";
import type { ZoneRecord, ZoneVersion } from "../zone/zone-version.ts";
import { evaluateUpdate } from "./evaluate-update.ts";

/** One update record on a plain list (RFC 2136 §3.4.2.7); no SOA among the updates. */
function model(zone: readonly ZoneRecord[], update: ResourceRecord): readonly ZoneRecord[] {
  const here = (r: ZoneRecord) => r.name === update.name;
  const same = (r: ZoneRecord) => here(r) && r.type === update.type;
  const kept = (r: ZoneRecord) => r.name === APEX && (r.type === "SOA" || r.type === "NS");
  if (update.class === "ANY")
    return zone.filter((r) => kept(r) || !(update.type === "ANY" ? here(r) : same(r)));
  if (update.class === "NONE") {
    const rest = zone.filter((r) => !(same(r) && r.data === update.data));
    return rest.some((r) => r.name === APEX && r.type === "NS") ? rest : zone;
  }
  const alias = update.type === "CNAME";
  if (zone.some((r) => here(r) && (r.type === "CNAME") !== alias)) return zone;
  const { name, type, ttlSeconds, data } = update;
  const others = zone.filter((r) => !same(r));
  const set = alias ? [] : zone.filter((r) => same(r) && r.data !== data);
  return [
    ...others,
    ...set.map((r) => ({ ...r, ttlSeconds })),
    { name, type, class: "IN", ttlSeconds, data: data ?? "" },
  ];
}

/** Names that exist by definition: owners and all between them and the apex. */
function existing(records: readonly ZoneRecord[]): readonly string[] {
  const names = new Set<string>([APEX]);
  for (const { name } of records)
    for (let at: DnsName | null = name; at !== null && isAtOrBelow(at, APEX); at = parentOf(at))
      names.add(at);
  return [...names].sort();
}

function existingIn(zone: ZoneVersion): readonly string[] {
  return [...zone.nodes.entries()].map(([name]) => name).sort();
}

const withoutSoa = (records: Iterable<ZoneRecord>) => [...records].filter((r) => r.type !== "SOA");

test("any history of updates leaves what the plain model leaves; deltas lead from one to the next", () => {
  const histories = fc.array(fc.array(arbitraryUpdate, { maxLength: 6 }), { maxLength: 12 });
  fc.assert(
    fc.property(histories, (history) => {
      let zone = zoneFromText("");
      let plain: readonly ZoneRecord[] = [...zone.records()];
      for (const updates of history) {
        const { rcode, change } = evaluateUpdate(zone, updateOf([], updates));
        expect(rcode).toBe("NOERROR");
        const before = plain;
        plain = updates.reduce(model, plain);
        const next = change?.version ?? zone;
        expect(textOf(next.records())).toEqual(textOf(plain));
        expect(existingIn(next)).toEqual(existing(plain));
        expect(next.recordCount).toBe(plain.length + 1);
        expect(change === null).toBe(textOf(before).join() === textOf(plain).join());
        expect(next.soa.serial).toBe(zone.soa.serial + (change === null ? 0 : 1));
        if (change?.delta) {
          const gone = new Set(textOf(change.delta.removed));
          const stay = zoneText(zone).filter((line) => !gone.has(line));
          expect(stay.length).toBe(zoneText(zone).length - gone.size);
          expect(
            [...stay, ...textOf(change.delta.added)].filter((l) => !l.includes(" SOA ")).sort(),
          ).toEqual(textOf(withoutSoa(next.records())));
        }
        zone = next;
      }
    }),
    { numRuns: runsOf(500) },
  );
});
