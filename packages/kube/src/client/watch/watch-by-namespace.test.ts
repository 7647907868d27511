/** Kinds that are read by namespace where all may not be read. Time is virtual. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { statusResponse } from "../../../../../test/support/clients/handler-client.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { SECRET, SERVICE } from "../../objects/kinds.ts";

let world: ClusterWorld;
/** Namespaces whose Secrets may be read; `*` = all. */
let granted: Set<string>;
/** Namespaces whose server does not answer. */
let silent: Set<string>;
let asked: string[];
const news: string[] = [];

beforeEach(() => {
  granted = new Set(["shop"]);
  silent = new Set();
  asked = [];
  news.splice(0);
  world = new ClusterWorld({ byNamespace: new Set(["secrets"]) });
  world.http.interceptors.push((request) => {
    const found = /^\/api\/v1\/(?:namespaces\/([^/]+)\/)?secrets/.exec(request.path);
    if (found === null) return undefined;
    const namespace = found[1] ?? "*";
    asked.push(namespace);
    if (silent.has(namespace)) return Promise.reject(new Error("ECONNRESET"));
    if (granted.has("*") || granted.has(namespace)) return undefined;
    return Promise.resolve(statusResponse(403, "Forbidden"));
  });
  for (const namespace of ["shop", "bank"]) world.server.put(SECRET, namespace, { name: "key" });
});
afterEach(() => world.cache.stop());

async function watch(...namespaces: readonly string[]): Promise<void> {
  world.cache.subscribe(SECRET, {
    onChange: ({ type, object: { metadata } }) =>
      void news.push(`${type} ${metadata.namespace}/${metadata.name}`),
    onState: (_, state, namespace) => void news.push(`${namespace ?? "all"} ${state}`),
  });
  for (const namespace of namespaces) world.cache.readIn(SECRET, namespace);
  await world.clock.advance(1_000);
}

const found = (namespace: string) => world.cache.get(SECRET, namespace, "key").state;

test("where all may be read, no namespace is asked by itself", async () => {
  granted.add("*");
  await watch("shop", "bank");
  expect([found("shop"), found("bank")]).toEqual(["value", "value"]);
  expect(new Set(asked)).toEqual(new Set(["*"]));
});

test("what is granted is read, what is not is unknown, and the whole is well", async () => {
  await watch("shop", "bank");
  expect([found("shop"), found("bank")]).toEqual(["value", "unknown"]);
  expect(world.cache.state(SECRET, "shop")).toBe("live");
  expect(world.cache.state(SECRET, "bank")).toBe("forbidden");
  expect(world.cache.state(SECRET)).toBe("live");
  expect(world.cache.trouble(SECRET, "bank")).not.toBeNull();
  expect(world.cache.list(SECRET, "shop")).toMatchObject({ state: "value" });
  expect(world.cache.list(SECRET).state).toBe("unknown");
  expect(news).toContain("added shop/key");
  expect(news).toContain("bank forbidden");
});

test("a right that comes is used within ten seconds, however long it was missing", async () => {
  await watch("shop", "bank");
  await world.clock.advance(600_000);
  granted.add("bank");
  await world.clock.advance(9_000);
  expect(found("bank")).toBe("value");
  expect(news.slice(-2)).toEqual(["added bank/key", "bank live"]);
});

test("a right that goes makes its namespace unknown, tells no deletion and disturbs no other", async () => {
  granted.add("bank");
  await watch("shop", "bank");
  granted.delete("bank");
  world.server.endWatches();
  await world.clock.advance(20_000);
  expect([found("shop"), found("bank")]).toEqual(["value", "unknown"]);
  expect(news.filter((one) => one.startsWith("deleted"))).toEqual([]);
});

test("a namespace that does not answer disturbs no other", async () => {
  silent.add("bank");
  await watch("shop", "bank");
  expect([found("shop"), found("bank")]).toEqual(["value", "unknown"]);
  expect(world.cache.state(SECRET)).toBe("live");
  world.server.put(SECRET, "shop", { name: "second" });
  await world.clock.advance(1_000);
  expect(world.cache.get(SECRET, "shop", "second").state).toBe("value");
});

test("when all may be read, one watch takes over from hundreds; and back", async () => {
  const many = Array.from({ length: 300 }, (_, index) => `team-${index}`);
  for (const namespace of many) granted.add(namespace);
  await watch(...many, "shop");
  expect(world.cache.state(SECRET)).toBe("live");
  granted.add("*");
  await world.clock.advance(10_000);
  asked.splice(0);
  await world.clock.advance(600_000);
  expect(new Set(asked)).toEqual(new Set(["*"]));
  expect(found("bank")).toBe("value");
  granted.delete("*");
  world.server.endWatches();
  await world.clock.advance(30_000);
  expect([found("shop"), found("bank")]).toEqual(["value", "unknown"]);
});

test("who asks for a namespace may end it, and other kinds stay as they were", async () => {
  await watch("shop");
  const end = world.cache.readIn(SECRET, "bank");
  await world.clock.advance(1_000);
  expect(asked).toContain("bank");
  end();
  asked.splice(0);
  await world.clock.advance(60_000);
  expect(asked).not.toContain("bank");
  world.http.failNext(/services/, () => statusResponse(403, "Forbidden"), 3);
  await world.watch(SERVICE);
  expect(world.cache.state(SERVICE, "shop")).toBe("forbidden");
});
