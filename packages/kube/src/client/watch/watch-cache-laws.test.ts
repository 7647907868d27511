/**
 * Laws of the watch cache under random histories of changes and faults: the changes of the listener
 * add up to the content of the cache, only deleted objects are reported as deleted, versions never
 * go back, and in the end cache and server agree.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { statusResponse } from "../../../../../test/support/clients/handler-client.ts";
import { ClusterWorld } from "../../../../../test/support/worlds/cluster-world.ts";
import { SERVICE } from "../../objects/kinds.ts";
import type { KubeObject } from "../../objects/kubernetes.ts";
import { fieldsOf } from "../../objects/object-fields.ts";
import { isOlder } from "./resource-version.ts";

const NAMES = ["a", "b", "c", "d"] as const;

type Fault =
  | "reset"
  | "end"
  | "isolate"
  | "compact"
  | "garbage"
  | "bookmark"
  | "duplicate"
  | "disorder"
  | "silence"
  | "speak"
  | "no-streams"
  | "500"
  | "403"
  | "404"
  | "429"
  | "refused";
type Step =
  | { readonly do: "put" | "remove"; readonly name: (typeof NAMES)[number] }
  | { readonly do: "fault"; readonly fault: Fault }
  | { readonly do: "wait"; readonly ms: number };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant("put" as const), name: fc.constantFrom(...NAMES) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant("remove" as const), name: fc.constantFrom(...NAMES) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant("fault" as const),
        fault: fc.constantFrom<Fault>(
          "reset",
          "end",
          "isolate",
          "compact",
          "garbage",
          "bookmark",
          "duplicate",
          "disorder",
          "silence",
          "speak",
          "no-streams",
          "500",
          "403",
          "404",
          "429",
          "refused",
        ),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("wait" as const),
        ms: fc.constantFrom(0, 500, 5_000, 40_000, 200_000),
      }),
    },
  ),
  { maxLength: 50 },
);

/** A world whose listener applies each change and checks it. */
class Witness {
  readonly world = new ClusterWorld();
  readonly observed = new Map<string, KubeObject>();
  readonly removed = new Set<string>();

  constructor() {
    this.world.cache.subscribe(SERVICE, {
      onChange: ({ type, object, previous }) => {
        const { name, uid = "", resourceVersion = "" } = object.metadata;
        const known = this.observed.get(name);
        if (type === "added") expect(known).toBeUndefined();
        else expect(known?.metadata.uid).toBe(uid);
        if (type === "modified") {
          expect(previous).toEqual(known);
          expect(isOlder(resourceVersion, known?.metadata.resourceVersion ?? "")).toBe(false);
        }
        if (type === "deleted") expect(this.removed).toContain(uid);
        if (type === "deleted") this.observed.delete(name);
        else this.observed.set(name, object);
      },
      onState: () => {},
    });
  }

  uidOf(name: string): string | null {
    const found = this.world.server
      .objects(SERVICE)
      .map((object) => fieldsOf(object["metadata"]))
      .find((metadata) => metadata["name"] === name);
    return found === undefined ? null : String(found["uid"]);
  }

  async run(step: Step): Promise<void> {
    const { server, clock } = this.world;
    if (step.do === "wait") await clock.advance(step.ms);
    if (step.do === "put") server.put(SERVICE, "default", { name: step.name });
    if (step.do === "fault") this.inject(step.fault);
    const uid = step.do === "remove" ? this.uidOf(step.name) : null;
    if (step.do !== "remove" || uid === null) return;
    this.removed.add(uid);
    server.remove(SERVICE, "default", step.name);
  }

  inject(fault: Fault): void {
    const { server, http } = this.world;
    const refuse = (code: number, reason: string): void =>
      http.failNext(/./, () => statusResponse(code, reason));
    const lines = server.replayLines(3);
    const faults: Readonly<Record<Fault, () => void>> = {
      reset: () => server.endWatches(new Error("reset")),
      end: () => server.endWatches(),
      isolate: () => server.isolateWatches(),
      compact: () => server.compact(),
      garbage: () => server.sendRaw("?\n"),
      bookmark: () => server.bookmark(),
      duplicate: () => server.sendRaw(lines.join("")),
      disorder: () => server.sendRaw([...lines].reverse().join("")),
      silence: () => {
        server.silent = true;
      },
      speak: () => {
        server.silent = false;
      },
      "no-streams": () => {
        server.streamsLists = false;
      },
      "500": () => refuse(500, "InternalError"),
      "403": () => refuse(403, "Forbidden"),
      "404": () => refuse(404, "NotFound"),
      "429": () => refuse(429, "TooManyRequests"),
      refused: () =>
        http.failNext(/./, () => {
          throw new Error("refused");
        }),
    };
    faults[fault]();
  }
}

const content = (objects: Iterable<unknown>): readonly string[] =>
  [...objects]
    .map((object) => fieldsOf(fieldsOf(object)["metadata"]))
    .map((metadata) => `${metadata["name"]} ${metadata["uid"]} ${metadata["resourceVersion"]}`)
    .sort();

test("any history of changes and faults: truthful on the way, and equal in the end", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (history) => {
      const witness = new Witness();
      const { cache, server, clock, http } = witness.world;
      for (const step of history) await witness.run(step);
      server.silent = false;
      http.interceptors = [];
      for (let i = 0; i < 6; i++) {
        await clock.advance(100_000);
        server.bookmark();
      }
      await clock.settle();
      expect(witness.world.log.lines.filter(({ level }) => level === "error")).toEqual([]);
      expect(cache.state(SERVICE)).toBe("live");
      const cached = cache.list(SERVICE);
      const kept = content(cached.state === "value" ? cached.value : []);
      expect(kept).toEqual(content(server.objects(SERVICE)));
      expect(kept).toEqual(content(witness.observed.values()));
      await cache.stop();
      expect(clock.pendingTimers).toBe(0);
    }),
    { numRuns: 150 },
  );
});
