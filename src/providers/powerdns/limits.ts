/** Limits of the API of PowerDNS Authoritative Server and what it can do; each with its source. */
import { RDATA_FORMATS } from "@zonekeeper/dns/rdata/index";
import type { Capabilities } from "../provider.ts";

/** Types that both sides know; the server keeps others, which are read. */
export const WRITABLE_TYPES: ReadonlySet<string> = new Set(
  RDATA_FORMATS.map(({ type }) => type).filter((type) => type !== "SOA"),
);

/** RFC 2181 §8. */
export const TTL_SECONDS_MAX = 2_147_483_647;
/** Names that are asked for one by one rather than the whole zone, which is one answer. */
export const QUESTIONS_MAX = 5;

const NEVER = { absent: "never", exact: "never" } as const;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // A PATCH is one transaction: "one bad RRset → 422 and nothing applied", tried on 4.7.3. REPLACE
  // is blind, and there is no ETag.
  atomicity: "zone",
  preconditions: { written: NEVER, others: NEVER },
  wholeSets: true,
  // "Conflicts with pre-existing RRset".
  cnameConflicts: "refused",
  // A LUA record answers as the type that its content begins with, or not at all.
  ownTypes: { ALIAS: "alias", LUA: "alias" },
  // webserver-max-bodysize is 2 MB: a value is about 100 bytes of JSON beside its own.
  batch: { groupsMax: 1000, valuesMax: 5000, charactersMax: 500_000 },
  ttl: { minSeconds: 0, maxSeconds: TTL_SECONDS_MAX },
  rate: null,
};
