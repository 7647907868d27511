import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { expect, test } from "vitest";
import { APEX, engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { holdChanges } from "../../plan/hold-at.ts";
import type { NameQuery, NameState } from "../contract/name-page.ts";
import type { EngineOptions } from "../engine.ts";

const ANY: NameQuery = {
  ...{ zone: null, states: null, owner: null, object: null, text: null, after: null },
  limit: 50,
};
const nameOf = (label: string) => trustedDnsName(`${label}.example.org`);

/** Three names of ours, one of somebody else. */
async function opened(openGuard?: EngineOptions["openGuard"]) {
  const world = engineWorld(openGuard === undefined ? {} : { openGuard });
  world.engine.openZone(world.zoneInput);
  for (const [index, label] of ["b", "a", "c"].entries())
    world.engine.contribute(KEY, entry(label, [`192.0.2.${index + 1}`]));
  await world.clock.advance(5_000);
  const [foreign] = world.content.at(nameOf("a"));
  if (foreign === undefined) throw new Error("nothing was published");
  const next = { ...foreign, name: nameOf("foreign"), values: ["192.0.2.9"] };
  world.content.write([{ key: next, next }], world.clock.monotonicMs());
  await world.clock.advance(20_000);
  const rows = async (more: Partial<NameQuery> = {}) => {
    const { rows: found } = await world.engine.names({ ...ANY, ...more });
    return found.map(({ name, state }) => `${name.replace(/\.example\.org$/, "")} ${state}`);
  };
  return { ...world, rows };
}

test("names come in order, each with its state, owner, object and values", async () => {
  const { engine, rows } = await opened();
  expect(await rows()).toEqual([
    "a published",
    "b published",
    "c published",
    "example.org foreign",
    "foreign foreign",
  ]);
  const { total, next, rows: all } = await engine.names(ANY);
  expect([total, next]).toEqual([5, null]);
  expect(all[0]).toEqual({
    ...{ zone: APEX, name: nameOf("a"), state: "published", code: "", message: "" },
    ...{ owner: "me", object: "dnsentry/default/a", cluster: "c1" },
    ...{ others: [], types: ["A"], values: ["192.0.2.2"], since: null },
  });
  expect(all[4]).toMatchObject({ owner: "", object: "", cluster: "", values: ["192.0.2.9"] });
});

test("a filter that fits nothing answers nothing; each filter by itself", async () => {
  const { rows } = await opened();
  expect(await rows({ text: "b.ex" })).toEqual(["b published"]);
  expect(await rows({ object: "default/c" })).toEqual(["c published"]);
  expect(await rows({ owner: "me", states: new Set<NameState>(["foreign"]) })).toEqual([]);
  expect(await rows({ states: new Set<NameState>(["foreign", "held"]) })).toEqual([
    "example.org foreign",
    "foreign foreign",
  ]);
  expect(await rows({ owner: "them" })).toEqual([]);
  expect(await rows({ zone: trustedDnsName("example.net") })).toEqual([]);
});

test("pages follow one another without a gap or a repetition, while names come and go", async () => {
  const { engine, clock } = await opened();
  const first = await engine.names({ ...ANY, limit: 2 });
  expect(first.rows.map(({ name }) => name)).toEqual([nameOf("a"), nameOf("b")]);
  engine.withdraw(entry("b", []).object, "deleted-object");
  engine.contribute(KEY, entry("bb", ["192.0.2.7"]));
  await clock.advance(5_000);
  const second = await engine.names({ ...ANY, limit: 2, after: first.next });
  expect(second.rows.map(({ name }) => name)).toEqual([nameOf("bb"), nameOf("c")]);
  const third = await engine.names({ ...ANY, limit: 2, after: second.next });
  expect([third.rows.map(({ name }) => name), third.next]).toEqual([
    [APEX, nameOf("foreign")],
    null,
  ]);
  expect(third.total).toBe(5);
});

test("a name that is held, waits, fails or is to be written says so, and since when", async () => {
  const { engine, clock, rows, account } = await opened();
  const heldSinceMs = clock.nowMs();
  engine.contribute(KEY, entry("foreign", ["192.0.2.1"]));
  const waiting = entry("w", []);
  const listed = [{ name: nameOf("w"), reason: "NoTargets" }];
  engine.contribute(KEY, { ...waiting, found: { ...waiting.found, items: [], waiting: listed } });
  engine.contribute(KEY, entry("new", ["192.0.2.1"]));
  expect(await rows({ text: "new" })).toEqual(["new pending"]);
  await clock.advance(5_000);
  const refused = { kind: "rejects", code: "Refused", matches: () => true } as const;
  account.breakWith({ ...account.faults, apply: () => [refused] });
  engine.contribute(KEY, entry("bad", ["192.0.2.1"]));
  await clock.advance(5_000);
  const states: readonly NameState[] = ["held", "waiting", "failing"];
  expect(await rows({ states: new Set(states) })).toEqual([
    "bad failing",
    "foreign held",
    "w waiting",
  ]);
  const [held] = (await engine.names({ ...ANY, text: "foreign" })).rows;
  expect(held).toMatchObject({ code: "ForeignRecord", object: "dnsentry/default/foreign" });
  expect(Date.parse(held?.since ?? "")).toBeGreaterThanOrEqual(heldSinceMs);
  expect(Date.parse(held?.since ?? "")).toBeLessThan(clock.nowMs());
  const [waits] = (await engine.names({ ...ANY, object: "default/w" })).rows;
  expect(waits).toMatchObject({ object: "dnsentry/default/w", owner: "", types: [] });
});

test("who lists a name without getting it finds it, unless the reader may not know of it", async () => {
  const { engine, clock, rows } = await opened();
  const late = { ...entry("rival", ["192.0.2.7"]).object, name: "rival" };
  const other = entry("a", ["192.0.2.7"]);
  const items = other.found.items.map((one) => ({ ...one, provenance: late, createdAtMs: 9e15 }));
  engine.contribute(KEY, { ...other, object: late, found: { ...other.found, items } });
  await clock.advance(5_000);
  expect(await rows({ object: "default/rival" })).toEqual(["a published"]);
  const [row] = (await engine.names({ ...ANY, text: "a.ex" })).rows;
  expect(row).toMatchObject({ object: "dnsentry/default/a", others: ["dnsentry/default/rival"] });
  const isObjectShown = ({ resource }: { readonly resource: string | null }): boolean =>
    resource === "dnsentry/default/a";
  const seen = { ...ANY, isObjectShown };
  expect((await engine.names({ ...seen, object: "rival" })).rows).toEqual([]);
  expect((await engine.names({ ...seen, object: "default/a" })).rows).toMatchObject([
    { others: [] },
  ]);
});

test("a published name whose removal is held is published, with the hold and its set beside it", async () => {
  const [was, is] = ["0000000000000001", "0000000000000002"];
  let isHolding = false;
  const message = `zonekeeper approve ${was} lets this set pass`;
  const { engine, clock, rows } = await opened(() => ({
    admit: async (plans) =>
      isHolding
        ? plans.map((plan) => holdChanges(plan, { code: "FuseTripped", message, set: was }))
        : plans,
    approve: async () => false,
    heldSets: () => [{ hash: is, items: [], kind: "removals", removals: 1, formerHashes: [was] }],
  }));
  isHolding = true;
  engine.withdraw(entry("c", []).object, "deleted-object");
  await clock.advance(5_000);
  expect(await rows({ states: new Set<NameState>(["held"]) })).toEqual(["c published"]);
  const [row] = (await engine.names({ ...ANY, text: "c.ex" })).rows;
  expect(row).toMatchObject({ code: "FuseTripped", values: ["192.0.2.3"] });
  const [open] = engine.status()[0]?.open ?? [];
  expect(open).toMatchObject({ name: nameOf("c"), openSinceMs: Date.parse(row?.since ?? "") });
  const expected = { message: `zonekeeper approve ${is} lets this set pass` };
  expect(open?.holds).toMatchObject([expected]);
  expect((await engine.explain(nameOf("c")))[0]?.holds).toMatchObject([expected]);
});

test("of a zone that is not read yet there is no total", async () => {
  const { engine, zoneInput } = engineWorld();
  engine.openZone(zoneInput);
  engine.contribute(KEY, entry("a", ["192.0.2.1"]));
  const { total, rows } = await engine.names(ANY);
  expect([total, rows.map(({ state }) => state)]).toEqual([null, ["pending"]]);
});

test("a position beyond everything is the end, and a zone that is gone is passed", async () => {
  const { engine } = await opened();
  const after = { zone: "zzz", name: "" };
  expect((await engine.names({ ...ANY, after })).rows).toEqual([]);
  await engine.closeZone(KEY);
  expect(await engine.names(ANY)).toEqual({ total: 0, rows: [], next: null });
});
