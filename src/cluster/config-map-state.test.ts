import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryCluster } from "../../test/support/memory-cluster.ts";
import { CONFIG_MAP } from "../model/kinds.ts";
import { OperationError } from "../model/operation-error.ts";
import type { Crypto } from "../ports/crypto.ts";
import { ConfigMapState } from "./config-map-state.ts";

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

  test("what stands in place of the state is an error, not nothing", async () => {
    const state = open();
    const metadata = { name: state.nameOf(KEY), namespace: "dns" };
    cluster.apply(CONFIG_MAP, { apiVersion: "v1", kind: "ConfigMap", metadata, data: {} });
    await expect(state.read(KEY)).rejects.toMatchObject({ code: "StateUnusable" });
  });

  test("more than an object takes is refused before it is sent", async () => {
    const state = open();
    await expect(state.write(KEY, "x".repeat(900_001))).rejects.toBeInstanceOf(OperationError);
    expect(cluster.all(CONFIG_MAP)).toEqual([]);
  });
});
