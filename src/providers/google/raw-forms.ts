/**
 * How record sets were read that this program would write otherwise: with capitals, blanks or
 * escapes of their own, or with the members of a routing policy, which are one record set. A
 * deletion names the data as they are. Where a form is missing or old the API refuses the deletion,
 * and the reading that follows brings it.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { type Fields, fieldsOf } from "@zonekeeper/kube/objects/object-fields";
import type { Zone } from "../../model/zone.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { hasPolicy, type SentChange } from "./changes.ts";
import { fromRecordSet, toRecordSets } from "./convert.ts";
import { WRITABLE_TYPES } from "./limits.ts";

/** Of one zone; one of them is about 500 bytes. */
const FORMS_MAX = 20_000;

/** One for each session. */
export class RawForms {
  /** By id; at most one entry for each zone. */
  readonly #zones = new Map<string, BoundedMap<Fields>>();

  /** Record sets as they were read: all of the zone, or all at `names`. */
  learn(zone: Zone, items: readonly unknown[], names: readonly DnsName[] | null): void {
    if (names === null) this.#zones.delete(zone.id);
    const forms = this.#formsOf(zone);
    for (const name of names ?? [])
      for (const type of WRITABLE_TYPES) forms.forget(keyOf(name, type));
    for (const item of items) {
      const [set] = toRecordSets(item);
      const form = fieldsOf(item);
      if (set !== undefined && isForm(form)) forms.put(keyOf(set.name, set.type), form);
    }
  }

  at(zone: Zone, name: DnsName, type: string): Fields | null {
    return this.#formsOf(zone).at(keyOf(name, type));
  }

  /** What a change wrote has our form. */
  written(zone: Zone, { deletions, additions }: SentChange): void {
    const forms = this.#formsOf(zone);
    for (const { name, type } of deletions) forms.forget(keyOf(name, type));
    for (const { name, type, body } of additions) {
      if (hasPolicy(body)) forms.put(keyOf(name, type), body);
      else forms.forget(keyOf(name, type));
    }
  }

  #formsOf(zone: Zone): BoundedMap<Fields> {
    const found = this.#zones.get(zone.id) ?? new BoundedMap<Fields>(FORMS_MAX);
    this.#zones.set(zone.id, found);
    return found;
  }
}

/** Whether it has to be kept. */
function isForm(form: Fields): boolean {
  if (hasPolicy(form)) return true;
  const [set] = toRecordSets(form);
  return set !== undefined && dataOf(form) !== dataOf(fromRecordSet(set));
}

function keyOf(name: DnsName, type: string): string {
  return `${name} ${type}`;
}

function dataOf({ name, rrdatas }: Fields): string {
  const texts = Array.isArray(rrdatas) ? rrdatas.map(String).sort() : [];
  return JSON.stringify([name, texts]);
}
