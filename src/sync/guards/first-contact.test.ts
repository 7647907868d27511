/** Z-24 in one zone: what waits where this installation meets records of its owner id first. */
import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import type { KindState } from "@zonekeeper/kube/ports/cluster-view";
import { describe, expect, test } from "vitest";
import { MemoryAccount } from "../../../test/support/memory-provider/provider.ts";
import { FakeTerm } from "../../../test/support/ports/fake-term.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { fakeObserver } from "../../../test/support/values/fake-observer.ts";
import { MapState, memoryFuse } from "../../../test/support/values/fuse.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { FREEZE_AFTER_MS } from "../../plan/fuse.ts";
import { fenceName } from "../contract/fence-record.ts";
import { FIRST_PLAN_MS } from "./first-plan.ts";

const APEX = trustedDnsName("example.org");
const FENCE = fenceName(APEX, "me") ?? APEX;
const TXT = { type: "TXT", setIdentifier: null, properties: {}, routingPolicy: null };

/** What any process has seen (Z-23): here only the first contact keeps what is missing. */
const SEEN = new MapState();

interface Given {
  readonly clock?: VirtualClock;
  readonly account?: MemoryAccount;
  readonly state?: MapState;
  readonly domain?: string;
  readonly epoch?: number;
  /** The provider refuses the fence record. */
  readonly refusesFence?: boolean;
  /** State of every kind. */
  readonly kinds?: KindState;
}

function kindsIn(state: KindState = "live") {
  const kind = {
    cluster: "c1",
    kind: "services",
    markerKind: "service",
    isRemembered: true,
    trouble: null,
  };
  return { kinds: () => [{ ...kind, state }] };
}

/** A process of an installation in a zone, as far as it has come in two seconds. */
async function start(given: Given = {}) {
  const { clock = new VirtualClock(), account = new MemoryAccount(), epoch = 1 } = given;
  const { state = new MapState(), domain = "uid-1/ns/lease" } = given;
  const term = new FakeTerm(domain, epoch);
  const world = engineWorld({
    ...{ clock, account, state: SEEN, observer: fakeObserver("absent", kindsIn(given.kinds)) },
    openGuard: (_, onReleased) => memoryFuse({ clock, state, onReleased }),
    engine: { fence: { term, record: true } },
  });
  if (given.refusesFence === true)
    account.breakWith({
      ...account.faults,
      apply: (_zone, groups) =>
        groups.some(({ name }) => name === FENCE)
          ? [{ kind: "rejects", code: "REFUSED", matches: () => true }]
          : [],
    });
  world.engine.openZone(world.zoneInput);
  await clock.advance(2_000);
  const put = async (name: string, address: string, generation = 1) => {
    world.engine.contribute(KEY, { ...entry(name, [address]), generation });
    await clock.advance(2_000);
  };
  const fence = () =>
    world.content
      .at(FENCE)
      .flatMap(({ values }) => values)
      .join("");
  const held = () => world.engine.status().flatMap(({ heldSets }) => heldSets);
  return { ...world, put, fence, held, state };
}

/** A zone with records of `gone` and `kept`, as another installation of our owner id left it. */
async function left(more: Given = {}) {
  const before = await start(more);
  await before.put("gone", "192.0.2.1");
  await before.put("kept", "192.0.2.2");
  await before.engine.stop();
  await before.clock.advance(2 * FIRST_PLAN_MS);
  const { clock, account, content, state } = before;
  const dropFence = () => content.write([{ key: { ...TXT, name: FENCE }, next: null }]);
  return { clock, account, content, dropFence, state };
}

