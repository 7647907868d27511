/**
 * Two accounts show one zone: rows that one learns during a store call of the second one are
 * not lost.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { ORIGIN, parseZone } from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { ConfigMapRegistry } from "../../cluster/state/config-map-registry.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import type { RegistryStore } from "../../ports/stores.ts";
import { openConfigMapOwnership } from "./ownership.ts";

const PROVENANCE = { cluster: "c1", kind: "service", namespace: "default", name: "web" };
const ZONE = "foo 300 A 192.0.2.1\nbar 300 A 192.0.2.2\nbaz 300 A 192.0.2.3";

/** The group that creates the one record set of a line. */
function created(line: string): ChangeGroup {
  const [next] = parseZone(line);
  if (next === undefined) throw new Error(`no record set in ${line}`);
  const change = { op: "create", next } as const;
  const key = { name: next.name, type: next.type, setIdentifier: null };
  const marker = { owner: "me", provenance: PROVENANCE };
  const reason = { code: "Wanted", message: "" } as const;
  return {
    name: next.name,
    keys: [{ key, current: null, desired: null, change, marker, reason, proof: null }],
    changes: [change],
    preconditions: [],
  };
}

const applied = ({ name }: ChangeGroup): Outcome => ({ name, status: "applied" });

/**
 * A registry whose store does `meanwhile` after its `when`th write, before the answer is there;
 * `fails` = it has none.
 */
function world(when: number, meanwhile: () => void, fails = false) {
  const writer = new MemoryCluster("c1");
  const inner = new ConfigMapRegistry({ writer, namespace: "dns", owner: "me" });
  let count = 0;
  const store: RegistryStore = {
    read: (name) => inner.read(name),
    write: async (name, data, version) => {
      if (++count !== when) return inner.write(name, data, version);
      meanwhile();
      if (fails) throw new OperationError({ code: "Unavailable", message: "no", retry: "backoff" });
      return inner.write(name, data, version);
    },
  };
  const open = (from: RegistryStore) =>
    openConfigMapOwnership({
      apex: ORIGIN,
      ...{ store: from, id: "z", zone: "example.org", atomic: true },
      ...{ clock: new VirtualClock(), log: new MemoryLog() },
    });
  return { ownership: open(store), next: () => open(inner) };
}

test.each([
  [1, false],
  [2, false],
  [3, false],
  [4, false],
  [5, false],
  [4, true],
])(
  "a row that comes during write %i (which fails: %s) is in the store in the end",
  async (when, fails) => {
    const [foo, www, baz] = ZONE.split("\n").map(created);
    if (foo === undefined || www === undefined || baz === undefined) throw new Error("three lines");
    const learned: Promise<void>[] = [];
    const { ownership, next } = world(
      when,
      () => learned.push(ownership.confirm(foo, applied(foo))),
      fails,
    );
    await ownership.externalStore?.refresh();
    await ownership.externalStore?.recordIntents([baz]);
    await ownership.externalStore?.recordIntents([foo]);
    await ownership.confirm(baz, applied(baz));
    // A call that the store refused is begun again.
    await ownership.externalStore
      ?.recordIntents([www])
      .catch(() => ownership.externalStore?.recordIntents([www]));
    await Promise.all(learned);
    await ownership.confirm(www, { name: www.name, status: "precondition-failed", message: "" });
    const zone = parseZone(ZONE).filter(({ name }) => name !== www.name);
    await ownership.externalStore?.resync(zone);
    const after = next();
    await after.externalStore?.refresh();
    const owned = await after.read(zone);
    expect(owned.map(({ marker }) => marker?.owner)).toEqual(["me", "me"]);
  },
);
