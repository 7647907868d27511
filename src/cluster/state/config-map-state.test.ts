import { createHash } from "node:crypto";
import { OperationError } from "@zonekeeper/base/operation-error";
import type { Crypto } from "@zonekeeper/base/ports/crypto";
import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import { isFields } from "@zonekeeper/kube/objects/object-fields";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { ConfigMapState, type ConfigMapStateOptions } from "./config-map-state.ts";

const crypto: Crypto = {
  hash: (algorithm, data) => createHash(algorithm).update(data).digest(),
  hmac: () => new Uint8Array(),
  equal: () => false,
};
const KEY = "fuse/me/rfc2136/192.0.2.53:53/example.org";

let cluster: MemoryCluster;
const open = (): ConfigMapState =>
  new ConfigMapState({ writer: cluster, namespace: "dns", prefix: "zonekeeper-state", crypto });
beforeEach(() => {
  cluster = new MemoryCluster("c1");
});

describe("Z-16 state in ConfigMaps", () => {
  test("nothing was written; what is written is there for the next one", async () => {
    expect(await open().read(KEY)).toBeNull();
    const state = open();
    await state.write(KEY, "one");
    await state.write(KEY, "two");
    expect(await open().read(KEY)).toBe("two");
    expect(cluster.all(CONFIG_MAP).map(({ metadata }) => metadata.name)).toEqual([
      state.nameOf(KEY),
    ]);
    expect(state.nameOf(KEY)).toMatch(/^zonekeeper-state-[0-9a-f]{12}$/);
  });

  test("keys have objects of their own", async () => {
    const state = open();
    await state.write(KEY, "one");
    await state.write(`${KEY}.net`, "two");
    expect(await state.read(KEY)).toBe("one");
    expect(cluster.all(CONFIG_MAP)).toHaveLength(2);
  });

  test("a writer whose view is old changes nothing, until it has read again", async () => {
    const [old, next] = [open(), open()];
    await old.write(KEY, "mine");
    await next.read(KEY);
    await next.write(KEY, "newer");
    await expect(old.write(KEY, "older")).rejects.toMatchObject({ code: "Conflict" });
    await expect(old.write(KEY, "older")).rejects.toMatchObject({ code: "AlreadyExists" });
    expect(await old.read(KEY)).toBe("newer");
    await old.write(KEY, "newest");
    expect(await next.read(KEY)).toBe("newest");
  });

  test("an object that is no state is an error, never empty state", async () => {
    const state = open();
    const metadata = { name: state.nameOf(KEY), namespace: "dns" };
    cluster.apply(CONFIG_MAP, { apiVersion: "v1", kind: "ConfigMap", metadata, data: {} });
    await expect(state.read(KEY)).rejects.toMatchObject({ code: "StateUnusable" });
  });
});

const LONG = "\u{1f600}".repeat(500_000);
const OTHER = `${LONG.slice(0, 600_000)}other`;
/**
 * Writes through a process that dies at a call that changes something: before it is made, or before
 * its answer.
 */
function dyingAfter(calls: number, isMade: boolean): ConfigMapState {
  let left = calls;
  return through(async (act) => {
    if (left-- > 0) return act();
    if (left === -1 && isMade) await act();
    throw new Error("dead");
  });
}
const succeeds = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );
type Sender = <T>(act: () => Promise<T>) => Promise<T>;
/** Each call that changes something goes through `send`, each other one through `ask`. */
function through(send: Sender, ask: Sender = (act) => act()): ConfigMapState {
  const writer: ConfigMapStateOptions["writer"] = {
    read: (ref) => ask(() => cluster.read(ref)),
    create: (kind, object) => send(() => cluster.create(kind, object)),
    update: (kind, object) => send(() => cluster.update(kind, object)),
  };
  return new ConfigMapState({ writer, namespace: "dns", prefix: "zonekeeper-state", crypto });
}
/** ConfigMaps that hold text. */
const namesNow = (): readonly string[] => {
  const isUsed = ({ data }: KubeObject): boolean => isFields(data) && data["value"] !== "";
  return cluster.all(CONFIG_MAP).flatMap((each) => (isUsed(each) ? [each.metadata.name] : []));
};

