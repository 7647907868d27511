/** Lost answers, strangers, crashes and slow writers in races on back ends that compare nothing. */
import { describe, expect, test } from "vitest";
import {
  LIKE_ALIDNS,
  LIKE_CLOUDFLARE,
  LIKE_WEBHOOK,
  type MemoryBehaviour,
} from "../../../test/support/memory-provider/behaviour.ts";
import { type MemoryFaults, NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import {
  FOREIGN,
  type Kind,
  MARKER,
  MINUTE_MS,
  type Owner,
  type Race,
  race,
  VALUES,
  WWW,
} from "../../../test/support/worlds/race-world.ts";
import type { RecordSet } from "../../model/record-set.ts";

const BACK_ENDS: readonly (readonly [string, MemoryBehaviour])[] = [
  ["Cloudflare", LIKE_CLOUDFLARE],
  ["AliDNS", LIKE_ALIDNS],
];

/** A marker of a name that another owner began to use. */
const PENDING_OF_YOU =
  '"heritage=external-dns,external-dns/data=+0d67a9dd76e1f02f,external-dns/owner=you,external-dns/resource=service/default/web,external-dns/state=pending"';

describe("Z-27 trouble in the race", () => {
  /** A stranger adds a value just before each of our writes of data, and cleans up afterwards. */
  function foreignAtEachWrite(world: Race): { count: number } {
    const key = { name: WWW, type: "A", setIdentifier: null };
    const set = { ...key, ttlSeconds: 300, properties: {}, routingPolicy: null };
    const seen = { count: 0 };
    const apply: MemoryFaults["apply"] = (_zone, groups) => {
      const creates = groups.some(({ changes }) =>
        changes.some((change) => change.op === "create" && change.next.name === WWW),
      );
      if (!creates) return [];
      seen.count += 1;
      world.clock.setTimer(20_000, () =>
        world.content.write([{ key, next: null }], world.clock.monotonicMs()),
      );
      const write = () => world.content.write([{ key, next: { ...set, values: [FOREIGN] } }]);
      return [{ kind: "foreign", write }];
    };
    world.account.breakWith({ ...NO_FAULTS, apply });
    return seen;
  }

  test.each(BACK_ENDS)(
    "like %s: at each write of ours: it ends, and says so",
    async (_like, behaviour) => {
      const world = await race(behaviour, () => Promise.resolve(), ["me"]);
      const seen = foreignAtEachWrite(world);
      world.claim("me");
      await world.clock.advance(60 * MINUTE_MS);
      expect(seen.count).toBeGreaterThan(2);
      expect(seen.count).toBeLessThan(16);
      expect(world.data()).not.toContain(VALUES.me);
      expect(world.report("me")?.state).not.toBe("published");
      await world.stop();
    },
  );

  const changes = (["at once", "20 minutes later"] as const).flatMap((when) => [
    { like: "AliDNS", behaviour: LIKE_ALIDNS, when },
    { like: "a webhook", behaviour: LIKE_WEBHOOK, when },
  ]);

  test.each(changes)(
    "like $like: a change $when, whose answer is lost, is no race",
    async ({ behaviour, when }) => {
      let change = (): void => undefined;
      let writes = 0;
      const gate = async (_owner: Owner, kind: Kind): Promise<void> => {
        if (kind === "write") writes += 1;
        // Its marker is not final yet.
        if (writes === 2 && when === "at once") change();
      };
      const world = await race(behaviour, gate, ["me"]);
      change = () => world.claim("me", "A", "192.0.2.9");
      let isLost = false;
      const apply: MemoryFaults["apply"] = (_zone, groups) => {
        const isData = groups.some(({ changes }) =>
          changes.some((one) => one.op === "replace" && one.next.name === WWW),
        );
        if (!isData || isLost) return [];
        isLost = true;
        return [{ kind: "lost-before" }];
      };
      world.account.breakWith({ ...NO_FAULTS, apply });
      world.claim("me");
      await world.clock.advance(20 * MINUTE_MS);
      if (when !== "at once") change();
      await world.clock.advance(MINUTE_MS);
      expect(isLost).toBe(true);
      expect(world.data()).toEqual(["192.0.2.9"]);
      expect(world.report("me")).toMatchObject({ state: "published" });
      await world.stop();
    },
  );

  test.each([
    ["AliDNS", LIKE_ALIDNS],
    ["a webhook", LIKE_WEBHOOK],
  ])(
    "like %s: a value that comes between the last steps stays beside ours",
    async (_like, behaviour) => {
      const world = await race(behaviour, () => Promise.resolve(), ["me"]);
      world.claim("me", "CNAME", "target.example.net");
      await world.clock.advance(20 * MINUTE_MS);
      let isDone = false;
      const write = (): void => {
        const [set] = world.content.at(WWW);
        if (set === undefined) throw new Error("the address is there");
        isDone = true;
        const next = { ...set, values: [...set.values, FOREIGN].sort() };
        world.content.write([{ key: set, next }], world.clock.monotonicMs());
      };
      // The marker of the CNAME goes after this one.
      const isFinal = ({ name, values }: RecordSet): boolean =>
        name === MARKER && !values.join().includes("state=pending");
      const apply: MemoryFaults["apply"] = (_zone, groups) =>
        groups.some(({ changes }) =>
          changes.some((one) => one.op !== "remove" && isFinal(one.next)),
        )
          ? [{ kind: "foreign", write }]
          : [];
      world.account.breakWith({ ...NO_FAULTS, apply });
      world.claim("me");
      await world.clock.advance(20 * MINUTE_MS);
      expect(isDone).toBe(true);
      expect(world.data()).toEqual([VALUES.me, FOREIGN]);
      expect(world.markers()).toHaveLength(1);
      await world.stop();
    },
  );

  test.each(["created", "changed"])(
    "like a webhook: another owner overwrites the marker of what we %s, and takes its own back",
    async (when) => {
      const world = await race(LIKE_WEBHOOK, () => Promise.resolve(), ["me"]);
      world.claim("me", "A", when === "created" ? "192.0.2.9" : VALUES.me);
      await world.clock.advance((when === "created" ? 1 : 20) * MINUTE_MS);
      world.claim("me", "A", "192.0.2.9");
      await world.clock.advance(5_000);
      const [set] = world.content.at(MARKER);
      if (set === undefined) throw new Error("it has a marker");
      const values = [PENDING_OF_YOU];
      world.content.write([{ key: set, next: { ...set, values } }], world.clock.monotonicMs());
      await world.clock.advance(5_000);
      world.content.write([{ key: set, next: null }], world.clock.monotonicMs());
      await world.clock.advance(12 * MINUTE_MS);
      expect(world.data()).toEqual(["192.0.2.9"]);
      expect(world.markers()).toEqual(set.values);
      expect(world.report("me")).toMatchObject({ state: "published" });
      await world.stop();
    },
  );

  test("like a webhook: our first marker overwrites another's, whose record is what we want, too", async () => {
    const world = await race(LIKE_WEBHOOK, () => Promise.resolve(), ["me"]);
    const rest = { ttlSeconds: 300, properties: {}, routingPolicy: null, setIdentifier: null };
    const sets: readonly RecordSet[] = [
      { ...rest, name: WWW, type: "A", values: [VALUES.me] },
      { ...rest, name: MARKER, type: "TXT", values: [PENDING_OF_YOU] },
    ];
    const write = (): void => world.content.write(sets.map((set) => ({ key: set, next: set })));
    let isFirst = true;
    const apply: MemoryFaults["apply"] = () => {
      const faults = isFirst ? [{ kind: "foreign" as const, write }] : [];
      isFirst = false;
      return faults;
    };
    world.account.breakWith({ ...NO_FAULTS, apply });
    world.claim("me");
    await world.clock.advance(20 * MINUTE_MS);
    expect([isFirst, world.data(), world.markers()]).toEqual([false, [VALUES.me], []]);
    expect(world.report("me")?.state).toBe("held");
    await world.stop();
  });

  test("like AliDNS: a pending marker at a record of another owner goes after a crash, too", async () => {
    const world = await race(LIKE_ALIDNS, () => Promise.resolve(), ["me"]);
    world.claim("me");
    await world.clock.advance(MINUTE_MS);
    const [set] = world.content.at(MARKER);
    if (set === undefined) throw new Error("it has a marker");
    const next = { ...set, values: [...set.values, PENDING_OF_YOU].sort() };
    world.content.write([{ key: set, next }], world.clock.monotonicMs());
    const other = await race(LIKE_ALIDNS, () => Promise.resolve(), ["you"], world.account);
    other.claim("you");
    await other.clock.advance(12 * MINUTE_MS);
    expect(world.markers()).toEqual(set.values);
    expect(other.report("you")).toMatchObject({ state: "held", code: "ForeignRecord" });
    await Promise.all([world.stop(), other.stop()]);
  });

  test("like Cloudflare: the answer to our write is lost, and a stranger wrote before it", async () => {
    const world = await race(LIKE_CLOUDFLARE, () => Promise.resolve(), ["me"]);
    const key = { name: WWW, type: "A", setIdentifier: null };
    const set = { ...key, ttlSeconds: 300, properties: {}, routingPolicy: null };
    const write = () => world.content.write([{ key, next: { ...set, values: [FOREIGN] } }]);
    let isFirst = true;
    const apply: MemoryFaults["apply"] = () => {
      if (!isFirst) return [];
      isFirst = false;
      return [{ kind: "foreign", write }, { kind: "lost-after" }];
    };
    world.account.breakWith({ ...NO_FAULTS, apply });
    world.claim("me");
    await world.clock.advance(10 * MINUTE_MS);
    expect(world.data()).toEqual([FOREIGN]);
    expect(world.markers()).toEqual([]);
    await world.stop();
  });
});
