/**
 * Limits an instance to what a reader of some namespaces may see and order: names that objects of
 * these namespaces list, or that our markers give to such objects, and nothing about objects of
 * others. `ReaderRights` decides; `viewOf` puts it before each question and order of `Work`. What
 * is not written there answers nothing and does nothing. Asks no server.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { namespaceIn, type ObjectKey, type ObjectMark } from "../../../model/provenance.ts";
import type { NameExplanation } from "../../../sync/contract/name-explanation.ts";
import type {
  NameObjects,
  NamePage,
  NameQuery,
  NameRow,
} from "../../../sync/contract/name-page.ts";
import type { ZoneChange } from "../../../sync/contract/zone-change.ts";
import type { ZoneStatus } from "../../../sync/contract/zone-status.ts";
import type { PauseScope } from "../../../sync/guards/pause-registry.ts";
import { type Instance, NO_WORK, type Work } from "../../compose/instance.ts";
import { Refused } from "../exchange.ts";

/** The rights of a reader. */
export interface ReaderScope {
  /**
   * Id of the cluster; objects of other clusters are not shown, whatever their namespace is called.
   */
  readonly cluster: string;
  readonly namespaces: ReadonlySet<string>;
  /** Number of names that the reader sees, by apex; a moment old. */
  readonly counts: ReadonlyMap<DnsName, number>;
}

/** Changes that are searched for those of a reader. */
const CHANGES_MAX = 10_000;
/** Names that are read at a time for counting. */
const COUNT_PAGE = 10_000;

/** The limited instance. Members that show no names are those of `instance`. */
export function viewOf(instance: Instance, scope: ReaderScope): Instance {
  const rights = new ReaderRights(instance.work, scope);
  const own: Partial<Instance> = {
    work: { ...NO_WORK, ...questionsOf(rights, scope), ...ordersOf(rights) },
    furtherClusters: () => [],
    observed: async () => [],
  };
  return new Proxy(instance, {
    get: (_target, key): unknown => {
      const one = Object.hasOwn(own, key) ? own : instance;
      const value: unknown = Reflect.get(one, key, one);
      return typeof value === "function" ? value.bind(one) : value;
    },
  });
}

/** Number of names that objects of these namespaces have, by apex. */
export async function countNames(
  work: Work,
  scope: Omit<ReaderScope, "counts">,
): Promise<ReadonlyMap<DnsName, number>> {
  const rights = new ReaderRights(work, scope);
  const counts = new Map<DnsName, number>();
  const all = { zone: null, states: null, owner: null, object: null, text: null };
  const { isSeen: isShown } = rights;
  let after: NameQuery["after"] = null;
  do {
    const page: NamePage = await work.names({ ...all, isShown, after, limit: COUNT_PAGE });
    for (const { zone } of page.rows) counts.set(zone, (counts.get(zone) ?? 0) + 1);
    after = page.next;
  } while (after !== null);
  return counts;
}

/** Which objects, names and held sets are the reader's. */
class ReaderRights {
  readonly work: Work;
  readonly #scope: Omit<ReaderScope, "counts">;
  /**
   * Names without objects now, whose past changes were of the reader's objects; it may undo these.
   */
  readonly removed = new Set<DnsName>();

  constructor(work: Work, scope: Omit<ReaderScope, "counts">) {
    this.work = work;
    this.#scope = scope;
  }

  /** The object is of its namespaces. */
  readonly has = ({ resource, cluster }: ObjectMark): boolean => {
    const isOfCluster = cluster === null || cluster === this.#scope.cluster;
    return isOfCluster && this.#scope.namespaces.has(namespaceIn(resource));
  };

  hasKey({ cluster, namespace }: ObjectKey): boolean {
    return cluster === this.#scope.cluster && this.#scope.namespaces.has(namespace);
  }

  /** The same of the object in a row; a row without a cluster may be of any. */
  readonly hasObject = ({ object, cluster }: ObjectRow): boolean =>
    this.has({ resource: object, cluster: cluster || null });

  /** The DNSProvider (`namespace/name`) is in its namespaces. */
  readonly hasProvider = (provider: string): boolean =>
    this.hasObject({ object: `dnsprovider/${provider}` });

