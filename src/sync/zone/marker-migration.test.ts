import { trustedDnsName } from "@zonekeeper/dns/names/dns-name";
import { describe, expect, test } from "vitest";
import { LIKE_AZURE } from "../../../test/support/memory-provider/behaviour.ts";
import { type ApplyFault, NO_FAULTS } from "../../../test/support/memory-provider/faults.ts";
import { engineWorld, entry, KEY } from "../../../test/support/worlds/engine-world.ts";
import { openNoopOwnership } from "../../ownership/noop/registry.ts";
import type { MarkerTarget } from "../../plan/changes.ts";
import type { HoldCode } from "../../plan/hold-reasons.ts";

const TO_LABEL: MarkerTarget = { location: "label", encrypt: false };
const ask = (apply: boolean) => ({ zone: null, target: TO_LABEL, apply });
type EngineFixture = ReturnType<typeof engineWorld>;

const namesOf = ({ content }: EngineFixture) =>
  content
    .all()
    .filter(({ type }) => type === "TXT" || type === "A")
    .map(({ name, type }) => `${name.replace(".example.org", "")} ${type}`)
    .sort();
const WWW = trustedDnsName("www.example.org");
const TYPED = ["a-api TXT", "a-www TXT", "api A", "www A"];
const LABEL = ["_owner.a.api TXT", "_owner.a.www TXT", "api A", "www A"];

async function published(options: Parameters<typeof engineWorld>[0] = {}): Promise<EngineFixture> {
  const fixture = engineWorld(options);
  fixture.engine.openZone(fixture.zoneInput);
  fixture.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
  fixture.engine.contribute(KEY, entry("api", ["192.0.2.2"]));
  await fixture.clock.advance(5_000);
  expect(namesOf(fixture)).toEqual(TYPED);
  return fixture;
}

describe.each([
  ["one call for all", {}],
  ["one record set a call", { behaviour: LIKE_AZURE }],
])("migration while the zone is worked on, %s", (_, options) => {
  test("a preview tells and writes nothing", async () => {
    const fixture = await published(options);
    const [report] = await fixture.engine.migrate(ask(false));
    expect(report).toMatchObject({ trouble: null, outdated: 2, stuck: 0 });
    expect(report?.items.map(({ name, writes }) => [name, writes.map(({ op }) => op)])).toEqual([
      ["api.example.org", ["create", "remove"]],
      ["www.example.org", ["create", "remove"]],
    ]);
    await fixture.clock.advance(60_000);
    expect(namesOf(fixture)).toEqual(TYPED);
  });

  test("applied, every marker has its new place; entries stay published all along", async () => {
    const fixture = await published(options);
    fixture.reports.length = 0;
    await fixture.engine.migrate(ask(true));
    await fixture.clock.advance(10_000);
    expect(namesOf(fixture)).toEqual(LABEL);
    expect((await fixture.engine.migrate(ask(false)))[0]).toMatchObject({ outdated: 0, items: [] });
    const states = new Set(fixture.reports.flatMap(({ names }) => names.map(({ state }) => state)));
    expect([...states].filter((state) => state !== "published")).toEqual([]);
    fixture.engine.contribute(KEY, entry("www", ["192.0.2.9"]));
    await fixture.clock.advance(5_000);
    expect(fixture.values("www")).toEqual(["192.0.2.9"]);
  });

  test("broken off by a crash after any call, it goes on where it is asked for again", async () => {
    for (let calls = 0; calls < 5; calls++) {
      const fixture = await published(options);
      let made = 0;
      const down: ApplyFault = { kind: "down" };
      fixture.account.breakWith({ ...NO_FAULTS, apply: () => (made++ < calls ? [] : [down]) });
      await fixture.engine.migrate(ask(true));
      await fixture.clock.advance(3_000);
      await fixture.engine.stop();
      fixture.account.breakWith(NO_FAULTS);
      const next = engineWorld({ ...options, account: fixture.account });
      next.engine.openZone(next.zoneInput);
      next.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
      next.engine.contribute(KEY, entry("api", ["192.0.2.2"]));
      await next.clock.advance(5_000);
      await next.engine.migrate(ask(true));
      await next.clock.advance(30_000);
      expect(namesOf(next), `after ${calls} calls`).toEqual(LABEL);
      await next.engine.stop();
    }
  });
});

/** The same entry, paused by its annotation. */
function paused(name: string, values: readonly string[]) {
  const made = entry(name, values);
  return { ...made, found: { ...made.found, paused: [made.object] } };
}