describe("Z-24 first contact with a zone", () => {
  test("what is missing or differs waits until it is approved; what is new is made", async () => {
    const { clock, account, dropFence } = await left();
    dropFence();
    const next = await start({ clock, account, domain: "uid-2/ns/lease" });
    await next.put("kept", "192.0.2.9");
    await next.put("new", "192.0.2.3");
    expect(["gone", "kept", "new"].map(next.values)).toEqual([
      ["192.0.2.1"],
      ["192.0.2.2"],
      ["192.0.2.3"],
    ]);
    const [set, ...others] = next.held();
    expect(set).toMatchObject({ kind: "first-contact", changes: 2, removals: 1 });
    expect(others).toEqual([]);
    await next.engine.approve(set?.hash ?? "");
    await clock.advance(2_000);
    expect(["gone", "kept"].map(next.values)).toEqual([[], ["192.0.2.9"]]);
    await clock.advance(FIRST_PLAN_MS);
    await next.put("new", "192.0.2.4");
    expect(next.fence()).toContain("met=1");
  });

  test("changes that come one by one tell the hash that approves them all", async () => {
    const { clock, account, dropFence } = await left();
    dropFence();
    const next = await start({ clock, account, domain: "uid-2/ns/lease" });
    await next.put("kept", "192.0.2.9");
    await next.put("gone", "192.0.2.8");
    await clock.advance(FREEZE_AFTER_MS);
    const [set, ...others] = next.held();
    expect([set?.changes, others]).toEqual([2, []]);
    const last = new Map(next.reports.flatMap(({ names }) => names.map((one) => [one.name, one])));
    const messages = ["kept", "gone"].map(
      (name) => last.get(trustedDnsName(`${name}.example.org`))?.message,
    );
    for (const message of messages) expect(message).toContain(`zonekeeper approve ${set?.hash} `);
    const before = next.reports.length;
    await clock.advance(3 * FREEZE_AFTER_MS);
    expect(next.reports.length).toBe(before);
  });

  test("an approval is for what was shown: while objects still speak, what comes later waits again", async () => {
    const { clock, account, dropFence } = await left();
    dropFence();
    const next = await start({ clock, account, domain: "uid-2/ns/lease" });
    await next.put("kept", "192.0.2.2");
    const approve = async () => {
      await next.engine.approve(next.held()[0]?.hash ?? "");
      await clock.advance(2_000);
    };
    await approve();
    expect(["gone", "kept"].map(next.values)).toEqual([[], ["192.0.2.2"]]);
    next.engine.withdraw(entry("kept", []).object, "missing-from-list");
    await clock.advance(2_000);
    expect(next.held()).toMatchObject([{ kind: "first-contact", removals: 1 }]);
    expect(next.fence()).not.toContain("met=1");
    await approve();
    expect([next.values("kept"), next.held()]).toEqual([[], []]);
  });

  test("an object that changes since it was first read is followed at once", async () => {
    const { clock, account, dropFence } = await left();
    dropFence();
    const next = await start({ clock, account, domain: "uid-2/ns/lease" });
    await next.put("kept", "192.0.2.2");
    await next.put("kept", "192.0.2.9", 2);
    expect(next.values("kept")).toEqual(["192.0.2.9"]);
    expect(next.values("gone")).toEqual(["192.0.2.1"]);
  });

  test("what its DNSProvider or a look-up adds to an entry is no change of the entry", async () => {
    const { clock, account, dropFence } = await left();
    dropFence();
    const next = await start({ clock, account, domain: "uid-2/ns/lease" });
    const { found, ...more } = entry("kept", ["192.0.2.9"]);
    const items = found.items.map((item) => ({ ...item, ttlSeconds: null }));
    next.engine.contribute(null, { ...more, found: { ...found, items } });
    await next.put("kept", "192.0.2.9");
    expect(next.values("kept")).toEqual(["192.0.2.2"]);
    expect(next.held()).toMatchObject([{ kind: "first-contact", changes: 2, removals: 1 }]);
  });

  test.each([
    ["with its state and its fence", { state: true, fence: true }, false],
    [
      "without its state: the fence says that it met the zone",
      { state: false, fence: true },
      false,
    ],
    ["without its fence: the state says it", { state: true, fence: false }, false],
    ["without both", { state: false, fence: false }, true],
  ])("a restart %s", async (_, kept, isFirst) => {
    const before = await left();
    if (!kept.fence) before.dropFence();
    const { clock, account } = before;
    const state = kept.state ? before.state : new MapState();
    const next = await start({ clock, account, state, epoch: 2 });
    await next.put("kept", "192.0.2.9");
    expect(next.held().map(({ kind }) => kind)).toEqual(isFirst ? ["first-contact"] : []);
    const values = ["gone", "kept"].map(next.values);
    expect(values).toEqual(isFirst ? [["192.0.2.1"], ["192.0.2.2"]] : [[], ["192.0.2.9"]]);
    if (!isFirst) expect(next.fence()).toMatch(/epoch=2;met=1/);
  });

  test.each([
    ["with its state it goes on", true],
    ["without, it meets the zone anew", false],
  ])("where no fence may be written, a restart: %s", async (_, hasState) => {
    const before = await left({ refusesFence: true });
    const { clock, account } = before;
    const state = hasState ? before.state : new MapState();
    const next = await start({ clock, account, state, epoch: 2, refusesFence: true });
    await next.put("kept", "192.0.2.9");
    expect(next.fence()).toBe("");
    expect(next.held().map(({ kind }) => kind)).toEqual(hasState ? [] : ["first-contact"]);
    expect(next.values("kept")).toEqual([hasState ? "192.0.2.9" : "192.0.2.2"]);
  });

  test("it ends by itself where nothing would be removed or replaced", async () => {
    const { clock, account, dropFence } = await left();
    dropFence();
    const next = await start({ clock, account, domain: "uid-2/ns/lease" });
    await next.put("kept", "192.0.2.2");
    await next.put("gone", "192.0.2.1");
    await clock.advance(FIRST_PLAN_MS);
    await next.put("kept", "192.0.2.9");
    expect([next.values("kept"), next.held()]).toEqual([["192.0.2.9"], []]);
    expect(next.fence()).toContain("met=1");
  });

  test.each([
    ["live", true],
    ["syncing", false],
  ] as const)(
    "a minute after everything was planned, where kinds are %s, it is over: %s",
    async (state, isOver) => {
      const { clock, account, dropFence } = await left();
      dropFence();
      const next = await start({ clock, account, domain: "uid-2/ns/lease", kinds: state });
      await next.put("kept", "192.0.2.2");
      await next.put("gone", "192.0.2.1");
      await clock.advance(isOver ? 60_000 : 3 * FIRST_PLAN_MS);
      await next.put("new", "192.0.2.9");
      await next.put("newer", "192.0.2.9");
      expect(next.fence().includes("met=1")).toBe(isOver);
    },
  );

  test("a fence of another installation says nothing of this one", async () => {
    const { clock, account, dropFence, content } = await left();
    const values = content.at(FENCE).flatMap((set) => set.values);
    expect(values.join("")).toContain("domain=uid-1/ns/lease;epoch=1;met=1");
    dropFence();
    const next = await start({ clock, account, domain: "uid-2/ns/lease" });
    expect(next.engine.status()[0]?.fence?.code).toBeNull();
    expect(next.held()).toMatchObject([{ kind: "first-contact", removals: 2 }]);
  });
});