  /** The object in a marker; null = the reader may not know it. */
  shown(resource: string | null): string | null {
    return resource !== null && this.hasObject({ object: resource }) ? resource : null;
  }

  readonly isSeen = ({ listed, marked }: NameObjects): boolean =>
    [...listed, ...marked].some(this.has);

  /** The reader sees the name. */
  readonly isName = ({ name }: Named): boolean => this.isSeen(this.work.objectsAt(name));

  /**
   * The reader may order about the name: all objects that our markers name there are of its
   * namespaces or, without markers, all that list it.
   */
  readonly isOwn = ({ name }: Named): boolean => {
    if (this.removed.has(name)) return true;
    const { listed, marked } = this.work.objectsAt(name);
    const deciding = marked.length > 0 ? marked : listed;
    return deciding.length > 0 && deciding.every(this.has);
  };

  /** The reader may order about all names of the held set. */
  readonly isWhole = ({ hash }: { readonly hash: string }): boolean => {
    const records = this.work.heldRecords(hash);
    return records.length > 0 && records.every(this.isOwn);
  };

  /** The hold is shown. A held removal has no object; its name was checked before. */
  readonly isHold = ({ provenance }: { readonly provenance: ObjectKey | null }): boolean =>
    provenance === null || this.hasKey(provenance);
}

interface Named {
  readonly name: DnsName;
}

interface ObjectRow {
  readonly object: string;
  readonly cluster?: string;
}

function questionsOf(rights: ReaderRights, { counts, namespaces }: ReaderScope) {
  const { work } = rights;
  const history: Work["history"] = async (query) => {
    const found = await work.history({ ...query, isShown: rights.hasObject });
    const changes = found.changes.map((one) => {
      return { ...one, providers: one.providers.filter(rights.hasProvider) };
    });
    return { ...found, changes, troubles: hidden(found.troubles) };
  };
  const whoLists: Work["whoLists"] = async (...asked) =>
    (await work.whoLists(...asked)).filter(rights.hasObject);
  return {
    history,
    whoLists,
    zones: () => work.zones().flatMap((zone) => zoneOf(zone, rights, counts)),
    explain: async (name) => {
      const isKnown = rights.isName({ name }) || (await whoLists((one) => one === name)).length > 0;
      const asked = { zone: null, name, sinceMs: null, limit: 1 };
      if (!isKnown && (await history(asked)).changes.length === 0)
        throw outOfView(`no object of your namespaces lists ${name} or had it`);
      return (await work.explain(name)).map((one) => explanationOf(one, rights));
    },
    names: async (query) => {
      const shows = { isShown: rights.isSeen, isObjectShown: rights.has };
      const { rows, next } = await work.names({ ...query, ...shows });
      const total = [...counts]
        .filter(([apex]) => query.zone === null || apex === query.zone)
        .reduce((sum, [, count]) => sum + count, 0);
      const shown = rows.map((one): NameRow => {
        const others = one.others.filter((object) => rights.hasObject({ object }));
        const hides = rights.hasObject(one) ? {} : { object: "", cluster: "", message: "" };
        return { ...one, others, ...hides };
      });
      return { total, next, rows: shown };
    },
    objectsAt: (name) => work.objectsAt(name),
    dialectOf: (zone) => work.dialectOf(zone),
    heldRecords: (hash) => (rights.isWhole({ hash }) ? work.heldRecords(hash) : []),
    rights: async (names) =>
      (await work.rights(names)).flatMap((zone) => {
        const rows = zone.rows.filter(rights.isOwn);
        return rows.length === 0 ? [] : [{ ...zone, rows }];
      }),
    troubles: (name) => work.troubles(name).filter((one) => rights.hasProvider(one.provider)),
    namedElsewhere: async (isAsked) =>
      (await work.namedElsewhere(isAsked)).filter(rights.hasObject),
    imports: () => work.imports().filter(({ namespace }) => namespaces.has(namespace)),
  } satisfies Partial<Work>;
}