describe("what is paused by annotation keeps its markers", () => {
  const WWW_KEPT = ["_owner.a.api TXT", "a-www TXT", "api A", "www A"];

  test("the preview says why, the others move, and its own follow when it is asked for again", async () => {
    const fixture = await published();
    fixture.engine.contribute(KEY, paused("www", ["192.0.2.1"]));
    await fixture.clock.advance(5_000);
    const [report] = await fixture.engine.migrate(ask(true));
    expect(report).toMatchObject({ outdated: 1, stuck: 1 });
    const www = report?.items.find(({ name }) => name === WWW);
    expect([www?.writes, www?.holds.map(({ code }) => code)]).toEqual([[], ["Paused"]]);
    expect(www?.holds[0]?.message).toContain("dnsentry/default/www is paused by the annotation");
    await fixture.clock.advance(600_000);
    expect(namesOf(fixture)).toEqual(WWW_KEPT);
    expect(fixture.reports.at(-1)?.names.map(({ state }) => state)).toEqual(["published"]);
    fixture.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    await fixture.clock.advance(10_000);
    expect(namesOf(fixture)).toEqual(WWW_KEPT);
    await fixture.engine.migrate(ask(true));
    await fixture.clock.advance(10_000);
    expect(namesOf(fixture)).toEqual(LABEL);
  });

  test("a name that a paused object would have is left as a whole, whoever its marker names", async () => {
    const fixture = await published();
    const heir = paused("heir", ["192.0.2.1"]);
    const items = heir.found.items.map((item) => ({ ...item, name: WWW }));
    fixture.engine.contribute(KEY, { ...heir, found: { ...heir.found, items } });
    fixture.engine.withdraw(entry("www", []).object, "deleted-object");
    await fixture.clock.advance(5_000);
    expect((await fixture.engine.migrate(ask(true)))[0]).toMatchObject({ outdated: 1, stuck: 1 });
    await fixture.clock.advance(600_000);
    expect(namesOf(fixture)).toEqual(WWW_KEPT);
  });
});

test("a registry without forms has nothing to migrate and says so", async () => {
  const fixture = engineWorld();
  fixture.engine.openZone({ ...fixture.zoneInput, ownership: openNoopOwnership() });
  await fixture.clock.advance(5_000);
  expect(await fixture.engine.migrate(ask(true))).toMatchObject([
    { trouble: null, hasForms: false, outdated: 0, stuck: 0 },
  ]);
});

test("a zone that is not read says so; another zone is none of it", async () => {
  const fixture = engineWorld();
  fixture.engine.openZone(fixture.zoneInput);
  expect(await fixture.engine.migrate(ask(true))).toMatchObject([
    { trouble: "the zone is being loaded", outdated: 0 },
  ]);
  const elsewhere = { ...ask(true), zone: trustedDnsName("example.net") };
  expect(await fixture.engine.migrate(elsewhere)).toEqual([]);
});

/** Every state that an entry was reported in since the reports were emptied. */
const statesOf = ({ reports }: EngineFixture): readonly string[] => [
  ...new Set(reports.flatMap(({ names }) => names.map(({ state }) => state))),
];

describe("what cannot be migrated leaves the entry and its ordinary changes alone", () => {
  async function changesAreMade(fixture: EngineFixture): Promise<void> {
    fixture.reports.length = 0;
    fixture.engine.contribute(KEY, entry("www", ["192.0.2.9"]));
    await fixture.clock.advance(10_000);
    expect(fixture.values("www")).toEqual(["192.0.2.9"]);
    expect(statesOf(fixture).filter((state) => !["published", "pending"].includes(state))).toEqual(
      [],
    );
    expect(fixture.reports.at(-1)?.names.map(({ state }) => state)).toEqual(["published"]);
    expect(fixture.engine.status().flatMap(({ open }) => open)).toEqual([]);
  }

  test("a target that is impossible is not started", async () => {
    const fixture = await published();
    const target = { location: null, encrypt: true } as const;
    const [report] = await fixture.engine.migrate({ ...ask(true), target });
    expect(report).toMatchObject({ outdated: 0, stuck: 2 });
    expect(report?.items[0]?.holds[0]?.message).toContain("no key is configured");
    await changesAreMade(fixture);
    expect(namesOf(fixture)).toEqual(TYPED);
  });

  test("a place that is taken: the others move, and the name goes on in the old form", async () => {
    const fixture = await published();
    const name = trustedDnsName("_owner.a.www.example.org");
    const rest = { setIdentifier: null, ttlSeconds: 300, properties: {}, routingPolicy: null };
    const next = { name, type: "CNAME", values: ["x.example.net"], ...rest };
    fixture.content.write([{ key: next, next }]);
    await fixture.clock.advance(600_000);
    fixture.reports.length = 0;
    expect((await fixture.engine.migrate(ask(true)))[0]).toMatchObject({ outdated: 1, stuck: 1 });
    await fixture.clock.advance(10_000);
    // Nothing is reported anew: the entries are what they were.
    expect(statesOf(fixture)).toEqual([]);
    await changesAreMade(fixture);
    expect(namesOf(fixture)).toEqual(["_owner.a.api TXT", "a-www TXT", "api A", "www A"]);
    expect((await fixture.engine.migrate(ask(false)))[0]).toMatchObject({ outdated: 0, stuck: 1 });
  });

  test("an edit that is made at the same time goes first, and fails nothing", async () => {
    const fixture = await published();
    await fixture.engine.migrate(ask(true));
    await changesAreMade(fixture);
    await fixture.clock.advance(10_000);
    expect(namesOf(fixture)).toEqual(LABEL);
  });
});

