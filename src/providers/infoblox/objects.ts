/**
 * The objects of WAPI that are records, and the fields that say their values (WAPI documentation,
 * `record:a` and others). Everything else, such as load balancers, is not looked at.
 */
import { type FieldNames, fieldNames } from "../shared/named-fields.ts";

/** One kind of object. */
export interface RecordObject {
  /** As in the path. */
  readonly object: string;
  readonly type: string;
  readonly form: FieldNames;
  /** Fields that an answer shall have. */
  readonly fields: string;
  /** Its value can be changed; else another object takes its place. */
  readonly isChangeable: boolean;
  /** Only shown: an object of its own meaning, or one that needs more than a record has. */
  readonly isReadOnly: boolean;
}

/** What all records have. */
const COMMON_FIELDS = "name,ttl,use_ttl,disable";

function written(type: string, text: string): RecordObject {
  const form = fieldNames(text);
  const names = form.map(([name]) => name).join(",");
  return {
    object: `record:${type.toLowerCase()}`,
    type,
    form,
    fields: `${COMMON_FIELDS},${names}`,
    isChangeable: true,
    isReadOnly: false,
  };
}

/** A host: addresses for name servers, DHCP and address management at once. */
export const HOST_OBJECT = "record:host";

/** In the order in which they are asked for. */
export const RECORD_OBJECTS: readonly RecordObject[] = [
  written("A", "ipv4addr"),
  // The vendor's schema names `ipv6addr` for searches, and not for changes.
  { ...written("AAAA", "ipv6addr"), isChangeable: false },
  written("CAA", "ca_flag:number ca_tag ca_value:text"),
  written("CNAME", "canonical"),
  written("DNAME", "target"),
  written("MX", "preference:number mail_exchanger"),
  written(
    "NAPTR",
    "order:number preference:number flags:text services:text regexp:text replacement",
  ),
  written("PTR", "ptrdname"),
  written("SRV", "priority:number weight:number port:number target"),
  written("TLSA", "certificate_usage:number selector:number matched_type:number certificate_data"),
  written("TXT", "text:rest"),
  // It is made with the addresses of the server, and has no TTL of its own.
  { ...written("NS", "nameserver"), fields: "name,nameserver", isReadOnly: true },
  { ...written("ALIAS", "target_name"), isReadOnly: true },
  {
    object: HOST_OBJECT,
    type: "",
    form: [],
    fields: `${COMMON_FIELDS},configure_for_dns,ipv4addrs,ipv6addrs`,
    isChangeable: false,
    isReadOnly: true,
  },
];

/** Types that can be written. */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  RECORD_OBJECTS.filter(({ isReadOnly }) => !isReadOnly).map(({ type }) => type),
);

/** Those of them whose values are not changed: another object takes the place. */
export const REWRITTEN_TYPES: ReadonlySet<string> = new Set(
  RECORD_OBJECTS.filter((one) => !one.isReadOnly && !one.isChangeable).map(({ type }) => type),
);

/** Of a type that is written. */
export const OBJECT_OF: ReadonlyMap<string, RecordObject> = new Map(
  RECORD_OBJECTS.map((one) => [one.type, one]),
);
