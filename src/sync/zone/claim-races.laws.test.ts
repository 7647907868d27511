/**
 * Two writers take one name in the same moment on a back end that compares nothing (Z-27): one of
 * two owners stays, and a record is changed by its writer alone.
 */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import {
  LIKE_ALIDNS,
  LIKE_CLOUDFLARE,
  LIKE_POWERDNS,
  LIKE_RFC2136,
  LIKE_WEBHOOK,
  type MemoryBehaviour,
} from "../../../test/support/memory-provider/behaviour.ts";
import { SeededRandom } from "../../../test/support/ports/test-ports.ts";
import type { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import {
  FOREIGN,
  type Gate,
  type Kind,
  MINUTE_MS,
  OWNERS,
  type Owner,
  type Race,
  race,
  VALUES,
  WWW,
} from "../../../test/support/worlds/race-world.ts";

const BACK_ENDS: readonly (readonly [string, MemoryBehaviour])[] = [
  ["Cloudflare", LIKE_CLOUDFLARE],
  ["AliDNS", LIKE_ALIDNS],
];

/** What a stranger put there since the reading is lost, but of two owners one stays. */
const OVERWRITING = [
  ["PowerDNS", LIKE_POWERDNS],
  ["a webhook", LIKE_WEBHOOK],
] as const;

/** One owner has the name, and the other one knows who. */
function expectOneWinner({ data, markers, report }: Race): void {
  const winner = data()[0] === VALUES.me ? "me" : "you";
  const loser = winner === "me" ? "you" : "me";
  expect(data()).toEqual([VALUES[winner]]);
  expect(markers()).toHaveLength(1);
  expect(markers()[0]).toContain(`external-dns/owner=${winner}`);
  expect(markers()[0]).not.toContain("state=");
  expect(report(winner)).toMatchObject({ state: "published" });
  // Before its next read the loser knows the marker of the winner alone.
  expect(report(loser)).toMatchObject({ state: "held" });
  expect(report(loser)?.code).toMatch(/^Foreign(Record|Marker)$/);
  expect(report(loser)?.message).toContain(`owned by "${winner}"`);
}

/** Lets calls through in this order, and all of them afterwards. */
class Turns {
  readonly #waiting: Record<Owner, (() => void)[]> = { me: [], you: [] };
  isOpen = true;
  readonly gate: Gate = (owner) => {
    if (this.isOpen) return Promise.resolve();
    return new Promise((resolve) => this.#waiting[owner].push(resolve));
  };

  async step(letter: string, clock: VirtualClock): Promise<void> {
    await clock.advance(1_500);
    this.#waiting[letter === "m" ? "me" : "you"].shift()?.();
  }

  async play(order: string, clock: VirtualClock): Promise<void> {
    for (const letter of order) await this.step(letter, clock);
    this.isOpen = true;
    for (const owner of OWNERS) for (const resolve of this.#waiting[owner]) resolve();
  }
}

/** Every order of so many calls of the one and the other. */
function ordersOf(mine: number, yours: number): readonly string[] {
  if (mine === 0 || yours === 0) return ["m".repeat(mine) + "y".repeat(yours)];
  return [
    ...ordersOf(mine - 1, yours).map((rest) => `m${rest}`),
    ...ordersOf(mine, yours - 1).map((rest) => `y${rest}`),
  ];
}

function seededOrders(count: number, calls: number): readonly string[] {
  const random = new SeededRandom();
  const letter = () => (random.next() < 0.5 ? "m" : "y");
  return Array.from({ length: count }, () => Array.from({ length: calls }, letter).join(""));
}

async function playOrder(behaviour: MemoryBehaviour, order: string): Promise<Race> {
  const turns = new Turns();
  const world = await race(behaviour, turns.gate);
  turns.isOpen = false;
  for (const owner of OWNERS) world.claim(owner);
  await turns.play(order, world.clock);
  await world.clock.advance(12 * MINUTE_MS);
  await world.stop();
  return world;
}

async function expectOneWinnerIn(
  behaviour: MemoryBehaviour,
  orders: readonly string[],
): Promise<void> {
  for (const order of orders) {
    const world = await playOrder(behaviour, order);
    try {
      expectOneWinner(world);
    } catch (error) {
      throw new Error(`order ${order}`, { cause: error });
    }
  }
}

describe("Z-27 two owners claim one name in the same moment", () => {
  test.each([...BACK_ENDS, ...OVERWRITING])(
    "like %s: one has it, the other says who",
    async (_like, behaviour) => {
      const world = await race(behaviour, () => Promise.resolve());
      for (const owner of OWNERS) world.claim(owner);
      await world.clock.advance(MINUTE_MS);
      expectOneWinner(world);
      await world.stop();
    },
  );

  test.each([
    ["Cloudflare", LIKE_CLOUDFLARE],
    ["PowerDNS", LIKE_POWERDNS],
  ])(
    "like %s: in each order of their calls",
    (_like, behaviour) => expectOneWinnerIn(behaviour, ordersOf(4, 4)),
    60_000,
  );

  test.each([
    ["AliDNS", LIKE_ALIDNS],
    ["a webhook", LIKE_WEBHOOK],
  ])(
    "like %s: in fifty orders of their calls",
    (_like, behaviour) => expectOneWinnerIn(behaviour, seededOrders(50, 18)),
    60_000,
  );

  test("like AliDNS: who may not write its data takes its pending marker back", async () => {
    const turns = new Turns();
    const world = await race(LIKE_ALIDNS, turns.gate);
    world.claim("me");
    await world.clock.advance(10);
    turns.isOpen = false;
    await turns.play("", world.clock);
    world.claim("you", "CNAME", "target.example.net");
    await world.clock.advance(10 * MINUTE_MS);
    expect(world.content.at(trustedDnsName("cname-www.example.org"))).toEqual([]);
    expect(world.data()).toEqual([VALUES.me]);
    await world.stop();
  });
});

test("Z-27 two owners that want equal data: one has it, and it is never gone", async () => {
  const gone: string[] = [];
  let dataNow = (): readonly string[] => [];
  let isWritten = false;
  const world = await race(LIKE_CLOUDFLARE, async () => {
    if (isWritten && dataNow().length === 0) gone.push("gone");
    isWritten ||= dataNow().length > 0;
  });
  dataNow = world.data;
  for (const owner of OWNERS) world.claim(owner, "A", VALUES.me);
  await world.clock.advance(MINUTE_MS);
  expect(world.data()).toEqual([VALUES.me]);
  expect(world.markers()).toHaveLength(1);
  expect(gone).toEqual([]);
  await world.stop();
});

test("Z-27 a process that crashed in the race withdraws what it wrote after its restart", async () => {
  const turns = new Turns();
  const world = await race(LIKE_CLOUDFLARE, turns.gate);
  turns.isOpen = false;
  for (const owner of OWNERS) world.claim(owner);
  // Both have read and written, and neither has read again.
  for (const letter of "mymy") await turns.step(letter, world.clock);
  await world.clock.advance(10);
  expect(world.markers()).toHaveLength(2);
  const again = await race(LIKE_CLOUDFLARE, () => Promise.resolve(), OWNERS, world.account);
  for (const owner of OWNERS) again.claim(owner);
  await again.clock.advance(12 * MINUTE_MS);
  expectOneWinner(again);
  await again.stop();
});

describe("Z-27 a value of somebody else in a record of ours", () => {
  const key = { name: WWW, type: "A", setIdentifier: null };
  const set = { ...key, ttlSeconds: 300, properties: {}, routingPolicy: null };
  const put = ({ content, clock }: Race, values: readonly string[]): void =>
    content.write([{ key, next: { ...set, values } }], clock.monotonicMs());

  test.each(BACK_ENDS)(
    "like %s: it stays, and the entry says so until it goes",
    async (_like, behaviour) => {
      const world = await race(behaviour, () => Promise.resolve(), ["me"]);
      world.claim("me");
      await world.clock.advance(MINUTE_MS);
      put(world, [VALUES.me, FOREIGN]);
      await world.clock.advance(6 * MINUTE_MS);
      expect(world.report("me")).toMatchObject({ state: "held", code: "ForeignValue" });
      world.claim("me", "A", "192.0.2.9");
      await world.clock.advance(6 * MINUTE_MS);
      expect(world.data()).toEqual([VALUES.me, FOREIGN]);
      put(world, [VALUES.me]);
      await world.clock.advance(6 * MINUTE_MS);
      expect(world.data()).toEqual(["192.0.2.9"]);
      expect(world.report("me")).toMatchObject({ state: "published" });
      await world.stop();
    },
  );

  test("like Cloudflare: it came before our write, and the process crashed after it", async () => {
    const turns = new Turns();
    const world = await race(LIKE_CLOUDFLARE, turns.gate, ["me"]);
    turns.isOpen = false;
    world.claim("me");
    await turns.step("m", world.clock);
    await world.clock.advance(10);
    put(world, [FOREIGN]);
    await turns.step("m", world.clock);
    await world.clock.advance(10);
    expect(world.data()).toEqual([VALUES.me, FOREIGN]);
    const again = await race(LIKE_CLOUDFLARE, () => Promise.resolve(), ["me"], world.account);
    again.claim("me");
    await again.clock.advance(12 * MINUTE_MS);
    expect(again.data()).toEqual([VALUES.me, FOREIGN]);
    expect(again.report("me")).toMatchObject({ state: "held", code: "ForeignValue" });
    await again.stop();
  });

  test("like Cloudflare: an object that wants it, too, has it", async () => {
    const world = await race(LIKE_CLOUDFLARE, () => Promise.resolve(), ["me"]);
    world.claim("me");
    await world.clock.advance(MINUTE_MS);
    put(world, [VALUES.me, FOREIGN]);
    await world.clock.advance(6 * MINUTE_MS);
    world.claim("me", "A", FOREIGN);
    await world.clock.advance(MINUTE_MS);
    expect(world.data()).toEqual([FOREIGN]);
    expect(world.report("me")).toMatchObject({ state: "published" });
    await world.stop();
  });
});

describe("Z-27 a stranger without a marker writes in the same moment", () => {
  const moments = BACK_ENDS.flatMap(([like, behaviour]) =>
    (["right before", "right after"] as const).map((moment) => ({ like, behaviour, moment })),
  );

  test.each(moments)(
    "like $like, $moment our write: his value stays, ours goes",
    async ({ behaviour, moment }) => {
      let writes = 0;
      const strike = (kind: Kind): void => {
        if (kind === "write") writes += 1;
        const isNow = moment === "right before" ? kind === "write" : kind === "read" && writes > 0;
        // Step by step the second write is that of the data.
        const first = behaviour.atomicity === "zone" ? 1 : 2;
        if (isNow && writes === first && !isDone) write();
      };
      let isDone = false;
      let write = (): void => undefined;
      const world = await race(behaviour, async (_owner, kind) => strike(kind), ["me"]);
      const key = { name: WWW, type: "A", setIdentifier: null };
      write = () => {
        isDone = true;
        const values = [...world.data(), FOREIGN].sort();
        const next = { ...key, ttlSeconds: 300, values, properties: {}, routingPolicy: null };
        world.content.write([{ key, next }], world.clock.monotonicMs());
      };
      world.claim("me");
      await world.clock.advance(20 * MINUTE_MS);
      expect(isDone).toBe(true);
      expect(world.data()).toEqual([FOREIGN]);
      expect(world.markers()).toEqual([]);
      expect(world.report("me")).toMatchObject({ state: "held", code: "ForeignRecord" });
      await world.stop();
    },
  );
});

test.each([
  { like: "Cloudflare", behaviour: LIKE_CLOUDFLARE, expected: ["read", "write", "read"] },
  // Marker, data, marker: the last one is not read back.
  {
    like: "AliDNS",
    behaviour: LIKE_ALIDNS,
    expected: ["read", "write", "read", "write", "read", "write"],
  },
  { like: "rfc2136", behaviour: LIKE_RFC2136, expected: ["write"] },
])("Z-27 like $like: one change takes $expected", async ({ behaviour, expected }) => {
  const calls: Kind[] = [];
  const world = await race(
    behaviour,
    async (_owner, kind) => {
      calls.push(kind);
    },
    ["me"],
  );
  for (const value of ["192.0.2.1", "192.0.2.9"]) {
    calls.length = 0;
    world.claim("me", "A", value);
    await world.clock.advance(5_000);
    expect(world.data()).toEqual([value]);
    expect(calls).toEqual(expected);
  }
  await world.stop();
});
