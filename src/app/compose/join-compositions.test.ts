/** Two compositions asked as one: pages, histories and orders find their part. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import type { NameQuery, NameRow } from "../../sync/contract/name-page.ts";
import type { Composition } from "./compose.ts";
import { NO_FIGURES } from "./gauges.ts";
import { NO_WORK } from "./instance.ts";
import { joinCompositions } from "./join-compositions.ts";

const ANY: NameQuery = {
  ...{ zone: null, states: null, owner: null, object: null, text: null, after: null, limit: 2 },
};

/** A zone with these names, whose changes were made at these times. */
function part(id: string, names: readonly string[], times: readonly number[] = []): Composition {
  const change = (atMs: number) => ({ atMs, id }) as never;
  const listed = { cluster: "c", object: "service/a/b", name: trustedDnsName("www.example.org") };
  return {
    ...NO_WORK,
    names: async ({ after, limit }) => {
      const from = after === null ? 0 : names.indexOf(after.name) + 1;
      expect(after?.zone ?? `zone ${id}`).toBe(`zone ${id}`);
      const rows = names.slice(from, from + limit).map((name) => ({ name }) as unknown as NameRow);
      const last = names[from + limit - 1];
      const isLast = from + limit >= names.length || last === undefined;
      const next = isLast ? null : { zone: `zone ${id}`, name: last };
      return { total: names.length, rows, next };
    },
    history: async ({ limit }) => ({
      ...{ changes: times.slice(0, limit).map(change), isCut: times.length > limit },
      troubles: ["a trouble"],
    }),
    whoLists: async () => [{ ...listed, state: id === "b" ? "" : "NoProvider", message: id }],
    order: ({ account }) => account === id,
    approve: async (hash) => (hash === id ? [{ account: id, zone: "z" }] : []),
    restore: async (hash) => (hash === id ? [] : null),
    checks: () => [{ name: "cache", ok: true, message: "" }],
    figures: () => NO_FIGURES,
    stop: async () => undefined,
  };
}

test("pages go on from part to part, and no name is left out or told twice", async () => {
  const joined = joinCompositions([
    part("a", ["n1", "n2", "n3"]),
    part("b", []),
    part("c", ["n4"]),
  ]);
  const seen: string[] = [];
  let after: NameQuery["after"] = null;
  do {
    const page = await joined.names({ ...ANY, after });
    expect(page.total).toBe(4);
    seen.push(...page.rows.map(({ name }) => name));
    after = page.next;
  } while (after !== null);
  expect(seen).toEqual(["n1", "n2", "n3", "n4"]);
});

test("histories are one, the newest first, and cut where a part's is", async () => {
  const joined = joinCompositions([part("a", [], [9, 5, 1]), part("b", [], [7, 3])]);
  const query = { zone: null, name: null, sinceMs: null };
  const { changes, isCut, troubles } = await joined.history({ ...query, limit: 3 });
  expect(changes.map(({ atMs }) => atMs)).toEqual([9, 7, 5]);
  expect([isCut, troubles]).toEqual([true, ["a trouble"]]);
  expect((await joined.history({ ...query, limit: 5 })).isCut).toBe(false);
});

test("orders and approvals reach the part that has them; what one part publishes is no trouble", async () => {
  const joined = joinCompositions([part("a", []), part("b", [])]);
  expect(joined.order({ account: "b", zone: "z" }, [])).toBe(true);
  expect(joined.order({ account: "x", zone: "z" }, [])).toBe(false);
  expect(await joined.approve("b")).toEqual([{ account: "b", zone: "z" }]);
  expect(await joined.restore("b", false)).toEqual([]);
  expect(await joined.restore("x", false)).toBeNull();
  expect(await joined.whoLists(() => true)).toMatchObject([{ state: "" }]);
  expect(joined.checks()).toHaveLength(1);
});
