/**
 * Reads single names without transferring the zone. Answers to queries are not always data of the
 * zone: a wildcard, a DNAME or a delegation can synthesize them (RFC 4592 §3.3, RFC 6672 §3, RFC
 * 1034 §4.3.2). Only records that certainly exist at the name are taken; every uncertain name is
 * read from one transfer.
 *
 * Why that is safe. A name that does not exist is answered from the wildcard of its closest
 * encloser. A random sibling has the same closest encloser, so it is answered from the same
 * wildcard. So if the sibling is NXDOMAIN, or is answered differently, the records exist at the
 * name. If both are answered equally, the name may have equal data or none: it is uncertain. The
 * sibling is asked before and after the name: a wildcard that changes meanwhile makes the two
 * answers differ, and the name is uncertain as well.
 */
import { hexText } from "@zonekeeper/base/bytes";
import type { Random } from "@zonekeeper/base/ports/random";
import { childName, type DnsName, isAtOrBelow, parentOf } from "@zonekeeper/dns/names/dns-name";
import type { Rcode, ResourceRecord } from "@zonekeeper/dns/wire/message/message";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type { ZoneSnapshot } from "../provider.ts";
import { toRecordSets } from "./convert.ts";
import {
  NAMES_AT_A_TIME,
  NAMES_BY_QUERY_MAX,
  NAMES_BY_QUERY_MIN,
  SETS_PER_NAME,
  WRITABLE_TYPES,
} from "./limits.ts";
import { askOne, type ReadContext, readSoa, readWholeZone, tokenOf } from "./read-zone.ts";

/** Asked one by one, as servers may answer ANY with a part only (RFC 8482 §4). */
const ASKED_TYPES: readonly string[] = [...WRITABLE_TYPES];

/**
 * RFC 2308 §2.1: with a CNAME chain NXDOMAIN is about its end; the answer section still counts.
 */
const ANSWERED: readonly Rcode[] = ["NOERROR", "NXDOMAIN"];

/** Which names to read. */
export interface NamesRequest {
  readonly zone: DnsName;
  readonly names: readonly DnsName[];
  readonly random: Random;
  /** Record sets that the zone had when it was last transferred; null = not known. */
  readonly zoneSets: number | null;
}

/**
 * Record sets at exactly `names`, sorted by key. The token is the serial from before the first
 * query.
 */
export async function readNames(
  context: ReadContext,
  request: NamesRequest,
): Promise<ZoneSnapshot> {
  const { zone } = request;
  const names = [...new Set(request.names)].filter((name) => isAtOrBelow(name, zone));
  const { length: count } = names;
  const isSmall = request.zoneSets !== null && request.zoneSets < count * SETS_PER_NAME;
  // A transfer is cheaper.
  if (count > NAMES_BY_QUERY_MAX || (isSmall && count > NAMES_BY_QUERY_MIN))
    return readFromTransfer(context, zone, names);
  const token = tokenOf(await readSoa(context, zone));
  const siblings = siblingsOf(names, request);
  const probe: AskName = (name) => askSibling(context, zone, name);
  const before = await askEach([...siblings.values()], probe);
  const own = await askEach(names, (name) => askAll(context, zone, name));
  const after = await askEach([...siblings.values()], probe);
  const isCertain = (name: DnsName): boolean => {
    const sibling = siblings.get(parentOf(name) ?? name);
    const asked = own.get(name);
    if (asked === undefined || asked.isUncertain) return false;
    return name === zone || !isLikeSibling(asked, before.get(sibling), after.get(sibling));
  };
  const sets = names.filter(isCertain).flatMap((name) => own.get(name)?.sets ?? []);
  const uncertain = names.filter((name) => !isCertain(name));
  if (uncertain.length === 0) return { sets: [...sets].sort(compareKeys), token };
  const transferred = await readFromTransfer(context, zone, uncertain);
  return { sets: [...sets, ...transferred.sets].sort(compareKeys), token };
}

