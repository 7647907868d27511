import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { fakeObserver, observed } from "../../../test/support/values/fake-observer.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import type { AbsenceProof, Marker, NamePlan } from "../../plan/changes.ts";
import type { LiveObject, ObjectObservation } from "../contract/object-observation.ts";
import { AbsenceTracker } from "./absence-tracker.ts";
import { AddressWaits } from "./address-waits.ts";
import {
  ASKED_PER_ROUND_MAX,
  CONFIRM_MS,
  type ConfirmedBy,
  confirmAbsences,
} from "./confirm-absences.ts";
import type { ConfirmingObject } from "./confirming-objects.ts";

const WWW = trustedDnsName("www.example.org");
const ALIVE = [observed("alive")];
const ABSENT = [observed("absent")];
const SILENT = [observed("unknown")];
const REFUSED: ObjectObservation = [
  {
    ...{ cluster: "c1", kindState: "live", state: "unknown" },
    ...{ code: "KindGone", message: "forbidden (HTTP 403)" },
  },
];

/** A process that finds the record of an entry in the zone that is in none of its lists. */
async function afterRestart(answers: ObjectObservation[], dryRun = false) {
  const first = engineWorld();
  first.engine.openZone(first.zoneInput);
  first.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  await first.clock.advance(5_000);
  await first.engine.stop();
  const asked: string[] = [];
  const observeNow = async (
    cluster: string | null,
    resource: string,
  ): Promise<ObjectObservation> => {
    asked.push(`${cluster ?? "-"} ${resource}`);
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? ABSENT;
  };
  const world = engineWorld({
    ...{ clock: first.clock, account: first.account, state: first.state, dryRun },
    observer: fakeObserver("absent", { observeNow }),
  });
  world.engine.openZone(world.zoneInput);
  await world.clock.advance(500);
  const open = () => world.engine.status()[0]?.open ?? [];
  return { ...world, asked, open };
}

describe("Z-2 a removal that rests on a list", () => {
  test("is sent when the API server does not have the object either; it is asked once", async () => {
    const world = await afterRestart([ABSENT]);
    expect(world.values("www")).toEqual([]);
    expect(world.asked).toEqual(["c1 dnsentry/default/www"]);
  });

  test.each([
    [ALIVE, "SourceAlive", /is newer at its API server/],
    [SILENT, "NotSynced", /no answer; it is asked again/],
    [REFUSED, "KindGone", /403/],
  ])("after %o it is held as %s, and sent once the object is gone", async (answer, code, text) => {
    const answers: ObjectObservation[] = [answer];
    const world = await afterRestart(answers);
    expect(world.values("www")).toEqual(["192.0.2.1"]);
    expect(world.open()).toMatchObject([{ name: WWW, changes: [] }]);
    const [hold] = world.open()[0]?.holds ?? [];
    expect(hold).toMatchObject({ code, provenance: { kind: "dnsentry", name: "www" } });
    expect(hold?.message).toMatch(text);
    await world.clock.advance(60_000);
    expect(world.values("www")).toEqual(["192.0.2.1"]);
    // With back-off: 1 s, 2 s, 4 s … and not in every round.
    expect(world.asked.length).toBeGreaterThan(2);
    expect(world.asked.length).toBeLessThan(10);
    answers.splice(0, 1, ABSENT);
    await world.clock.advance(120_000);
    expect(world.values("www")).toEqual([]);
    expect(world.open()).toEqual([]);
  });

  test("is not asked for again when the object is heard of; what it wants stays", async () => {
    const world = await afterRestart([ALIVE]);
    world.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await world.clock.advance(1_000);
    const before = world.asked.length;
    await world.clock.advance(600_000);
    expect(world.asked).toHaveLength(before);
    expect(world.values("www")).toEqual(["192.0.2.1"]);
    expect(world.open()).toEqual([]);
  });

  test("is shown in a dry run, and no API server is asked when somebody reads the plan", async () => {
    const world = await afterRestart([ABSENT], true);
    const before = world.asked.length;
    expect(world.open()).toMatchObject([{ changes: [{ change: { op: "remove" } }], holds: [] }]);
    await world.engine.explain(WWW);
    expect(world.asked).toHaveLength(before);
    expect(world.values("www")).toEqual(["192.0.2.1"]);
  });
});

function plan(
  name: string,
  proof: AbsenceProof,
  resource = `dnsentry/default/${name}`,
  more: Pick<Marker, "anyObject"> = {},
): NamePlan {
  const key = { name: trustedDnsName(`${name}.example.org`), type: "A", setIdentifier: null };
  const marker = { owner: "me", resource, cluster: null, labels: {}, record: null, ...more };
  const change = {
    key,
    current: { ...key, data: null, marker, contested: false },
    ...{ desired: null, change: null, marker: null, proof },
    reason: { code: "NotWanted", message: "" },
  } as const;
  return { name: key.name, changes: [change], holds: [] };
}

/** Live objects list every name, unless a test sets another answer. */
function absencesOf(
  observeNow: ConfirmedBy["observeNow"],
  isWithout: (live: LiveObject) => boolean = () => false,
  isDerived = false,
): ConfirmedBy {
  return {
    observeNow,
    isWithout: (_name, _resource, live) => isWithout(live),
    of: (_name, { cluster, resource }) => [{ cluster, resource: resource ?? "", isDerived }],
  };
}

