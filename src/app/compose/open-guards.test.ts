import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { CONFIG_MAP } from "@zonekeeper/kube/objects/kinds";
import { describe, expect, test } from "vitest";
import { MemoryLog, MemoryMetrics } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { removal } from "../../../test/support/worlds/removal-plan.ts";
import { ConfigMapState } from "../../cluster/state/config-map-state.ts";
import type { FuseConfig } from "../../config/safety-options.ts";
import { FUSE_LIMITS } from "../../model/fuse-limits.ts";
import type { NamePlan } from "../../plan/changes.ts";
import type { OpenZoneInput } from "../../sync/contract/zone.ts";
import { STATE_RETRY_MS } from "../../sync/guards/fuse-guard.ts";
import type { Guard } from "../../sync/guards/guard.ts";
import { RealCrypto } from "../ports/real-crypto.ts";
import { openGuards, openPauses } from "./open-guards.ts";

const ZONE = { owned: 10, ownedNames: 10, ownedAt: () => 1, ownedIn: () => 1, wasMet: true };
/** Weak removals that may pass in a zone of ten. */
const ALLOWED = 3;

class Group {
  readonly clock = new VirtualClock();
  readonly cluster = new MemoryCluster("c1");

  /** The guard of one process that leads now. */
  lead(owner = "me"): Guard {
    return this.process(owner)(() => {});
  }

  /** Opens the guard of the zone in one process. */
  process(owner = "me", fuse?: FuseConfig): (recheck: () => void) => Guard {
    const { cluster: writer, clock } = this;
    const crypto = new RealCrypto();
    const state = new ConfigMapState({ writer, namespace: "dns", prefix: "lease-state", crypto });
    const ports = { clock, log: new MemoryLog(), metrics: new MemoryMetrics() };
    const given = { all: false, zones: [] };
    const pauses = openPauses({ ...ports, state, owner, given });
    const open = openGuards({
      ...ports,
      state,
      pauses,
      owner,
      version: "1",
      ...(fuse && { fuse }),
    });
    const name = trustedDnsName("example.org");
    const zone = { id: name, name, providerType: "memory", endpoint: "here", view: "" };
    return (recheck) => open({ zone } as unknown as OpenZoneInput, recheck, () => undefined);
  }
}

const sent = (plans: readonly NamePlan[]): number =>
  plans.filter(({ changes }) => changes.length > 0).length;

test("Z-24 a second owner id meets the zone for itself", async () => {
  const group = new Group();
  const { wasMet: _, ...zone } = ZONE;
  await group.lead("me").admit([], { ...zone, owned: 0 });
  expect(sent(await group.lead("me").admit([removal(1)], zone))).toBe(1);
  const [held] = await group.lead("second").admit([removal(1)], zone);
  expect(held?.holds[0]).toMatchObject({ code: "FirstContact" });
});

test("Z-16 watched removals of preview namespaces are not counted, by name or by how it begins", async () => {
  const fuse = { limits: FUSE_LIMITS, ephemeralNamespaces: ["demo", "pr-*"] };
  const goneIn = async (namespace: string) => {
    const plans = Array.from({ length: 12 }, (_, index) => removal(index)).map((plan) => ({
      ...plan,
      changes: plan.changes.map((one) => ({
        ...one,
        current: one.current && {
          ...one.current,
          marker: one.current.marker && {
            ...one.current.marker,
            resource: `service/${namespace}/x`,
          },
        },
        proof: "deleted-object" as const,
      })),
    }));
    return sent(
      await new Group()
        .process(
          "me",
          fuse,
        )(() => {})
        .admit(plans, ZONE),
    );
  };
  expect(await Promise.all(["demo", "pr-7", "prod", "demo2"].map(goneIn))).toEqual([12, 12, 0, 0]);
});

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
    let replanned = 0;
    const guard = group.process()(() => (replanned += 1));
    expect(await guard.approve("another")).toBe(false);
    expect(replanned).toBe(0);
    expect(await guard.approve(hash)).toBe(true);
    expect(replanned, "what was held is planned again").toBe(1);
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
