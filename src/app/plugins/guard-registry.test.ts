/** What a registry of a plug-in answers, throws and leaves unanswered, as the program sees it. */
import { OperationError } from "@zonekeeper/base/operation-error";
import { describe, expect, test } from "vitest";
import { guarded } from "../../../test/library/plugin-registry.ts";
import { MemoryLog } from "../../../test/support/ports/test-ports.ts";
import { VirtualClock } from "../../../test/support/ports/virtual-clock.ts";
import { nameOf, ORIGIN, parseDesired, parseZone } from "../../../test/support/values/zone-text.ts";
import { openNoopOwnership } from "../../ownership/noop/registry.ts";
import type { ExternalStore, Ownership, ZoneMarkers } from "../../ownership/ownership.ts";
import type { RegistryRow } from "../../ownership/registry.ts";
import { openTxtOwnership } from "../../ownership/txt/ownership.ts";
import type { NamePlan } from "../../plan/changes.ts";
import { guardRegistry } from "./guard-registry.ts";

const FAILED = "the plug-in acme (the registry under test)";
const ALL = openNoopOwnership({ owns: [ORIGIN], owner: "me" });
const SETS = parseZone(`www 300 A 192.0.2.1
www 300 TXT "hello"`);
const [A, TEXT] = SETS as [(typeof SETS)[0] & object, (typeof SETS)[0] & object];
const WWW = nameOf("www");
const CONTENT = { at: () => [] };
const luck = (): never => {
  throw new Error("no luck");
};
const never = (): Promise<never> => new Promise(() => undefined);

function opened(changes: object, ports: Parameters<typeof guarded>[2] = {}): Ownership {
  return guarded("acme", () => ({ ...ALL, ...changes }) as Ownership, ports);
}

/** What went wrong, without what every message begins and ends with. */
async function troubleOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return "none";
  } catch (error) {
    if (!(error instanceof OperationError) || error.code !== "PluginFailed") return `bug: ${error}`;
    return shortOf(error.message);
  }
}

const shortOf = (message: string): string =>
  message.replace(`${FAILED} `, "").replace(". Records stay as they are; mend the plug-in", "");

const [DESIRED] = parseDesired("www 300 A 192.0.2.2");
const planned = (op: "create" | "remove" = "create"): NamePlan => {
  const next = { ...A, values: ["192.0.2.2"] };
  const change = op === "create" ? { op, next } : { op, previous: A };
  const reason = { code: "Wanted", message: "wanted" } as const;
  const { name, type, setIdentifier } = A;
  const key = { name, type, setIdentifier };
  const rest = { current: null, marker: null, proof: null, reason };
  const desired = op === "create" ? (DESIRED ?? null) : null;
  return { name: WWW, holds: [], changes: [{ key, desired, change, ...rest }] };
};

