import { OperationError } from "@zonekeeper/base/operation-error";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { nameOf, ORIGIN, parseDesired, parseZone } from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { ConfigMapRegistry } from "../../cluster/state/config-map-registry.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import type { RegistryStore } from "../../ports/stores.ts";
import { dataHash } from "../data-hash.ts";
import { openConfigMapOwnership } from "./ownership.ts";
import { parseIntents } from "./row.ts";

const ONE = "192.0.2.1";
const TWO = "192.0.2.2";
let store: RegistryStore;
let clock: VirtualClock;
let log: MemoryLog;
beforeEach(() => {
  store = new ConfigMapRegistry({ writer: new MemoryCluster("c1"), namespace: "dns", owner: "me" });
  clock = new VirtualClock();
  log = new MemoryLog();
});
const open = (given = store) =>
  openConfigMapOwnership({
    apex: ORIGIN,
    store: given,
    id: "z",
    zone: "example.org",
    atomic: true,
    clock,
    log,
  });
type Opened = ReturnType<typeof open>;

/** The group that makes the address of a name this one, from a zone where nothing stands. */
async function create(ownership: Opened, name: string, address: string): Promise<ChangeGroup> {
  const desired = parseDesired(`${name} 300 A ${address}`);
  const plan = planName(nameOf(name), desired, [], rulesWith());
  const prepared = await ownership.prepare(plan, new ZoneModel([]));
  if (!prepared.ok) throw new Error("held");
  return prepared.group;
}

const setsOf = (name: string, address: string) => parseZone(`${name} 300 A ${address}`);
const hashOf = (name: string, address: string) => setsOf(name, address).map(dataHash).join("");

/** Hashes of data in the intents of the store, by name. */
async function intents(): Promise<Readonly<Record<string, readonly string[]>>> {
  const object = await store.read("intents-z");
  const parsed = parseIntents(object?.data["intents"] ?? "[]");
  if (!parsed.ok) throw new Error(parsed.error);
  return Object.fromEntries(parsed.value.map(({ name, next }) => [name, next]));
}

const ownerOf = async (ownership: Opened, address: string) => {
  const [one] = await ownership.read(setsOf("www", address));
  return one?.marker?.owner ?? null;
};

const WWW = nameOf("www");
const refused = (name: string) =>
  ({ name: nameOf(name), status: "precondition-failed", message: "no" }) as const;

describe("Z-14: what a call may have written", () => {
  test("a refused call gives no rights; what an earlier one may have written keeps them", async () => {
    const ownership = open();
    const first = await create(ownership, "www", ONE);
    await ownership.externalStore?.recordIntents([first]);
    await ownership.confirm(first, { name: WWW, status: "unknown", message: "lost" });
    const second = await create(ownership, "www", TWO);
    await ownership.externalStore?.recordIntents([second]);
    expect(await intents()).toEqual({ [WWW]: [hashOf("www", ONE), hashOf("www", TWO)] });
    await ownership.confirm(second, refused("www"));
    expect(await intents()).toEqual({ [WWW]: [hashOf("www", ONE)] });
    expect([await ownerOf(ownership, ONE), await ownerOf(ownership, TWO)]).toEqual(["me", null]);
  });

  test.each<[Pick<Extract<Outcome, { status: "retry" }>, "mayStand">, string | null]>([
    [{}, null],
    [{ mayStand: true }, "me"],
  ])(
    "a call to be tried again later, %j: the owner of the record is then %j",
    async (flags, owner) => {
      const ownership = open();
      const group = await create(ownership, "www", ONE);
      await ownership.externalStore?.recordIntents([group]);
      const outcome = { name: WWW, status: "retry", afterMs: null, message: "later" } as const;
      await ownership.confirm(group, { ...outcome, ...flags });
      expect(await ownerOf(ownership, ONE)).toBe(owner);
      const next = open();
      await next.externalStore?.refresh();
      expect(await ownerOf(next, ONE)).toBe(owner);
    },
  );

  test("what was begun with a whole call and in none of its parts gives no rights, also to the next process", async () => {
    const ownership = open();
    const groups = [await create(ownership, "www", ONE), await create(ownership, "api", ONE)];
    const [www, api] = groups as [ChangeGroup, ChangeGroup];
    await ownership.externalStore?.recordIntents(groups);
    await ownership.externalStore?.recordIntents([api]);
    await ownership.confirm(api, { name: api.name, status: "applied" });
    expect(Object.keys(await intents())).toEqual([WWW]);
    await ownership.confirm(www, { name: WWW, status: "retry", afterMs: null, message: "not due" });
    expect(await intents()).toEqual({});
  });

  test("a call that is refused as a whole and sent in parts: none of the parts is taken for an earlier one", async () => {
    const ownership = open();
    const groups = [await create(ownership, "www", ONE), await create(ownership, "api", ONE)];
    await ownership.externalStore?.recordIntents(groups);
    for (const group of groups) await ownership.externalStore?.recordIntents([group]);
    for (const group of groups)
      await ownership.confirm(group, refused(group.name.split(".")[0] ?? ""));
    await ownership.externalStore?.resync([]);
    expect(await intents()).toEqual({});
    expect(await ownerOf(ownership, ONE)).toBeNull();
  });

  test("an answer for a group that was not begun changes no intent", async () => {
    const ownership = open();
    const first = await create(ownership, "www", ONE);
    await ownership.externalStore?.recordIntents([first]);
    await ownership.confirm(first, { name: WWW, status: "unknown", message: "lost" });
    await ownership.confirm(first, refused("www"));
    expect(await ownerOf(ownership, ONE)).toBe("me");
  });

  test.each([
    [59_999, [hashOf("www", ONE)]],
    [60_000, undefined],
  ])("a call without effect for %i ms keeps its rights: %j", async (waitMs, kept) => {
    const ownership = open();
    const group = await create(ownership, "www", ONE);
    await ownership.externalStore?.recordIntents([group]);
    await ownership.confirm(group, { name: WWW, status: "unknown", message: "lost" });
    await ownership.externalStore?.resync([]);
    await clock.advance(waitMs);
    await ownership.externalStore?.resync([]);
    expect((await intents())[WWW]).toEqual(kept);
  });

  test("at most two earlier calls keep rights", async () => {
    const ownership = open();
    for (const last of [1, 2, 3, 4]) {
      const group = await create(ownership, "www", `192.0.2.${last}`);
      await ownership.externalStore?.recordIntents([group]);
      await ownership.confirm(group, { name: WWW, status: "unknown", message: "lost" });
    }
    expect((await intents())[WWW]).toEqual(
      ["192.0.2.2", "192.0.2.3", "192.0.2.4"].map((one) => hashOf("www", one)),
    );
  });
});

