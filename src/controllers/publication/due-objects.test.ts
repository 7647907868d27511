import type { ReconcileOptions, StartQueue } from "@zonekeeper/kube/ports/work-queue";
import { expect, test } from "vitest";
import { PublicationQueue } from "./due-objects.ts";

/** A queue whose keys are taken one by one, and what was done about them. */
function world() {
  const keys = new Set<string>();
  const done: string[] = [];
  let options: ReconcileOptions | null = null;
  let isBroken = false;
  let isWaiting = false;
  const start: StartQueue = (given) => {
    options = given;
    return {
      add: (key) => void keys.add(key),
      addAfter: (key, ms) => void (ms === 0 && keys.add(key)),
      addLast: (key) => void keys.add(key),
      stop: async () => undefined,
    };
  };
  const queue = new PublicationQueue(start, "service", {
    decide: async (key) => {
      done.push(`decide ${key}`);
      if (isBroken) throw new Error("broken");
      if (isWaiting) queue.later(key, 60_000);
    },
    show: async (key) => void done.push(`show ${key}`),
  });
  const run = async (key = "a"): Promise<readonly string[]> => {
    keys.delete(key);
    await options?.reconcile(key).catch(() => undefined);
    return done.splice(0);
  };
  const setBroken = (to: boolean): void => {
    isBroken = to;
  };
  const setWaiting = (to: boolean): void => {
    isWaiting = to;
  };
  return { queue, keys, run, setBroken, setWaiting };
}

test("a report alone is shown; afterwards whatever comes is decided", async () => {
  const { queue, run, keys } = world();
  queue.last("a", "show");
  expect([...keys]).toEqual(["a"]);
  expect(await run()).toEqual(["show a"]);
  expect(await run()).toEqual(["decide a"]);
});

test.each([
  ["an edit before it", (queue: PublicationQueue) => queue.soon("a")],
  ["bulk work", (queue: PublicationQueue) => queue.later("a")],
  ["a report that changes what is wanted", (queue: PublicationQueue) => queue.last("a", "decide")],
])("%s is decided, and the report with it", async (_what, other) => {
  const [before, after] = [world(), world()];
  other(before.queue);
  before.queue.last("a", "show");
  after.queue.last("a", "show");
  other(after.queue);
  for (const { run } of [before, after]) expect(await run()).toEqual(["decide a"]);
});

test("what failed, or is due at a time, is decided whatever is reported meanwhile", async () => {
  const { queue, run, setBroken, setWaiting } = world();
  queue.soon("a");
  setBroken(true);
  expect(await run()).toEqual(["decide a"]);
  queue.last("a", "show");
  expect(await run()).toEqual(["decide a"]);
  setBroken(false);
  expect(await run()).toEqual(["decide a"]);
  queue.last("a", "show");
  expect(await run()).toEqual(["show a"]);
  setWaiting(true);
  queue.later("a", 60_000);
  for (let times = 0; times < 3; times++) {
    queue.last("a", "show");
    expect(await run()).toEqual(["decide a"]);
  }
  queue.forget("a");
  queue.last("a", "show");
  expect(await run()).toEqual(["show a"]);
});

test("what was due at a time and waits no more is only shown", async () => {
  const { queue, run } = world();
  queue.later("a", 60_000);
  expect(await run()).toEqual(["decide a"]);
  queue.last("a", "show");
  expect(await run()).toEqual(["show a"]);
});
