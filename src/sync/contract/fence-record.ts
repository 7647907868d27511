/**
 * The fence record: one TXT record set for each zone and owner id, which names the election domain
 * (one installation) that writes there and the epoch, the number of its term of leadership (Z-17).
 * Converts it from and to text, and makes its name; decides nothing. Pure.
 */
import { compareText } from "@zonekeeper/base/compare-text";
import { childName, type DnsName } from "@zonekeeper/dns/names/dns-name";
import { txtFromText, txtToText } from "@zonekeeper/dns/rdata/txt";
import { fingerprint64 } from "../../model/fingerprint.ts";
import type { RecordSet } from "../../model/record-set.ts";

/** One value of the record set: which installation may write. */
export interface FenceRecord {
  /**
   * Election domain: its name (`--election`), else coordination cluster UID, Lease namespace and
   * name, joined by `/`. Never empty.
   */
  readonly domain: string;
  /** Term of the writer; rises with each acquisition of the Lease. 0 or more. */
  readonly epoch: number;
  /** Id of that term. Absent = an earlier version wrote it, or its terms have none. */
  readonly term?: string;
  /**
   * Another domain that has the same owner id, or the same domain in a copy of the cluster: nobody
   * writes. Null = nobody disputes it.
   */
  readonly contestedBy: string | null;
  /**
   * Domains that a person took the owner id from, the latest first, at most `DISMISSED_MAX`: they
   * stop without dispute.
   */
  readonly dismissed: readonly string[];
  /** First contact of this domain with the zone is over (Z-24). Absent = it is not known to be. */
  readonly met?: true;
  /** Other domains may write, too, each with a value of its own. Absent = none may. */
  readonly shared?: true;
  /** Values of other domains in the record set, as they are. Absent = there are none. */
  readonly beside?: readonly string[];
}

/**
 * RFC 8552 §1.1: only the underscored label next to the apex is registered. Owner ids differ below
 * it, so that fences make an empty non-terminal of our own label only.
 */
const FENCE_LABEL = "_zonekeeper-fence";
/** Domains that a fence remembers as dismissed. */
export const DISMISSED_MAX = 3;
/** Seconds; nobody resolves it, and it is read from the server itself. */
const FENCE_TTL_SECONDS = 300;
const EPOCH = /^\d{1,15}$/;

/** Name of the fence of an owner id; null = the apex is too long for it. */
export function fenceName(apex: DnsName, owner: string): DnsName | null {
  const parent = fenceParent(apex);
  return parent === null ? null : childName(fingerprint64(owner), parent);
}

/**
 * Parent of all fences of a zone: a delegation or an alias there would hide them. Null = the apex
 * is too long for it.
 */
export function fenceParent(apex: DnsName): DnsName | null {
  return childName(FENCE_LABEL, apex);
}

/**
 * Where a way into the zone is proven by a text of one use (Z-18): below the fences, so that
 * nothing else is there. Null = the apex is too long for it.
 */
export function wayProofName(apex: DnsName, way: string): DnsName | null {
  const parent = fenceParent(apex);
  return parent === null ? null : childName(`_way-${fingerprint64(way)}`, parent);
}

/** True of names that only fences and proofs of ways have: no record of a user is there. */
export function fenceNamesOf(apex: DnsName): (name: string) => boolean {
  const parent = fenceParent(apex);
  return (name) => parent !== null && name.endsWith(`.${parent}`);
}

/** The fence record as a record set; `ttl` = what the provider takes, seconds. */
export function fenceSet(
  name: DnsName,
  record: FenceRecord,
  ttl: { readonly minSeconds: number; readonly maxSeconds: number },
): RecordSet {
  return {
    name,
    type: "TXT",
    setIdentifier: null,
    ttlSeconds: Math.min(ttl.maxSeconds, Math.max(ttl.minSeconds, FENCE_TTL_SECONDS)),
    values: [...(record.beside ?? []), txtFromText(fenceText(record))].sort(compareText),
    properties: {},
    routingPolicy: null,
  };
}

/**
 * `v=1;domain=…;epoch=N`, then `term=`, `contested=`, `dismissed=`, `met=` and `shared=`, where
 * there are any.
 * No `heritage=`, so no tool's marker.
 */
export function fenceText(record: FenceRecord): string {
  const { domain, epoch, term, contestedBy, dismissed, met, shared } = record;
  return [
    "v=1",
    `domain=${escaped(domain)}`,
    `epoch=${epoch}`,
    ...(term === undefined ? [] : [`term=${escaped(term)}`]),
    ...(contestedBy === null ? [] : [`contested=${escaped(contestedBy)}`]),
    ...(dismissed.length === 0 ? [] : [`dismissed=${dismissed.map(escaped).join()}`]),
    ...(met === true ? ["met=1"] : []),
    ...(shared === true ? ["shared=1"] : []),
  ].join(";");
}

/** The fence; null = it is none, is of an unknown version, or has several domains. */
export function parseFence(set: Pick<RecordSet, "values" | "type">): FenceRecord | null {
  const [record = null, ...others] = parseFences(set) ?? [];
  return others.length === 0 ? record : null;
}

/** A record for each domain, in the order of the values. Null = a value cannot be read. */
export function parseFences({
  values,
  type,
}: Pick<RecordSet, "values" | "type">): readonly FenceRecord[] | null {
  const records = values.flatMap((value) => {
    const record = type === "TXT" ? parseText(txtToText(value) ?? "") : null;
    const beside = values.filter((other) => other !== value);
    return record === null ? [] : [{ ...record, ...(beside.length === 0 ? {} : { beside }) }];
  });
  return records.length === values.length ? records : null;
}

function parseText(text: string): FenceRecord | null {
  const [version, ...fields] = text.split(";");
  const field = (name: string): string | null =>
    fields.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const domain = plain(field("domain") ?? "");
  const epoch = field("epoch") ?? "";
  if (version !== "v=1" || domain === "" || !EPOCH.test(epoch)) return null;
  const [contestedBy = null] = namesIn(field("contested"));
  const dismissed = namesIn(field("dismissed")).slice(0, DISMISSED_MAX);
  const term = plain(field("term") ?? "");
  return {
    domain,
    epoch: Number(epoch),
    ...(term === "" ? {} : { term }),
    contestedBy,
    dismissed,
    ...(field("met") === "1" ? { met: true } : {}),
    ...(field("shared") === "1" ? { shared: true } : {}),
  };
}

function namesIn(list: string | null): readonly string[] {
  return list === null ? [] : list.split(",").map(plain);
}

/** Escapes the separators of the text in a field. */
function escaped(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/");
}

/** A text that is not escaped right was written by hand and is taken as it is. */
function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
