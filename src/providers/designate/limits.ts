/** Limits of OpenStack Designate (DNS API v2) and what it can do; each with its source. */
import type { Capabilities } from "../provider.ts";

/** `supported_record_type` of designate.conf, by default, as far as we know the types. */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  "A AAAA CAA CNAME MX NAPTR NS PTR SRV SSHFP TXT".split(" "),
);

/** `objects/recordset.py`: "maximum=2147483647". */
const TTL_SECONDS_MAX = 2_147_483_647;
/** `default_ttl` of designate.conf, where a zone tells none. */
export const TTL_SECONDS_DEFAULT = 3600;
/** `objects/rrdata_txt.py`: "Any TXT record string exceeding 255 characters", with its quotes. */
export const TEXT_CHARACTERS_MAX = 253;
/** `max_limit_v2` of designate.conf, by default; a server with less sends less. */
export const ITEMS_PER_PAGE = 1000;
/** Names that are asked for one by one rather than the whole zone. */
export const QUESTIONS_MAX = 5;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // One record set a call. A POST of one that exists is 409 `duplicate_recordset`; a PUT compares
  // nothing, and there is no ETag.
  atomicity: "set",
  preconditions: {
    written: { absent: "implied", exact: "never" },
    others: { absent: "never", exact: "never" },
  },
  wholeSets: true,
  // "CNAME recordsets may not share a name with any other records".
  cnameConflicts: "refused",
  batch: { groupsMax: 1 },
  ttl: { minSeconds: 0, maxSeconds: TTL_SECONDS_MAX },
  rate: null,
};