describe("one check", () => {
  test("asks for nothing that rests on something else", async () => {
    const plans = [plan("a", "deleted-object"), plan("b", "no-targets-grace")];
    const absences = absencesOf(() => Promise.reject(new Error("nobody is to be asked")));
    const { plans: confirmed, held } = await confirmAbsences(plans, absences, new VirtualClock());
    expect(confirmed).toEqual(plans);
    expect(held.size).toBe(0);
  });

  test("asks once for an object with many names, and for so many objects at most", async () => {
    const same = ["a", "b"].map((name) => plan(name, "missing-from-list", "dnsentry/default/x"));
    const many = Array.from({ length: ASKED_PER_ROUND_MAX }, (_, index) =>
      plan(`n${index}`, "missing-from-list"),
    );
    const asked: string[] = [];
    let atOnce = 0;
    let most = 0;
    const observeNow = async ({ resource }: ConfirmingObject): Promise<ObjectObservation> => {
      asked.push(resource);
      most = Math.max(most, ++atOnce);
      await Promise.resolve();
      atOnce -= 1;
      return ABSENT;
    };
    const clock = new VirtualClock();
    const { held, next } = await confirmAbsences([...same, ...many], absencesOf(observeNow), clock);
    expect(asked).toHaveLength(ASKED_PER_ROUND_MAX);
    expect(new Set(asked).size).toBe(ASKED_PER_ROUND_MAX);
    expect([...held]).toEqual([many.at(-1)?.name]);
    expect(next).toEqual(held);
    expect(most).toBe(8);
  });

  test("the objects of one check are one batch, those of the next one another", async () => {
    const batches: unknown[] = [];
    const absences = absencesOf(async (_, batch) => {
      batches.push(batch);
      return ABSENT;
    });
    const plans = ["a", "b"].map((name) => plan(name, "missing-from-list"));
    const clock = new VirtualClock();
    for (const _ of [1, 2]) await confirmAbsences(plans, absences, clock);
    expect(batches.map((one) => batches.indexOf(one))).toEqual([0, 0, 2, 2]);
    expect(batches).not.toContain(undefined);
  });

  test("an API server that never answers holds up a round for so long only", async () => {
    const clock = new VirtualClock();
    const observeNow = () => new Promise<ObjectObservation>(() => {});
    const absences = absencesOf(observeNow);
    const looking = confirmAbsences([plan("a", "missing-from-list")], absences, clock);
    await clock.advance(CONFIRM_MS);
    const { plans, held, next } = await looking;
    expect(plans).toMatchObject([{ changes: [], holds: [{ code: "NotSynced" }] }]);
    expect([held.size, next.size]).toEqual([1, 0]);
  });

  test("wherever the object is alive it has to be without the name", async () => {
    const live = (cluster: string): LiveObject => ({
      ...{ cluster, kindState: "live", state: "alive", generation: 1, found: null },
    });
    const answers = new Map<string, ObjectObservation>([
      ["dnsentry/default/a", [live("c1")]],
      ["dnsentry/default/b", [live("c1"), live("c2")]],
    ]);
    const observeNow = async ({ resource }: ConfirmingObject) => answers.get(resource) ?? ABSENT;
    const absences = absencesOf(observeNow, ({ cluster }) => cluster === "c1");
    const plans = ["a", "b"].map((name) => plan(name, "object-omits-name"));
    const { held } = await confirmAbsences(plans, absences, new VirtualClock());
    expect([...held]).toEqual(["b.example.org"]);
  });

  test.each([
    [ABSENT, "the end of what was made from an object is waited for", ["SourceAlive"]],
    [ALIVE, "the object made from it has the same contribution", []],
  ] as const)("%o: %s", async (answer, _why, codes) => {
    const absences = absencesOf(
      async () => answer,
      () => true,
      true,
    );
    const asked = [plan("a", "object-omits-name")];
    const { plans } = await confirmAbsences(asked, absences, new VirtualClock());
    expect(plans[0]?.holds.map(({ code }) => code)).toEqual(codes);
    expect(plans[0]?.changes).toHaveLength(1 - codes.length);
  });

  test.each([
    ["service/default/web", {}],
    ["*", { anyObject: true as const }],
  ])(
    "a DNSEntry that lists the name without the set is asked, and not %s",
    async (resource, any) => {
      const asked: string[] = [];
      let generation = 7;
      const observer = fakeObserver("alive", {
        observeNow: async (cluster, one) => {
          asked.push(`${cluster} ${one}`);
          return [{ ...observed("alive", generation), cluster: "c2" }];
        },
      });
      const absences = new AbsenceTracker({
        observer,
        waits: new AddressWaits(new VirtualClock(), null),
        recordsAt: () => [],
      });
      const contribution = entry("www", ["192.0.2.1"]);
      const object = { ...contribution.object, cluster: "c2", name: "web-x" };
      const provenance = { ...contribution.object, kind: "service", name: "web" };
      const items = contribution.found.items.map((item) => ({ ...item, provenance }));
      absences.contributed({
        ...contribution,
        object,
        generation,
        found: { ...contribution.found, items },
      });
      const removal = plan("www", "object-omits-name", resource, any);
      const confirm = () => confirmAbsences([removal], absences.confirming, new VirtualClock());
      expect((await confirm()).held.size).toBe(0);
      expect(asked).toEqual(["c2 dnsentry/default/web-x"]);
      generation = 8;
      expect((await confirm()).held.size).toBe(1);
    },
  );
});
