/**
 * Which tokens of rdata text are names: for zone files, where names are relative or end in a dot
 * (RFC 1035 §5.1).
 */
import type { RecordType } from "@zonekeeper/dns/rdata/rdata-format";
import type { RdataField } from "@zonekeeper/dns/wire/rdata/rdata-fields";
import { RDATA_WIRE_FORMATS } from "@zonekeeper/dns/wire/rdata/wire-format";

/** The field of each token. A field of several tokens comes last, after all names and times. */
export function fieldsOf(type: RecordType): readonly RdataField[] {
  return RDATA_WIRE_FORMATS.get(type)?.fields ?? [];
}

/** A name of some kind. */
export function isNameField(field: RdataField | undefined): boolean {
  return field === "name" || field === "plain-name" || field === "kept-name";
}
