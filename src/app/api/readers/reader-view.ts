/**
 * Limits an instance to what a reader of some namespaces may see and order: names that objects of
 * these namespaces list, or that our markers give to such objects, and nothing about objects of
 * others. A method that is not written here answers nothing and does nothing. Decides only; asks no
 * server.
 */
import { type DnsName, trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { namespaceIn, type ObjectKey, type ObjectMark } from "../../../model/provenance.ts";
import type { NameExplanation } from "../../../sync/contract/name-explanation.ts";
import type { NameObjects, NameRow } from "../../../sync/contract/name-page.ts";
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
  const own = { work: workOf(instance.work, scope), furtherClusters: () => [] };
  return withOwn(instance, { ...own, observed: async () => [] });
}

/** The instance with some members replaced. */
function withOwn(instance: Instance, own: Partial<Instance>): Instance {
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
  work: Pick<Work, "names">,
  scope: Omit<ReaderScope, "counts">,
): Promise<ReadonlyMap<DnsName, number>> {
  const counts = new Map<DnsName, number>();
  const all = { zone: null, states: null, owner: null, object: null, text: null };
  const isShown = (objects: NameObjects): boolean => isSeen(objects, scope);
  let after: Parameters<Work["names"]>[0]["after"] = null;
  do {
    const page: Awaited<ReturnType<Work["names"]>> = await work.names({
      ...{ ...all, isShown, after, limit: COUNT_PAGE },
    });
    for (const { zone } of page.rows) counts.set(zone, (counts.get(zone) ?? 0) + 1);
    after = page.next;
  } while (after !== null);
  return counts;
}

type Seen = Pick<ReaderScope, "cluster" | "namespaces">;

function isOf({ resource, cluster }: ObjectMark, scope: Seen): boolean {
  const isOfCluster = cluster === null || cluster === scope.cluster;
  return isOfCluster && scope.namespaces.has(namespaceIn(resource));
}

function isKeyOf(key: ObjectKey | null, scope: Seen): boolean {
  return key !== null && key.cluster === scope.cluster && scope.namespaces.has(key.namespace);
}

function isTextOf(object: string, cluster: string | null | undefined, scope: Seen): boolean {
  return isOf({ resource: object, cluster: cluster || null }, scope);
}

function isSeen({ listed, marked }: NameObjects, scope: Seen): boolean {
  return [...listed, ...marked].some((one) => isOf(one, scope));
}

/**
 * True = the reader may order about the name: all objects that our markers name there are of its
 * namespaces or, without markers, all that list it.
 */
function isOrdered({ listed, marked }: NameObjects, scope: Seen): boolean {
  const deciding = marked.length > 0 ? marked : listed;
  return deciding.length > 0 && deciding.every((one) => isOf(one, scope));
}

/** The work of an instance and the scope that the reader is shown of it. */
interface View {
  readonly work: Work;
  readonly scope: ReaderScope;
  /** The reader sees the name. */
  readonly isName: (name: DnsName) => boolean;
  /** The reader may order about the name. */
  readonly isOwn: (name: DnsName) => boolean;
  /** The reader may order about all names of the held set of this hash. */
  readonly isWhole: (hash: string) => boolean;
  /**
   * Names without objects now, whose past changes were of the reader's objects; it may undo these.
   */
  readonly removed: Set<DnsName>;
}

function workOf(work: Work, scope: ReaderScope): Work {
  const removed = new Set<DnsName>();
  const isOwn = (name: DnsName): boolean =>
    removed.has(name) || isOrdered(work.objectsAt(name), scope);
  const isWhole = (hash: string): boolean => {
    const records = work.heldRecords(hash);
    return records.length > 0 && records.every(({ name }) => isOwn(name));
  };
  const isName = (name: DnsName): boolean => isSeen(work.objectsAt(name), scope);
  const view = { work, scope, isName, isOwn, isWhole, removed };
  return { ...NO_WORK, ...namesOf(view), ...objectsOf(view), ...ordersOf(view) };
}