test("a row that cannot be written now is said, and comes with the next change", async () => {
  let isDown = false;
  const down = new OperationError({ code: "Forbidden", message: "no rights", retry: "backoff" });
  const ownership = open({
    read: (name) => store.read(name),
    write: (name, data, version) =>
      isDown ? Promise.reject(down) : store.write(name, data, version),
  });
  const group = await create(ownership, "www", ONE);
  await ownership.externalStore?.recordIntents([group]);
  isDown = true;
  await ownership.confirm(group, { name: WWW, status: "applied" });
  expect(log.lines.map(({ message }) => message)).toEqual(["the registry is behind its zone"]);
  expect(await intents()).toEqual({ [WWW]: [hashOf("www", ONE)] });
  isDown = false;
  await ownership.externalStore?.resync(setsOf("www", ONE));
  expect(await intents()).toEqual({});
  const next = open();
  await next.externalStore?.refresh();
  expect(await ownerOf(next, ONE)).toBe("me");
});

test("a fault that is no failed call is not swallowed", async () => {
  let broken = false;
  const ownership = open({
    read: (name) => store.read(name),
    write: (name, data, version) => {
      if (broken) throw new TypeError("a bug");
      return store.write(name, data, version);
    },
  });
  const group = await create(ownership, "www", ONE);
  await ownership.externalStore?.recordIntents([group]);
  broken = true;
  await expect(ownership.confirm(group, { name: WWW, status: "applied" })).rejects.toThrow("a bug");
});

test("a marker alone: the row follows the new object over the present data", async () => {
  const ownership = open();
  const group = await create(ownership, "www", ONE);
  await ownership.externalStore?.recordIntents([group]);
  await ownership.confirm(group, { name: WWW, status: "applied" });
  const current = await ownership.read(setsOf("www", ONE));
  const desired = parseDesired(`www 300 A ${ONE} ; from=ingress/shop/web`);
  const plan = planName(WWW, desired, current, rulesWith());
  expect(plan.changes.map(({ change }) => change)).toEqual([null]);
  const prepared = await ownership.prepare(plan, new ZoneModel(setsOf("www", ONE)));
  if (!prepared.ok) throw new Error("held");
  await ownership.externalStore?.recordIntents([prepared.group]);
  expect(await intents()).toEqual({ [WWW]: [hashOf("www", ONE)] });
  await ownership.confirm(prepared.group, { name: WWW, status: "applied" });
  const [after] = await ownership.read(setsOf("www", ONE));
  expect(after?.marker?.resource).toBe("ingress/shop/web");
  expect(await ownerOf(ownership, TWO)).toBe("me");
  const [other] = await ownership.read(setsOf("www", TWO));
  expect(other?.contested).toBe(true);
});
