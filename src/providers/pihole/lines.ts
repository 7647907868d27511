/**
 * Lines of `dns.hosts` (`ADDRESS NAME…`), and of `dns.cnameRecords` (`NAME,…,TARGET[,TTL]`, that is
 * `--cname` of dnsmasq), as records, and what Pi-hole 6 can hold, each limit with its source (FTL's
 * `src/api/config.c`, 2026-11). Pure; decides nothing.
 */
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import { ipv4Bytes, ipv6Bytes } from "@zonekeeper/dns/rdata/addresses";
import type { Problem } from "../../model/problem.ts";
import { type RecordSet, recordSetKeyText } from "../../model/record-set.ts";
import type { Zone } from "../../model/zone.ts";
import type { Capabilities } from "../provider.ts";
import { nameFromUnicode, readRdata } from "../shared/dotted-rdata.ts";
import { normalizePlain } from "../shared/plain-sets.ts";
import { plainTroubles, toProblems } from "../shared/record-troubles.ts";

/** Lines of `dns.hosts` and `dns.cnameRecords`; there is no list of other records. */
const WRITABLE_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "CNAME"]);

/**
 * Seconds that stand for "none is said": dnsmasq answers such a record with its own TTL. Addresses
 * never say one.
 */
const TTL_SECONDS_UNSAID = 300;

const NEVER = { absent: "never", exact: "never" } as const;

/** See `Capabilities`. */
export const CAPABILITIES: Capabilities = {
  types: WRITABLE_TYPES,
  // One line a call; "Uniqueness of items is enforced", and nothing else is compared.
  atomicity: "value",
  preconditions: { written: NEVER, others: NEVER },
  // It would take a CNAME beside a line of hosts; the session does not send one.
  cnameConflicts: "refused",
  batch: { groupsMax: 1 },
  ttl: { minSeconds: 1, maxSeconds: 2_147_483_647 },
  // A line of `cnameRecords` restarts its resolver; the API gives no number.
  rate: { burst: 20, perSecond: 5 },
  zoneListing: "configured",
};

/** Lists of lines in the configuration, in the order in which they are read. */
export const LISTS = ["hosts", "cnameRecords"] as const;

/** One record. */
export interface Line {
  readonly list: (typeof LISTS)[number];
  /** As Pi-hole has it: a call names the line whole. */
  readonly text: string;
  readonly name: DnsName;
  readonly type: string;
  readonly value: string;
  readonly ttlSeconds: number;
  /** The line has other names, too: somebody else wrote it, and no call changes it. */
  readonly isShared: boolean;
}

/** The records of a line; null = it has none, and hides what it is. */
export function linesIn(list: Line["list"], text: string): readonly Line[] | null {
  return list === "hosts" ? hostLines(text) : cnameLines(text);
}

function hostLines(text: string): readonly Line[] | null {
  const [address = "", ...names] = text.replace(/#.*/, "").trim().split(/\s+/);
  const type = ipv4Bytes(address) === null ? "AAAA" : "A";
  if (names.length === 0 || (type === "AAAA" && ipv6Bytes(address) === null)) return null;
  const value = readRdata(type, address);
  const isShared = names.length > 1;
  const rest = { list: "hosts", text, type, value, ttlSeconds: TTL_SECONDS_UNSAID } as const;
  return names.map((name) => ({ ...rest, name: nameOf(name), isShared }));
}

function cnameLines(text: string): readonly Line[] | null {
  const fields = text.split(",").map((field) => field.trim());
  const ttl = fields.length > 2 && /^\d+$/.test(fields.at(-1) ?? "") ? Number(fields.pop()) : 0;
  const target = fields.pop() ?? "";
  if (target === "" || fields.length === 0 || fields.includes("")) return null;
  const [value, isShared] = [nameOf(target), fields.length > 1];
  const ttlSeconds = ttl || TTL_SECONDS_UNSAID;
  const rest = { list: "cnameRecords", text, type: "CNAME", value, ttlSeconds } as const;
  return fields.map((name) => ({ ...rest, name: nameOf(name), isShared }));
}

function nameOf(text: string): DnsName {
  return nameFromUnicode(text.toLowerCase());
}

/** A line for each value. */
export function linesOf({ name, type, values, ttlSeconds }: RecordSet): readonly Line[] {
  return values.map((value) => {
    const ttl = ttlSeconds === TTL_SECONDS_UNSAID ? "" : `,${ttlSeconds}`;
    const isCname = type === "CNAME";
    return {
      list: isCname ? "cnameRecords" : "hosts",
      text: isCname ? `${name},${value}${ttl}` : `${value} ${name}`,
      ttlSeconds: isCname ? ttlSeconds : TTL_SECONDS_UNSAID,
      ...{ name, type, value, isShared: false },
    };
  });
}

/** The set as it will be read. */
export function normalizeSet(set: RecordSet): RecordSet {
  const plain = normalizePlain(set, CAPABILITIES.ttl);
  return set.type === "CNAME" ? plain : { ...plain, ttlSeconds: TTL_SECONDS_UNSAID };
}

/** Empty = it can be written. */
export function auditSet(set: RecordSet, zone: Zone): readonly Problem[] {
  const names = set.type === "CNAME" ? [set.name, ...set.values] : [set.name];
  // Wildcards are none of either list, and other characters end a name there.
  const isOther = !names.every((name) => /^[a-z0-9._-]+$/.test(name));
  const message = `Pi-hole has no wildcards, and names of letters, digits, - and _ alone; ${recordSetKeyText(set)} cannot be written`;
  const troubles = plainTroubles(set, zone, { vendor: "Pi-hole", ...CAPABILITIES });
  return toProblems(set, troubles, [isOther, "InvalidName", message]);
}