function isOfReader({ scope }: View) {
  return ({ object, cluster }: { readonly object: string; readonly cluster?: string }): boolean =>
    isTextOf(object, cluster, scope);
}

/** Questions about names in zones. */
function namesOf(view: View) {
  const { work, scope, isName, isWhole } = view;
  const history: Work["history"] = async (query) => {
    const found = await work.history({ ...query, isShown: isOfReader(view) });
    const changes = found.changes.map((one) => {
      return { ...one, providers: ownProviders(one.providers, scope) };
    });
    return { ...found, changes, troubles: hidden(found.troubles) };
  };
  return {
    history,
    zones: () => work.zones().flatMap((zone) => zoneOf(zone, view)),
    explain: async (name) => {
      const listed = await work.whoLists((one) => one === name);
      const asked = { zone: null, name, sinceMs: null, limit: 1 };
      const isKnown = isName(name) || listed.some(isOfReader(view));
      if (!isKnown && (await history(asked)).changes.length === 0)
        throw outOfView(`no object of your namespaces lists ${name} or had it`);
      const zones = await work.explain(name);
      return zones.map((one) => explanationOf(one, scope, isWhole));
    },
    names: async (query) => {
      const isShown = (objects: NameObjects): boolean => isSeen(objects, scope);
      const isObjectShown = (object: ObjectMark): boolean => isOf(object, scope);
      const { rows, next } = await work.names({ ...query, isShown, isObjectShown });
      const total = [...scope.counts]
        .filter(([apex]) => query.zone === null || apex === query.zone)
        .reduce((sum, [, count]) => sum + count, 0);
      const shown = rows.map(({ others, ...rest }): NameRow => {
        const row = { ...rest, others: others.filter((one) => isTextOf(one, null, scope)) };
        const isOfScope = isTextOf(row.object, row.cluster, scope);
        return isOfScope ? row : { ...row, object: "", cluster: "", message: "" };
      });
      return { total, next, rows: shown };
    },
    objectsAt: (name) => work.objectsAt(name),
    dialectOf: (zone) => work.dialectOf(zone),
    heldRecords: (hash) => (isWhole(hash) ? work.heldRecords(hash) : []),
    rights: async (names) =>
      (await work.rights(names)).flatMap((zone) => {
        const rows = zone.rows.filter(({ name }) => view.isOwn(name));
        return rows.length === 0 ? [] : [{ ...zone, rows }];
      }),
  } satisfies Partial<Work>;
}

/** Questions about objects in clusters. */
function objectsOf(view: View) {
  const { work, scope } = view;
  return {
    troubles: (name) =>
      work.troubles(name).filter(({ provider }) => ownProviders([provider], scope).length > 0),
    whoLists: async (...asked) => (await work.whoLists(...asked)).filter(isOfReader(view)),
    namedElsewhere: async (isAsked) =>
      (await work.namedElsewhere(isAsked)).filter(isOfReader(view)),
    imports: () => work.imports().filter(({ namespace }) => scope.namespaces.has(namespace)),
  } satisfies Partial<Work>;
}

