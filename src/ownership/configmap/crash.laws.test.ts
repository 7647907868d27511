/**
 * Z-14, exhaustively: one name, every start and desired set, over one zone and one map for each
 * owner. At each call that leaves the process it dies, loses the answer, or another owner acts;
 * then it is started again. No record may be unmanaged or wrongly owned at any of these moments,
 * and it ends as if nothing had happened.
 */
import { OperationError } from "@zonekeeper/base/operation-error";
import { describe, expect, test } from "vitest";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { isBounded, sampled } from "../../../test/support/values/law-runs.ts";
import { rulesWith } from "../../../test/support/values/plan-rules.ts";
import {
  ORIGIN,
  parseDesired,
  parseZone,
  showZone,
} from "../../../test/support/values/zone-text.ts";
import { MemoryCluster } from "../../../test/support/worlds/memory-cluster.ts";
import {
  type CallTrouble,
  Crash,
  Outside,
  runRegistry,
} from "../../../test/support/worlds/registry-run.ts";
import { ZoneModel } from "../../../test/support/worlds/zone-model.ts";
import { ConfigMapRegistry } from "../../cluster/state/config-map-registry.ts";
import {
  hasSameData,
  isSameKey,
  type RecordSet,
  recordSetKeyText,
} from "../../model/record-set.ts";
import type { ExternalStore, Ownership } from "../ownership.ts";
import { openConfigMapOwnership } from "./ownership.ts";

/** Names of the form do not matter to this registry; the first one has every story. */
const NAMES = ["foo", "*", "@", "x".repeat(63)];
const STARTS = [null, "A 192.0.2.1", "CNAME lb.example.com"];
const DESIRED_DATA = [null, "A 192.0.2.2", "AAAA 2001:db8::2", "CNAME new.example.com"];

const lost = () =>
  new OperationError({ code: "UnknownOutcome", message: "lost", retry: "backoff" });

/** The registry, or one with a rule broken. */
type Mutant = (ownership: Ownership) => Ownership;
const SOUND: Mutant = (ownership) => ownership;

/** A zone, the cluster with the maps, and who wrote what. */
class Stage {
  readonly cluster = new MemoryCluster("c1");
  readonly clock = new VirtualClock();
  readonly zone: ZoneModel;
  /** By key: the owner that wrote the present record. */
  readonly truth = new Map<string, string>();
  readonly #atomic: boolean;

  readonly #mutate: Mutant;

  constructor(zone: string, atomic: boolean, mutate: Mutant) {
    this.zone = new ZoneModel(parseZone(zone), { atomic });
    this.#atomic = atomic;
    this.#mutate = mutate;
  }

  open(owner: string, outside = new Outside()): Ownership {
    const registry = new ConfigMapRegistry({ writer: this.cluster, namespace: "dns", owner });
    const ownership = openConfigMapOwnership({
      apex: ORIGIN,
      store: outside.storeOf(registry, lost),
      id: "z",
      zone: "example.org",
      atomic: this.#atomic,
      clock: this.clock,
      log: new MemoryLog(),
      shardBytesMax: 600,
    });
    return this.#mutate(ownership);
  }

  /** A process from its start to its end. False = it died. */
  async work(owner: string, desiredText: string, outside = new Outside()): Promise<boolean> {
    const { zone, truth } = this;
    const onApplied: NonNullable<Parameters<typeof runRegistry>[0]["onApplied"]> = (group) => {
      for (const change of group.changes)
        if (change.op === "remove") truth.delete(recordSetKeyText(change.previous));
        else if (this.#holds(change.next)) truth.set(recordSetKeyText(change.next), owner);
    };
    const rules = rulesWith({ owners: new Set([owner]), mainOwner: owner });
    try {
      const desired = parseDesired(desiredText);
      const ownership = this.open(owner, outside);
      await runRegistry({ zone, ownership, desired, rules, outside, onApplied });
      return true;
    } catch (error) {
      if (error instanceof Crash) return false;
      throw error;
    }
  }

  /** Whose each record is, for those who would start now. */
  async judge(scenario: string): Promise<void> {
    for (const owner of ["me", "you"]) {
      const ownership = this.open(owner);
      await ownership.externalStore?.refresh();
      for (const one of await ownership.read(this.zone.all())) {
        const text = `${scenario}: ${recordSetKeyText(one)} for ${owner}`;
        expect(one.contested, text).toBe(false);
        expect(one.marker?.owner === owner, text).toBe(
          this.truth.get(recordSetKeyText(one)) === owner,
        );
      }
    }
  }

  /** A zone may drop in silence what cannot stand beside something else. */
  #holds(set: RecordSet): boolean {
    return this.zone.at(set.name).some((one) => isSameKey(one, set) && hasSameData(one, set));
  }

  get end(): string {
    return showZone(this.zone.all());
  }
}

interface Facts {
  readonly name: string;
  readonly start: string | null;
  /** Whose the start is. */
  readonly owner: string;
  readonly desired: string | null;
  readonly atomic: boolean;
  readonly mutate?: Mutant;
}

const line = (name: string, data: string | null) => (data === null ? "" : `${name} 300 ${data}`);

