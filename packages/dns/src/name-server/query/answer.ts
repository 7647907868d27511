/**
 * The authoritative answer to one question from one zone version (RFC 1034 §4.3.2, RFC 2308, RFC
 * 4592, RFC 6672). Pure. Answers are minimal: authority and additional sections only where a
 * resolver needs them.
 */
import { type DnsName, isAtOrBelow, parentOf, trustedDnsName } from "../../names/dns-name.ts";
import { dnsNameToRdataName, nameLabels, rdataNameToDnsName } from "../../rdata/name-text.ts";
import type { RecordType } from "../../rdata/rdata-format.ts";
import type { Question, Rcode, ResourceRecord } from "../../wire/message/message.ts";
import {
  findSet,
  recordsOf,
  type TypeSet,
  type ZoneRecord,
  type ZoneVersion,
} from "../zone/zone-version.ts";

/** The parts of a response that depend on data. */
export interface Answer {
  readonly rcode: Rcode;
  /** AA; applies to the first owner name of the answer (RFC 1035 §4.1.1). */
  readonly authoritative: boolean;
  readonly answer: readonly ResourceRecord[];
  readonly authority: readonly ResourceRecord[];
  readonly additional: readonly ResourceRecord[];
}

/** CNAMEs and DNAMEs that are followed before the resolver must go on. */
const CHAIN_LENGTH_MAX = 16;

/**
 * Answers a question whose name lies in the zone. CNAMEs and DNAMEs are followed inside the zone
 * only.
 */
export function answerQuestion(zone: ZoneVersion, question: Question): Answer {
  const chain: ResourceRecord[] = [];
  const seen = new Set<DnsName>();
  let name = question.name;
  for (;;) {
    seen.add(name);
    const location = locate(zone, name, question.type);
    const step = stepFrom(location, name, question.type);
    if (step === null) return conclude(zone, location, { name, type: question.type }, chain);
    // A DNAME that is met again is in the answer already.
    chain.push(...step.records.filter((record) => !chain.some((known) => isSame(known, record))));
    const { target } = step;
    // RFC 6672 §2.2: the new name would be too long.
    if (target === null) return { ...positive(chain), rcode: "YXDOMAIN" };
    if (takesAlias(question.type)) return positive(chain);
    const ends = seen.has(target) || seen.size > CHAIN_LENGTH_MAX;
    if (ends || !isAtOrBelow(target, zone.apex)) return positive(chain);
    name = target;
  }
}

function isSame(a: ResourceRecord, b: ResourceRecord): boolean {
  return a.name === b.name && a.type === b.type && a.data === b.data;
}

/** The end of the chain: data, a referral, or one of the two negative answers. */
function conclude(
  zone: ZoneVersion,
  location: Location,
  { name, type }: Pick<Question, "name" | "type">,
  chain: readonly ResourceRecord[],
): Answer {
  if (location.is === "delegation") return referral(zone, location, chain);
  if (location.is !== "node") return { ...negative(zone, chain), rcode: "NXDOMAIN" };
  // ANY is answered with one set of the name, the first by type, as RFC 8482 §4.1 allows.
  const set = type === "ANY" ? location.sets[0] : findSet(location.sets, type);
  if (set === undefined) return negative(zone, chain);
  return positive([...chain, ...recordsOf(name, set)]);
}

/** One step along aliases. */
interface AliasStep {
  /** What goes into the answer for it. */
  readonly records: readonly ResourceRecord[];
  /** Null = the name that a DNAME makes is longer than a name may be. */
  readonly target: DnsName | null;
}

/** The alias or redirection that a question meets; null when there is none, or it is asked for. */
function stepFrom(location: Location, name: DnsName, type: RecordType): AliasStep | null {
  if (location.is === "redirected") return redirection(location, name);
  if (location.is !== "node" || takesAlias(type)) return null;
  const alias = findSet(location.sets, "CNAME");
  return alias === undefined ? null : { records: recordsOf(name, alias), target: targetOf(alias) };
}

/**
 * The DNAME, and a CNAME with its TTL (RFC 6672 §3.1) whose target is `name` with the DNAME's owner
 * at its end replaced by the DNAME's target (§2.2).
 */
