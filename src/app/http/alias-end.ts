/**
 * Where the alias at a name leads: through the zones that are open here, then by the resolver. For
 * `explain`; nothing is decided by it.
 */
import { type DnsName, parseDnsName } from "../../model/dns-name.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { NameExplanation } from "../../sync/contract/name-explanation.ts";
import type { Instance } from "./instance.ts";

/** The end of a chain of CNAMEs. */
export interface AliasEnd {
  /** Targets in their order; never empty. */
  readonly chain: readonly DnsName[];
  /** `nowhere`: the last target has no address, or the chain has no end. */
  readonly is: "answers" | "nowhere" | "unknown";
}

type Asked = Pick<Instance, "explain" | "hasAddress">;
type Known = Pick<NameExplanation, "name" | "current" | "synthesized">;

/** Servers follow about as many (BIND: 16). */
const ALIASES_MAX = 8;

/** Null = there is no alias at the name. Never rejects. */
export async function aliasEnd(instance: Asked, known: Known): Promise<AliasEnd | null> {
  const chain: DnsName[] = [];
  // Names as `_acme-challenge` and `_domainkey` lead to texts.
  const needsAddress = !/(?:^|\.)_/.test(known.name);
  for (let at: Known | null = known; at !== null; ) {
    const answers = at.synthesized?.sets ?? at.current;
    const target = targetOf(answers);
    if (target === null) {
      if (chain.length === 0) return null;
      const isThere = needsAddress ? answers.some(isAnswer) : answers.length > 0;
      return { chain, is: isThere ? "answers" : "nowhere" };
    }
    chain.push(target);
    if (chain.length > ALIASES_MAX) return { chain, is: "nowhere" };
    at = await knownAt(instance, target);
  }
  const [last] = chain.slice(-1);
  if (last === undefined || !needsAddress)
    return last === undefined ? null : { chain, is: "unknown" };
  const found = await instance.hasAddress(last);
  return { chain, is: found === null ? "unknown" : found ? "answers" : "nowhere" };
}

/** What the zone has that is in charge of the name; null = none here, or it is not known. */
async function knownAt(instance: Asked, name: DnsName): Promise<Known | null> {
  const zones = await instance.explain(name);
  const [zone] = zones.toSorted((a, b) => b.apex.length - a.apex.length);
  if (zone === undefined || zone.unread !== undefined || zone.isDelegated === true) return null;
  return zone;
}

function targetOf(sets: readonly RecordSet[]): DnsName | null {
  const alias = sets.find(({ type }) => type === "CNAME");
  const target = parseDnsName(alias?.values[0]?.replace(/\.$/, "") ?? "");
  return target.ok ? target.value : null;
}

/** A DNAME makes an alias that leads elsewhere; what a provider answers for ALIAS is its own. */
function isAnswer({ type }: RecordSet): boolean {
  return ["A", "AAAA", "ALIAS", "DNAME"].includes(type);
}
