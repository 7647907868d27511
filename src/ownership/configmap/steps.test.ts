import { OperationError } from "@zonekeeper/base/operation-error";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { nameOf, ORIGIN, parseDesired, parseZone } from "../../../test/support/values/zone-text.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import type { RecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, KeyChange } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import type { RegistryStore, StoredObject } from "../../ports/stores.ts";
import { dataHash } from "../data-hash.ts";
import type { Ownership } from "../ownership.ts";
import { openConfigMapOwnership } from "./ownership.ts";
import { parseIntents } from "./row.ts";

/** Keeps what is written; counts calls, and how many there were at the same time. */
class MemoryStore implements RegistryStore {
  readonly objects = new Map<string, StoredObject>();
  isDown = false;
  writes = 0;
  atOnceMax = 0;
  #atOnce = 0;

  async read(name: string): Promise<StoredObject | null> {
    return this.#call(() => this.objects.get(name) ?? null);
  }

  async write(name: string, data: StoredObject["data"]): Promise<string> {
    if (this.isDown)
      throw new OperationError({ code: "Forbidden", message: "no rights", retry: "backoff" });
    return this.#call(() => {
      const version = `v${++this.writes}`;
      this.objects.set(name, { data, version });
      return version;
    });
  }

  async #call<T>(effect: () => T): Promise<T> {
    this.#atOnce += 1;
    this.atOnceMax = Math.max(this.atOnceMax, this.#atOnce);
    await Promise.resolve();
    this.#atOnce -= 1;
    return effect();
  }
}

let store: MemoryStore;
let log: MemoryLog;
beforeEach(() => {
  store = new MemoryStore();
  log = new MemoryLog();
});
const open = (atomic: boolean) =>
  openConfigMapOwnership({
    apex: ORIGIN,
    store,
    id: "z",
    zone: "example.org",
    atomic,
    clock: new VirtualClock(),
    log,
  });

const WWW = nameOf("www");
const set = (text: string): RecordSet => {
  const [one] = parseZone(text);
  if (one === undefined) throw new Error("no set");
  return one;
};
const A = set("www 300 A 192.0.2.1");
const CNAME = set("www 300 CNAME lb.example.com");

/** What is planned for one name of this zone. */
async function prepare(
  ownership: Ownership,
  sets: readonly RecordSet[],
  desired: string,
): Promise<ChangeGroup> {
  const wanted = parseDesired(desired);
  const name = wanted[0]?.name ?? WWW;
  const current = (await ownership.read(sets)).filter((one) => one.name === name);
  const plan = planName(name, wanted, current, rulesWith());
  const prepared = await ownership.prepare(plan, new ZoneModel(sets));
  if (!prepared.ok) throw new Error("held");
  return prepared.group;
}

/** Makes what is desired ours in one call. */
async function made(ownership: Ownership, desired: string): Promise<void> {
  const group = await prepare(ownership, [], desired);
  await ownership.externalStore?.recordIntents([group]);
  await ownership.confirm(group, { name: group.name, status: "applied" });
}

/** Intents in the store: type and hashes. */
function intents(): readonly string[] {
  const parsed = parseIntents(store.objects.get("intents-z")?.data["intents"] ?? "[]");
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value.map(({ type, next }) => `${type} ${next.join(" ")}`);
}

const ownerOf = async (ownership: Ownership, one: RecordSet) =>
  (await ownership.read([one]))[0]?.marker?.owner ?? null;

test("its name, and which names concern one another", () => {
  const ownership = open(true);
  expect(ownership.format).toBe("configmap");
  expect([ownership.affected("a"), ownership.related("b")]).toEqual([["a"], ["b"]]);
});

