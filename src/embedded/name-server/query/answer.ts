/**
 * The authoritative answer to one question from one zone version (RFC 1034 §4.3.2, RFC 2308, RFC 4592).
 * Pure. Answers are minimal: authority and additional sections only where a resolver needs them.
 */
import { type DnsName, isAtOrBelow } from "../../../model/dns-name.ts";
import { rdataNameToDnsName } from "../../../model/rdata/name-text.ts";
import type { RecordType } from "../../../model/record-set.ts";
import type { Question, Rcode, ResourceRecord } from "../../../wire/message/message.ts";
import {
  findSet,
  recordsOf,
  type TypeSet,
  type ZoneRecord,
  type ZoneVersion,
} from "../zone/zone-version.ts";
import { type Location, locate } from "./locate.ts";

/** The parts of a response that depend on data. */
export interface Answer {
  readonly rcode: Rcode;
  /** AA; speaks for the first owner name of the answer (RFC 1035 §4.1.1). */
  readonly authoritative: boolean;
  readonly answer: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  readonly additional: readonly ResourceRecord[];
}

/** CNAMEs that are followed before the rest is left to the resolver. */
const CHAIN_LENGTH_MAX = 16;

/** Answers a question whose name lies in the zone. CNAMEs are followed inside the zone only. */
export function answerQuestion(zone: ZoneVersion, question: Question): Answer {
  const chain: ResourceRecord[] = [];
  const seen = new Set<DnsName>();
  let name = question.name;
  for (;;) {
    seen.add(name);
    const location = locate(zone, name, question.type);
    const alias = aliasIn(location, question.type);
    if (alias === undefined) return conclude(zone, { location, name, type: question.type, chain });
    chain.push(...recordsOf(name, alias));
    const target = targetOf(alias);
    const ends = seen.has(target) || seen.size > CHAIN_LENGTH_MAX;
    if (ends || !isAtOrBelow(target, zone.apex)) return positive(chain);
    name = target;
  }
}

/** Where the chain of aliases has led. */
interface Reached {
  readonly location: Location;
  readonly name: DnsName;
  readonly type: RecordType;
  readonly chain: readonly ResourceRecord[];
}

/** The end of the chain: data, a referral, or one of the two negative answers. */
function conclude(zone: ZoneVersion, reached: Reached): Answer {
  const { location, name, type, chain } = reached;
  switch (location.is) {
    case "delegation":
      return referral(zone, location, chain);
    case "nothing":
      return { ...negative(zone, chain), rcode: "NXDOMAIN" };
    case "node": {
      const set = setFor(location.sets, type);
      if (set === undefined) return negative(zone, chain);
      return positive([...chain, ...recordsOf(name, set)]);
    }
  }
}

/** The CNAME that redirects a question; undefined when there is none or it is itself asked for. */
function aliasIn(location: Location, type: RecordType): TypeSet | undefined {
  if (location.is !== "node" || type === "CNAME" || type === "ANY") return undefined;
  return findSet(location.sets, "CNAME");
}

/** ANY is answered with one set of the name, the first by type, as RFC 8482 §4.1 allows. */
function setFor(sets: readonly TypeSet[], type: RecordType): TypeSet | undefined {
  return type === "ANY" ? sets[0] : findSet(sets, type);
}

/** Data, or an alias that leads out of the zone; nothing in authority, as minimal responses have it. */
function positive(answer: readonly ResourceRecord[]): Answer {
  return { rcode: "NOERROR", authoritative: true, answer, authority: [], additional: [] };
}

/** NODATA, or NXDOMAIN with that rcode: the SOA says how long it may be kept (RFC 2308 §2, §5). */
function negative(zone: ZoneVersion, chain: readonly ResourceRecord[]): Answer {
  const ttlSeconds = Math.min(zone.soaRecord.ttlSeconds, zone.soa.minimumSeconds);
  return { ...positive(chain), authority: [{ ...zone.soaRecord, ttlSeconds }] };
}

/** NS records of a cut with the addresses that the zone has for them (RFC 1034 §4.3.2 step 3b, RFC 9471). */
function referral(
  zone: ZoneVersion,
  at: { readonly cut: DnsName; readonly ns: TypeSet },
  chain: readonly ResourceRecord[],
): Answer {
  const glue = at.ns.values.flatMap((target) => addresses(zone, rdataNameToDnsName(target)));
  return {
    rcode: "NOERROR",
    authoritative: chain.length > 0,
    answer: chain,
    authority: recordsOf(at.cut, at.ns),
    additional: glue,
  };
}

/** Glue: data of the zone at a name below a cut, which is not answered otherwise. */
function addresses(zone: ZoneVersion, name: DnsName): readonly ZoneRecord[] {
  if (!isAtOrBelow(name, zone.apex)) return [];
  const sets = zone.node(name)?.sets ?? [];
  return sets
    .filter((set) => set.type === "A" || set.type === "AAAA")
    .flatMap((set) => recordsOf(name, set));
}

function targetOf(alias: TypeSet): DnsName {
  return rdataNameToDnsName(alias.values[0] ?? "");
}