/** Orders. */
function ordersOf(view: View) {
  const { work, scope, isOwn, isWhole, removed } = view;
  return {
    approve: async (hash) => (isWhole(hash) ? work.approve(hash) : []),
    restore: async (hash) => {
      const objects = isWhole(hash) ? await work.restore(hash, false) : null;
      return objects?.filter(({ object }) => isTextOf(object, null, scope)) ?? null;
    },
    pauses: pausesOf(work, isOwn),
    order: (key, requests) => {
      const [other] = requests.filter(({ key: { name } }) => !isOwn(name));
      if (other !== undefined)
        throw outOfView(`${other.key.name} is not a name of your namespaces alone`);
      return work.order(key, requests);
    },
    undo: async (query) => {
      const { choices, troubles } = await work.undo(query);
      const isMine = isOfReader(view);
      const isShown = (one: ZoneChange): boolean => !isMine(one) && asked.has(one.name);
      const asked = new Set(choices.map(({ key: { name } }) => name));
      const { changes } = await work.history({ ...query, isShown, limit: CHANGES_MAX });
      const others = new Set(changes.map(({ name }) => name));
      for (const { key } of choices) {
        const { listed, marked } = work.objectsAt(key.name);
        if (listed.length + marked.length === 0) removed.add(key.name);
      }
      return {
        choices: choices.filter(({ key: { name } }) => !others.has(name) && isOwn(name)),
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
function zoneOf(status: ZoneStatus, { scope, isName, isWhole }: View): ZoneStatus[] {
  const open = status.open
    .filter(({ name }) => isName(name))
    .map((plan) => ({ ...plan, holds: plan.holds.filter((hold) => isHoldOf(hold, scope)) }));
  const ownedNames = scope.counts.get(status.zone.name) ?? 0;
  if (open.length === 0 && ownedNames === 0) return [];
  const { failing, providers = [], fences: _, ...rest } = status;
  return [
    {
      ...rest,
      open,
      ownedNames,
      providers: ownProviders(providers, scope),
      foreignNames: 0,
      danglingNames: 0,
      heldSets: status.heldSets.filter(({ hash }) => isWhole(hash)),
      ...(failing === undefined ? {} : { failing: failing.filter(({ name }) => isName(name)) }),
    },
  ];
}

/** The DNSProviders (`namespace/name`) in the reader's namespaces. */
function ownProviders(providers: readonly string[], scope: Seen): readonly string[] {
  return providers.filter((one) => isTextOf(`dnsprovider/${one}`, null, scope));
}

/** True = the hold is shown. A held removal has no object; its name was checked before. */
function isHoldOf({ provenance }: { readonly provenance: ObjectKey | null }, scope: Seen): boolean {
  return provenance === null || isKeyOf(provenance, scope);
}

function explanationOf(
  explanation: NameExplanation,
  scope: ReaderScope,
  isWhole: (hash: string) => boolean,
): NameExplanation {
  const { claims, holds, desired, standing, heldSets, resource, fences: _, ...rest } = explanation;
  const marks = rest.marks?.map((one) => ({ ...one, resource: named(one.resource, scope) }));
  return {
    ...rest,
    claims: claims.filter(({ object }) => isKeyOf(object, scope)),
    holds: holds.filter((hold) => isHoldOf(hold, scope)),
    desired: desired.filter(({ provenance }) => isKeyOf(provenance, scope)),
    standing: standing.map((one) => ({ ...one, resource: named(one.resource, scope) })),
    resource: named(resource, scope),
    heldSets: heldSets.filter(({ hash }) => isWhole(hash)),
    ...(marks === undefined ? {} : { marks }),
  };
}

function named(resource: string | null, scope: Seen): string | null {
  return resource !== null && isTextOf(resource, null, scope) ? resource : null;
}

/** A reader pauses and resumes single names of its own; not zones, and not everything. */
function pausesOf(work: Work, isOwn: (name: DnsName) => boolean): Work["pauses"] {
  const { pauses } = work;
  if (pauses === null) return null;
  const needNames = (scopes: readonly PauseScope[]): void => {
    for (const scope of scopes) {
      const name =
        scope?.startsWith("name ") === true ? trustedDnsName(scope.slice("name ".length)) : null;
      if (name === null || !isOwn(name))
        throw outOfView("pause and resume take names of your namespaces alone, by --name");
    }
  };
  return {
    onChange: (listener) => pauses.onChange(listener),
    reasonAt: (name) => (isOwn(name) ? pauses.reasonAt(name) : null),
    status: () => {
      const { all, names } = pauses.status();
      return { all, zones: [], names: names.filter(({ name }) => isOwn(name)) };
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