describe("reading", () => {
  const [view] = [{ name: WWW, type: "A", setIdentifier: null, data: A, marker: null }];
  const whole = { ...view, contested: false };
  const text = { ...whole, type: "TXT", data: TEXT };
  const marker = { owner: "me", resource: null, cluster: null, labels: {}, record: null };
  const other = { ...A, values: ["192.0.2.9"] };
  test.each<[string, unknown, string]>([
    ["a text", "all", "views must be a list"],
    ["without a flag", [view], "views[0].contested is missing: it must be true or false"],
    [
      "a half marker",
      [{ ...whole, marker: {} }, text],
      "views[0].marker.owner is missing: it must be a text",
    ],
    [
      "made-up data",
      [{ ...whole, data: other }, text],
      "views[0] has a record set that was not handed in",
    ],
    [
      "data that is none",
      [{ ...whole, data: {} }, text],
      "views[0] has a record set that was not handed in",
    ],
    [
      "a made-up marker record",
      [{ ...whole, marker: { ...marker, record: { ...TEXT, values: ["x"] } } }, text],
      "views[0] has a record set that was not handed in",
    ],
    [
      "the same twice",
      [whole, whole, text],
      "views[1] has a record set that another view has, too",
    ],
    ["another key", [{ ...whole, type: "AAAA" }, text], "views[0].data has another key"],
    ["nothing", [], "A www.example.org is in no view"],
    ["no text, which is no marker here", [whole], "TXT www.example.org is in no view"],
  ])("%s", async (_, views, trouble) => {
    const registry = opened({ read: async () => views });
    const expected = `answered garbage to read: ${trouble}`;
    expect(await troubleOf(() => registry.read(SETS))).toBe(expected);
  });
  test("what is right comes sorted", async () => {
    const views = [text, { ...whole, marker }];
    expect(await opened({ read: async () => views }).read(SETS)).toEqual([views[1], views[0]]);
  });
  test("a text may be a marker where there are any", async () => {
    const zoneMarkers = openTxtOwnership({
      ...{ apex: ORIGIN, atomic: true },
      isOwnedByUs: (owner) => owner === "me",
    }).zoneMarkers;
    expect(await opened({ zoneMarkers, read: async () => [whole] }).read(SETS)).toEqual([whole]);
  });
  test("it throws, or does not answer", async () => {
    const clock = new VirtualClock();
    expect(await troubleOf(() => opened({ read: luck }).read(SETS))).toBe("threw in read: no luck");
    const late = troubleOf(() => opened({ read: never }, { clock }).read(SETS));
    await clock.advance(60_000);
    expect(await late).toBe("did not answer to read within 60 s");
  });
});

test.each<["affected" | "related", unknown, string]>([
  ["affected", "www", "it must be a list of names"],
  [
    "affected",
    ["WWW.example.org", WWW],
    "names[0] must be a name in lower case, without the last dot",
  ],
  ["related", [], `${WWW} itself is missing`],
])("%s answers %j", async (call, names, trouble) => {
  const registry = opened({ [call]: () => names });
  expect(await troubleOf(() => registry[call](WWW))).toBe(
    `answered garbage to ${call}: ${trouble}`,
  );
});

describe("preparing", () => {
  const plan = planned();
  const group = { name: WWW, keys: plan.changes, changes: [], preconditions: [] };
  const write = { op: "create", next: { ...A, values: ["192.0.2.2"] } };
  const foreign = { ...A, name: nameOf("other") };
  const ok = (more: object) => ({ ok: true, group: { ...group, ...more } });
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "ok must be true or false"],
    [
      "a refusal without a reason",
      { ok: false, holds: [] },
      `A ${WWW} is neither written nor held`,
    ],
    [
      "a hold of a code that there is not",
      { ok: false, holds: [{ key: A, code: "Mood", message: "no" }] },
      "holds[0].code must be ",
    ],
    ["another name", ok({ name: nameOf("other") }), `group.name must be ${WWW}`],
    ["what forgets a change", ok({ keys: [] }), `A ${WWW} is neither written nor held`],
    [
      "a change without its set",
      ok({ changes: [{ op: "create" }] }),
      "a change lacks its record set",
    ],
    [
      "a removal of a record that was not planned",
      ok({ changes: [write, { op: "remove", previous: foreign }] }),
      `A ${foreign.name} is written without having been planned`,
    ],
    [
      "other data than planned",
      ok({ changes: [{ op: "create", next: A }] }),
      `A ${WWW} is written without having been planned`,
    ],
    [
      "a removal instead of the creation",
      ok({ changes: [{ op: "remove", previous: A }] }),
      `A ${WWW} is written without having been planned`,
    ],
    [
      "a change of two keys",
      ok({ changes: [{ op: "replace", previous: TEXT, next: A }] }),
      "a change has two keys",
    ],
    [
      "a text far away",
      ok({
        changes: [write],
        rest: { writes: [{ op: "remove", previous: { ...TEXT, name: nameOf("far") } }] },
      }),
      `TXT ${nameOf("far")} is written without having been planned`,
    ],
    ["a rest without writes", ok({ rest: {} }), "group.rest.writes is missing: it must be a list"],
  ])("%s is held", async (_, answer, trouble) => {
    const log = new MemoryLog();
    const prepared = await opened({ prepare: async () => answer }, { log }).prepare(plan, CONTENT);
    const holds = prepared.ok ? [] : prepared.holds;
    expect(holds.map(({ code, key: { type } }) => [code, type])).toEqual([["PluginFailed", "A"]]);
    expect(shortOf(holds[0]?.message ?? "")).toContain(`answered garbage to prepare: ${trouble}`);
    expect(JSON.stringify(log)).toContain("a registry of a plug-in failed");
  });
  test.each<[string, object]>([
    ["as planned", ok({ changes: [write] })],
    ["with a marker beside it", ok({ changes: [write, { op: "create", next: TEXT }] })],
    [
      "held with a reason",
      { ok: false, holds: [{ key: A, code: "NoMarkerPossible", message: "no" }] },
    ],
  ])("%s is as it is", async (_, answer) => {
    const registry = opened({ prepare: async () => answer });
    expect(await registry.prepare(plan, CONTENT)).toBe(answer);
  });
  test("a removal as planned is as it is", async () => {
    const removal = planned("remove");
    const changes = [{ op: "remove", previous: A }];
    const answer = { ok: true, group: { ...group, keys: removal.changes, changes } };
    expect(await opened({ prepare: async () => answer }).prepare(removal, CONTENT)).toBe(answer);
  });
});