function redirection(
  { owner, dname }: { readonly owner: DnsName; readonly dname: TypeSet },
  name: DnsName,
): AliasStep {
  const records = recordsOf(owner, dname);
  const prefix = owner === "" ? name : name.slice(0, name.length - owner.length - 1);
  const end = targetOf(dname);
  const target = trustedDnsName(end === "" ? prefix : `${prefix}.${end}`);
  if (!nameLabels(target).ok) return { records, target: null };
  const { ttlSeconds } = dname;
  const data = dnsNameToRdataName(target);
  return { records: [...records, { name, type: "CNAME", class: "IN", ttlSeconds, data }], target };
}

/** True when an alias is itself the answer, also the CNAME that is made from a DNAME. */
const takesAlias = (type: RecordType): boolean => type === "CNAME" || type === "ANY";

/**
 * Data, or an alias that leads out of the zone; nothing in authority, as minimal responses have it.
 */
function positive(answer: readonly ResourceRecord[]): Answer {
  return { rcode: "NOERROR", authoritative: true, answer, authority: [], additional: [] };
}

/**
 * NODATA, or NXDOMAIN with that rcode: the SOA has the time for which it may be cached (RFC 2308
 * §2, §5).
 */
function negative(zone: ZoneVersion, chain: readonly ResourceRecord[]): Answer {
  const ttlSeconds = Math.min(zone.soaRecord.ttlSeconds, zone.soa.minimumSeconds);
  return { ...positive(chain), authority: [{ ...zone.soaRecord, ttlSeconds }] };
}

/**
 * NS records of a cut with the addresses that the zone has for them (RFC 1034 §4.3.2 step 3b, RFC
 * 9471).
 */
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
  const sets = zone.node(name)?.sets ?? [];
  return sets
    .filter((set) => set.type === "A" || set.type === "AAAA")
    .flatMap((set) => recordsOf(name, set));
}

function targetOf(alias: TypeSet): DnsName {
  return rdataNameToDnsName(alias.values[0] ?? "");
}

// Finds what a zone has for a name: the node itself, a delegation or a DNAME above it, a wildcard,
// or nothing (RFC 1034 §4.3.2 step 3, RFC 4592 §3.3.1, RFC 6672 §3.2). Pure; does not build
// answers.

/** What a name of a zone is. */
type Location =
  /** The name exists, or a wildcard matches it; `sets` may be empty (an empty non-terminal). */
  | { readonly is: "node"; readonly sets: readonly TypeSet[] }
  /** The name lies at or below a zone cut; `ns` is the NS set there. */
  | { readonly is: "delegation"; readonly cut: DnsName; readonly ns: TypeSet }
  /** The name lies below a DNAME, whatever else the zone holds there (RFC 6672 §2.3: occluded). */
  | { readonly is: "redirected"; readonly owner: DnsName; readonly dname: TypeSet }
  /** The name does not exist and no wildcard covers it. */
  | { readonly is: "nothing" };

/**
 * Walks from the apex down to `name`, which must be at or below the apex, up to a zone cut or a
 * DNAME. At a name with both the cut counts: names below it belong to the child zone.
 */
function locate(zone: ZoneVersion, name: DnsName, type: RecordType): Location {
  let encloser = zone.apex;
  for (const ancestor of pathFrom(zone.apex, name)) {
    const sets = zone.node(ancestor)?.sets;
    if (sets === undefined) {
      // RFC 4592 §3.3.1: only the wildcard right below the closest encloser may stand for the name.
      const wildcard = zone.node(trustedDnsName(encloser === "" ? "*" : `*.${encloser}`));
      return wildcard === undefined ? { is: "nothing" } : { is: "node", sets: wildcard.sets };
    }
    // RFC 4035 §3.1.4.1: the DS of a child zone is answered by its parent.
    const mayBeCut = ancestor !== zone.apex && (type !== "DS" || ancestor !== name);
    const ns = mayBeCut ? findSet(sets, "NS") : undefined;
    if (ns !== undefined) return { is: "delegation", cut: ancestor, ns };
    const dname = ancestor === name ? undefined : findSet(sets, "DNAME");
    if (dname !== undefined) return { is: "redirected", owner: ancestor, dname };
    encloser = ancestor;
  }
  return { is: "node", sets: zone.node(name)?.sets ?? [] };
}

/** The names from the apex down to `name`, both included. */
function pathFrom(apex: DnsName, name: DnsName): readonly DnsName[] {
  const path: DnsName[] = [];
  for (let at: DnsName | null = name; at !== null; at = parentOf(at)) {
    path.push(at);
    if (at === apex) break;
  }
  return path.reverse();
}
