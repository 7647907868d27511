/**
 * Reads single names without transferring the zone. Answers to queries are not the zone's data as
 * such: a wildcard, a DNAME or a delegation can make them up (RFC 4592 §3.3, RFC 6672 §3, RFC 1034
 * §4.3.2). Only what certainly stands at the name is taken; every name in doubt is read from one
 * transfer.
 *
 * Why that is safe. A name that does not exist is answered from the wildcard of its closest
 * encloser, and so is a random sibling of it, which has the same closest encloser. So if the
 * sibling is NXDOMAIN, or is answered differently, the answers for the name are its own. If both
 * are answered equally, the name may hold equal data or nothing: in doubt. The sibling is asked
 * before and after the name, so that a wildcard that comes or goes meanwhile shows as a difference
 * between the two, which is doubt as well.
 */
import { childName, type DnsName, isAtOrBelow, parentOf } from "../../model/dns-name.ts";
import { compareKeys, type RecordSet } from "../../model/record-set.ts";
import type { Random } from "../../ports/random.ts";
import { queryMessage } from "../../wire/message/compose.ts";
import type { Message, ResourceRecord } from "../../wire/message/message.ts";
import type { ZoneSnapshot } from "../provider.ts";
import { toRecordSets } from "./convert.ts";
import { rcodeFailure, readFailure } from "./explain-failure.ts";
import { NAMES_AT_A_TIME, NAMES_BY_QUERY_MAX, WRITABLE_TYPES } from "./limits.ts";
import { type ReadContext, readSoa, readWholeZone, tokenOf } from "./read-zone.ts";

/** Asked one by one, as servers may answer ANY with a part only (RFC 8482 §4). */
const ASKED_TYPES: readonly string[] = [...WRITABLE_TYPES];

/** What is read. */
export interface NamesRequest {
  readonly zone: DnsName;
  readonly names: readonly DnsName[];
  readonly random: Random;
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
  if (names.length > NAMES_BY_QUERY_MAX) return readFromTransfer(context, zone, names);
  const token = tokenOf(await readSoa(context, zone));
  const siblings = siblingsOf(names, request);
  const probe: AskName = (name) => askSibling(context, zone, name);
  const before = await askEach([...siblings.values()], probe);
  const own = await askEach(names, (name) => askAll(context, zone, name));
  const after = await askEach([...siblings.values()], probe);
  const isCertain = (name: DnsName): boolean => {
    const sibling = siblings.get(parentOf(name) ?? name);
    const asked = own.get(name);
    if (asked === undefined || asked.isDoubtful) return false;
    return name === zone || !isLikeSibling(asked, before.get(sibling), after.get(sibling));
  };
  const sets = names.filter(isCertain).flatMap((name) => own.get(name)?.sets ?? []);
  const doubtful = names.filter((name) => !isCertain(name));
  if (doubtful.length === 0) return { sets: [...sets].sort(compareKeys), token };
  const transferred = await readFromTransfer(context, zone, doubtful);
  return { sets: [...sets, ...transferred.sets].sort(compareKeys), token };
}

/**
 * A random sibling for each parent that is not outside the zone; a name too long to have one stays
 * in doubt.
 */
function siblingsOf(
  names: readonly DnsName[],
  { zone, random }: NamesRequest,
): ReadonlyMap<DnsName, DnsName> {
  const siblings = new Map<DnsName, DnsName>();
  for (const name of names) {
    const parent = name === zone ? null : parentOf(name);
    if (parent === null || siblings.has(parent)) continue;
    const hex = [...random.bytes(8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const sibling = childName(`probe-${hex}`, parent);
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
  if (before === undefined || after === undefined || before.isDoubtful || after.isDoubtful)
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
  readonly isDoubtful: boolean;
}

/** What a wildcard says about a name that does not exist; nothing = there is no wildcard for it. */
async function askSibling(context: ReadContext, zone: DnsName, name: DnsName): Promise<Asked> {
  const first = await askOne(context, name, "A");
  const isFree = first.rcode === "NXDOMAIN" && first.answer.length === 0 && first.authoritative;
  return isFree ? { sets: [], isDoubtful: false } : askAll(context, zone, name);
}

/** All that the server says about one name. */
async function askAll(context: ReadContext, zone: DnsName, name: DnsName): Promise<Asked> {
  const types = ["ANY", ...ASKED_TYPES, ...(name === zone ? ["SOA"] : [])];
  const records: ResourceRecord[] = [];
  let isDoubtful = false;
  for (const type of types) {
    const message = await askOne(context, name, type);
    records.push(...message.answer.filter((record) => isOwn(record, name, type)));
    isDoubtful ||= isIndirect(message);
  }
  return { sets: toRecordSets(zone, records), isDoubtful };
}

/**
 * Its data, of the type that was asked for: not the rest of a CNAME chain. From ANY only types not
 * asked by themselves.
 */
function isOwn(record: ResourceRecord, name: DnsName, asked: string): boolean {
  if (record.name !== name) return false;
  if (asked !== "ANY") return record.type === asked;
  // RFC 8482 §4.2: HINFO may be made up as an answer to ANY.
  return record.type !== "HINFO" && record.type !== "SOA" && !ASKED_TYPES.includes(record.type);
}

/** A referral (no AA: RFC 1034 §4.3.2 step 3b), a DNAME above, or an answer that was cut. */
function isIndirect(message: Message): boolean {
  return (
    !message.authoritative ||
    message.truncated ||
    message.answer.some((record) => record.type === "DNAME")
  );
}

async function askOne(context: ReadContext, name: DnsName, type: string): Promise<Message> {
  const { client, signal } = context;
  const answer = await client.ask(queryMessage(client.nextId(), { name, type }), signal);
  const what = `${type} of ${name} at ${context.endpoint}`;
  if (answer.status !== "answer") throw readFailure(what, answer, context.nowSeconds());
  const { rcode } = answer.message;
  // RFC 2308 §2.1: with a CNAME chain NXDOMAIN is about its end; the answer section still counts.
  if (rcode === "NOERROR" || rcode === "NXDOMAIN") return answer.message;
  throw rcodeFailure(what, rcode);
}
