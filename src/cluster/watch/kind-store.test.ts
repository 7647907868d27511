/**
 * A big list is told in slices: others have their turn, readers see it at once, and nobody hears
 * anything twice.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { SERVICE } from "../../model/kinds.ts";
import { Slices } from "../../ports/clock.ts";
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
