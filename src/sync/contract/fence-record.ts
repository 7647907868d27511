/**
 * The fence record: one TXT record set for each zone and owner id, which names the election domain
 * that writes there and the epoch of its term (Z-17). Text ⇄ data and its name; decides
 * nothing. Pure.
 */
import { childName, type DnsName } from "../../model/dns-name.ts";
import { fingerprint64 } from "../../model/fingerprint.ts";
import { txtFromText, txtToText } from "../../model/rdata/txt.ts";
import type { RecordSet } from "../../model/record-set.ts";

/** Who may write. */
export interface FenceRecord {
  /**
   * Election domain: coordination cluster UID, Lease namespace and name, joined by `/`. Never
   * empty.
   */
  readonly domain: string;
  /** Term of the writer; rises with each acquisition of the Lease. 0 or more. */
  readonly epoch: number;
  /** Another domain that has the same owner id: nobody writes. Null = nobody disputes it. */
  readonly contestedBy: string | null;
  /**
   * Domains that a person took the owner id from, the latest first, at most `DISMISSED_MAX`: they
   * stop without dispute.
   */
  readonly dismissed: readonly string[];
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
 * Parent of all fences of a zone: a delegation or an alias there would hide them. Null = as above.
 */
export function fenceParent(apex: DnsName): DnsName | null {
  return childName(FENCE_LABEL, apex);
}

/** True of names that only fences have, of any owner: no record of a user is there. */
export function fenceNamesOf(apex: DnsName): (name: string) => boolean {
  const end = `.${FENCE_LABEL}.${apex}`;
  return (name) => name.endsWith(end);
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
    values: [txtFromText(fenceText(record))],
    properties: {},
    routingPolicy: null,
  };
}

/**
 * `v=1;domain=…;epoch=N`, then `contested=` and `dismissed=` where there are any. No `heritage=`,
 * so no tool's marker.
 */
export function fenceText({ domain, epoch, contestedBy, dismissed }: FenceRecord): string {
  return [
    "v=1",
    `domain=${escaped(domain)}`,
    `epoch=${epoch}`,
    ...(contestedBy === null ? [] : [`contested=${escaped(contestedBy)}`]),
    ...(dismissed.length === 0 ? [] : [`dismissed=${dismissed.map(escaped).join()}`]),
  ].join(";");
}

/** Null = not a fence of a version that we know. */
export function parseFence(set: Pick<RecordSet, "values" | "type">): FenceRecord | null {
  const [version, ...fields] = textOf(set).split(";");
  const field = (name: string): string | null =>
    fields.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
  const domain = plain(field("domain") ?? "");
  const epoch = field("epoch") ?? "";
  if (version !== "v=1" || domain === "" || !EPOCH.test(epoch)) return null;
  const [contestedBy = null] = namesIn(field("contested"));
  const dismissed = namesIn(field("dismissed")).slice(0, DISMISSED_MAX);
  return { domain, epoch: Number(epoch), contestedBy, dismissed };
}

/** Empty = it is no single text. */
function textOf({ values, type }: Pick<RecordSet, "values" | "type">): string {
  const [value] = values;
  const isText = type === "TXT" && values.length === 1 && value !== undefined;
  return isText ? (txtToText(value) ?? "") : "";
}

function namesIn(list: string | null): readonly string[] {
  return list === null ? [] : list.split(",").map(plain);
}

/** Keeps the separators of the form out of its values. */
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