describe("writes of one name", () => {
  test("in one call: what is in the way goes first, on what was read", async () => {
    const ownership = open(true);
    await made(ownership, "www 300 CNAME lb.example.com");
    const group = await prepare(ownership, [CNAME], "www 300 A 192.0.2.1");
    expect(group.changes).toEqual([
      { op: "remove", previous: CNAME },
      { op: "create", next: A },
    ]);
    expect(group.rest).toBeUndefined();
    const key = { name: WWW, type: "A", setIdentifier: null };
    expect(group.preconditions).toEqual(
      expect.arrayContaining([
        { is: "absent", key },
        { is: "exact", set: CNAME },
      ]),
    );
    const asked = group.preconditions.map((one) => JSON.stringify(one));
    expect(new Set(asked).size).toBe(asked.length);
  });

  test("a change rests on its own key as it was read, whatever else the name has", async () => {
    const ownership = open(true);
    await made(ownership, "www 300 A 192.0.2.2");
    const before = set("www 300 A 192.0.2.2");
    const text = set('www 300 TXT "theirs"');
    const group = await prepare(ownership, [text, before], "www 300 A 192.0.2.1");
    expect(group.changes).toEqual([{ op: "replace", previous: before, next: A }]);
    expect(group.preconditions).toContainEqual({ is: "exact", set: before });
    expect(group.preconditions).not.toContainEqual({ is: "exact", set: text });
  });

  test("one by one: each call is about the key that it writes, and about no other", async () => {
    const ownership = open(false);
    await made(ownership, "www 300 CNAME lb.example.com");
    const group = await prepare(ownership, [CNAME], "www 300 A 192.0.2.1");
    expect(group.changes).toEqual([{ op: "remove", previous: CNAME }]);
    expect(group.rest).toEqual({ writes: [{ op: "create", next: A }], afterMs: 0 });
    await ownership.externalStore?.recordIntents([group]);
    expect(intents()).toEqual(["CNAME "]);
    await ownership.confirm(group, { name: WWW, status: "applied" });
    expect([await ownerOf(ownership, CNAME), await ownerOf(ownership, A)]).toEqual([null, null]);
    const last = await prepare(ownership, [], "www 300 A 192.0.2.1");
    expect([last.changes, last.rest]).toEqual([[{ op: "create", next: A }], undefined]);
    await ownership.externalStore?.recordIntents([last]);
    await ownership.confirm(last, { name: WWW, status: "applied" });
    expect([await ownerOf(ownership, A), intents()]).toEqual(["me", []]);
  });

  test("one by one: a key that is marked alone is done with the last call", async () => {
    const ownership = open(false);
    await made(ownership, "www 300 A 192.0.2.1");
    const desired = `www 300 A 192.0.2.1 ; from=ingress/shop/web
      www 300 AAAA 2001:db8::1 ; from=ingress/shop/web
      www 300 TXT "hello" ; from=ingress/shop/web`;
    const first = await prepare(ownership, [A], desired);
    expect(first.keys.map(({ change }) => change?.op ?? null)).toEqual([null, "create", "create"]);
    await ownership.externalStore?.recordIntents([first]);
    expect(intents().map((one) => one.split(" ")[0])).toEqual(["AAAA"]);
    await ownership.confirm(first, { name: WWW, status: "applied" });
    const last = await prepare(ownership, [A, set("www 300 AAAA 2001:db8::1")], desired);
    await ownership.externalStore?.recordIntents([last]);
    expect(intents().map((one) => one.split(" ")[0])).toEqual(["A", "TXT"]);
    const alone = await prepare(ownership, [A], "www 300 A 192.0.2.1 ; from=ingress/shop/web");
    expect([alone.changes, alone.rest]).toEqual([[], undefined]);
  });

  test("a released record stays, and has no owner", async () => {
    const ownership = open(true);
    await made(ownership, "www 300 A 192.0.2.1");
    const [current] = await ownership.read([A]);
    if (current === undefined) throw new Error("not read");
    const key = { name: WWW, type: "A", setIdentifier: null };
    const reason = { code: "Released", message: "given up" } as const;
    const given: KeyChange = {
      key,
      current,
      desired: null,
      change: null,
      marker: null,
      reason,
      proof: null,
    };
    const group = { name: WWW, keys: [given], changes: [], preconditions: [] };
    await ownership.externalStore?.recordIntents([group]);
    await ownership.confirm(group, { name: WWW, status: "applied" });
    expect([await ownerOf(ownership, A), intents()]).toEqual([null, []]);
  });
});

describe("calls", () => {
  test("the same call again gives no more rights than once", async () => {
    const ownership = open(true);
    const group = await prepare(ownership, [], "www 300 A 192.0.2.1");
    for (let count = 0; count < 2; count++) {
      await ownership.externalStore?.recordIntents([group]);
      await ownership.confirm(group, { name: WWW, status: "unknown", message: "lost" });
    }
    expect(intents()).toEqual([`A ${dataHash(A)}`]);
  });

  test.each(["precondition-failed", "rejected"] as const)("%s: no rights", async (status) => {
    const ownership = open(true);
    const group = await prepare(ownership, [], "www 300 A 192.0.2.1");
    await ownership.externalStore?.recordIntents([group]);
    await ownership.confirm(group, { name: WWW, status, code: "no", message: "no" });
    expect([await ownerOf(ownership, A), intents()]).toEqual([null, []]);
  });

  test("rows are written when the last answer of a call is there, and only then", async () => {
    const ownership = open(true);
    const www = await prepare(ownership, [], "www 300 A 192.0.2.1");
    const api = await prepare(ownership, [], "api 300 A 192.0.2.1");
    await ownership.externalStore?.recordIntents([www, api]);
    const { writes } = store;
    await ownership.confirm(www, { name: WWW, status: "applied" });
    expect(store.writes).toBe(writes);
    await ownership.confirm(api, { name: nameOf("api"), status: "applied" });
    expect(store.writes).toBeGreaterThan(writes);
    const after = store.writes;
    await ownership.confirm(await prepare(ownership, [], "mail 300 A 192.0.2.1"), {
      name: nameOf("mail"),
      status: "applied",
    });
    expect(store.writes).toBe(after);
  });

  test("an answer that comes after another call failed to begin writes nothing", async () => {
    const ownership = open(true);
    const www = await prepare(ownership, [], "www 300 A 192.0.2.1");
    const api = await prepare(ownership, [], "api 300 A 192.0.2.1");
    await ownership.externalStore?.recordIntents([www]);
    store.isDown = true;
    await expect(ownership.externalStore?.recordIntents([api])).rejects.toThrow("no rights");
    await ownership.confirm(www, { name: WWW, status: "applied" });
    expect(log.lines).toEqual([]);
  });

  test("calls to the store come one after the other", async () => {
    const ownership = open(true);
    const www = await prepare(ownership, [], "www 300 A 192.0.2.1");
    const api = await prepare(ownership, [], "api 300 A 192.0.2.1");
    await Promise.all([
      ownership.externalStore?.recordIntents([www]),
      ownership.externalStore?.recordIntents([api]),
      ownership.externalStore?.refresh(),
    ]);
    expect(store.atOnceMax).toBe(1);
  });
});
