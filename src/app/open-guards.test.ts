import { describe, expect, test } from "vitest";
import { MemoryLog, MemoryMetrics } from "../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../test/support/ports/virtual-clock.ts";
import { MemoryCluster } from "../../test/support/worlds/memory-cluster.ts";
import { removal } from "../../test/support/worlds/removal-plan.ts";
import { ConfigMapState } from "../cluster/state/config-map-state.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import { CONFIG_MAP } from "../model/kinds.ts";
import type { NamePlan } from "../plan/changes.ts";
import type { OpenZoneInput } from "../sync/contract/zone.ts";
import { STATE_RETRY_MS } from "../sync/guards/fuse-guard.ts";
import type { Guard } from "../sync/guards/guard.ts";
import { openGuards, openPauses } from "./open-guards.ts";
import { RealCrypto } from "./ports/real-crypto.ts";

const ZONE = { owned: 10, ownedNames: 10, ownedAt: () => 1 };
/** Weak removals that may pass in a zone of ten. */
const ALLOWED = 3;

class Group {
  readonly clock = new VirtualClock();
  readonly cluster = new MemoryCluster("c1");

  /** The guard of one process that leads now. */
  lead(): Guard {
    return this.process()(() => {});
  }

  /** Opens guards of the zone in one process, each for another account. */
  process(): (recheck: () => void) => Guard {
    const { cluster: writer, clock } = this;
    const crypto = new RealCrypto();
    const state = new ConfigMapState({ writer, namespace: "dns", prefix: "lease-state", crypto });
    const ports = { clock, log: new MemoryLog(), metrics: new MemoryMetrics() };
    const given = { all: false, zones: [] };
    const pauses = openPauses({ ...ports, state, owner: "me", given });
    const open = openGuards({ ...ports, state, pauses, owner: "me", version: "1" });
    const name = trustedDnsName("example.org");
    const zone = { id: name, name, providerType: "memory", endpoint: "here", view: "" };
    return (recheck) => open({ zone } as unknown as OpenZoneInput, recheck);
  }
}

const sent = (plans: readonly NamePlan[]): number =>
  plans.filter(({ changes }) => changes.length > 0).length;

describe("Z-16 counters that live in the cluster", () => {
  test.each([1, 2, 3, 5])(
    "slices of %i with a restart after each trip at the same total",
    async (size) => {
      const group = new Group();
      const plans = [1, 2, 3, 4, 5, 6].map(removal);
      let passed = 0;
      for (let at = 0; at < plans.length; at += size)
        passed += sent(await group.lead().admit(plans.slice(at, at + size), ZONE));
      expect(passed).toBeLessThanOrEqual(ALLOWED);
      expect(passed).toBe(Math.floor(ALLOWED / size) * size);
    },
  );

  test("an approval is there after a restart", async () => {
    const group = new Group();
    const plans = [1, 2, 3, 4, 5].map(removal);
    const [first] = await group.lead().admit(plans, ZONE);
    const hash = /approve (\S+)/.exec(first?.holds[0]?.message ?? "")?.[1] ?? "";
    expect(await group.lead().approve(hash)).toBe(true);
    expect(sent(await group.lead().admit(plans, ZONE))).toBe(plans.length);
  });

  test("after a takeover the new leader counts on; the old one can neither write nor remove", async () => {
    const group = new Group();
    const old = group.lead();
    expect(sent(await old.admit([removal(1), removal(2)], ZONE))).toBe(2);
    const next = group.lead();
    expect(sent(await next.admit([removal(3)], ZONE))).toBe(1);
    const [held] = await old.admit([removal(4)], ZONE);
    expect(held?.holds[0]).toMatchObject({ code: "FuseBlind" });
    await group.clock.advance(STATE_RETRY_MS);
    expect(sent(await old.admit([removal(4)], ZONE)), "it has read again").toBe(0);
    expect(sent(await next.admit([removal(4)], ZONE))).toBe(0);
  });

  test.each(["read", "create"] as const)("a %s that is forbidden stops removals", async (on) => {
    const group = new Group();
    group.cluster.fail({ on, code: "Forbidden", applied: false, kind: CONFIG_MAP });
    const guard = group.lead();
    expect(sent(await guard.admit([removal(1)], ZONE))).toBe(0);
    await group.clock.advance(STATE_RETRY_MS);
    expect(sent(await guard.admit([removal(1)], ZONE))).toBe(1);
  });

  test("an answer that was lost counts what it may have written", async () => {
    const group = new Group();
    group.cluster.fail({ on: "create", code: "UnknownOutcome", applied: true, kind: CONFIG_MAP });
    const guard = group.lead();
    expect(sent(await guard.admit([removal(1), removal(2), removal(3)], ZONE))).toBe(0);
    await group.clock.advance(STATE_RETRY_MS);
    expect(sent(await guard.admit([removal(1), removal(2), removal(3)], ZONE))).toBe(3);
    expect(sent(await guard.admit([removal(4)], ZONE))).toBe(0);
  });
});

describe("Z-16 one zone that two accounts show", () => {
  test("has one fuse: what both remove counts together, and one approval is for both", async () => {
    const rechecked: string[] = [];
    const open = new Group().process();
    const [one, other] = [open(() => rechecked.push("one")), open(() => rechecked.push("other"))];
    expect(sent(await one.admit([removal(1), removal(2)], ZONE))).toBe(2);
    expect(sent(await other.admit([removal(3), removal(4)], ZONE))).toBe(0);
    expect(one.heldSets()).toEqual(other.heldSets());
    expect(await one.approve(other.heldSets()[0]?.hash ?? "")).toBe(true);
    expect(rechecked).toEqual(["one", "other"]);
    expect(sent(await other.admit([removal(3), removal(4)], ZONE))).toBe(2);
  });

  test.each([
    ["plans of the name with nothing to do there", [1, 2, 3, 4, 5], ZONE],
    ["plans of others, while the name is as it wants it", [9], { ...ZONE, isAsWanted: () => true }],
  ])(
    "plans of one account are not forgotten after the second account's %s",
    async (_, names, counts) => {
      const open = new Group().process();
      const [one, other] = [open(() => {}), open(() => {})];
      const plans = [1, 2, 3, 4, 5].map(removal);
      await one.admit(plans, ZONE);
      const held = one.heldSets();
      const idle = names.map((index) => ({ ...removal(index), changes: [] }));
      await other.admit(idle, counts);
      expect(one.heldSets()).toEqual(held);
      expect(await one.approve(held[0]?.hash ?? "")).toBe(true);
      expect(sent(await one.admit(plans, ZONE))).toBe(plans.length);
    },
  );

  test.each(["takes it back", "shows the zone no more"])(
    "it is forgotten with the second account's plan once the first one %s",
    async (how) => {
      const open = new Group().process();
      const [one, other] = [open(() => {}), open(() => {})];
      const plans = [1, 2, 3, 4, 5].map(removal);
      const idle = plans.map((plan) => ({ ...plan, changes: [] }));
      await one.admit(plans, ZONE);
      if (how === "takes it back") await one.admit(idle, ZONE);
      else one.close?.();
      await other.admit(idle, ZONE);
      expect(other.heldSets()).toEqual([]);
    },
  );

  test("the fuse stays while one of them is open, and counts on for the next", async () => {
    const open = new Group().process();
    const [one, other] = [open(() => {}), open(() => {})];
    await one.admit([removal(1), removal(2), removal(3)], ZONE);
    one.close?.();
    expect(sent(await other.admit([removal(4)], ZONE))).toBe(0);
    other.close?.();
    expect(sent(await open(() => {}).admit([removal(5)], ZONE))).toBe(0);
  });
});
