/** Limits of etcd and of CoreDNS's plug-in etcd, and what they can do; each with its source. */
import type { Capabilities } from "../provider.ts";

/**
 * Those that the plug-in answers as they are written: it turns the weights of SRV, and a host with
 * `mail` answers questions for addresses as a CNAME (plugin/backend_lookup.go: `SRV`, `A`).
 */
const WRITABLE_TYPES: ReadonlySet<string> = new Set("A AAAA CNAME PTR TXT".split(" "));

/** Seconds of a record that tells none (plugin/etcd/etcd.go: `ttl`). */
export const TTL_SECONDS_DEFAULT = 300;
/** plugin/etcd/msg/service.go, `split255`: where a text is cut. */
export const TEXT_CHARACTERS_MAX = 255;
/** `--max-txn-ops` of etcd, by default: compares and changes of one transaction, each. */
export const OPERATIONS_MAX = 128;
/** Values of one record set: they go in one transaction, with their compares. */
export const VALUES_MAX = 50;
/** Keys of one page of a reading. */
export const KEYS_PER_PAGE = 2000;
/** Names that are asked for one by one rather than the whole zone. */
export const QUESTIONS_MAX = 5;

const COMPARED = { absent: "implied", exact: "implied" } as const;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // One transaction, which compares all keys of all names that it is about.
  atomicity: "zone",
  preconditions: { written: COMPARED, others: COMPARED },
  cnameConflicts: "refused",
  // A new name and its marker are two values and four compares, a change or removal has six, and a
  // fence record three; what takes more waits for the next transaction.
  batch: {
    groupsMax: OPERATIONS_MAX / 2,
    comparesMax: OPERATIONS_MAX,
    valuesMax: OPERATIONS_MAX,
  },
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  rate: null,
  zoneListing: "configured",
};
