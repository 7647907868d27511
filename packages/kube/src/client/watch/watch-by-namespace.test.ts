/**
 * Kinds that are read by namespace where all may not be read, at servers with access reviews and
 * without. Time is virtual.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  jsonResponse,
  statusResponse,
} from "../../../../../test/support/clients/handler-client.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { SECRET, SERVICE } from "../../objects/kinds.ts";

let world: ClusterWorld;
/** Namespaces whose Secrets may be read; `*` = all. */
let granted: Set<string>;
/** Namespaces whose server does not answer. */
let silent: Set<string>;
let asked: string[];
/** Lists and watches that the server forbade. */
let refused: string[];
const news: string[] = [];

const REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

function isGranted(namespace: string): boolean {
  return granted.has("*") || granted.has(namespace);
}

function reviewOf(body: Uint8Array | string | null | undefined) {
  const { spec } = JSON.parse(Buffer.from(body ?? "").toString());
  const { resource, verb, namespace = "*" } = spec.resourceAttributes;
  expect([resource, verb]).toEqual(["secrets", "list"]);
  return jsonResponse(201, { status: { allowed: isGranted(namespace) } });
}

function begin(reviews: "answered" | "unknown" | "failing"): void {
  granted = new Set(["shop"]);
  silent = new Set();
  asked = [];
  refused = [];
  news.splice(0);
  world = new ClusterWorld({ byNamespace: new Set(["secrets"]) });
  world.http.interceptors.push(async ({ path, body }) => {
    if (reviews === "failing" && path === REVIEW) return statusResponse(503, "ServiceUnavailable");
    if (reviews === "answered" && path === REVIEW) return reviewOf(body);
    if (reviews === "answered" && path === WHO)
      return jsonResponse(201, { status: { userInfo: { username: "zonekeeper" } } });
    const found = /^\/api\/v1\/(?:namespaces\/([^/]+)\/)?secrets/.exec(path);
    if (found === null) return undefined;
    const namespace = found[1] ?? "*";
    asked.push(namespace);
    if (silent.has(namespace)) throw new Error("ECONNRESET");
    if (isGranted(namespace)) return undefined;
    refused.push(namespace);
    return statusResponse(403, "Forbidden");
  });
  for (const namespace of ["shop", "bank"]) world.server.put(SECRET, namespace, { name: "key" });
}

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

describe.each(["answered", "unknown", "failing"] as const)("reviews %s", (reviews) => {
  beforeEach(() => begin(reviews));

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
    granted.add("bank");
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
});

describe("the API server forbids nothing", () => {
  beforeEach(() => begin("answered"));

  test("where rights are not given, for hours", async () => {
    await watch("shop", "bank");
    await world.clock.advance(7_200_000);
    expect([refused, found("shop"), found("bank")]).toEqual([[], "value", "unknown"]);
    expect(world.cache.trouble(SECRET, "bank")).toBe(
      'User "zonekeeper" cannot list secrets of namespace "bank", as a SelfSubjectAccessReview says',
    );
  });

  test("but the watches that were open when a right went", async () => {
    granted.add("bank");
    await watch("shop", "bank");
    granted.delete("bank");
    world.server.endWatches();
    await world.clock.advance(600_000);
    expect(refused).toEqual(["bank"]);
  });

  test("and a review that does not answer ends with the cache", async () => {
    world.http.interceptors.unshift(({ path }) =>
      path === REVIEW ? new Promise<never>(() => {}) : undefined,
    );
    await watch("shop");
    await world.cache.stop();
    expect(asked).toEqual([]);
  });
});
