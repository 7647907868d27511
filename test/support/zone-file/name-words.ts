/**
 * Which words of rdata text are names: for zone files, where names are relative or end in a dot
 * (RFC 1035 §5.1).
 */
import type { RecordType } from "../../../src/model/record-set.ts";
import { RDATA_LAYOUTS, type RdataField } from "../../../src/wire/rdata/layout.ts";

/**
 * The field of each word, as far as each field is one word: names and times never stand behind a
 * longer one.
 */
export function fieldsOf(type: RecordType): readonly RdataField[] {
  return RDATA_LAYOUTS.get(type)?.fields ?? [];
}

/** A name of some kind. */
export function isNameField(field: RdataField | undefined): boolean {
  return field === "name" || field === "plain-name" || field === "kept-name";
}
