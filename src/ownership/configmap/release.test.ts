import { OperationError } from "@zonekeeper/base/operation-error";
import { beforeEach, describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import { nameOf, ORIGIN, parseDesired } from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { ConfigMapRegistry } from "../../cluster/state/config-map-registry.ts";
import type { DesiredRecordSet } from "../../model/record-set.ts";
import type { ChangeGroup, Outcome } from "../../plan/changes.ts";
import { planName } from "../../plan/plan.ts";
import { openConfigMapOwnership } from "./ownership.ts";

const WWW = nameOf("www");
const DOWN = new OperationError({ code: "Unavailable", message: "down", retry: "backoff" });
const APPLIED = { name: WWW, status: "applied" } as const;
const UNKNOWN = { name: WWW, status: "unknown", message: "lost" } as const;

/** Asked for each write; true = it fails. */
let isFailing: (name: string) => boolean;
let inner: ConfigMapRegistry;
let zone: ZoneModel;
beforeEach(() => {
  isFailing = () => false;
  inner = new ConfigMapRegistry({
    writer: new MemoryCluster("c1"),
    namespace: "dns",
    owner: "me",
  });
  zone = new ZoneModel([]);
});
const open = () =>
  openConfigMapOwnership({
    apex: ORIGIN,
    store: {
      read: (name) => inner.read(name),
      write: (name, data, version) =>
        isFailing(name) ? Promise.reject(DOWN) : inner.write(name, data, version),
    },
    id: "z",
    zone: "example.org",
    atomic: true,
    clock: new VirtualClock(),
    log: new MemoryLog(),
  });
type Opened = ReturnType<typeof open>;

async function prepare(
  ownership: Opened,
  desired: readonly DesiredRecordSet[],
): Promise<ChangeGroup> {
  const current = await ownership.read(zone.all());
  const plan = planName(WWW, desired, current, rulesWith({ owners: new Set(["me"]) }));
  const prepared = await ownership.prepare(plan, zone);
  if (!prepared.ok) throw new Error("held");
  return prepared.group;
}

/** `www` is ours, by a row or by an intent whose call was lost; then it is to be released. */
async function releasing(first: Outcome = APPLIED) {
  const ownership = open();
  await ownership.externalStore?.refresh();
  const desired = parseDesired("www 300 A 192.0.2.1");
  const made = await prepare(ownership, desired);
  await ownership.externalStore?.recordIntents([made]);
  zone.apply(made);
  await ownership.confirm(made, first);
  const transfer = { claim: false, permit: null, adopt: [], release: true, merge: false };
  const release = await prepare(
    ownership,
    desired.map((one): DesiredRecordSet => ({ ...one, transfer })),
  );
  expect([release.keys.length, release.changes]).toEqual([1, []]);
  return { ownership, release };
}

const ownerOf = async (ownership: Opened) =>
  (await ownership.read(zone.all())).map(({ marker }) => marker?.owner ?? null);

/** Whose it is here, and to a process that starts now. */
async function owners(ownership: Opened) {
  const next = open();
  await next.externalStore?.refresh();
  return [...(await ownerOf(ownership)), ...(await ownerOf(next))];
}

describe("a release is written before it is told", () => {
  test.each([APPLIED, UNKNOWN])("the store fails afterwards: %j", async (first) => {
    const { ownership, release } = await releasing(first);
    await ownership.externalStore?.recordIntents([release]);
    expect(await ownerOf(ownership)).toEqual(["me"]);
    isFailing = () => true;
    await ownership.confirm(release, APPLIED);
    expect(await owners(ownership)).toEqual([null, null]);
  });

  test("the store fails before: nothing is released", async () => {
    const { ownership, release } = await releasing();
    isFailing = (name) => name.startsWith("registry");
    await expect(ownership.externalStore?.recordIntents([release])).rejects.toThrow("down");
    await ownership.confirm(release, { ...UNKNOWN, status: "retry", afterMs: null });
    isFailing = () => false;
    expect(await owners(ownership)).toEqual(["me", "me"]);
  });

  test("the store fails between the row and the intents: not told, and ours again with the next write", async () => {
    const { ownership, release } = await releasing();
    isFailing = (name) => name.startsWith("intents");
    await expect(ownership.externalStore?.recordIntents([release])).rejects.toThrow("down");
    isFailing = () => false;
    expect(await ownerOf(ownership)).toEqual(["me"]);
    await ownership.externalStore?.resync(zone.all());
    expect(await owners(ownership)).toEqual(["me", "me"]);
  });

  test.each<[string, Outcome]>([
    ["by its row", APPLIED],
    ["by an intent", UNKNOWN],
  ])("a call that was not made, of what is ours %s: it stays ours", async (_, first) => {
    for (const status of ["precondition-failed", "unknown"] as const) {
      zone = new ZoneModel([]);
      const { ownership, release } = await releasing(first);
      await ownership.externalStore?.recordIntents([release]);
      // A reading is taken meanwhile, and the call is sent in parts.
      await ownership.externalStore?.resync(zone.all());
      await ownership.externalStore?.recordIntents([release]);
      await ownership.confirm(release, { name: WWW, status, message: "no" });
      expect(await owners(ownership)).toEqual(["me", "me"]);
    }
  });
});
