/**
 * Follows the CNAME at a name to its end, through the zones that are open here, then by the
 * resolver, and says whether the end answers. For `explain`; nothing is decided by it.
 */
import { type DnsName, parseDnsName } from "@zonekeeper/dns/names/dns-name";
import type { RecordSet } from "../../model/record-set.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import type { Instance, Work } from "../compose/instance.ts";

/** The end of a chain of CNAMEs. */
export interface AliasEnd {
  /** Targets, in the order in which they are followed; never empty. */
  readonly chain: readonly DnsName[];
  /**
   * Whether the end has an answer. `nowhere`: the last target has no address, or the chain has no
   * end.
   */
  readonly is: "answers" | "nowhere" | "unknown";
}

interface Asked extends Pick<Instance, "hasAddress"> {
  readonly work: Pick<Work, "explain">;
}

type Known = Pick<NameExplanation, "name" | "current" | "synthesized">;

/** Longest chain that is followed; servers follow about as many (BIND: 16). */
const ALIASES_MAX = 8;

/** Null = there is no alias at the name. Never rejects. */
export async function aliasEnd(instance: Asked, known: Known): Promise<AliasEnd | null> {
  const chain: DnsName[] = [];
  // Names such as `_acme-challenge` and `_domainkey` lead to TXT records, not to addresses.
  const needsAddress = !/(?:^|\.)_/.test(known.name);
  let last: Known | null = known;
  let target = targetOf(known);
  while (target !== null && chain.length <= ALIASES_MAX) {
    chain.push(target);
    // The records of the open zone with the longest apex; null = not known.
    const zones = await instance.work.explain(target);
    const [zone] = zones.toSorted((a, b) => b.apex.length - a.apex.length);
    last =
      zone === undefined || zone.unread !== undefined || zone.isDelegated === true ? null : zone;
    target = last === null ? null : targetOf(last);
  }
  const [end] = chain.slice(-1);
  if (end === undefined) return null;
  if (target !== null) return { chain, is: "nowhere" };
  if (last === null)
    return { chain, is: endOf(needsAddress ? await instance.hasAddress(end) : null) };
  const answering = answersOf(last).filter(({ type }) => !needsAddress || ADDRESS_TYPES.has(type));
  return { chain, is: endOf(answering.length > 0) };
}

function endOf(found: boolean | null): AliasEnd["is"] {
  if (found === null) return "unknown";
  return found ? "answers" : "nowhere";
}

function targetOf(known: Known): DnsName | null {
  const alias = answersOf(known).find(({ type }) => type === "CNAME");
  const target = parseDnsName(alias?.values[0]?.replace(/\.$/, "") ?? "");
  return target.ok ? target.value : null;
}

function answersOf({ synthesized, current }: Known): readonly RecordSet[] {
  return synthesized?.sets ?? current;
}

/** DNAME and ALIAS count as addresses: what they answer is not known here. */
const ADDRESS_TYPES: ReadonlySet<string> = new Set(["A", "AAAA", "ALIAS", "DNAME"]);
