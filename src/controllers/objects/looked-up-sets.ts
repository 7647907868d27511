/**
 * Turns record sets whose values are host names to be looked up into record sets of addresses.
 * Remembers for each record set the addresses that it had before the present answers; after a
 * restart the zone itself says them (Z-31).
 */
import { canonicalValues } from "@zonekeeper/dns/rdata/index";
import type { Problem } from "../../model/problem.ts";
import { compareKeys, type DesiredRecordSet, type RecordSet } from "../../model/record-set.ts";
import type { HostAddresses } from "../../ports/resolver.ts";
import { type Found, objectTransferOf, type Waiting } from "../../sources/source.ts";
import type { ContributionReport } from "../../sync/contract/contribution.ts";
import {
  type AddressInput,
  addressesFor,
  isCertain,
  isEmpty,
  keptKinds,
} from "./host-addresses.ts";

/** The known facts of one host. */
export interface KnownHost {
  /** The last answer with an address; null = there was none yet. */
  readonly answer: HostAddresses | null;
  /** Why the last try gave no address; null = it gave one, or there was none yet. */
  readonly trouble: string | null;
}

/**
 * The addresses of our record set that the zone has; null = the zone was not read since the start.
 */
export type PublishedAt = (
  set: Pick<DesiredRecordSet, "name" | "setIdentifier">,
) => HostAddresses | null;

/** Where facts come from. */
export interface LookupFacts {
  readonly known: (host: string) => KnownHost;
  readonly publishedAt: PublishedAt;
}

/** The remembered facts of one record set. */
interface Memory {
  /** The host names, in the order of the record set. */
  readonly hosts: string;
  /** The addresses that were published before the present answers. */
  readonly before: HostAddresses;
  /** True = `hosts` was edited and not every host of the new list has answered yet. */
  readonly isEdited: boolean;
}

/** For all objects. */
export class LookedUpSets {
  /** By object, then by name and set identifier. */
  readonly #memories = new Map<string, Map<string, Memory>>();

  forget(id: string): void {
    this.#memories.delete(id);
  }

  /**
   * `found` with addresses. A name that has none yet is waiting, and problems say which host has no
   * answer.
   */
  resolved(
    id: string,
    found: Found<DesiredRecordSet>,
    facts: LookupFacts,
  ): Found<DesiredRecordSet> {
    const items: DesiredRecordSet[] = [];
    const waiting: Waiting[] = [];
    const troubles = new Set<string>();
    for (const item of found.items) {
      if (item.lookup === undefined) {
        items.push(item);
        continue;
      }
      const { addresses, kept } = this.#addressesOf(id, item, facts);
      for (const trouble of [...troublesOf(item, facts), ...kept]) troubles.add(trouble);
      if (addresses === null || /* clause: record-without-address-waits */ isEmpty(addresses))
        waiting.push({ name: item.name, reason: "Unresolved", provenance: item.provenance });
      else items.push(...setsOf(item, addresses));
    }
    return withTroubles({ found, items, waiting }, troubles);
  }

  #addressesOf(id: string, item: DesiredRecordSet, facts: LookupFacts): Answer {
    const memory = this.#memoryOf(id, item, facts);
    if (memory === null) return { addresses: null, kept: [] };
    const answers = item.values.map((host) => facts.known(host).answer);
    if (answers.every((answer) => answer === null)) return { addresses: null, kept: [] };
    const input: AddressInput = { answers, before: memory.before, isEdited: memory.isEdited };
    const addresses = addressesFor(input);
    if (isCertain(input))
      this.#remember(id, item, { ...memory, before: addresses, isEdited: false });
    return { addresses, kept: keptKinds(input).map(keptText) };
  }

  /** Null = the zone is not read yet: what it has is not known. */
  #memoryOf(id: string, item: DesiredRecordSet, { publishedAt }: LookupFacts): Memory | null {
    const hosts = item.values.join(" ");
    const present = this.#memories.get(id)?.get(memoryKey(item));
    if (present?.hosts === hosts) return present;
    const before =
      present?.before ?? /* clause: published-is-the-former-answer */ publishedAt(item);
    if (before === null) return null;
    const memory = { hosts, before, isEdited: present !== undefined };
    this.#remember(id, item, memory);
    return memory;
  }

  #remember(id: string, item: DesiredRecordSet, memory: Memory): void {
    const memories = this.#memories.get(id) ?? new Map<string, Memory>();
    memories.set(memoryKey(item), memory);
    this.#memories.set(id, memories);
  }
}

interface Answer {
  /** Null = nothing is known yet. */
  readonly addresses: HostAddresses | null;
  readonly kept: readonly string[];
}

function memoryKey({ name, setIdentifier }: DesiredRecordSet): string {
  return `${name} ${setIdentifier ?? ""}`;
}

function setsOf(item: DesiredRecordSet, { a, aaaa }: HostAddresses): readonly DesiredRecordSet[] {
  const { lookup: _, ...set } = item;
  const kinds = [
    { type: "A", values: a },
    { type: "AAAA", values: aaaa },
  ];
  return kinds
    .filter(({ values }) => values.length > 0)
    .map((kind): DesiredRecordSet => ({ ...set, ...kind }));
}

const NEVER_ANSWERED = "no record is made of it until it can, and one that exists stays";

function troublesOf({ values }: DesiredRecordSet, { known }: LookupFacts): readonly string[] {
  return values.flatMap((host) => {
    const { answer, trouble } = known(host);
    if (trouble === null) return [];
    const then = answer === null ? NEVER_ANSWERED : "its last addresses stay";
    return [`${host} cannot be looked up: ${trouble}; ${then}`];
  });
}

function keptText(kind: "A" | "AAAA"): string {
  return `no host has an ${kind} address any more; the last ones stay until the hosts are edited`;
}

interface Sorted {
  readonly found: Found<DesiredRecordSet>;
  readonly items: DesiredRecordSet[];
  readonly waiting: readonly Waiting[];
}

function withTroubles(
  { found, items, waiting }: Sorted,
  troubles: ReadonlySet<string>,
): Found<DesiredRecordSet> {
  const objectTransfer = objectTransferOf(found);
  const isBare = items.length === 0 && objectTransfer !== null;
  const problems = [...troubles]
    .sort()
    .map(
      (message): Problem => ({ code: "Unresolved", subject: "targets", message, field: "targets" }),
    );
  return {
    ...found,
    items: items.sort(compareKeys),
    waiting: [...found.waiting, ...waiting],
    problems: [...found.problems, ...problems],
    ...(isBare ? { objectTransfer } : {}),
  };
}

/**
 * The addresses of an object that its zones hold, from their reports. `reports`: the last one of
 * each zone; null = that zone has not reported since the start.
 */
export function publishedIn(reports: readonly (ContributionReport | null)[]): PublishedAt {
  return ({ name, setIdentifier }) => {
    const known = reports
      .flatMap((report) => report?.names ?? [])
      .filter((report) => report.name === name && report.isPublished !== null);
    if (known.length === 0) return null;
    const sets = known.flatMap((report) => report.sets);
    const valuesOf = (type: string): readonly string[] => {
      const isAsked = (set: RecordSet): boolean =>
        set.type === type && set.setIdentifier === setIdentifier;
      return canonicalValues(sets.filter(isAsked).flatMap(({ values }) => values));
    };
    return { a: valuesOf("A"), aaaa: valuesOf("AAAA") };
  };
}