describe("Z-16 a state longer than an object takes", () => {
  test("it is cut into shards that each fit into one object", async () => {
    await open().write(KEY, LONG);
    expect(await open().read(KEY)).toBe(LONG);
    expect(namesNow()).toHaveLength(5);
    const bytes = cluster
      .all(CONFIG_MAP)
      .map((object) => Buffer.byteLength(JSON.stringify(object)));
    expect(Math.max(...bytes)).toBeLessThan(1_000_000);
  });

  test("a change writes what is new of it and empties what is not in it any more", async () => {
    const state = open();
    await state.write(KEY, LONG);
    const before = namesNow();
    await state.write(KEY, OTHER);
    const after = namesNow();
    expect(after.filter((name) => before.includes(name))).toHaveLength(3);
    expect(after).toHaveLength(4);
    await state.write(KEY, "short");
    expect(namesNow()).toEqual([state.nameOf(KEY)]);
  });

  test("a text that goes to and fro takes no more objects than two texts", async () => {
    for (const text of [LONG, OTHER, LONG, "short", OTHER, LONG]) {
      const state = open();
      await state.read(KEY);
      await state.write(KEY, text);
    }
    expect(cluster.all(CONFIG_MAP).length).toBeLessThanOrEqual(1 + 4 + 4);
  });

  test.each([
    { before: null, mine: LONG, newer: OTHER },
    { before: LONG, mine: OTHER, newer: LONG },
    { before: LONG, mine: "short", newer: `${OTHER}er` },
  ])("a former writer that goes on at any call harms nothing", async ({ before, mine, newer }) => {
    for (let at = 0, wasReached = true; wasReached; at++) {
      cluster = new MemoryCluster("c1");
      if (before !== null) await open().write(KEY, before);
      const next = open();
      wasReached = false;
      let calls = 0;
      const goesOn: Sender = async (act) => {
        if (calls++ === at) {
          wasReached = true;
          await next.read(KEY);
          await next.write(KEY, newer);
        }
        return act();
      };
      const former = through(goesOn, goesOn);
      const isRead = await succeeds(former.read(KEY));
      if (isRead) await succeeds(former.write(KEY, mine));
      expect([newer, mine]).toContain(await open().read(KEY));
      await next.read(KEY);
      await next.write(KEY, mine);
      expect(await open().read(KEY)).toBe(mine);
    }
  });

  test("a long state of an older layout is refused, not taken for none", async () => {
    const state = open();
    const metadata = { name: state.nameOf(KEY), namespace: "dns" };
    const data = { key: KEY, parts: `${metadata.name}-0123456789abcdef` };
    cluster.apply(CONFIG_MAP, { apiVersion: "v1", kind: "ConfigMap", metadata, data });
    await expect(state.read(KEY)).rejects.toMatchObject({ code: "StateUnusable" });
  });

  test.each([
    { before: null, after: LONG },
    { before: "short", after: LONG },
    { before: LONG, after: OTHER },
    { before: OTHER, after: "short" },
  ])(
    "a crash at any call leaves one of the two texts, and nothing behind",
    async ({ before, after }) => {
      for (const isMade of [false, true]) {
        for (let calls = 0; ; calls++) {
          cluster = new MemoryCluster("c1");
          if (before !== null) await open().write(KEY, before);
          const dying = dyingAfter(calls, isMade);
          await dying.read(KEY);
          const isDead = !(await succeeds(dying.write(KEY, after)));
          const next = open();
          const found = await next.read(KEY);
          expect([before, after]).toContain(found);
          if (!isDead) expect(found).toBe(after);
          await next.write(KEY, "short");
          expect(namesNow()).toEqual([next.nameOf(KEY)]);
          if (!isDead) break;
        }
      }
    },
  );

  test("a part that is gone or changed makes the whole unusable, and writing mends it", async () => {
    const state = open();
    await state.write(KEY, LONG);
    const [, part] = namesNow();
    const damaged = { name: part ?? "", namespace: "dns" };
    cluster.apply(CONFIG_MAP, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: damaged,
      data: { value: "x" },
    });
    await expect(open().read(KEY)).rejects.toMatchObject({ code: "StateUnusable" });
    await state.write(KEY, LONG);
    expect(await open().read(KEY)).toBe(LONG);
    cluster.delete(CONFIG_MAP, "dns", part ?? "");
    await expect(open().read(KEY)).rejects.toMatchObject({ code: "StateUnusable" });
  });

  test("a text of too many shards is refused before anything is sent", async () => {
    const state = open();
    await expect(state.write(KEY, "x".repeat(38_500_001))).rejects.toBeInstanceOf(OperationError);
    expect(namesNow()).toEqual([]);
  });
});