describe("what it keeps outside", () => {
  const store = (changes: Partial<ExternalStore>) => {
    const works = { isStale: false, refresh: async () => [], recordIntents: async () => undefined };
    const externalStore = { ...works, resync: async () => undefined, ...changes };
    return opened({ externalStore }).externalStore as ExternalStore;
  };
  test.each<[Partial<Record<keyof ExternalStore, unknown>>, string]>([
    [{ refresh: luck }, "threw in refresh: no luck"],
    [
      { refresh: async () => [7] },
      "answered garbage to refresh: names[0] must be a name in lower case, without the last dot",
    ],
    [{ isStale: true }, "answered garbage to refresh: the store is stale as before"],
  ])("%j: the reading does not count", async (changes, trouble) => {
    expect(await troubleOf(() => store(changes as Partial<ExternalStore>).refresh())).toBe(trouble);
  });
  test("what it cannot record is not sent, and what it cannot compare is read again", async () => {
    const failing = store({ recordIntents: luck, resync: luck });
    expect(await troubleOf(() => failing.recordIntents([]))).toBe(
      "threw in recordIntents: no luck",
    );
    expect(await troubleOf(() => failing.resync([]))).toBe("threw in resync: no luck");
  });
  test("nobody knows whether it is stale: it is read, which says why", async () => {
    const failing = opened({
      externalStore: {
        get isStale() {
          return luck();
        },
        refresh: async () => [],
        recordIntents: async () => undefined,
        resync: async () => undefined,
      },
    }).externalStore;
    expect(failing?.isStale).toBe(true);
    expect(await troubleOf(() => failing?.refresh())).toBe("threw in isStale: no luck");
  });
  test("an outcome that it does not take makes it stale until it is read", async () => {
    const registry = opened({ confirm: luck });
    const before = registry.externalStore?.isStale;
    const group = { name: WWW, keys: [], changes: [], preconditions: [] };
    await registry.confirm(group, { name: WWW, status: "applied" });
    const after = registry.externalStore?.isStale;
    await registry.externalStore?.refresh();
    expect([before, after, registry.externalStore?.isStale]).toEqual([false, true, false]);
    await registry.externalStore?.recordIntents([]);
    await registry.externalStore?.resync([]);
  });
});

