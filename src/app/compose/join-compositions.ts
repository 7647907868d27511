/**
 * Makes one `Composition` of several ones (parts) of one process: a question goes to each part, an
 * order to the part that has the zone. The parts read the same caches and know nothing of each
 * other.
 */
import { distinctBy } from "@zonekeeper/base/grouped-by";
import type { DnsName } from "@zonekeeper/dns/names/dns-name";
import type { NamePage, NameQuery } from "../../sync/contract/name-page.ts";
import { type ChangeQuery, NO_HISTORY } from "../../sync/contract/zone-change.ts";
import type { Composition } from "./compose.ts";

/** Pauses are those of the first one, which all share. */
export function joinCompositions(
  compositions: readonly [Composition, ...(readonly Composition[])],
): Composition {
  const all = <T>(ask: (one: Composition) => readonly T[]): readonly T[] =>
    compositions.flatMap(ask);
  const ofAll: OfAll = async (ask) => (await Promise.all(compositions.map(ask))).flat();
  return {
    ...ordersOf(compositions, ofAll),
    zones: () => all((one) => one.zones()),
    explain: (name) => ofAll((one) => one.explain(name)),
    names: (query) => namesOf(compositions, query),
    objectsAt: (name) => ({
      listed: all((one) => one.objectsAt(name).listed),
      marked: all((one) => one.objectsAt(name).marked),
    }),
    heldRecords: (hash) => all((one) => one.heldRecords(hash)),
    caches: () =>
      distinctBy(
        all((one) => one.caches()),
        ({ cluster, kind }) => `${cluster} ${kind}`,
      ),
    onChange: (listener) => {
      const ends = compositions.map((one) => one.onChange(listener));
      return () => {
        for (const end of ends) end();
      };
    },
    history: (query) => historyOf(compositions, query),
    troubles: (name) => all((one) => one.troubles(name)),
    // Rows without trouble are needed, too: one of a part outweighs a troubled row of another part.
    whoLists: async (isAsked) =>
      best(await ofAll((one) => one.whoLists(isAsked)), ({ state }) => state === ""),
    imports: () => all((one) => one.imports()),
    observed: (clusters) => ofAll((one) => one.observed(clusters)),
    namedElsewhere: async (isAsked) =>
      best(await ofAll((one) => one.namedElsewhere(isAsked)), ({ isRead }) => isRead),
    dialectOf: (zone) =>
      compositions.map((one) => one.dialectOf(zone)).find((one) => one !== null) ?? null,
    rights: (names) => ofAll((one) => one.rights(names)),
    figures: () => ({
      entries: all((one) => one.figures().entries),
      accounts: all((one) => one.figures().accounts),
    }),
    checks: () =>
      distinctBy(
        all((one) => one.checks()),
        (one) => JSON.stringify(one),
      ),
    stop: async () => {
      await Promise.all(compositions.map((one) => one.stop()));
    },
  };
}

/** The answers of all parts, one after the other. */
type OfAll = <T>(ask: (one: Composition) => Promise<readonly T[]>) => Promise<readonly T[]>;

/** The orders of people. */
function ordersOf(compositions: Parameters<typeof joinCompositions>[0], ofAll: OfAll) {
  return {
    approve: (hash) => ofAll((one) => one.approve(hash)),
    restore: async (hash, isDoing) => {
      const answers = await Promise.all(compositions.map((one) => one.restore(hash, isDoing)));
      const known = answers.flatMap((one) => (one === null ? [] : [one]));
      return known.length === 0 ? null : known.flat();
    },
    pauses: compositions[0].pauses,
    order: (key, requests) => compositions.some((one) => one.order(key, requests)),
    undo: async (query) => {
      const answers = await Promise.all(compositions.map((one) => one.undo(query)));
      return {
        choices: answers.flatMap(({ choices }) => choices),
        troubles: answers.flatMap(({ troubles }) => troubles),
      };
    },
    migrate: (request) => ofAll((one) => one.migrate(request)),
    takeOwner: (from, dryRun) => ofAll((one) => one.takeOwner(from, dryRun)),
  } satisfies Partial<Composition>;
}

/**
 * There is one row for each object and name; a row without trouble replaces one of another part
 * with it.
 */
function best<T extends { cluster: string; object: string; name: DnsName }>(
  rows: readonly T[],
  isWell: (row: T) => boolean,
): readonly T[] {
  const ordered = [...rows.filter((one) => !isWell(one)), ...rows.filter(isWell)];
  return distinctBy(ordered, ({ cluster, object, name }) => `${cluster} ${object} ${name}`);
}

/** A page has names of one part. A position in the list begins with the number of the part. */
async function namesOf(compositions: readonly Composition[], query: NameQuery): Promise<NamePage> {
  const { zone = "", name = "" } = query.after ?? {};
  const [, at = "0", inPart = ""] = /^(\d+) (.*)$/s.exec(zone) ?? [];
  const index = Number(at);
  const after = inPart === "" ? null : { zone: inPart, name };
  const pages = await Promise.all(
    compositions.map((one, part) =>
      one.names(part === index ? { ...query, after } : { ...query, after: null, limit: 1 }),
    ),
  );
  const { rows, next } = pages[index] ?? { rows: [], next: null };
  const totals = pages.map(({ total }) => total);
  const beginning = index + 1 < compositions.length ? { zone: `${index + 1} `, name: "" } : null;
  return {
    total: totals.reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0),
    rows,
    next: next === null ? beginning : { ...next, zone: `${index} ${next.zone}` },
  };
}

async function historyOf(compositions: readonly Composition[], query: ChangeQuery) {
  const answers = await Promise.all(compositions.map((one) => one.history(query)));
  const changes = answers.flatMap((one) => one.changes).sort((a, b) => b.atMs - a.atMs);
  return {
    ...NO_HISTORY,
    changes: changes.slice(0, query.limit),
    isCut: changes.length > query.limit || answers.some(({ isCut }) => isCut),
    troubles: [...new Set(answers.flatMap(({ troubles }) => troubles))].sort(),
  };
}