function ordersOf(rights: ReaderRights) {
  const { work, removed } = rights;
  return {
    approve: async (hash) => (rights.isWhole({ hash }) ? work.approve(hash) : []),
    restore: async (hash) => {
      const objects = rights.isWhole({ hash }) ? await work.restore(hash, false) : null;
      return objects?.filter(({ object }) => rights.hasObject({ object })) ?? null;
    },
    pauses: pausesOf(rights),
    order: (zone, requests) => {
      const other = requests.find(({ key }) => !rights.isOwn(key));
      if (other !== undefined)
        throw outOfView(`${other.key.name} is not a name of your namespaces alone`);
      return work.order(zone, requests);
    },
    undo: async (query) => {
      const { choices, troubles } = await work.undo(query);
      const asked = new Set(choices.map(({ key: { name } }) => name));
      const isShown = (one: ZoneChange): boolean => !rights.hasObject(one) && asked.has(one.name);
      const { changes } = await work.history({ ...query, isShown, limit: CHANGES_MAX });
      const others = new Set(changes.map(({ name }) => name));
      for (const name of asked) {
        const { listed, marked } = work.objectsAt(name);
        if (listed.length + marked.length === 0) removed.add(name);
      }
      return {
        choices: choices.filter(({ key }) => !others.has(key.name) && rights.isOwn(key)),
        troubles: hidden(troubles),
      };
    },
  } satisfies Partial<Work>;
}

/** The messages name zones, so that the reader gets another one. */
function hidden(troubles: readonly string[]): readonly string[] {
  return troubles.length === 0 ? [] : ["the journal of a zone is not whole"];
}

/** The zone as the reader sees it; empty = it sees no name there. Numbers count its names only. */
function zoneOf(
  { failing, providers = [], fences: _, ...status }: ZoneStatus,
  rights: ReaderRights,
  counts: ReaderScope["counts"],
): ZoneStatus[] {
  const open = status.open
    .filter(rights.isName)
    .map((plan) => ({ ...plan, holds: plan.holds.filter(rights.isHold) }));
  const ownedNames = counts.get(status.zone.name) ?? 0;
  if (open.length === 0 && ownedNames === 0) return [];
  return [
    {
      ...status,
      open,
      ownedNames,
      providers: providers.filter(rights.hasProvider),
      foreignNames: 0,
      danglingNames: 0,
      heldSets: status.heldSets.filter(rights.isWhole),
      ...(failing === undefined ? {} : { failing: failing.filter(rights.isName) }),
    },
  ];
}

function explanationOf(
  { marks, fences: _, ...one }: NameExplanation,
  rights: ReaderRights,
): NameExplanation {
  const withShown = <T extends { readonly resource: string | null }>(all: readonly T[]) =>
    all.map((each) => ({ ...each, resource: rights.shown(each.resource) }));
  return {
    ...one,
    claims: one.claims.filter(({ object }) => rights.hasKey(object)),
    holds: one.holds.filter(rights.isHold),
    desired: one.desired.filter(({ provenance }) => rights.hasKey(provenance)),
    standing: withShown(one.standing),
    resource: rights.shown(one.resource),
    heldSets: one.heldSets.filter(rights.isWhole),
    ...(marks === undefined ? {} : { marks: withShown(marks) }),
  };
}

/** A reader pauses and resumes single names of its own; not zones, and not everything. */
function pausesOf({ work: { pauses }, isOwn }: ReaderRights): Work["pauses"] {
  if (pauses === null) return null;
  const needNames = (scopes: readonly PauseScope[]): void => {
    const isOwnName = (scope: PauseScope): boolean =>
      scope?.startsWith("name ") === true &&
      isOwn({ name: trustedDnsName(scope.slice("name ".length)) });
    if (!scopes.every(isOwnName))
      throw outOfView("pause and resume take names of your namespaces alone, by --name");
  };
  return {
    onChange: (listener) => pauses.onChange(listener),
    reasonAt: (name) => (isOwn({ name }) ? pauses.reasonAt(name) : null),
    status: () => {
      const { all, names } = pauses.status();
      return { all, zones: [], names: names.filter(isOwn) };
    },
    pause: async (...scopes) => {
      needNames(scopes);
      return pauses.pause(...scopes);
    },
    resume: async (scope) => {
      needNames([scope]);
      return pauses.resume(scope);
    },
  };
}

/** The reader asks for something that it may not see or order. */
function outOfView(message: string): Refused {
  return new Refused({ status: 403, code: "OutOfView", message });
}
