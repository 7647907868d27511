/**
 * A big list is told in slices: others have their turn, readers see it at once, and nobody hears
 * anything twice.
 */
import { Slices } from "@zonekeeper/base/ports/clock";
import { beforeEach, describe, expect, test } from "vitest";
import { VirtualClock } from "../../../../../test/support/ports/virtual-clock.ts";
import { SERVICE } from "../../objects/kinds.ts";
import type { KubeObject } from "../../objects/kubernetes.ts";
import type { ObjectChange } from "../../ports/cluster-view.ts";
import type { CachedObject } from "./decode-object.ts";
import { KindStore } from "./kind-store.ts";

const OBJECTS = 100;
const nothing = (): void => undefined;
const LOG = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => LOG };

/** Each look at the time takes a millisecond, so that a slice has some ten steps. */
class CountingClock extends VirtualClock {
  clockReads = 0;
  yields = 0;
  onYield: (count: number) => void = nothing;

  override monotonicMs(): number {
    this.clockReads += 1;
    return this.clockReads;
  }

  async yieldNow(): Promise<void> {
    this.yields += 1;
    this.onYield(this.yields);
  }
}

const serviceAt = (index: number): CachedObject => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: {
    name: `s${index}`,
    namespace: "default",
    uid: `u${index}`,
    resourceVersion: String(index + 1),
  },
});

describe("a list", () => {
  let clock: CountingClock;
  let store: KindStore;
  const list = {
    objects: Array.from({ length: OBJECTS }, (_, index) => serviceAt(index)),
    resourceVersion: String(OBJECTS),
  };
  const listen = (): string[] => {
    const changes: string[] = [];
    const onChange = ({ type, object }: ObjectChange) =>
      changes.push(`${type} ${object.metadata.name}`);
    store.subscribe({ onChange, onState: nothing });
    return changes;
  };
  const take = (taken: typeof list, signal = new AbortController().signal) =>
    store.replace(taken, new Slices(clock), signal);

  beforeEach(() => {
    clock = new CountingClock();
    store = new KindStore(SERVICE, LOG);
  });

  test("is notified in slices, each object once", async () => {
    const changes = listen();
    await take(list);
    expect(clock.yields).toBeGreaterThan(5);
    expect(changes).toEqual(list.objects.map(({ metadata }) => `added ${metadata.name}`));
  });

  test("who subscribes on the way hears each object once, and each removal", async () => {
    await take(list);
    const { yields } = clock;
    const late: string[][] = [];
    clock.onYield = () => late.push(listen());
    await take({ objects: list.objects.slice(50), resourceVersion: "200" });
    expect(clock.yields).toBeGreaterThan(yields + 5);
    for (const changes of late) {
      const alive = new Set<string>();
      for (const line of changes) {
        const [type, name = ""] = line.split(" ");
        expect(alive.has(name), line).toBe(type === "deleted");
        if (type === "deleted") alive.delete(name);
        else alive.add(name);
      }
      expect(alive.size).toBe(50);
    }
  });

  test("readers see the whole of it or nothing of it", async () => {
    const sizes = new Set<number>();
    clock.onYield = () => sizes.add(store.size);
    await take(list);
    expect([...sizes]).toEqual([0, OBJECTS]);
  });

  test("after an abort no listener is called", async () => {
    const stop = new AbortController();
    const changes = listen();
    clock.onYield = () => {
      if (changes.length > 0) stop.abort(new Error("stopped"));
    };
    await expect(take(list, stop.signal)).rejects.toThrow("stopped");
    expect(changes.length).toBeLessThan(OBJECTS);
  });
});

describe("an index", () => {
  const index = {
    name: "app",
    kind: SERVICE,
    valuesOf: ({ metadata }: KubeObject) => Object.values(metadata.labels ?? {}),
  };
  const labelled = (at: number, app: string, namespace = "default"): CachedObject => {
    const object = serviceAt(at);
    const metadata = { ...object.metadata, namespace, labels: { app }, uid: `u${at}` };
    return { ...object, metadata: { ...metadata, resourceVersion: String(1000 + at) } };
  };

  test("follows lists, events and deletions, and answers a namespace alone", async () => {
    const store = new KindStore(SERVICE, LOG);
    const { signal } = new AbortController();
    const slices = new Slices(new VirtualClock());
    const of = (value: string, namespace?: string): string => {
      const lookup = store.indexed(index, value, namespace);
      if (lookup.state !== "value") return lookup.state;
      return lookup.value
        .map(({ metadata }) => metadata.name)
        .sort()
        .join();
    };
    expect(of("a")).toBe("unknown");
    const objects = [labelled(1, "a"), labelled(2, "b"), labelled(3, "a", "other")];
    await store.replace({ objects, resourceVersion: "2000" }, slices, signal);
    store.setState("live");
    expect([of("a"), of("b"), of("a", "other"), of("c")]).toEqual(["s1,s3", "s2", "s3", ""]);
    const changed = labelled(1, "b");
    const metadata = { ...changed.metadata, resourceVersion: "2001" };
    store.apply({ type: "MODIFIED", object: { ...changed, metadata } });
    expect([of("a"), of("b")]).toEqual(["s3", "s1,s2"]);
    const gone = { ...labelled(2, "b").metadata, resourceVersion: "2002" };
    store.apply({ type: "DELETED", object: { ...labelled(2, "b"), metadata: gone } });
    expect([of("a"), of("b")]).toEqual(["s3", "s1"]);
    await store.replace({ objects: [], resourceVersion: "3000" }, slices, signal);
    expect([of("a"), of("b")]).toEqual(["", ""]);
    store.setState("forbidden");
    expect(of("a")).toBe("unknown");
  });
});
