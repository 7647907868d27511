import type { KubeObject } from "@zonekeeper/kube/objects/kubernetes";
import type { ObjectChange } from "@zonekeeper/kube/ports/cluster-view";
import { expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { DEFAULT_CLASSES } from "../../../test/support/worlds/default-classes.ts";
import { LiveChecks } from "../../controllers/objects/live-checks.ts";
import { DNS_ENTRY } from "../../model/kinds.ts";
import { readEntry } from "./entry.ts";
import { NO_DECISION } from "./entry-context.ts";
import { EntryStatusWriter } from "./entry-status.ts";

const KEY = "default/web";
const before: KubeObject = {
  apiVersion: "dns.gardener.cloud/v1alpha1",
  kind: "DNSEntry",
  metadata: { name: "web", namespace: "default", uid: "u", resourceVersion: "1", generation: 1 },
  spec: { dnsName: "www.example.org", targets: ["192.0.2.1"] },
};
const at = (version: string, change: Partial<KubeObject> = {}): ObjectChange => {
  const metadata = { ...before.metadata, resourceVersion: version };
  return {
    type: "modified",
    kind: DNS_ENTRY,
    previous: before,
    object: { ...before, ...change, metadata },
  };
};

/** A status write whose answer a test gives. */
async function writing(state = "Ready") {
  const clock = new VirtualClock();
  const again: string[] = [];
  const answers: ((entry: KubeObject) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const patchStatus = () =>
    new Promise<KubeObject>((resolve, reject) => {
      answers.push(resolve);
      failures.push(reject);
    });
  const status = new EntryStatusWriter({
    writer: { patchStatus } as never,
    clock,
    live: new LiveChecks({ clock, queriesPerMinute: 0, ask: async () => ({}) as never }),
    again: (key) => void again.push(key),
  });
  const entry = readEntry(before, "c1", DEFAULT_CLASSES);
  const wanted = { ...entry.status, state, message: "text" };
  const decision = { ...NO_DECISION, status: wanted };
  const shown = status.show({ key: KEY, entry, decision, assignments: [] });
  await Promise.resolve();
  const answer = async (version: string): Promise<void> => {
    answers[0]?.(at(version).object);
    await shown;
  };
  return { status, again, answer, shown, fail: (error: Error) => failures[0]?.(error) };
}

test("a status that the watch shows after its answer, or before, needs no further look", async () => {
  const late = await writing();
  await late.answer("2");
  expect([late.status.own.seen(KEY, at("2")), late.again]).toEqual(["settled", []]);
  const early = await writing();
  expect(early.status.own.seen(KEY, at("2"))).toBe("settled");
  await early.answer("2");
  expect([early.status.own.seen(KEY, at("2")), early.again]).toEqual([null, []]);
});

test("one that says that something is to come is looked at again", async () => {
  const late = await writing("Pending");
  await late.answer("2");
  expect(late.status.own.seen(KEY, at("2"))).toBe("unsettled");
  const early = await writing("Pending");
  early.status.own.seen(KEY, at("2"));
  await early.answer("2");
  expect(early.again).toEqual([KEY]);
});

test.each([
  ["before ours", ["2", "3"]],
  ["after ours", ["3", "4"]],
  ["and ours is not shown yet", ["2"]],
])("somebody else's status during the write is looked at: %s", async (_, versions) => {
  const { status, again, answer } = await writing();
  for (const version of versions) status.own.seen(KEY, at(version));
  await answer("3");
  expect(again).toEqual([KEY]);
});

test("an edit during the write is looked at as ever", async () => {
  const { status, answer } = await writing();
  expect(status.own.seen(KEY, at("2", { spec: { dnsName: "new.example.org" } }))).toBeNull();
  await answer("3");
});

test("after a write that failed every change is looked at", async () => {
  const { status, shown, fail } = await writing();
  expect(status.own.seen(KEY, at("2"))).toBe("settled");
  fail(new Error("refused"));
  await expect(shown).rejects.toThrow("refused");
  expect(status.own.seen(KEY, at("3"))).toBeNull();
});
