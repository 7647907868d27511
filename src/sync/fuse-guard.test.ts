import { describe, expect, test } from "vitest";
import { MemoryLog } from "../../test/support/test-ports.ts";
import { VirtualClock } from "../../test/support/virtual-clock.ts";
import { trustedDnsName } from "../model/dns-name.ts";
import type { KeyChange, NamePlan } from "../plan/changes.ts";
import type { StateStore } from "../ports/state-store.ts";
import { FuseGuard } from "./fuse-guard.ts";

class MapState implements StateStore {
  readonly texts = new Map<string, string>();
  down = false;

  async read(key: string): Promise<string | null> {
    return this.texts.get(key) ?? null;
  }

  async write(key: string, value: string): Promise<void> {
    if (this.down) throw new Error("the store is down");
    this.texts.set(key, value);
  }
}

function removal(index: number): NamePlan {
  const name = trustedDnsName(`n${index}.example.org`);
  const key = { name, type: "A", setIdentifier: null };
  const data = {
    ...key,
    ttlSeconds: 300,
    values: ["192.0.2.1"],
    properties: {},
    routingPolicy: null,
  };
  const marker = { owner: "me", resource: null, cluster: null, labels: {}, record: null };
  const change: KeyChange = {
    key,
    current: { ...key, data, marker, contested: false },
    desired: null,
    change: { op: "remove", previous: data },
    marker: null,
    reason: { code: "NotWanted", message: "" },
    proof: "missing-from-list",
  };
  return { name, changes: [change], holds: [] };
}

function open(state: StateStore, strongMin?: number): FuseGuard {
  const ports = { state, clock: new VirtualClock(), log: new MemoryLog() };
  const floor = strongMin === undefined ? {} : { strongMin };
  return new FuseGuard({ ...ports, key: "fuse/me/zone", version: "1", ...floor });
}

const zone = { owned: 10, ownedNames: 10, ownedAt: () => 1 };
const plans = [1, 2, 3, 4, 5].map(removal);
const sent = (admitted: readonly NamePlan[]): number =>
  admitted.filter((plan) => plan.changes.length > 0).length;

describe("Z-16 the fuse of a zone", () => {
  test("holds a removal that is too large, with a hash to approve", async () => {
    const guard = open(new MapState());
    const admitted = await guard.admit(plans, zone);
    expect(sent(admitted)).toBe(0);
    expect(admitted[0]?.holds[0]).toMatchObject({ code: "FuseTripped" });
  });

  test("slices and restarts do not get round it", async () => {
    const state = new MapState();
    let passed = 0;
    for (const plan of plans) passed += sent(await open(state).admit([plan], zone));
    expect(passed).toBe(3);
  });

  test("lets the set pass once its hash is approved, and no other hash", async () => {
    const guard = open(new MapState());
    const [first] = await guard.admit(plans, zone);
    const hash = /zonekeeper approve (\S+)/.exec(first?.holds[0]?.message ?? "")?.[1] ?? "";
    expect(await guard.approve("0000000000000000")).toBe(false);
    expect(await guard.approve(hash)).toBe(true);
    expect(sent(await guard.admit(plans, zone))).toBe(plans.length);
  });

  test("a higher floor for removals with their own DELETED event leaves the others alone", async () => {
    const strong = Array.from({ length: 12 }, (_, index) => removal(index)).map((plan) => ({
      ...plan,
      changes: plan.changes.map((one) => ({ ...one, proof: "deleted-object" as const })),
    }));
    const scene = { owned: 20, ownedNames: 20, ownedAt: () => 1 };
    expect(sent(await open(new MapState()).admit(strong, scene))).toBe(0);
    expect(sent(await open(new MapState(), 100).admit(strong, scene))).toBe(strong.length);
    expect(sent(await open(new MapState(), 100).admit(plans, zone))).toBe(0);
  });

  test("a frozen removal is forgotten once its name is as wanted, though nobody plans it any more", async () => {
    const state = new MapState();
    await open(state).admit(plans, zone);
    const frozen = (): string => state.texts.get("fuse/me/zone") ?? "";
    await open(state).admit([], zone);
    expect(frozen()).toContain("n1.example.org");
    await open(state).admit([], { ...zone, isAsWanted: (name) => name === "n1.example.org" });
    expect(frozen()).not.toContain("n1.example.org");
    expect(frozen()).toContain("n2.example.org");
  });

  test("admits nothing that it could not write down first", async () => {
    const state = new MapState();
    state.down = true;
    await expect(open(state).admit([removal(1)], zone)).rejects.toThrow("the store is down");
  });

  test("a state that cannot be read begins a new window, and says so", async () => {
    const state = new MapState();
    state.texts.set("fuse/me/zone", "{broken");
    expect(sent(await open(state).admit([removal(1)], zone))).toBe(1);
  });
});