/**
 * A random sibling for each parent that is not outside the zone; a name too long to have one stays
 * uncertain.
 */
function siblingsOf(
  names: readonly DnsName[],
  { zone, random }: NamesRequest,
): ReadonlyMap<DnsName, DnsName> {
  const siblings = new Map<DnsName, DnsName>();
  for (const name of names) {
    const parent = name === zone ? null : parentOf(name);
    if (parent === null || siblings.has(parent)) continue;
    const sibling = childName(`probe-${hexText(random.bytes(8))}`, parent);
    if (sibling !== null) siblings.set(parent, sibling);
  }
  return siblings;
}

type AskName = (name: DnsName) => Promise<Asked>;

/** Asks for a few names at a time (`NAMES_AT_A_TIME`), each query by query. */
async function askEach(
  names: readonly DnsName[],
  ask: AskName,
): Promise<ReadonlyMap<DnsName | undefined, Asked>> {
  const asked = new Map<DnsName | undefined, Asked>();
  const queue = [...names];
  const work = async (): Promise<void> => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      asked.set(name, await ask(name));
  };
  await Promise.all(Array.from({ length: NAMES_AT_A_TIME }, work));
  return asked;
}

async function readFromTransfer(
  context: ReadContext,
  zone: DnsName,
  names: readonly DnsName[],
): Promise<ZoneSnapshot> {
  const wanted = new Set(names);
  const { sets, token } = await readWholeZone(context, zone);
  return { sets: sets.filter((set) => wanted.has(set.name)), token };
}

/** True when the answers for the name may come from a wildcard. */
function isLikeSibling(own: Asked, before: Asked | undefined, after: Asked | undefined): boolean {
  if (own.sets.length === 0) return false;
  if (before === undefined || after === undefined || before.isUncertain || after.isUncertain)
    return true;
  const fingerprint = dataText(before.sets);
  if (fingerprint !== dataText(after.sets)) return true;
  return fingerprint === dataText(own.sets);
}

/** Equal for equal types and values, whatever the name and the TTL. */
function dataText(sets: readonly RecordSet[]): string {
  return sets.map((set) => `${set.type} ${set.values.join(" ")}`).join("\n");
}

interface Asked {
  readonly sets: readonly RecordSet[];
  readonly isUncertain: boolean;
}

/** The wildcard's answers for a name that does not exist; empty = no wildcard covers the name. */
async function askSibling(context: ReadContext, zone: DnsName, name: DnsName): Promise<Asked> {
  const first = await askOne(context, [name, "A"], ANSWERED);
  const isFree = first.rcode === "NXDOMAIN" && first.answer.length === 0 && first.authoritative;
  return isFree ? { sets: [], isUncertain: false } : askAll(context, zone, name);
}

/** All answers of the server for one name. */
async function askAll(context: ReadContext, zone: DnsName, name: DnsName): Promise<Asked> {
  const types = ["ANY", ...ASKED_TYPES, ...(name === zone ? ["SOA"] : [])];
  const records: ResourceRecord[] = [];
  let isUncertain = false;
  for (const type of types) {
    const message = await askOne(context, [name, type], ANSWERED);
    records.push(...message.answer.filter((record) => isOwn(record, name, type)));
    // A referral (no AA: RFC 1034 §4.3.2 step 3b), a DNAME above, or an answer that was cut.
    isUncertain ||=
      !message.authoritative ||
      message.truncated ||
      message.answer.some((record) => record.type === "DNAME");
  }
  return { sets: toRecordSets(zone, records), isUncertain };
}

/**
 * True for data of the name and of the asked type, not for the rest of a CNAME chain. From ANY only
 * the types that are not asked separately.
 */
function isOwn(record: ResourceRecord, name: DnsName, asked: string): boolean {
  if (record.name !== name) return false;
  if (asked !== "ANY") return record.type === asked;
  // RFC 8482 §4.2: a server may synthesize HINFO as the answer to ANY.
  return record.type !== "HINFO" && record.type !== "SOA" && !ASKED_TYPES.includes(record.type);
}
