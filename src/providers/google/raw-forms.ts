/**
 * How record sets were written that this program would write otherwise: with capitals, blanks or
 * escapes of their own. A deletion names the data as they are. Where a form is missing the API
 * refuses the deletion, and the reading that follows brings it.
 */
import { type Fields, fieldsOf } from "../../model/object-fields.ts";
import { hasSameData, type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import { BoundedMap } from "../shared/bounded-map.ts";
import { fromRecordSet, type SentChange, toRecordSets } from "./convert.ts";

/** One of them is about 500 bytes. */
const FORMS_MAX = 20_000;

/** One for each session. */
export class RawForms {
  readonly #forms = new BoundedMap<Fields>(FORMS_MAX);

  /** Of a record set as it was read. */
  learn(zone: Zone, item: unknown): void {
    const [set, ...members] = toRecordSets(item);
    if (set === undefined || members.length > 0 || set.setIdentifier !== null) return;
    const key = keyOf(zone, set);
    if (dataOf(fieldsOf(item)) === dataOf(fromRecordSet(set))) this.#forms.forget(key);
    else this.#forms.put(key, fieldsOf(item));
  }

  /** The set as it is to be deleted. */
  of(zone: Zone, set: RecordSet): Fields {
    const form = this.#forms.at(keyOf(zone, set));
    const [known] = form === null ? [] : toRecordSets(form);
    const isSame =
      known !== undefined && known.ttlSeconds === set.ttlSeconds && hasSameData(known, set);
    return isSame && form !== null ? form : fromRecordSet(set);
  }

  /** What a change wrote has our form. */
  written(zone: Zone, { deletions, additions }: SentChange): void {
    for (const set of [...deletions, ...additions]) this.#forms.forget(keyOf(zone, set));
  }
}

function keyOf(zone: Zone, set: RecordSet): string {
  return `${zone.id} ${recordSetKeyText(set)}`;
}

function dataOf({ name, rrdatas }: Fields): string {
  const texts = Array.isArray(rrdatas) ? rrdatas.map(String).sort() : [];
  return JSON.stringify([name, texts]);
}
