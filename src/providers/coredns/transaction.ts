/**
 * Change groups as one transaction of etcd. All keys of each name are compared with what was read:
 * nobody wrote there since, and none is gone. Pure.
 */
import { base64Text } from "@zonekeeper/base/bytes";
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { Fields } from "@zonekeeper/kube/objects/object-fields";
import type { ChangeGroup, Precondition } from "../../plan/changes.ts";
import { setsAfterGroup, writtenSet } from "../shared/vendor-session.ts";
import {
  type EtcdEntry,
  endOf,
  foldersOf,
  type KeySpace,
  normalizeSet,
  toSets,
  withoutValues,
  withSet,
} from "./convert.ts";
import { OPERATIONS_MAX } from "./limits.ts";

/** What is known of a name. */
export interface KnownName {
  readonly name: DnsName;
  /** Of the store when it was read; null = it was not: nothing is expected there. */
  readonly revision: string | null;
  readonly entries: readonly EtcdEntry[];
}

/** What is sent, and what is known after it. */
export interface Transaction {
  /** As etcd takes them. */
  readonly compares: readonly Fields[];
  readonly puts: readonly EtcdEntry[];
  /** Keys. */
  readonly deletes: readonly string[];
  readonly after: ReadonlyMap<DnsName, readonly EtcdEntry[]>;
  /** All names that are compared. */
  readonly names: ReadonlyMap<DnsName, KnownName>;
  /** Groups in it; the rest does not fit. */
  readonly groupCount: number;
  /** Indexes of groups whose record sets are not as they were read. */
  readonly changed: ReadonlySet<number>;
}

/** As many of the groups, from the first on, as one transaction takes. */
export function toTransaction(
  groups: readonly ChangeGroup[],
  at: (name: DnsName) => KnownName,
  keySpace: KeySpace,
): Transaction {
  const names = new Map<DnsName, KnownName>();
  const after = new Map<DnsName, readonly EtcdEntry[]>();
  const changed = new Set<number>();
  let made: Transaction = {
    ...{ compares: [], puts: [], deletes: [], after, names, groupCount: 0, changed },
  };
  for (const [index, group] of groups.entries()) {
    const before = { after: new Map(after), names: new Map(names) };
    for (const name of namesOf(group)) names.set(name, names.get(name) ?? at(name));
    const entriesAt = (name: DnsName): readonly EtcdEntry[] => after.get(name) ?? at(name).entries;
    const sets = namesOf(group).flatMap((name) => toSets(name, entriesAt(name)));
    if (setsAfterGroup(sets, group, normalizeSet) === null) changed.add(index);
    for (const change of group.changes) {
      const { name } = writtenSet(change);
      const next =
        change.op === "remove"
          ? withoutValues(entriesAt(name), change.previous)
          : withSet(entriesAt(name), change.next, keySpace);
      after.set(name, next);
    }
    const next = build(names, after, keySpace);
    const size = Math.max(next.compares.length, next.puts.length + next.deletes.length);
    if (size > OPERATIONS_MAX && index > 0) return { ...made, ...before, changed };
    made = { ...next, after, names, groupCount: index + 1, changed };
  }
  return made;
}

/** Names that the group writes, or says something about. */
export function namesOf({ changes, preconditions }: ChangeGroup): readonly DnsName[] {
  const written = changes.map((change) => writtenSet(change).name);
  return [...new Set([...written, ...preconditions.map(preconditionName)])];
}

function preconditionName(one: Precondition): DnsName {
  if (one.is === "name-unused") return one.name;
  return one.is === "exact" ? one.set.name : one.key.name;
}

function build(
  names: ReadonlyMap<DnsName, KnownName>,
  after: ReadonlyMap<DnsName, readonly EtcdEntry[]>,
  keySpace: KeySpace,
): Pick<Transaction, "compares" | "puts" | "deletes"> {
  const since = new Map<DnsName, string>();
  const compared = [...names].filter(([name, known]) => !isImplied(name, known, { names, since }));
  const compares = compared.flatMap(([name, known]) =>
    comparesOf(name, { ...known, revision: since.get(name) ?? known.revision }, keySpace),
  );
  const puts: EtcdEntry[] = [];
  const deletes: string[] = [];
  for (const [name, entries] of after) {
    const before = names.get(name)?.entries ?? [];
    puts.push(...entries.filter((entry) => !before.includes(entry)));
    const kept = new Set(entries.map(({ key }) => key));
    deletes.push(...before.map(({ key }) => key).filter((key) => !kept.has(key)));
  }
  return { compares, puts, deletes };
}

/**
 * Nothing is expected at the name, and all that is below a name above it is compared: nothing is
 * there, or nothing was written there since this one was read, which `since` gets.
 */
function isImplied(
  name: DnsName,
  { revision, entries }: KnownName,
  {
    names,
    since,
  }: { readonly names: ReadonlyMap<DnsName, KnownName>; readonly since: Map<DnsName, string> },
): boolean {
  if (entries.length > 0) return false;
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const top = trustedDnsName(name.slice(dot + 1));
    const above = names.get(top);
    if (above === undefined) continue;
    if (above.revision === null) return true;
    if (revision === null) return false;
    const known = since.get(top) ?? above.revision;
    if (BigInt(revision) < BigInt(known)) since.set(top, revision);
    return true;
  }
  return false;
}

/**
 * A name's own key, what is below it, and each key that was read. Version and revision of a key
 * that is not there are 0; a range of no keys is as one.
 */
function comparesOf(
  name: DnsName,
  { revision, entries }: KnownName,
  { prefix, apex }: KeySpace,
): readonly Fields[] {
  const [folder = ""] = foldersOf(prefix, name, apex);
  const below = `${folder}/`;
  const isThere = entries.some(({ key }) => key === folder);
  const notSince =
    revision === null
      ? ABSENT
      : { target: "MOD", result: "LESS", mod_revision: String(BigInt(revision) + 1n) };
  return [
    ...(isThere ? [] : [{ key: base64Text(folder), ...ABSENT }]),
    { key: base64Text(below), range_end: base64Text(endOf(below)), ...notSince },
    ...entries.map(({ key, revision: from }) => {
      return { key: base64Text(key), target: "MOD", result: "EQUAL", mod_revision: from };
    }),
  ];
}

const ABSENT = { target: "VERSION", result: "EQUAL", version: "0" };