describe("in a zone that is held as a whole", () => {
  /** A guard that holds everything while `held.code` says so; a pause is told beforehand. */
  async function heldFixture(code: HoldCode) {
    const held = { now: true };
    const fixture = engineWorld({
      openGuard: () => ({
        admit: async (plans) =>
          plans.map((plan) => {
            if (!held.now) return plan;
            const holds = plan.changes.map(({ key }) => ({
              ...{ key, code, message: "not now", provenance: null },
            }));
            return { ...plan, changes: [], holds: [...plan.holds, ...holds] };
          }),
        approve: async () => false,
        heldSets: () => [],
        pauseReason: () => (held.now && code === "Paused" ? "the zone is paused" : null),
      }),
      account: (await published()).account,
    });
    fixture.engine.openZone(fixture.zoneInput);
    fixture.engine.contribute(KEY, entry("www", ["192.0.2.1"]));
    fixture.engine.contribute(KEY, entry("api", ["192.0.2.2"]));
    await fixture.clock.advance(5_000);
    fixture.reports.length = 0;
    return { fixture, held };
  }

  test("paused: preview and answer say so, and nothing follows when the pause ends", async () => {
    const { fixture, held } = await heldFixture("Paused");
    for (const apply of [false, true]) {
      const [report] = await fixture.engine.migrate(ask(apply));
      expect(report).toMatchObject({ outdated: 0, stuck: 2 });
      expect(report?.items[0]).toMatchObject({
        writes: [],
        holds: [{ code: "Paused", message: "the zone is paused" }],
      });
    }
    await fixture.clock.advance(5_000);
    held.now = false;
    await fixture.clock.advance(5_000);
    fixture.engine.contribute(KEY, entry("www", ["192.0.2.9"]));
    await fixture.clock.advance(5_000);
    expect([namesOf(fixture), fixture.values("www")]).toEqual([TYPED, ["192.0.2.9"]]);
    await fixture.engine.migrate(ask(true));
    await fixture.clock.advance(10_000);
    expect(namesOf(fixture)).toEqual(LABEL);
  });

  test("held for another reason: entries keep their state, and nothing follows either", async () => {
    const { fixture, held } = await heldFixture("SigningRefused");
    expect((await fixture.engine.migrate(ask(true)))[0]).toMatchObject({ outdated: 2 });
    await fixture.clock.advance(10_000);
    // Nothing is reported anew: the entries are what they were.
    expect(statesOf(fixture)).toEqual([]);
    held.now = false;
    fixture.engine.contribute(KEY, entry("www", ["192.0.2.9"]));
    await fixture.clock.advance(10_000);
    expect([namesOf(fixture), fixture.values("www")]).toEqual([TYPED, ["192.0.2.9"]]);
  });
});

test("a migration that is refused as a whole leaves the one that is under way; another one replaces it", async () => {
  const fixture = await published();
  const encrypt = { ...ask(true), target: { location: null, encrypt: true } as const };
  await fixture.engine.migrate(ask(true));
  await fixture.engine.migrate(encrypt);
  await fixture.clock.advance(10_000);
  expect(namesOf(fixture)).toEqual(LABEL);
  const back = { ...ask(true), target: { location: "typed", encrypt: false } as const };
  await fixture.engine.migrate(back);
  await fixture.engine.migrate(ask(true));
  await fixture.clock.advance(10_000);
  expect(namesOf(fixture)).toEqual(LABEL);
});

test("a guard that lets nothing pass keeps markers where they are", async () => {
  const fixture = engineWorld({
    openGuard: () => ({
      admit: async (plans) => plans.map((plan) => ({ ...plan, changes: [] })),
      approve: async () => false,
      heldSets: () => [],
    }),
    account: (await published()).account,
  });
  fixture.engine.openZone(fixture.zoneInput);
  await fixture.clock.advance(5_000);
  expect((await fixture.engine.migrate(ask(true)))[0]?.outdated).toBe(2);
  await fixture.clock.advance(5_000);
  expect(namesOf(fixture)).toEqual(TYPED);
});