async function stageOf({ name, start, owner, atomic, mutate = SOUND }: Facts): Promise<Stage> {
  const stage = new Stage(
    "other 300 A 203.0.113.1\nother 300 MX 10 mx.example.com",
    atomic,
    mutate,
  );
  // Enough other names that the map has several shards.
  const others = "one 300 A 192.0.2.11";
  await stage.work("me", `${others}\n${owner === "me" ? line(name, start) : ""}`);
  if (owner === "you") await stage.work("you", line(name, start));
  return stage;
}

const kept = "one 300 A 192.0.2.11\n";

async function play(facts: Facts, at: number, trouble: (stage: Stage) => CallTrouble) {
  const stage = await stageOf(facts);
  const scenario = `${JSON.stringify(facts)} at call ${at}`;
  const outside = new Outside(at, at < 0 ? null : trouble(stage));
  const desiredText = kept + line(facts.name, facts.desired);
  const survived = await stage.work("me", desiredText, outside);
  await stage.judge(scenario);
  if (!survived) await stage.work("me", desiredText);
  await stage.judge(`${scenario}, and again`);
  return { calls: outside.calls, end: stage.end, survived, scenario };
}

function factsOf(name: string, atomic: boolean): readonly Facts[] {
  const isFirst = name === NAMES[0];
  return (isFirst ? STARTS : STARTS.slice(0, 2)).flatMap((start) =>
    (isFirst ? DESIRED_DATA : DESIRED_DATA.slice(0, 2)).flatMap((desired) =>
      (start !== null && isFirst ? ["me", "you"] : ["me"]).map((owner) => ({
        ...{ name, start, owner, desired, atomic },
      })),
    ),
  );
}

const KINDS = ["crash-before", "crash-after", "lost-before", "lost-after"] as const;

describe.each([true, false])("Z-14 the ConfigMap registry, atomic zone: %s", (atomic) => {
  test.each(atomic ? NAMES : NAMES.slice(0, 1))(
    "%s: a crash or a lost answer at any call",
    async (name) => {
      let scenarios = 0;
      for (const facts of factsOf(name, atomic)) {
        const calm = await play(facts, -1, () => ({ kind: "crash-before" }));
        for (let at = 0; at < calm.calls; at++)
          for (const kind of sampled(KINDS, at)) {
            const run = await play(facts, at, () => ({ kind }));
            expect(run.end, `${run.scenario} ${kind}`).toBe(calm.end);
            scenarios++;
          }
      }
      expect(scenarios).toBeGreaterThan(isBounded ? 5 : 20);
    },
    120_000,
  );

  test("another owner takes or leaves the name between two calls", async () => {
    for (const facts of factsOf("foo", atomic)) {
      const calm = await play(facts, -1, () => ({ kind: "crash-before" }));
      for (const foreign of [null, "A 203.0.113.9", 'TXT "theirs"'])
        for (const at of sampled([...Array(calm.calls).keys()]))
          await play(facts, at, (stage) => ({
            kind: "meanwhile",
            act: async () => void (await stage.work("you", line("foo", foreign))),
          }));
    }
  });
});

function storeOf({ externalStore }: Ownership): ExternalStore {
  if (externalStore === undefined) throw new Error("the registry configmap has a store");
  return {
    isStale: externalStore.isStale,
    refresh: () => externalStore.refresh(),
    recordIntents: (groups) => externalStore.recordIntents(groups),
    resync: (sets) => externalStore.resync(sets),
  };
}

/** The same registry with some methods replaced. */
function broken(ownership: Ownership, rule: Partial<Ownership>): Ownership {
  return {
    format: ownership.format,
    read: (sets) => ownership.read(sets),
    affected: (name) => ownership.affected(name),
    related: (name) => ownership.related(name),
    prepare: (plan, content) => ownership.prepare(plan, content),
    confirm: (group, outcome) => ownership.confirm(group, outcome),
    externalStore: ownership.externalStore,
    ...rule,
  };
}

describe("Z-14 mutants die", () => {
  test.each<[string, Mutant]>([
    [
      "no intent before the call",
      (one) =>
        broken(one, { externalStore: { ...storeOf(one), recordIntents: async () => undefined } }),
    ],
    [
      "a lost answer counts as a refusal",
      (one) =>
        broken(one, {
          confirm: (group, outcome) =>
            one.confirm(
              group,
              outcome.status === "unknown"
                ? { ...outcome, status: "rejected", code: "Refused" }
                : outcome,
            ),
        }),
    ],
    [
      "a refused call counts as one that was made",
      (one) =>
        broken(one, {
          confirm: (group) => one.confirm(group, { name: group.name, status: "applied" }),
        }),
    ],
  ])("%s", async (_, mutate) => {
    const all = async () => {
      for (const facts of factsOf("foo", true).map((one) => ({ ...one, mutate }))) {
        const calm = await play(facts, -1, () => ({ kind: "crash-before" }));
        for (let at = 0; at < calm.calls; at++)
          for (const kind of KINDS)
            expect((await play(facts, at, () => ({ kind }))).end).toBe(calm.end);
      }
    };
    await expect(all()).rejects.toThrow();
  });
});