describe("features", () => {
  const markers = (changes: object): ZoneMarkers => {
    const works = { learn: () => undefined, dependentNames: () => [], refuses: () => null };
    const zoneMarkers = { ...works, blockerOf: () => null, ...changes };
    return opened({ zoneMarkers }).zoneMarkers as ZoneMarkers;
  };
  test("nobody publishes what it cannot judge", () => {
    const failing = markers({ refuses: luck, blockerOf: () => ({ code: "Mood", message: "no" }) });
    expect(failing.refuses(TEXT)?.code).toBe("PluginFailed");
    expect(failing.blockerOf(A, CONTENT)?.message).toContain("blocker.code must be");
    const working = markers({ refuses: () => ({ code: "LooksLikeMarker", message: "no" }) });
    expect([working.refuses(TEXT)?.code, working.blockerOf(A, CONTENT)]).toEqual([
      "LooksLikeMarker",
      null,
    ]);
  });
  test("names that it does not tell", async () => {
    const failing = markers({ learn: luck, dependentNames: () => null });
    expect(await troubleOf(() => failing.learn(SETS))).toBe("threw in learn: no luck");
    const garbage = "answered garbage to dependentNames: it must be a list of names";
    expect(await troubleOf(() => failing.dependentNames(WWW))).toBe(garbage);
    const permits = opened({ permits: { namesOfPermits: () => [WWW] } }).permits;
    expect(permits?.namesOfPermits(SETS)).toEqual([WWW]);
  });
  test("markers that it cannot bring to another form stay, and are reported", () => {
    const target = { location: null, encrypt: false };
    const moved = (outdated: () => unknown) =>
      opened({ migration: { outdated } }).migration?.outdated(WWW, CONTENT, target);
    const { changes, holds } = moved(() => ({ name: WWW })) ?? planned();
    expect(changes).toEqual([]);
    expect(holds.map(({ code }) => code)).toEqual(["PluginFailed"]);
    const nothing = { name: WWW, changes: [], holds: [] };
    expect(moved(() => nothing)).toBe(nothing);
    const wrong = { name: WWW, changes: [], holds: [{}] };
    expect(moved(() => wrong)?.holds[0]?.message).toContain("holds[0].code");
  });
});

describe("opening", () => {
  const plugin = { name: "acme", given: "the registry under test", file: "" };
  const refusal = async (open: unknown, leftOff?: string): Promise<readonly string[]> => {
    const row = { name: "acme", doc: "acme", open } as RegistryRow;
    const more = leftOff === undefined ? {} : { leftOff };
    const context = { clock: new VirtualClock(), log: new MemoryLog() };
    const guardedRow = guardRegistry(row, { ...plugin, ...more });
    const registry = guardedRow.open(context as never)({} as never);
    expect([registry.affected(WWW), registry.related(WWW)]).toEqual([[WWW], [WWW]]);
    await registry.confirm(
      { name: WWW, keys: [], changes: [], preconditions: [] },
      { name: WWW, status: "applied" },
    );
    return Promise.all(
      [
        () => registry.read(SETS),
        () => registry.externalStore?.refresh(),
        () => registry.prepare(planned(), CONTENT),
      ].map(troubleOf),
    );
  };
  test.each<[string, unknown, string]>([
    ["throws", luck, "threw in open: no luck"],
    ["opens nothing", () => undefined, "answered garbage to open: it must be a function"],
    ["throws for the zone", () => luck, "threw in open: no luck"],
    ["opens no registry", () => () => null, "answered garbage to open: registry must be an object"],
    [
      "lacks a function",
      () => () => ({ ...ALL, read: 7 }),
      "answered garbage to open: registry.read must be a function",
    ],
    [
      "has a half feature",
      () => () => ({ ...ALL, permits: {} }),
      "answered garbage to open: registry.permits.namesOfPermits is missing: it must be a function",
    ],
  ])("one that %s: the zone is never read", async (_, open, trouble) => {
    expect(await refusal(open)).toEqual([trouble, trouble, trouble]);
  });
  test("one that is left off is not called", async () => {
    expect(await refusal(luck, "is left off")).toEqual([
      "is left off",
      "is left off",
      "is left off",
    ]);
  });
});
